// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// BP1, BP3, BP3.5 and BP5 on trilinear elements, geometry recomputed, on the host: middle degrees, against the oracle.
#include "policies.hpp"

using sumfac::trilinear;

TEMPLATE_TEST_CASE_SIG("trilinear: the bake-off on the host, middle degrees", "", ((int N), N), 4, 5, 7)
{
  checks::mass_agrees<trilinear, N>();
  checks::stiffness_agrees<trilinear, N>();
  checks::collocated_agrees<trilinear, N>();
}

TEST_CASE("trilinear: stiffness without a mass term, middle degrees")
{
  checks::laplace_agrees<trilinear, 6>();
}
