// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Values of a point that differ in where they come from, lane by lane.
#pragma once

#include <sumfac/config.hpp>
#include <sumfac/form/detail/lift.hpp>
#include <sumfac/form/point_values.hpp>
#include <sumfac/math/functions.hpp>
#include <sumfac/math/pack.hpp>

namespace sumfac::SUMFAC_TARGET::detail {

struct every_lane {
  SUMFAC_INLINE bool operator()(int) const { return true; }
};
// A truth for each lane of T.
template <class T, class Function>
SUMFAC_INLINE auto lanes_where(Function const& is)
{
  if constexpr (width_of<T> == 1) {
    return static_cast<bool>(is(0));
  } else {
    T x;
    for (int l = 0; l < width_of<T>; ++l) x.set(l, is(l) ? scalar_of<T>(1) : scalar_of<T>(0));
    return x > scalar_of<T>(0);
  }
}

// x where the condition holds, else y, of the entries that Reads names.
template <evaluation Reads, class Condition, class T, int Components, int Dim>
SUMFAC_INLINE point_values<T, Components, Dim> chosen_values(Condition const& where,
                                                             point_values<T, Components, Dim> const& x,
                                                             point_values<T, Components, Dim> const& y)
{
  point_values<T, Components, Dim> result;
  for_each_entry<Reads, Components, Dim>(
      [&](int, T& to, T const& a, T const& b) SUMFAC_LAMBDA { to = select(where, a, b); }, result, x, y);
  return result;
}

}  // namespace sumfac::SUMFAC_TARGET::detail
