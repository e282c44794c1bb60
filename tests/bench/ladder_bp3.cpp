// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The ladder of BP3.0 on `checked`.
#include "ladder.hpp"

namespace {

using checks::index_t;
using checks::watched;

template <int Order>
std::vector<watched> climb_bp3()
{
  constexpr index_t n = Order + 1, g = Order + 2;
  constexpr index_t interpolation = 2 * n * g * (n * n + n * g + g * g), line = g * g * g * g;
  auto const rungs = checks::climb<sumfac::ladder::bp3_ladder, Order>();
  INFO("N = " << Order);
  for (int rung = 1; rung <= 9; ++rung) {
    INFO("rung " << rung);
    index_t const slices = rung <= 4 ? 6 * n + 2 + 2 * g : rung <= 6 ? 7 + 2 * g : rung <= 8 ? 7 + 3 * g : 0;
    CHECK(checks::barriers(rungs, rung) == (rung <= 8 ? slices : 7 + 3 * ((g + 1) / 2)));
    if (rung <= 8) CHECK(checks::table_reads(rungs, rung) == interpolation + 6 * line);
  }
  // A slice less for a barrier more; then D's transpose, as large as a slice.
  constexpr index_t slice = 8 * g * (g + sumfac::ladder::padding(n, g));
  CHECK(rungs[5].counts.scratch_bytes - rungs[6].counts.scratch_bytes == slice);
  CHECK(rungs[7].counts.scratch_bytes - rungs[6].counts.scratch_bytes == slice);
  // Every table entry serves twice; where g is odd the middle slice has no partner, except along z.
  index_t const halved = interpolation / 2 + 3 * line;
  index_t const alone = g % 2 == 0 ? 0 : g * g * (2 * g - 1);
  CHECK(checks::table_reads(rungs, 9) == halved + alone);
  CHECK(checks::value_reads(rungs, 9) == checks::value_reads(rungs, 8));
  return rungs;
}

}  // namespace

TEST_CASE("The ladder of BP3.0 gives one vector, by the barriers and reads described", "[ladder]")
{
  auto const even = climb_bp3<2>();
  CHECK(2 * checks::table_reads(even, 9) == checks::table_reads(even, 8));
  auto const odd = climb_bp3<7>();
  CHECK(odd[7].counts.reads.conflicts < odd[6].counts.reads.conflicts);  // by D's transpose
}
