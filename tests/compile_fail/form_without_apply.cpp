// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A form that cannot be applied.
// expect: sumfac::form: apply(factors<T>, point_values<T, components>) const
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
  sumfac::point_values<T> apply(factors<T> const& f, sumfac::point_values<T> const& u) const
  {
    return {.value = f.w * u.value};
  }
#endif
};

using reaction_operator = sumfac::element_operator<reaction, 2>;

int nodes()
{
  return reaction_operator::nodes_1d;
}
