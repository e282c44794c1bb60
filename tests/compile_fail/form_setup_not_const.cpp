// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A form whose functions change it, and one whose functions return something else.
// expect: sumfac::form: setup(mapping<T>) is not const
// expect: sumfac::form: apply(factors<T>, point_values<T, components>) const must return point_values<T, components>
// expect: sumfac::element_operator: Form is no form, for the reasons that are given as sumfac::form
// errors: 3
#include <sumfac/operator/bake_off.hpp>

struct reaction {
  static constexpr auto trial = sumfac::value;
  static constexpr auto test = sumfac::value;

  template <class T>
  struct factors {
    T w;
  };

#if defined(SUMFAC_FITS)
  template <class T>
  factors<T> setup(sumfac::mapping<T> const& x) const
  {
    return {x.weight() * x.det()};
  }
  template <class T>
  sumfac::point_values<T> apply(factors<T> const& f, sumfac::point_values<T> const& u) const
  {
    return {.value = f.w * u.value};
  }
#else
  template <class T>
  factors<T> setup(sumfac::mapping<T> const& x)
  {
    return {x.weight() * x.det()};
  }
  template <class T>
  T apply(factors<T> const& f, sumfac::point_values<T> const& u) const
  {
    return f.w * u.value;
  }
#endif
};

using reaction_operator = sumfac::element_operator<reaction, 2>;

int nodes()
{
  return reaction_operator::nodes_1d;
}
