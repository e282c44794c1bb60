// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Addition to memory that other threads of a kernel add to at the same time.
#pragma once

#include <sumfac/config.hpp>

namespace sumfac::inline SUMFAC_TARGET::detail {

// *p += x, as one step on a device. On the host, where a kernel of `checked` runs thread by thread, it is that alone.
template <class T>
SUMFAC_INLINE void atomic_add(T* p, T x)
{
#if SUMFAC_ON_DEVICE
  atomicAdd(p, x);
#else
  *p += x;
#endif
}

}  // namespace sumfac::detail
