// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Addition to memory that other threads of a kernel add to at the same time.
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

}  // namespace sumfac::detail
