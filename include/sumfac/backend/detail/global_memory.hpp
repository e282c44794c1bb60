// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Loads and stores of a kernel which tell a device's caches what comes next; on the host they are plain.
#pragma once

#include <sumfac/config.hpp>

#include <cstdint>

namespace sumfac::SUMFAC_TARGET::detail {

// *p, of memory that no kernel writes while this one runs, and that is read again soon if at all.
template <class T>
SUMFAC_INLINE T load_constant(T const* p)
{
#if SUMFAC_ON_CUDA
  return __ldg(p);
#else
#if defined(SUMFAC_EMULATED_DEVICE)
  ::emulated::loaded(sizeof(T));
#endif
  return *p;
#endif
}

// The same of two numbers side by side, of which the first lies at a multiple of their bytes.
template <class T>
SUMFAC_INLINE void load_constant_pair(T const* p, T (&to)[2])
{
#if SUMFAC_ON_CUDA
  if constexpr (sizeof(T) == sizeof(double))
    asm("ld.global.nc.v2.f64 {%0, %1}, [%2];" : "=d"(to[0]), "=d"(to[1]) : "l"(p));
  else
    asm("ld.global.nc.v2.f32 {%0, %1}, [%2];" : "=f"(to[0]), "=f"(to[1]) : "l"(p));
#else
  to[0] = p[0], to[1] = p[1];
#endif
}

// The same of a table's entry, where it is written: the compiler moves none behind what waits for it.
SUMFAC_INLINE std::uint32_t load_constant_here(std::uint32_t const* p)
{
#if SUMFAC_ON_CUDA
  std::uint32_t x;
  asm volatile("ld.global.nc.u32 %0, [%1];" : "=r"(x) : "l"(p));
  return x;
#else
  return *p;
#endif
}

// *p, of memory that no kernel writes while this one runs, read once.
template <class T>
SUMFAC_INLINE T load_once(T const* p)
{
#if SUMFAC_ON_CUDA
  T x;
  if constexpr (sizeof(T) == sizeof(double))
    asm("ld.global.nc.L1::no_allocate.f64 %0, [%1];" : "=d"(x) : "l"(p));
  else
    asm("ld.global.nc.L1::no_allocate.f32 %0, [%1];" : "=f"(x) : "l"(p));
  return x;
#elif SUMFAC_ON_GPU
  return __builtin_nontemporal_load(p);
#else
  return *p;
#endif
}

// The same, where it is written: the compiler moves none before others like it, so that fewer registers hold what is
// not used yet.
template <class T>
SUMFAC_INLINE T load_once_here(T const* p)
{
#if SUMFAC_ON_CUDA
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
#if SUMFAC_ON_CUDA
  __stcs(p, x);
#elif SUMFAC_ON_GPU
  __builtin_nontemporal_store(x, p);
#else
  *p = x;
#endif
}

// Starts a copy of *from, of memory that no kernel writes while this one runs, to *to in scratch. Behind
// await_copies(), and not before, this thread may read it. Where there are no such copies (before sm_80, HIP) it is
// one.
template <class T>
SUMFAC_INLINE void copy_ahead(T const* from, T* to)
{
#if SUMFAC_ON_CUDA
#if __CUDA_ARCH__ >= 800
  auto const there = static_cast<unsigned>(__cvta_generic_to_shared(to));
  asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(there), "l"(from), "n"(int{sizeof(T)}) : "memory");
  return;
#endif
#endif
  *to = load_once(from);
}

// Ends a group of copies; a group may have none.
SUMFAC_INLINE void end_copies()
{
#if SUMFAC_ON_CUDA
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.commit_group;" ::: "memory");
#endif
#endif
}

// Waits for all but the last `Most` groups of this thread's copies.
template <int Most>
SUMFAC_INLINE void await_copies()
{
#if SUMFAC_ON_CUDA
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_group %0;" ::"n"(Most) : "memory");
#endif
#endif
}

// Whether one thread prefetches any number of bytes at once.
SUMFAC_INLINE constexpr bool prefetches_in_bulk()
{
#if defined(__CUDA_ARCH__) && defined(__CUDACC_VER_MAJOR__)
  return __CUDA_ARCH__ >= 900 && __CUDACC_VER_MAJOR__ >= 12;
#else
  return false;
#endif
}

// Asks for the whole chunks of 16 bytes among so many from p on; the one in which p lies counts as whole.
SUMFAC_INLINE void prefetch_bulk([[maybe_unused]] char const* p, [[maybe_unused]] int bytes)
{
#if defined(__CUDA_ARCH__) && defined(__CUDACC_VER_MAJOR__)
#if __CUDA_ARCH__ >= 900 && __CUDACC_VER_MAJOR__ >= 12
  auto const begin = reinterpret_cast<unsigned long long>(p) & ~15ull;
  auto const size = static_cast<unsigned>(((reinterpret_cast<unsigned long long>(p) + bytes) & ~15ull) - begin);
  if (size > 0) asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(begin), "r"(size));
#endif
#endif
}

// Asks for the line of 128 bytes around p to come to the device's common cache; nothing on the host.
SUMFAC_INLINE void prefetch_line(void const* p)
{
#if SUMFAC_ON_CUDA
  asm volatile("prefetch.global.L2 [%0];" ::"l"(p));
#elif defined(SUMFAC_EMULATED_DEVICE)
  ::emulated::asked_for(p);
#else
  static_cast<void>(p);
#endif
}

}  // namespace sumfac::detail
