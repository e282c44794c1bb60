// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Cubes of several elements a team, factors fetched early, all degrees; an element in a warp, of its one degree;
// instances/ has forms, numbers and geometry.
// part low: DEGREES=1,2,3,4,5,6,7,8
// part high: DEGREES=9,10,11,12,13,14,15
#include "ways.hpp"

using namespace checks;

TEMPLATE_TEST_CASE_SIG("ways: cubes", "", ((int N), N), DEGREES)
{
  agrees_by_way<bp1, early_cubes, N>();
  agrees_by_way<bp3, wide_cubes, N>();
  if constexpr (N <= 3) agrees_by_way<bp35, wide_cubes, N>();
  if constexpr (N == 6) agrees_by_way<bp3, in_warps, N>();
}
