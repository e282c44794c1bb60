// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Recomputed geometry on checked: cubes and slices of points.
#include "policies_checked.hpp"

using sumfac::affine, sumfac::isoparametric, sumfac::trilinear;

TEMPLATE_TEST_CASE("geometry policies on checked: cubes", "", affine, trilinear, isoparametric<3>)
{
  checks::collocated_by_way<2, TestType, checks::cubes>();
  checks::stiffness_by_way<4, TestType, checks::early_cubes>();
}

TEMPLATE_TEST_CASE("geometry policies on checked: slices", "", affine, trilinear, isoparametric<3>)
{
  checks::collocated_by_way<5, TestType, checks::slices>();
}
