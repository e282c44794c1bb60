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
#if SUMFAC_ON_DEVICE
  atomicAdd(p, x);
#else
  add_atomically(*p, x);
#endif
}

}  // namespace sumfac::detail
