// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Sums that several of the host's threads add to.
#pragma once

#include <sumfac/config.hpp>

namespace sumfac::inline SUMFAC_TARGET::detail {

// y += x, in no order with what other threads do.
template <class T>
void add_atomically(T& y, T x)
{
  T now, sum;
  __atomic_load(&y, &now, __ATOMIC_RELAXED);
  do {
    sum = now + x;
  } while (!__atomic_compare_exchange(&y, &now, &sum, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
}

}  // namespace sumfac::detail
