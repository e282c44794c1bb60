// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A diagonal on global vectors of a form that is not linear.
// expect: sumfac::element_operator: the form says `linear = false`: it is applied, but has no diagonal and no
// errors: 1
#include <sumfac/operator/bake_off.hpp>
#include <sumfac/operator/global_operator.hpp>

struct reaction {
#if !defined(SUMFAC_FITS)
  static constexpr bool linear = false;
#endif
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

void call(sumfac::global_operator<reaction_operator, sumfac::restriction<>> const& L,
          sumfac::view<double, sumfac::dextents<1>> d)
{
  L.diagonal(d);
}
