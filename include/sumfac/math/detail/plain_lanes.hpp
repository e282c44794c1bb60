// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The lanes of a pack where the compiler has no vector types in functions for a device: an array, worked in loops.
#pragma once

#include <sumfac/config.hpp>

namespace sumfac::inline SUMFAC_TARGET::detail {

// Stands for a vector type of nvcc's: host code of a .cu file computes with it, and the host compiler may vectorize it.
template <class T, int Width>
struct alignas(Width * sizeof(T)) plain_lanes {
  using self = plain_lanes;

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
  // clang-format on
};

// Lane by lane, a becomes the lesser, the greater of a and b; of vector types and of plain lanes. By reference: a
// vector wider than the processor's registers, passed by value, would change the calling convention.
template <class Lanes>
SUMFAC_INLINE void keep_lesser(Lanes& a, Lanes const& b)
{
  a = a < b ? a : b;
}
template <class Lanes>
SUMFAC_INLINE void keep_greater(Lanes& a, Lanes const& b)
{
  a = a > b ? a : b;
}
template <class T, int Width>
SUMFAC_INLINE void keep_lesser(plain_lanes<T, Width>& a, plain_lanes<T, Width> const& b)
{
  a = plain_lanes<T, Width>::make([&](int l) { return a[l] < b[l] ? a[l] : b[l]; });
}
template <class T, int Width>
SUMFAC_INLINE void keep_greater(plain_lanes<T, Width>& a, plain_lanes<T, Width> const& b)
{
  a = plain_lanes<T, Width>::make([&](int l) { return a[l] > b[l] ? a[l] : b[l]; });
}

// Lane by lane, x stays where a is less than b, and becomes y elsewhere.
template <class Lanes>
SUMFAC_INLINE void keep_where_less(Lanes const& a, Lanes const& b, Lanes& x, Lanes const& y)
{
  x = a < b ? x : y;
}
template <class T, int Width>
SUMFAC_INLINE void keep_where_less(plain_lanes<T, Width> const& a, plain_lanes<T, Width> const& b,
                                   plain_lanes<T, Width>& x, plain_lanes<T, Width> const& y)
{
  x = plain_lanes<T, Width>::make([&](int l) { return a[l] < b[l] ? x[l] : y[l]; });
}

}  // namespace sumfac::detail
