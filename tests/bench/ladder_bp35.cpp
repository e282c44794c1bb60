// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The ladder of BP3.5 on `checked`.
#include "ladder.hpp"

namespace {

using checks::index_t;
using checks::watched;

template <int Order>
std::vector<watched> climb_bp35()
{
  constexpr index_t n = Order + 1, line = n * n * n * n;  // reads that one contraction of the element makes
  auto const rungs = checks::climb<sumfac::ladder::bp35_ladder, Order>();
  INFO("N = " << Order);
  for (int rung = 1; rung <= 10; ++rung) {
    INFO("rung " << rung);
    CHECK(checks::barriers(rungs, rung) == (rung <= 4 ? 2 : rung <= 9 ? 2 * n + 1 : 3 * n));
    CHECK(checks::table_reads(rungs, rung) == 6 * line);
  }
  for (int rung = 1; rung <= 4; ++rung) CHECK(checks::value_reads(rungs, rung) == 0);
  CHECK(checks::value_reads(rungs, 5) == 2 * line);                                                       // fluxes
  for (int rung = 6; rung <= 8; ++rung) CHECK(checks::value_reads(rungs, rung) == 5 * line + n * n * n);  // and u
  for (int rung = 9; rung <= 10; ++rung) CHECK(checks::value_reads(rungs, rung) == 4 * line);             // not along z
  // The tenth keeps three slices where the ninth keeps two and a cube.
  constexpr index_t pad = sumfac::ladder::padding(n, n);
  CHECK(rungs[8].counts.scratch_bytes - rungs[9].counts.scratch_bytes == 8 * (n - 1) * n * (n + pad));
  return rungs;
}

}  // namespace

TEST_CASE("The ladder of BP3.5 gives one vector, by the barriers and reads described", "[ladder]")
{
  climb_bp35<2>();
  auto const rungs = climb_bp35<7>();
  CHECK(rungs[7].counts.reads.conflicts < rungs[6].counts.reads.conflicts);  // by padding
}

TEST_CASE("The ladder of BP3.5 with a thread for every node passes two barriers on every rung", "[ladder]")
{
  constexpr int order = 3;
  constexpr index_t n = order + 1, line = n * n * n * n;
  auto const rungs = checks::climb<sumfac::ladder::bp35_blocks_ladder, order>();
  for (int rung = 1; rung <= 6; ++rung) {
    INFO("rung " << rung);
    CHECK(rungs[static_cast<std::size_t>(rung - 1)].threads == n * n * n);
    CHECK(checks::barriers(rungs, rung) == 2);
    CHECK(checks::table_reads(rungs, rung) == 6 * line);
    index_t const u = rung >= 5 ? 3 * line + n * n * n : 0, fluxes = rung >= 6 ? 3 * line : 0;
    CHECK(checks::value_reads(rungs, rung) == u + fluxes);
  }
}
