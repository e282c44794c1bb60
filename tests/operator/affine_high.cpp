// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// BP1, BP3, BP3.5 and BP5 on affine elements, geometry recomputed, on the host: to degree 15, against the oracle.
#include "policies.hpp"

using sumfac::affine;

TEMPLATE_TEST_CASE_SIG("affine: mass, high degrees", "", ((int N), N), 8, 11, 15)
{
  checks::mass_agrees<affine, N>();
}

TEMPLATE_TEST_CASE_SIG("affine: stiffness at Gauss points, high degrees", "", ((int N), N), 8, 11, 15)
{
  checks::stiffness_agrees<affine, N>();
}

TEMPLATE_TEST_CASE_SIG("affine: stiffness at the nodes, high degrees", "", ((int N), N), 8, 11, 15)
{
  checks::collocated_agrees<affine, N>();
}

TEST_CASE("affine: stiffness without a mass term, a high degree")
{
  checks::laplace_agrees<affine, 12>();
}
