// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// BP1, BP3, BP3.5 and BP5 on affine elements, geometry recomputed, on the host: middle degrees, against the oracle.
#include "policies.hpp"

using sumfac::affine;

TEMPLATE_TEST_CASE_SIG("affine: the bake-off on the host, middle degrees", "", ((int N), N), 4, 5, 7)
{
  checks::mass_agrees<affine, N>();
  checks::stiffness_agrees<affine, N>();
  checks::collocated_agrees<affine, N>();
}

TEST_CASE("affine: stiffness without a mass term, middle degrees")
{
  checks::laplace_agrees<affine, 6>();
}
