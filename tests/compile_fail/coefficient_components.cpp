// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A coefficient of components whose number is no constant.
// expect: sumfac::mapping: at(view) makes a vector of a coefficient's components, whose number must be a
// errors: 1
#include <sumfac/operator/bake_off.hpp>

#if defined(SUMFAC_FITS)
using table = sumfac::view<double const, sumfac::extents<sumfac::dynamic_extent, 2>>;
#else
using table = sumfac::view<double const, sumfac::dextents<2>>;
#endif

template <class T>
T sum(sumfac::vector<T, 2> const& x)
{
  return x[0] + x[1];
}
template <class T>
T sum(T const& x)
{
  return x;
}

struct weighted : sumfac::mass {
  template <class T>
  factors<T> setup(sumfac::mapping<T> const& x) const
  {
    return {sum(x.at(weight)) * x.measure()};
  }
  static void apply_at() = delete;
  table weight;
};

void set_up(sumfac::view<double, sumfac::dextents<5>> nodes)
{
  sumfac::element_operator<weighted, 2> const A(sumfac::host{}, nodes);
}
