// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// All ways in single precision, and the host's, for some degrees.
#include "ways.hpp"

using namespace checks;

TEMPLATE_TEST_CASE_SIG("ways: single precision", "", ((int N), N), 3, 12)
{
  agrees_by_way<bp1, early_cubes, N, float>();
  agrees_by_way<bp3, wide_cubes, N, float>();
  agrees_by_way<bp3, thick_slices, N, float>();
  agrees_by_way<bp35, thin_slices, N, float>();
}

TEMPLATE_TEST_CASE_SIG("ways: the host's way under watch", "", ((int N), N), 4)
{
  agrees_by_way<bp1, host_planes, N>();
  agrees_by_way<bp3, host_planes, N>();
  agrees_by_way<bp35, host_planes, N, float>();
}
