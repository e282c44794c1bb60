// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Operators on global vectors and conjugate gradients, all in a device's memory, against the oracle. `device_backend`
// is the backend that the including file names.
#pragma once

#include <operator/global_case.hpp>
#include <operator/global_precisions.hpp>
#include <solver/solves.hpp>

using checks::agrees_globally;

TEST_CASE("device: global vectors")
{
  std::vector<mesh::counts> const two{{3, 1, 1}, {2, 2, 1}}, three{{3, 1, 1}, {2, 2, 1}, {3, 1, 1}};
  agrees_globally<sumfac::bp1<3, device_backend>>(three, reference::on_gauss(3), reference::mass());
  agrees_globally<sumfac::bp35<2, device_backend>>(two, reference::collocated(2), reference::stiffness(0.3),
                                                   {.lambda = 0.3});
  agrees_globally<sumfac::bp4<2, device_backend>>(two, reference::on_gauss(2, 3), reference::laplace());
  agrees_globally<sumfac::bp2<1, device_backend, float>>(two, reference::on_gauss(1, 3), reference::mass());
}

TEST_CASE("device: every residual of conjugate gradients is the oracle's")
{
  checks::follows_the_oracle(checks::poisson<sumfac::bp5<2, device_backend>>());
  checks::follows_the_oracle(checks::mass<sumfac::bp2<2, device_backend>>());
}

TEST_CASE("device: the solution is the direct solver's")
{
  checks::finds_the_solution(checks::poisson<sumfac::bp5<2, device_backend>>());
}

TEMPLATE_TEST_CASE("device: global vectors that are converted", "", sumfac::low_high, sumfac::high_low)
{
  using bake_off_5 = sumfac::bp5<2, device_backend, TestType>;
  checks::mixes_globally<bake_off_5>({{3, 1, 1}, {2, 2, 1}, {3, 2, 1}}, reference::collocated(2), reference::laplace());
  checks::follows_the_oracle<float>(checks::poisson<bake_off_5>());
}
