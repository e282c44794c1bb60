// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A form that asks which of two numbers is the greater, which has an answer for each element of a pack.
// expect: sumfac::pack: numbers of several elements are compared at once, which may differ: take min, max and abs
#include <sumfac/operator/bake_off.hpp>

struct upwind {
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
  template <class T>
  sumfac::point_values<T> apply(factors<T> const& f, sumfac::point_values<T> const& u) const
  {
#if defined(SUMFAC_FITS)
    return {.value = f.w * max(u.value, T(0))};
#else
    return {.value = 0 < u.value ? f.w * u.value : T(0)};
#endif
  }
};

using view4 = sumfac::view<double, sumfac::dextents<4>>;

void call(sumfac::element_operator<upwind, 2> const& A, view4 u, view4 v)
{
  A.apply(u, v);
}
