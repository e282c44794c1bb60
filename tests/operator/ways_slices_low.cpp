// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Slices of one plane, of half the planes, of all, degrees 1 to 8.
#include "ways.hpp"

using namespace checks;

TEMPLATE_TEST_CASE_SIG("ways: slices, low degrees", "", ((int N), N), 1, 2, 3, 4, 5, 6, 7, 8)
{
  agrees_by_way<bp3, thin_slices, N>();
  agrees_by_way<bp3, thick_slices, N>();
  agrees_by_way<bp35, thick_slices, N>();
  agrees_by_way<bp35, all_in_one_slice, N>();
}
