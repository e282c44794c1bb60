// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Loads and stores of a kernel which tell a device's caches what comes next; on the host they are plain.
#pragma once

#include <sumfac/config.hpp>

namespace sumfac::inline SUMFAC_TARGET::detail {

// *p, of memory that no kernel writes while this one runs, and that is read again soon if at all.
template <class T>
SUMFAC_INLINE T load_constant(T const* p)
{
#if defined(__CUDA_ARCH__)
  return __ldg(p);
#else
  return *p;
#endif
}

// *p, of memory that no kernel writes while this one runs, read once.
template <class T>
SUMFAC_INLINE T load_once(T const* p)
{
#if defined(__CUDA_ARCH__)
  T x;
  if constexpr (sizeof(T) == sizeof(double))
    asm("ld.global.nc.L1::no_allocate.f64 %0, [%1];" : "=d"(x) : "l"(p));
  else
    asm("ld.global.nc.L1::no_allocate.f32 %0, [%1];" : "=f"(x) : "l"(p));
  return x;
#elif SUMFAC_ON_DEVICE
  return __builtin_nontemporal_load(p);
#else
  return *p;
#endif
}

// The same, where it is written: the compiler moves none before others like it, so that fewer registers hold what is not
// used yet.
template <class T>
SUMFAC_INLINE T load_once_here(T const* p)
{
#if defined(__CUDA_ARCH__)
  T x;
  if constexpr (sizeof(T) == sizeof(double))
    asm volatile("ld.global.nc.L1::no_allocate.f64 %0, [%1];" : "=d"(x) : "l"(p));
  else
    asm volatile("ld.global.nc.L1::no_allocate.f32 %0, [%1];" : "=f"(x) : "l"(p));
  return x;
#else
  return load_once(p);
#endif
}

// *p = x, not read again soon.
template <class T>
SUMFAC_INLINE void store_once(T x, T* p)
{
#if defined(__CUDA_ARCH__)
  __stcs(p, x);
#elif SUMFAC_ON_DEVICE
  __builtin_nontemporal_store(x, p);
#else
  *p = x;
#endif
}

// Asks for the line of 128 bytes around p to come to the device's common cache; nothing on the host.
SUMFAC_INLINE void prefetch_line(void const* p)
{
#if defined(__CUDA_ARCH__)
  asm volatile("prefetch.global.L2 [%0];" ::"l"(p));
#else
  static_cast<void>(p);
#endif
}

}  // namespace sumfac::detail
