// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The lanes of a pack where the compiler has no vector types in functions for a device: an array, worked in loops.
#pragma once

#include <sumfac/config.hpp>

namespace sumfac::SUMFAC_TARGET::detail {

// Stands for a vector type of nvcc's: host code of a .cu file computes with it, and the host compiler may vectorize it.
template <class T, int Width>
struct alignas(Width * sizeof(T)) plain_lanes {
  using self = plain_lanes;
  using truths = plain_lanes<bool, Width>;

  T x[Width];

  SUMFAC_INLINE T& operator[](int lane) { return x[lane]; }
  SUMFAC_INLINE T const& operator[](int lane) const { return x[lane]; }

  template <class Function>
  SUMFAC_INLINE static plain_lanes make(Function f)
  {
    plain_lanes r;
    SUMFAC_UNROLL
    for (int l = 0; l < Width; ++l) r.x[l] = f(l);
    return r;
  }

  // clang-format off
  SUMFAC_INLINE plain_lanes operator-() const { return make([&](int l) { return -x[l]; }); }
  SUMFAC_INLINE friend self operator+(self a, self b) { return make([&](int l) { return a[l] + b[l]; }); }
  SUMFAC_INLINE friend self operator-(self a, self b) { return make([&](int l) { return a[l] - b[l]; }); }
  SUMFAC_INLINE friend self operator*(self a, self b) { return make([&](int l) { return a[l] * b[l]; }); }
  SUMFAC_INLINE friend self operator/(self a, self b) { return make([&](int l) { return a[l] / b[l]; }); }
  SUMFAC_INLINE friend self operator+(self a, T b) { return make([&](int l) { return a[l] + b; }); }
  SUMFAC_INLINE friend self operator-(self a, T b) { return make([&](int l) { return a[l] - b; }); }
  SUMFAC_INLINE friend self operator*(self a, T b) { return make([&](int l) { return a[l] * b; }); }
  SUMFAC_INLINE friend self operator/(self a, T b) { return make([&](int l) { return a[l] / b; }); }
  SUMFAC_INLINE friend self operator+(T a, self b) { return make([&](int l) { return a + b[l]; }); }
  SUMFAC_INLINE friend self operator-(T a, self b) { return make([&](int l) { return a - b[l]; }); }
  SUMFAC_INLINE friend self operator*(T a, self b) { return make([&](int l) { return a * b[l]; }); }
  SUMFAC_INLINE friend self operator/(T a, self b) { return make([&](int l) { return a / b[l]; }); }
  SUMFAC_INLINE plain_lanes& operator+=(plain_lanes b) { return *this = *this + b; }
  SUMFAC_INLINE plain_lanes& operator-=(plain_lanes b) { return *this = *this - b; }
  SUMFAC_INLINE plain_lanes& operator*=(plain_lanes b) { return *this = *this * b; }
  SUMFAC_INLINE plain_lanes& operator/=(plain_lanes b) { return *this = *this / b; }
  SUMFAC_INLINE plain_lanes& operator*=(T b) { return *this = *this * b; }
  SUMFAC_INLINE friend truths operator<(self a, self b) { return truths::make([&](int l) { return a[l] < b[l]; }); }
  SUMFAC_INLINE friend truths operator<(self a, T b) { return truths::make([&](int l) { return a[l] < b; }); }
  SUMFAC_INLINE friend truths operator<(T a, self b) { return truths::make([&](int l) { return a < b[l]; }); }
  SUMFAC_INLINE friend truths operator>(self a, self b) { return truths::make([&](int l) { return a[l] > b[l]; }); }
  SUMFAC_INLINE friend truths operator>(self a, T b) { return truths::make([&](int l) { return a[l] > b; }); }
  SUMFAC_INLINE friend truths operator>(T a, self b) { return truths::make([&](int l) { return a > b[l]; }); }
  SUMFAC_INLINE friend truths operator<=(self a, self b) { return truths::make([&](int l) { return a[l] <= b[l]; }); }
  SUMFAC_INLINE friend truths operator<=(self a, T b) { return truths::make([&](int l) { return a[l] <= b; }); }
  SUMFAC_INLINE friend truths operator<=(T a, self b) { return truths::make([&](int l) { return a <= b[l]; }); }
  SUMFAC_INLINE friend truths operator>=(self a, self b) { return truths::make([&](int l) { return a[l] >= b[l]; }); }
  SUMFAC_INLINE friend truths operator>=(self a, T b) { return truths::make([&](int l) { return a[l] >= b; }); }
  SUMFAC_INLINE friend truths operator>=(T a, self b) { return truths::make([&](int l) { return a >= b[l]; }); }
  SUMFAC_INLINE friend truths operator==(self a, self b) { return truths::make([&](int l) { return a[l] == b[l]; }); }
  SUMFAC_INLINE friend truths operator==(self a, T b) { return truths::make([&](int l) { return a[l] == b; }); }
  SUMFAC_INLINE friend truths operator==(T a, self b) { return truths::make([&](int l) { return a == b[l]; }); }
  SUMFAC_INLINE friend truths operator!=(self a, self b) { return truths::make([&](int l) { return a[l] != b[l]; }); }
  SUMFAC_INLINE friend truths operator!=(self a, T b) { return truths::make([&](int l) { return a[l] != b; }); }
  SUMFAC_INLINE friend truths operator!=(T a, self b) { return truths::make([&](int l) { return a != b[l]; }); }
  SUMFAC_INLINE friend self operator&(self a, self b) { return make([&](int l) { return a[l] & b[l]; }); }
  SUMFAC_INLINE friend self operator|(self a, self b) { return make([&](int l) { return a[l] | b[l]; }); }
  // clang-format on
};

// Lane by lane, x stays where the condition holds, and becomes y elsewhere; of vector types and of plain lanes. By
// reference: a vector wider than the processor's registers, passed by value, would change the calling convention.
template <class Truths, class Lanes>
SUMFAC_INLINE void keep_where(Truths const& where, Lanes& x, Lanes const& y)
{
  x = where ? x : y;
}
template <class T, int Width>
SUMFAC_INLINE void keep_where(plain_lanes<bool, Width> const& where, plain_lanes<T, Width>& x,
                              plain_lanes<T, Width> const& y)
{
  x = plain_lanes<T, Width>::make([&](int l) { return where[l] ? x[l] : y[l]; });
}

}  // namespace sumfac::detail
