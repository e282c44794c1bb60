// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Forms that read other functions on a device, kept at the points or given at the call, against the oracle.
// `device_backend` is the backend that the including file names.
#pragma once

#include <dofs/global_vectors.hpp>
#include <operator/inputs.hpp>
#include <support/apart.hpp>

TEST_CASE("device: inputs kept at the points")
{
  using namespace checks;
  using sumfac::gauss, sumfac::gauss_lobatto;
  kept_inputs_agree<conducting, 2, gauss<4>, device_backend>();
  kept_inputs_agree<weighing<1>, 2, gauss_lobatto<3>, device_backend>();
  kept_inputs_agree<weighing<3>, 1, gauss<4>, device_backend, sumfac::low_high>();
  kept_inputs_agree<coupled, 1, gauss<3>, device_backend>();
  kept_inputs_agree<conducting_at, 2, gauss_lobatto<3>, device_backend, double, sumfac::trilinear>();
  kept_inputs_agree<conducting_at, 2, gauss<4>, device_backend, double, sumfac::split>();
}

TEST_CASE("device: inputs given at the call")
{
  using namespace checks;
  using sumfac::gauss, sumfac::gauss_lobatto;
  given_inputs_agree<conducting, 2, gauss<4>, device_backend>();
  given_inputs_agree<weighing<3>, 1, gauss<4>, device_backend, sumfac::low_high>();
  given_inputs_agree<coupled, 1, gauss<3>, device_backend>();
  given_inputs_agree<conducting_at, 2, gauss_lobatto<3>, device_backend, double, sumfac::trilinear>();
  given_inputs_agree<conducting_at, 2, gauss<4>, device_backend, double, sumfac::split>();
}

TEST_CASE("device: inputs from global vectors")
{
  using namespace checks;
  constexpr int degree = 2, n = degree + 1;
  constexpr sumfac::tuning patched{.elements = 2, .padding = 1, .patch = 4};
  using subject = sumfac::element_operator<coupled, degree, sumfac::gauss<4>, device_backend, sumfac::tuned<patched>>;
  mesh::counts const counts{3, 2, 2};
  auto const mesh = mesh::box(counts);
  device_backend const backend;
  subject a(backend, nodes_view(mesh));
  auto const numbers = mesh::numbered(counts, degree, 5);
  restricted_mesh const restricted{numbers, 2, random_marks(numbers.nodes, 2, 5, 3)};
  for (auto const way : {sumfac::interleaving::fastest, sumfac::interleaving::slowest}) {
    auto const r = restricted.restriction<double>(
        backend, {.components_lie = way, .patch = way == sumfac::interleaving::fastest ? patched.patch : 0});
    auto const x = support::random<double>(restricted.size(), 1), t = support::random<double>(restricted.size(), 2);
    auto const gathered = restricted.gathered(t, way);
    auto const on_device = [&](double const* of) {
      return sumfac::view<double const, sumfac::dextents<1>>(of, static_cast<index_t>(x.size()));
    };
    auto const applied = [&](auto const&... fields) {
      std::vector<double> y(x.size());
      support::on_backend(backend, x, y, [&](double const* from, double* to) {
        a.apply(r, on_device(from), sumfac::view<double, sumfac::dextents<1>>(to, static_cast<index_t>(x.size())),
                fields...);
      });
      return y;
    };
    std::vector<double> unused, given, of_elements;
    support::on_backend(backend, t, unused,
                        [&](double const* from, double*) { given = applied(sumfac::field(r, on_device(from))); });
    support::on_backend(backend, gathered, unused, [&](double const* from, double*) {
      of_elements = applied(sumfac::field(vector_view<2>(from, mesh.elements, n)));
    });
    support::on_backend(backend, gathered, unused,
                        [&](double const* from, double*) { a.linearize(vector_view<2>(from, mesh.elements, n)); });
    auto const expected = applied();
    support::on_backend(backend, t, unused, [&](double const* from, double*) { a.linearize(r, on_device(from)); });
    CHECK(applied() == expected);
    // Kept in the numbers that they are evaluated in, so that a compiler alone may round otherwise.
    CHECK(support::apart(given, expected) < 1e-14);
    CHECK(given == of_elements);
  }
}
