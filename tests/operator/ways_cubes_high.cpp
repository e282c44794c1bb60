// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Cubes of two elements a team, factors fetched early, degrees 9 to 15.
#include "ways.hpp"

using namespace checks;

TEMPLATE_TEST_CASE_SIG("ways: cubes, high degrees", "", ((int N), N), 9, 10, 11, 12, 13, 14, 15)
{
  agrees_by_way<bp1, wide_cubes, N>();
  agrees_by_way<bp1, early_cubes, N>();
  agrees_by_way<bp3, wide_cubes, N>();
  agrees_by_way<bp35, wide_cubes, N>();
}
