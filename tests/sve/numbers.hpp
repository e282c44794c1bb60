// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What each register of AArch64 is asked for: the results of operators on the same elements.
#pragma once

namespace sve {

constexpr int most_numbers = 4096;

// The numbers of a part, one operator's after the other's; `digits` is what the scalar of each has.
struct numbers {
  int count = 0, register_bits = 0;
  double value[most_numbers] = {}, rounding[most_numbers] = {};
};

}  // namespace sve

// Declares one part's functions: its numbers, and one line of packs contracted, whose code tests/tools/check_sve reads.
#define SVE_DECLARE(part) SVE_DECLARE_PART(part)
#define SVE_DECLARE_PART(part)       \
  namespace sve {                    \
  void compute_##part(numbers& out); \
  }                                  \
  extern "C" void sumfac_pencil_##part(double const* from, double* to);
