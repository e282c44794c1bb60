// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A function that packs do not have, in a form that calls it without std:: in front.
// expect: sumfac::pack: packs have sqrt, abs, min, max, fma and fnma alone: call others lane by lane, as in
// expect: sumfac::lane_by_lane([](auto z)
// errors: 1
#include <sumfac/operator/bake_off.hpp>

#include <cmath>

struct layered_mass {
  static constexpr auto trial = sumfac::value;
  static constexpr auto test = sumfac::value;

  template <class T>
  struct factors {
    T w;
  };

  template <class T>
  factors<T> setup(sumfac::mapping<T> const& x) const
  {
#if defined(SUMFAC_FITS)
    return {x.measure() * sumfac::lane_by_lane([](auto z) { return std::exp(z); }, x.position()[2])};
#else
    using std::exp;
    return {x.measure() * exp(x.position()[2])};
#endif
  }

  template <class T>
  sumfac::point_values<T> apply(factors<T> const& f, sumfac::point_values<T> const& u) const
  {
    return {.value = f.w * u.value};
  }
};

void set_up(sumfac::view<double, sumfac::dextents<5>> nodes)
{
  sumfac::element_operator<layered_mass, 2> const A(sumfac::host{}, nodes);
}
