// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Numbers that several of the host's threads change at the same time, by the compilers' own means: <atomic> is long.
#pragma once

#include <sumfac/config.hpp>

namespace sumfac::SUMFAC_TARGET::detail {

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

// A number that threads count with. Orders are std::memory_order's of the same name.
class shared_count {
public:
  shared_count() = default;
  explicit shared_count(index_t count) : count_(count) {}

  index_t load_relaxed() const { return __atomic_load_n(&count_, __ATOMIC_RELAXED); }
  index_t load_acquire() const { return __atomic_load_n(&count_, __ATOMIC_ACQUIRE); }
  void store_relaxed(index_t count) { __atomic_store_n(&count_, count, __ATOMIC_RELAXED); }
  // Returns what it was before.
  index_t add_relaxed(index_t count) { return __atomic_fetch_add(&count_, count, __ATOMIC_RELAXED); }
  void subtract_release(index_t count) { __atomic_fetch_sub(&count_, count, __ATOMIC_RELEASE); }

private:
  index_t count_ = 0;
};

// The least of the indices that several threads find.
class first_of_all {
public:
  explicit first_of_all(index_t none) : index_(none) {}
  index_t index() const { return index_; }
  void keep(index_t found)
  {
    index_t lowest = __atomic_load_n(&index_, __ATOMIC_RELAXED);
    while (found < lowest &&
           !__atomic_compare_exchange_n(&index_, &lowest, found, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
  }

private:
  index_t index_;
};

}  // namespace sumfac::detail
