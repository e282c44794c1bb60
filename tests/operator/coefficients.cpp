// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Coefficients by element and by point, with components and without, in every geometry policy on the host.
// part stored: POLICY=stored
// part affine: POLICY=affine
// part trilinear: POLICY=trilinear
// part isoparametric: POLICY=isoparametric<3>
// part split: POLICY=split
#include "coefficients.hpp"

#include <sumfac/backend/checked.hpp>

#include <catch2/catch.hpp>

namespace {

using policy = sumfac::POLICY;
constexpr int width = sumfac::native_width<double>;

}  // namespace

TEST_CASE("coefficients: every shape, in any number of elements")
{
  for (int const elements : {1, width, width + 1, 2 * width + 3}) checks::tables_agree<policy>(elements);
}

TEST_CASE("coefficients: layouts")
{
  checks::tables_agree<policy, sumfac::host, sumfac::layout_left>();
  checks::tables_agree<policy, sumfac::host, sumfac::layout_interleaved<width>>();
  checks::tables_agree<policy, sumfac::host, sumfac::layout_interleaved<3>>();
}

TEST_CASE("coefficients: where points are nodes, and in float")
{
  checks::tables_agree<policy, sumfac::host, sumfac::layout_right, double, 2, sumfac::gauss_lobatto<3>>();
  checks::tables_agree<policy, sumfac::host, sumfac::layout_right, float>();
}

TEST_CASE("coefficients: watched")
{
  checks::tables_agree<policy, sumfac::checked>(5);
}
