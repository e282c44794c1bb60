// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What a restriction keeps, by backend, and what a sweep over its elements does to the result.
#pragma once

#include <sumfac/error.hpp>

namespace sumfac::inline SUMFAC_TARGET::detail {

// Holds `busy` for the length of a call; throws where another thread does.
class sole_use {
public:
  explicit sole_use(bool& busy) : busy_(busy)
  {
    if (__atomic_exchange_n(&busy_, true, __ATOMIC_ACQUIRE))
      failf("restriction", "another thread is at work with it, and its memory is for one: make one for each thread");
  }
  sole_use(sole_use const&) = delete;
  sole_use& operator=(sole_use const&) = delete;
  ~sole_use() { __atomic_store_n(&busy_, false, __ATOMIC_RELEASE); }

private:
  bool& busy_;
};

// y = the sums, or y = y + the sums.
enum class sweep_mode { write, add };

// What becomes of constrained entries: nothing, y = x, y = 0.
enum class row_action { none, copy, zero };

// Tables and work memory: of devices and `checked` in device_restriction.hpp, of the host in host_restriction.hpp.
template <class Scalar, class Backend>
class restriction_storage;

}  // namespace sumfac::detail
