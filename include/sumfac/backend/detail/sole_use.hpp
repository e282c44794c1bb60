// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What has work memory is used by one at a time, and refuses a second.
#pragma once

#include <sumfac/config.hpp>
#include <sumfac/error.hpp>

namespace sumfac::inline SUMFAC_TARGET::detail {

// Holds `owner`, null where nobody does, for the length of a call; throws, in the name of `where`, if another does.
// There may be none to hold.
class sole_use {
public:
  sole_use(void const** owner, char const* where, char const* what = "it") : owner_(owner)
  {
    if (owner == nullptr) return;
    static thread_local char of_thread;
    void const* found = nullptr;
    if (!__atomic_compare_exchange_n(owner, &found, static_cast<void const*>(&of_thread), false, __ATOMIC_ACQUIRE,
                                     __ATOMIC_RELAXED))
      failf(where, "%s is at work with %s, and its memory is for one: make one for each%s",
            found == &of_thread ? "a call around this one" : "another thread", what,
            found == &of_thread ? "" : " thread");
  }
  sole_use(sole_use const&) = delete;
  sole_use& operator=(sole_use const&) = delete;
  ~sole_use()
  {
    if (owner_ != nullptr) __atomic_store_n(owner_, static_cast<void const*>(nullptr), __ATOMIC_RELEASE);
  }

private:
  void const** owner_;
};

}  // namespace sumfac::detail
