// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Slices of one plane, of half the planes, of all, degrees 9 to 15.
#include "ways.hpp"

using namespace checks;

TEMPLATE_TEST_CASE_SIG("ways: slices, high degrees", "", ((int N), N), 9, 10, 11, 12, 13, 14, 15)
{
  agrees_by_way<bp3, thick_slices, N>();
  agrees_by_way<bp35, thin_slices, N>();
  agrees_by_way<bp35, thick_slices, N>();
}

TEMPLATE_TEST_CASE_SIG("ways: all planes in one slice, or one in each", "", ((int N), N), 9, 14)
{
  agrees_by_way<bp3, thin_slices, N>();
  agrees_by_way<bp3, all_in_one_slice, N>();
}
