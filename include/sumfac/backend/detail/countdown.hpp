// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// How threads learn that what others do is done.
#pragma once

#include <sumfac/math/detail/atomic.hpp>

#include <exception>

#if defined(__unix__)
#include <sched.h>
#endif

namespace sumfac::SUMFAC_TARGET::detail {

// Counts down, on a line of memory of its own, while several threads work.
class alignas(64) countdown {
public:
  explicit countdown(index_t count) : left_(count) {}

  // So many of the count, done when this ends, well or by an exception.
  class part {
  public:
    part(countdown& whole, index_t count) : whole_(whole), count_(count) {}
    part(part const&) = delete;
    part& operator=(part const&) = delete;
    ~part()
    {
      if (std::uncaught_exceptions() > thrown_) whole_.failed_.store_relaxed(1);
      whole_.left_.subtract_release(count_);
    }

  private:
    countdown& whole_;
    index_t count_;
    int thrown_ = std::uncaught_exceptions();
  };

  // Returns when all is done; false where a part of it failed.
  bool wait() const
  {
    constexpr int spins = 1000;
    for (int i = 0; left_.load_acquire() > 0; ++i) pause(i < spins);
    return failed_.load_relaxed() == 0;
  }

private:
  // Spends a moment, or leaves the processor to others.
  static void pause([[maybe_unused]] bool shortly)
  {
#if defined(__x86_64__) && defined(__GNUC__)
    if (shortly) return __builtin_ia32_pause();
#endif
#if defined(__unix__)
    if (!shortly) sched_yield();
#endif
  }

  shared_count left_, failed_;
};

}  // namespace sumfac::detail
