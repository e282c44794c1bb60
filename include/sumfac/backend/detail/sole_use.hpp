// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What has work memory is used by one at a time, and refuses a second.
#pragma once

#include <sumfac/error.hpp>

namespace sumfac::SUMFAC_TARGET::detail {

// A member of what has work memory: who is at work with that. Nobody is with a copy, which has memory of its own.
class work_owner {
public:
  work_owner() = default;
  work_owner(work_owner const&) noexcept {}
  work_owner& operator=(work_owner const&) noexcept { return *this; }

private:
  friend class sole_use;
  mutable void const* thread_ = nullptr;
};

// Holds the memory for the length of a call; throws, in the name of `where`, if another does.
class sole_use {
public:
  sole_use(work_owner const& owner, char const* where, char const* what = "it") : sole_use(&owner, where, what) {}
  // There may be none to hold.
  sole_use(work_owner const* owner, char const* where, char const* what = "it")
      : thread_(owner == nullptr ? nullptr : &owner->thread_)
  {
    if (owner == nullptr) return;
    static thread_local char of_thread;
    void const* found = nullptr;
    if (!__atomic_compare_exchange_n(thread_, &found, static_cast<void const*>(&of_thread), false, __ATOMIC_ACQUIRE,
                                     __ATOMIC_RELAXED))
      failf(where, "%s is at work with %s, and its memory is for one: make one for each%s",
            found == &of_thread ? "a call around this one" : "another thread", what,
            found == &of_thread ? "" : " thread");
  }
  sole_use(sole_use const&) = delete;
  sole_use& operator=(sole_use const&) = delete;
  ~sole_use()
  {
    if (thread_ != nullptr) __atomic_store_n(thread_, static_cast<void const*>(nullptr), __ATOMIC_RELEASE);
  }

private:
  void const** thread_;
};

}  // namespace sumfac::detail
