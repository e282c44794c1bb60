// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Forms that read other functions, kept at the points by linearize(): against the oracle, on the host.
#include "inputs.hpp"

TEST_CASE("inputs: kept at the points, for every kind of form")
{
  using namespace checks;
  kept_inputs_agree<conducting, 2, sumfac::gauss<4>>();
  kept_inputs_agree<conducting, 2, sumfac::gauss_lobatto<3>>();
  kept_inputs_agree<diffusing<>, 3, sumfac::gauss<5>>();
  kept_inputs_agree<diffusing<1>, 2, sumfac::gauss_lobatto<3>>();
  kept_inputs_agree<weighing<1>, 2, sumfac::gauss<4>>();
  kept_inputs_agree<weighing<3>, 1, sumfac::gauss<4>>();
  kept_inputs_agree<weighing<1>, 3, sumfac::gauss_lobatto<4>>();
  kept_inputs_agree<coupled, 2, sumfac::gauss<4>>();
  kept_inputs_agree<coupled, 2, sumfac::gauss_lobatto<3>>();
}

TEST_CASE("inputs: kept at the points, with any geometry")
{
  using namespace checks;
  using sumfac::gauss, sumfac::gauss_lobatto, sumfac::host;
  kept_inputs_agree<conducting, 2, gauss<4>, host, double, sumfac::affine>();
  kept_inputs_agree<conducting, 2, gauss<4>, host, double, sumfac::trilinear>();
  kept_inputs_agree<conducting_at, 2, gauss_lobatto<3>, host, double, sumfac::affine>();
  kept_inputs_agree<conducting_at, 2, gauss_lobatto<3>, host, double, sumfac::trilinear>();
  kept_inputs_agree<conducting_at, 2, gauss<4>, host, double, sumfac::isoparametric<3>>();
  kept_inputs_agree<weighing<1>, 2, gauss<4>, host, double, sumfac::isoparametric<0>>();
  kept_inputs_agree<conducting_at, 2, gauss_lobatto<3>, host, double, sumfac::split>();
  kept_inputs_agree<diffusing<1>, 2, gauss<4>, host, double, sumfac::split>();
}

TEST_CASE("inputs: kept at the points, in every precision")
{
  using namespace checks;
  using sumfac::gauss, sumfac::gauss_lobatto, sumfac::host;
  kept_inputs_agree<conducting, 2, gauss<4>, host, float>();
  kept_inputs_agree<weighing<1>, 2, gauss<4>, host, sumfac::high_low, sumfac::stored, float>();
  kept_inputs_agree<conducting, 2, gauss_lobatto<3>, host, sumfac::low_high>();
  kept_inputs_agree<conducting, 2, gauss<4>, host, sumfac::precision<double, float, double>, sumfac::stored, float>();
}

TEST_CASE("inputs: an operator that has not been given them says so")
{
  using sumfac::index_t;
  auto const mesh = mesh::box({2, 1, 1});
  sumfac::element_operator<checks::diffusing<>, 2> a(sumfac::host{}, checks::nodes_view(mesh));
  std::vector<double> u(54), v(54);
  auto const apply = [&] {
    a.apply(checks::vector_view<1>(u.data(), 2, 3), checks::vector_view<1>(v.data(), 2, 3));
  };
  auto const sentence = "the form reads other functions at the points, and has not been given them (0 of 1)";
  CHECK_THROWS_WITH(apply(), Catch::Contains(sentence));
  CHECK_THROWS_WITH(a.diagonal(checks::vector_view<1>(v.data(), 2, 3)), Catch::Contains(sentence));
  CHECK_THROWS_WITH(a.element_matrix(1), Catch::Contains(sentence));
  a.linearize(checks::vector_view<1>(u.data(), 2, 3));
  CHECK_NOTHROW(apply());
}
