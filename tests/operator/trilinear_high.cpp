// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// BP1, BP3, BP3.5 and BP5 on trilinear elements, geometry recomputed, on the host: to degree 15, against the oracle.
#include "policies.hpp"

using sumfac::trilinear;

TEMPLATE_TEST_CASE_SIG("trilinear: mass, high degrees", "", ((int N), N), 8, 11, 15)
{
  checks::mass_agrees<trilinear, N>();
}

TEMPLATE_TEST_CASE_SIG("trilinear: stiffness at Gauss points, high degrees", "", ((int N), N), 8, 11, 15)
{
  checks::stiffness_agrees<trilinear, N>();
}

TEMPLATE_TEST_CASE_SIG("trilinear: stiffness at the nodes, high degrees", "", ((int N), N), 8, 11, 15)
{
  checks::collocated_agrees<trilinear, N>();
}

TEST_CASE("trilinear: stiffness without a mass term, a high degree")
{
  checks::laplace_agrees<trilinear, 12>();
}
