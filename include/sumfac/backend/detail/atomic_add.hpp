// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Numbers that several teams of a kernel change at the same time.
#pragma once

#include <sumfac/config.hpp>
#if SUMFAC_HAS_HOST
#include <sumfac/math/detail/atomic.hpp>
#endif

namespace sumfac::SUMFAC_TARGET::detail {

// *p += x, as one step.
template <class T>
SUMFAC_INLINE void atomic_add(T* p, T x)
{
#if SUMFAC_ON_GPU
  atomicAdd(p, x);
#elif SUMFAC_ON_SYCL
  ::sycl::atomic_ref<T, ::sycl::memory_order::relaxed, ::sycl::memory_scope::device>(*p).fetch_add(x);
#else
  add_atomically(*p, x);
#endif
}

// Whether `teams` have called it by now, each by one of its threads, behind a barrier of the team: the last one, and
// behind another barrier all its threads, see what the threads of all teams wrote before. `arrived` is 0 at first and
// 0 again for the next launch.
SUMFAC_INLINE bool is_last_of(unsigned* arrived, index_t teams)
{
#if SUMFAC_ON_GPU
  __threadfence();
  unsigned const before = atomicAdd(arrived, 1u);
  __threadfence();
#elif SUMFAC_ON_SYCL
  ::sycl::atomic_fence(::sycl::memory_order::acq_rel, ::sycl::memory_scope::device);
  unsigned const before =
      ::sycl::atomic_ref<unsigned, ::sycl::memory_order::relaxed, ::sycl::memory_scope::device>(*arrived).fetch_add(1u);
  ::sycl::atomic_fence(::sycl::memory_order::acq_rel, ::sycl::memory_scope::device);
#else
  unsigned const before = __atomic_fetch_add(arrived, 1u, __ATOMIC_ACQ_REL);
#endif
  if (static_cast<index_t>(before) + 1 != teams) return false;
  *arrived = 0;
  return true;
}

}  // namespace sumfac::detail
