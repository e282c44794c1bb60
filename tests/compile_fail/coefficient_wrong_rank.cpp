// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A coefficient by element and something.
// expect: sumfac::mapping: at(view) takes a coefficient of shape (E), (E, K), (E, g, g, g) or (E, g, g, g, K)
// errors: 1
#include <sumfac/operator/bake_off.hpp>

#if defined(SUMFAC_FITS)
using table = sumfac::view<double const, sumfac::dextents<1>>;
#else
using table = sumfac::view<double const, sumfac::dextents<3>>;
#endif

struct weighted : sumfac::mass {
  template <class T>
  factors<T> setup(sumfac::mapping<T> const& x) const
  {
    return {x.at(weight) * x.measure()};
  }
  static void apply_at() = delete;
  table weight;
};

void set_up(sumfac::view<double, sumfac::dextents<5>> nodes)
{
  sumfac::element_operator<weighted, 2> const A(sumfac::host{}, nodes);
}
