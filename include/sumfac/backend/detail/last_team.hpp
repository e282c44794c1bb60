// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Which team of a launch ends last, so that it goes on with what all of them have left.
#pragma once

#include <sumfac/config.hpp>

namespace sumfac::SUMFAC_TARGET::detail {

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
