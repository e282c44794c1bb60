// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A form that can be applied to numbers of one type alone.
// expect: sumfac::form: apply(factors<T>, point_values<T, components>) const must be a template of T
// errors: 2
#include <sumfac/operator/bake_off.hpp>

struct reaction {
  static constexpr auto trial = sumfac::value;
  static constexpr auto test = sumfac::value;

  template <class T>
  struct factors {
    T w;
  };

  template <class T>
  factors<T> setup(sumfac::mapping<T> const& x) const
  {
    return {x.weight() * x.det()};
  }

#if defined(SUMFAC_FITS)
  template <class T>
#else
  using T = double;
#endif
  sumfac::point_values<T> apply(factors<T> const& f, sumfac::point_values<T> const& u) const
  {
    return {.value = f.w * u.value};
  }
};

using reaction_operator = sumfac::element_operator<reaction, 2>;

int nodes()
{
  return reaction_operator::nodes_1d;
}
