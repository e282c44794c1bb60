// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The ladder of BP1.0 on `checked`.
#include "ladder.hpp"

namespace {

using checks::index_t;
using checks::watched;

// Matrix entries that six dense contractions use, from n nodes to g points along x, y, z and back.
constexpr index_t dense(index_t n, index_t g) { return 2 * n * g * (n * n + n * g + g * g); }

template <int Order>
std::vector<watched> climb_bp1()
{
  constexpr index_t n = Order + 1, g = Order + 2;
  auto const rungs = checks::climb<sumfac::ladder::bp1_ladder, Order>();
  INFO("N = " << Order);
  for (int rung = 1; rung <= 6; ++rung) {
    INFO("rung " << rung);
    CHECK(checks::barriers(rungs, rung) == 6 * n + 1);
    CHECK(checks::table_reads(rungs, rung) == dense(n, g));
  }
  // Global temporaries leave scratch to the table; then slices are written and read there, three times each way.
  CHECK(checks::value_reads(rungs, 1) == 0);
  CHECK(checks::writes(rungs, 1) == g * n);
  for (int rung = 2; rung <= 6; ++rung) {
    CHECK(checks::value_reads(rungs, rung) == 2 * n * (n * n * g + n * g * g));
    CHECK(checks::writes(rungs, rung) == g * n + n * (n * n + 2 * n * g + g * g));
  }
  // T pencils of m inputs and p outputs: T m and T m p reads, T p writes; two of the twelve ends are global memory,
  // two are registers.
  for (int rung = 7; rung <= 8; ++rung) {
    CHECK(checks::barriers(rungs, rung) == 5);
    CHECK(checks::value_reads(rungs, rung) == 2 * (g * n * n + g * g * n));
    CHECK(checks::writes(rungs, rung) == g * n + 2 * (g * n * n + g * g * n));
  }
  CHECK(checks::table_reads(rungs, 7) == dense(n, g));
  CHECK(2 * checks::table_reads(rungs, 8) == checks::table_reads(rungs, 7));
  return rungs;
}

}  // namespace

TEST_CASE("The ladder of BP1.0 gives one vector, by the barriers and reads described", "[ladder]")
{
  climb_bp1<2>();
  auto const rungs = climb_bp1<7>();
  CHECK(rungs[4].counts.reads.conflicts < rungs[3].counts.reads.conflicts);  // by padding
}
