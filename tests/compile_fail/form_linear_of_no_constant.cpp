// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A form each object of which says by itself whether it is linear.
// expect: sumfac::form: linear must be a static constexpr bool: false says that apply is not linear in u
// errors: 1
#include <sumfac/operator/bake_off.hpp>

struct reaction {
#if defined(SUMFAC_FITS)
  static constexpr
#endif
      bool linear = false;
  static constexpr auto trial = sumfac::value;
  static constexpr auto test = sumfac::value;

  template <class T>
  struct factors {
    T w;
  };

  template <class T>
  factors<T> setup(sumfac::mapping<T> const& x) const
  {
    return {x.measure()};
  }

  template <class T>
  sumfac::point_values<T> apply(factors<T> const& f, sumfac::point_values<T> const& u) const
  {
    return {.value = f.w * u.value * u.value};
  }
};

using reaction_operator = sumfac::element_operator<reaction, 2>;

int nodes()
{
  return reaction_operator::nodes_1d;
}
