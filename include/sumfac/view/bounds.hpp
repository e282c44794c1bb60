// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// How views refuse a wrong index or shape; included, and paid for, only where SUMFAC_BOUNDS_CHECK is 1.
#pragma once

#include <sumfac/config.hpp>

#include <cstdio>
#include <stdexcept>

namespace sumfac::detail {

// Throws std::out_of_range: `sumfac::<what> <r> (<first> a, <second> b)<shape>: <advice>`.
// On a device, prints that and stops the kernel.
[[noreturn]] SUMFAC_FUNCTION inline void refuse(char const* what, int r, char const* first, index_t a,
                                                char const* second, index_t b, char const* advice,
                                                index_t const* shape = nullptr, int rank = 0)
{
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  static_cast<void>(shape), static_cast<void>(rank);
  printf("sumfac::%s %d (%s %lld, %s %lld): %s [block %d %d %d, thread %d %d %d]\n", what, r, first,
         static_cast<long long>(a), second, static_cast<long long>(b), advice, static_cast<int>(blockIdx.x),
         static_cast<int>(blockIdx.y), static_cast<int>(blockIdx.z), static_cast<int>(threadIdx.x),
         static_cast<int>(threadIdx.y), static_cast<int>(threadIdx.z));
#if defined(__CUDA_ARCH__)
  __trap();
#else
  __builtin_trap();
#endif
#else
  char of[256] = "";
  int length = 0;
  for (int n = 0; n < rank && length < 200; ++n)
    length += std::snprintf(of + length, 40, "%s%lld", n == 0 ? " of a view (" : ", ",
                            static_cast<long long>(shape[n]));
  char text[512];
  std::snprintf(text, sizeof text, "sumfac::%s %d%s%s (%s %lld, %s %lld): %s", what, r, of, rank > 0 ? ")" : "", first,
                static_cast<long long>(a), second, static_cast<long long>(b), advice);
  throw std::out_of_range(text);
#endif
}

}  // namespace sumfac::detail
