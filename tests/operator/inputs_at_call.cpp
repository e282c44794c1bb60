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
  using float_factors = sumfac::precision<double, float, double>;
  inputs_at_call_agree<conducting, 2, gauss<4>, host, float_factors, sumfac::stored, float>();
}

TEST_CASE("inputs: work, kept at the points and given at the call")
{
  using namespace checks;
  using subject = sumfac::element_operator<weighing<1>, 2, sumfac::gauss<4>>;
  constexpr index_t elements = 3, n = 3, g = 4, points = g * g * g;
  auto const mesh = mesh::box({3, 1, 1});
  subject const a(sumfac::host{}, nodes_view(mesh));
  auto const kept = a.work();
  // The measure and the four numbers of a point; u and v.
  CHECK(kept.bytes_read == elements * 8 * (5 * points + n * n * n));
  CHECK(kept.bytes_written == elements * 8 * n * n * n);
  // Six operations: two sums, four products.
  auto const interpolation = [](index_t m) { return 2 * (g * m * m * m + g * g * m * m + g * g * g * m); };
  CHECK(kept.flops == elements * (2 * interpolation(n) + 6 * points));
  random_inputs<subject> const inputs(elements);
  inputs.with_fields(a.backend(), [&](auto const&... fields) {
    auto const given = a.work(fields...);
    CHECK(given.bytes_read == elements * 8 * (points + n * n * n + 3 * n * n * n + 8));
    CHECK(given.bytes_written == kept.bytes_written);
    CHECK(given.flops == kept.flops + elements * (3 * interpolation(n) + interpolation(2)));
  });
  sumfac::element_operator<conducting, 2, sumfac::gauss<4>, sumfac::host, double, sumfac::trilinear> const b(
      sumfac::host{}, nodes_view(mesh));
  sumfac::element_operator<conducting, 2, sumfac::gauss<4>, sumfac::host, double, sumfac::isoparametric<2>> const c(
      sumfac::host{}, nodes_view(mesh));
  CHECK(b.work().geometry_flops > 0);
  CHECK(c.work().geometry_flops > 0);
}
