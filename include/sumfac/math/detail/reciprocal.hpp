// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// 1 / x, on CUDA devices without the branch for what is no normal number.
#pragma once

#include <sumfac/config.hpp>

#include <type_traits>

namespace sumfac::SUMFAC_TARGET::detail {

// 1 / x; on CUDA devices to two units in the last place, of x and 1 / x that are normal numbers.
//
// A division in double is 8 instructions of the unit for doubles and a branch to a subroutine, which no other point's
// arithmetic is moved across. This is 3 behind the approximation of 20 bits: the error e of x0 is x x0 = 1 - e, and
// x0 (1 + e + e^2) is off by e^3.
template <class T>
SUMFAC_INLINE T reciprocal(T const& x)
{
#if SUMFAC_ON_CUDA
  if constexpr (std::is_same_v<T, double>) {
    double y;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
    double const e = __fma_rn(-x, y, 1.0);
    return __fma_rn(y, __fma_rn(e, e, e), y);
  } else if constexpr (std::is_same_v<T, float>) {
    float y;
    asm("rcp.approx.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
  } else {
    return static_cast<T>(1) / x;
  }
#else
  return static_cast<T>(1) / x;
#endif
}

}  // namespace sumfac::detail
