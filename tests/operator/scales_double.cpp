// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Elements of any size in double and in mixed precision, on every geometry policy, and vector forms.
#include "scales.hpp"

#include <sumfac/backend/checked.hpp>

namespace {

using checks::own_laplace, checks::sizes;
using policies = std::tuple<sumfac::stored, sumfac::affine, sumfac::trilinear, sumfac::isoparametric<3>, sumfac::split>;

}  // namespace

TEMPLATE_LIST_TEST_CASE("laplace in double on edges from 1e-70 to 1e70", "[operator][scales]", policies)
{
  sizes<sumfac::laplace, 2, TestType, double> const at;
  at.near_the_oracle({1e-250, 1e-70, 1, 1e70, 1e250});
  at.same_bits({0x1p-800, 0x1p-233, 0x1p232, 0x1p800});
}

TEMPLATE_LIST_TEST_CASE("stiffness in double on edges from 1e-70 to 1e70", "[operator][scales]", policies)
{
  sizes<sumfac::stiffness, 1, TestType, double> const at;
  at.near_the_oracle({1e-90, 1e-70, 1, 1e70, 1e90});
  at.same_bits({0x1p-233, 0x1p232});
}

TEST_CASE("forms of a user's own and vector forms in double on edges from 1e-70 to 1e70", "[operator][scales]")
{
  sizes<own_laplace, 2, sumfac::trilinear, double>{}.near_the_oracle({1e-250, 1e-70, 1e70, 1e250});
  sizes<own_laplace, 2, sumfac::isoparametric<3>, double>{}.near_the_oracle({1e-250, 1e-70, 1e70, 1e250});
  sizes<sumfac::vector_laplace<2>, 1, sumfac::trilinear, double>{}.near_the_oracle({1e-70, 1e70});
  sizes<sumfac::vector_laplace<3>, 1, sumfac::isoparametric<3>, float>{}.near_the_oracle({1e-12, 1e11});
  sizes<sumfac::vector_mass<3>, 1, sumfac::trilinear, double>{}.near_the_oracle({1e-70, 1e70});
  sizes<sumfac::mass, 3, sumfac::isoparametric<3>, double>{}.near_the_oracle({1e-70, 1e70});
}

TEMPLATE_TEST_CASE("mixed precision on edges from 1e-12 to 1e11", "[operator][scales]", sumfac::high_low,
                   sumfac::low_high)
{
  sizes<sumfac::laplace, 2, sumfac::isoparametric<3>, TestType> const curved;
  curved.near_the_oracle({1e-30, 1e-12, 1e11, 1e30});
  sizes<sumfac::laplace, 3, sumfac::trilinear, TestType>{}.near_the_oracle({1e-12, 1e11});
  sizes<own_laplace, 1, sumfac::affine, TestType>{}.near_the_oracle({1e-12, 1e11});
  sizes<sumfac::mass, 1, sumfac::stored, TestType>{}.near_the_oracle({4e-12, 1e11});
}

TEST_CASE("elements of any size in double on checked", "[operator][scales]")
{
  sizes<sumfac::stiffness, 1, sumfac::isoparametric<3>, double, sumfac::checked>{}.near_the_oracle({1e-70, 1e70});
}
