// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Forms that read other functions, which are given at the call: against the oracle, on the host.
#include "inputs.hpp"

TEST_CASE("inputs: given at the call, for every kind of form")
{
  using namespace checks;
  inputs_at_call_agree<conducting, 2, sumfac::gauss<4>>();
  inputs_at_call_agree<conducting, 2, sumfac::gauss_lobatto<3>>();
  inputs_at_call_agree<diffusing<>, 3, sumfac::gauss<5>>();
  inputs_at_call_agree<diffusing<1>, 2, sumfac::gauss_lobatto<3>>();
  inputs_at_call_agree<weighing<1>, 2, sumfac::gauss<4>>();
  inputs_at_call_agree<weighing<3>, 1, sumfac::gauss<4>>();
  inputs_at_call_agree<weighing<1>, 3, sumfac::gauss_lobatto<4>>();
  inputs_at_call_agree<coupled, 2, sumfac::gauss<4>>();
  inputs_at_call_agree<coupled, 2, sumfac::gauss_lobatto<3>>();
}

TEST_CASE("inputs: given at the call, with any geometry")
{
  using namespace checks;
  using sumfac::gauss, sumfac::gauss_lobatto, sumfac::host;
  inputs_at_call_agree<conducting, 2, gauss<4>, host, double, sumfac::affine>();
  inputs_at_call_agree<conducting, 2, gauss<4>, host, double, sumfac::trilinear>();
  inputs_at_call_agree<conducting_at, 2, gauss_lobatto<3>, host, double, sumfac::affine>();
  inputs_at_call_agree<conducting_at, 2, gauss_lobatto<3>, host, double, sumfac::trilinear>();
  inputs_at_call_agree<conducting_at, 2, gauss<4>, host, double, sumfac::isoparametric<3>>();
  inputs_at_call_agree<weighing<1>, 2, gauss<4>, host, double, sumfac::isoparametric<0>>();
  inputs_at_call_agree<conducting_at, 2, gauss_lobatto<3>, host, double, sumfac::split>();
  inputs_at_call_agree<diffusing<1>, 2, gauss<4>, host, double, sumfac::split>();
}

TEST_CASE("inputs: given at the call, in every precision")
{
  using namespace checks;
  using sumfac::gauss, sumfac::gauss_lobatto, sumfac::host;
  inputs_at_call_agree<conducting, 2, gauss<4>, host, float>();
  inputs_at_call_agree<weighing<1>, 2, gauss<4>, host, sumfac::high_low, sumfac::stored, float>();
  inputs_at_call_agree<conducting, 2, gauss_lobatto<3>, host, sumfac::low_high>();
  inputs_at_call_agree<conducting, 2, gauss<4>, host, sumfac::precision<double, float, double>, sumfac::stored, float>();
}
