// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Slices of one, several and all planes, all degrees.
// part low: DEGREES=1,2,3,4,5,6,7,8
// part high: DEGREES=9,10,11,12,13,14,15
#include "ways.hpp"

using namespace checks;

TEMPLATE_TEST_CASE_SIG("ways: slices", "", ((int N), N), DEGREES)
{
  agrees_by_way<bp3, thick_slices, N>();
  if constexpr (N <= 3) agrees_by_way<bp35, all_in_one_slice, N>();
  agrees_by_way<bp35, thin_slices, N>();
  if constexpr (N == 9 || N == 14) agrees_by_way<bp3, all_in_one_slice, N>();
}
