// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// BP1, BP3, BP3.5 and BP5 on affine and trilinear elements, geometry recomputed, on the host, against the oracle.
// part affine_low: POLICY=affine DEGREES=1,2,3 LAPLACE_DEGREES=1,2,3
// part affine_mid: POLICY=affine DEGREES=4,7 LAPLACE_DEGREES=6
// part affine_high: POLICY=affine DEGREES=11,15 LAPLACE_DEGREES=12
// part trilinear_low: POLICY=trilinear DEGREES=1,2,3 LAPLACE_DEGREES=1,2,3
// part trilinear_mid: POLICY=trilinear DEGREES=4,7 LAPLACE_DEGREES=6
// part trilinear_high: POLICY=trilinear DEGREES=11,15 LAPLACE_DEGREES=12
#include "policies.hpp"

using policy = sumfac::POLICY;

TEMPLATE_TEST_CASE_SIG("recomputed geometry: mass", "", ((int N), N), DEGREES) { checks::mass_agrees<policy, N>(); }

TEMPLATE_TEST_CASE_SIG("recomputed geometry: stiffness at Gauss points", "", ((int N), N), DEGREES)
{
  checks::stiffness_agrees<policy, N>();
}

TEMPLATE_TEST_CASE_SIG("recomputed geometry: stiffness at the nodes", "", ((int N), N), DEGREES)
{
  checks::collocated_agrees<policy, N>();
}

TEMPLATE_TEST_CASE_SIG("recomputed geometry: stiffness without a mass term", "", ((int N), N), LAPLACE_DEGREES)
{
  checks::laplace_agrees<policy, N>();
}
