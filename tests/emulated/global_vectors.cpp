// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Operators on global vectors and conjugate gradients, all in an emulated device's memory, against the oracle.
#include "device.hpp"

#include <operator/global_case.hpp>
#include <solver/solves.hpp>

using checks::agrees_globally;
using sumfac::hip;

TEST_CASE("emulated device: global vectors")
{
  agrees_globally<sumfac::bp1<3, hip>>({{3, 1, 1}, {2, 2, 1}, {3, 1, 1}}, reference::on_gauss(3), reference::mass());
  agrees_globally<sumfac::bp35<2, hip>>({{3, 1, 1}, {2, 2, 1}}, reference::collocated(2), reference::stiffness(0.3),
                                        {.lambda = 0.3});
  agrees_globally<sumfac::bp4<2, hip>>({{3, 1, 1}, {2, 2, 1}}, reference::on_gauss(2, 3), reference::laplace());
  agrees_globally<sumfac::bp2<1, hip, float>>({{3, 1, 1}, {2, 2, 1}}, reference::on_gauss(1, 3), reference::mass());
}

TEST_CASE("emulated device: every residual of conjugate gradients is the oracle's")
{
  checks::follows_the_oracle(checks::poisson<sumfac::bp5<2, hip>>(hip(1)));
  checks::follows_the_oracle(checks::mass<sumfac::bp2<2, hip>>());
}

TEST_CASE("emulated device: the solution is the direct solver's")
{
  checks::finds_the_solution(checks::poisson<sumfac::bp5<2, hip>>());
}
