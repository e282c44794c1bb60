// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Powers of two near numbers, to divide by before products are taken: that rounds nothing.
#pragma once

#include <sumfac/math/pack.hpp>

#include <type_traits>

namespace sumfac::SUMFAC_TARGET::detail {

// The greatest power of two not above |x|, from 2^-120 to 2^120 (float) or 2^-1000 to 2^1000, so that its inverse is a
// number, too; 1 for 0 and for what is not finite.
template <class Entry>
SUMFAC_FUNCTION constexpr Entry power_of_two_below(Entry x)
{
  if (x < 0) x = -x;
  if (!(x > 0) || x - x != 0) return 1;
  int const limit = sizeof(Entry) == sizeof(double) ? 1000 : 120;
  Entry power = 1;
  for (int i = 0; i < limit && power > x; ++i) power /= 2;
  for (int i = 0; i < limit && x / 2 >= power; ++i) power *= 2;
  return power;
}

// The power of two below the largest of some numbers, or packs of them, lane by lane.
template <class T>
SUMFAC_FUNCTION constexpr T scale_of(T const* numbers, int count)
{
  if constexpr (std::is_floating_point_v<T>) {
    T largest = 0, zero = 0;  // zero becomes NaN by what is not finite
    for (int i = 0; i < count; ++i) {
      T const size = numbers[i] < 0 ? -numbers[i] : numbers[i];
      if (size > largest) largest = size;
      zero += numbers[i] - numbers[i];
    }
    return zero == 0 ? power_of_two_below(largest) : static_cast<T>(1);
  } else if constexpr (requires(T x) { x.set(0, x[0]); }) {
    T largest{}, zero{};
    for (int i = 0; i < count; ++i) {
      largest = max SUMFAC_NO_MACRO(largest, abs SUMFAC_NO_MACRO(numbers[i]));
      zero = zero + (numbers[i] - numbers[i]);
    }
    for (int lane = 0; lane < width_of<T>; ++lane)
      largest.set(lane, zero[lane] == 0 ? power_of_two_below(largest[lane]) : scalar_of<T>(1));
    return largest;
  } else {
    return static_cast<T>(1);  // what counts operations
  }
}

}  // namespace sumfac::detail
