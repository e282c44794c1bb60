// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What a restriction keeps, by backend, and what a sweep over its elements does to the result.
#pragma once

#include <sumfac/error.hpp>

namespace sumfac::inline SUMFAC_TARGET::detail {

// Holds `owner` for the length of a call; throws where another thread does. The thread that holds it may do so again,
// as where a restriction is that of both sides.
class sole_use {
public:
  explicit sole_use(void const*& owner) : owner_(owner)
  {
    static thread_local char of_thread;
    void const* found = nullptr;
    held_before_ = !__atomic_compare_exchange_n(&owner_, &found, static_cast<void const*>(&of_thread), false,
                                                __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
    if (held_before_ && found != &of_thread)
      failf("restriction", "another thread is at work with it, and its memory is for one: make one for each thread");
  }
  sole_use(sole_use const&) = delete;
  sole_use& operator=(sole_use const&) = delete;
  ~sole_use()
  {
    if (!held_before_) __atomic_store_n(&owner_, static_cast<void const*>(nullptr), __ATOMIC_RELEASE);
  }

private:
  void const*& owner_;
  bool held_before_ = false;
};

// y = the sums, or y = y + the sums.
enum class sweep_mode { write, add };

// What becomes of constrained entries: nothing, y = x, y = 0.
enum class row_action { none, copy, zero };

// Tables and work memory: of devices and `checked` in device_restriction.hpp, of the host in host_restriction.hpp.
template <class Scalar, class Backend>
class restriction_storage;

}  // namespace sumfac::detail
