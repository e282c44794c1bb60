// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What the operators' device kernels do in shared memory, counted by `checked` in double: no device is needed.
#pragma once

#include <sumfac/element/tuning.hpp>

#include <string>
#include <vector>

namespace sumfac::bench {

// One problem at one degree, with the tuning that an operator takes on sm_90.
//
// **Units** scratch: bytes of a team; barriers: of a team; transactions (of 128 bytes, conflicts among them),
// conflicts, flops (credited) and bytes (of u, v and factors): of an element.
struct shared_counts {
  std::string problem;
  int order = 0;
  tuning tuned;
  double scratch = 0, barriers = 0, transactions = 0, conflicts = 0, flops = 0, bytes = 0;
};

// BP1.0, BP3.0 and BP3.5, N = 1 to 15.
std::vector<shared_counts> count_shared();

// count_shared() in programs that are linked with it, which is minutes to compile; else none.
inline std::vector<shared_counts> (*&counting())()
{
  static std::vector<shared_counts> (*count)() = [] { return std::vector<shared_counts>(); };
  return count;
}

}  // namespace sumfac::bench
