// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Gathers, scatters, vector operations and sums in a device's memory, to the last bit. `device_backend` is the
// backend that the including file names.
#pragma once

#include <sumfac/solver/vector_ops.hpp>

#include <dofs/edge_elements.hpp>
#include <dofs/moves.hpp>

using checks::index_t;

namespace {

// z is what f makes of x and y, and `sum` of both is what `exact` says: small integers, whose sums are exact.
void every_operation(std::size_t size)
{
  auto const x = checks::integers<double>(size, 1), y = checks::integers<double>(size, 2);
  device_backend const backend;
  sumfac::vector_ops<double, device_backend> const ops(backend, static_cast<index_t>(size));
  auto const on = [&]<class T>(T* data) {
    return sumfac::view<T, sumfac::dextents<1>>(data, static_cast<index_t>(size));
  };
  auto const makes = [&](char const* what, auto const& run, auto const& f) {
    auto got = y;
    support::on_backend(backend, x, got, [&](double const* from, double* to) { run(on(from), on(to)); });
    bool same = true;
    for (std::size_t i = 0; i < size; ++i) same = same && got[i] == f(x[i], y[i]);
    INFO(what << " of " << size << " entries");
    CHECK(same);
  };
  makes(
      "fill", [&](auto, auto b) { ops.fill(3, b); }, [](double, double) { return 3; });
  makes(
      "copy", [&](auto a, auto b) { ops.copy(a, b); }, [](double a, double) { return a; });
  makes(
      "axpy", [&](auto a, auto b) { ops.axpy(4, a, b); }, [](double a, double b) { return b + 4 * a; });
  makes(
      "xpay", [&](auto a, auto b) { ops.xpay(a, 0.5, b); }, [](double a, double b) { return a + 0.5 * b; });
  double dot = 0, squares = 0, after = 0;
  for (std::size_t i = 0; i < size; ++i) {
    dot += x[i] * y[i];
    squares += x[i] * x[i];
    after += (y[i] + 2 * x[i]) * (y[i] + 2 * x[i]);
  }
  auto changed = y;
  support::on_backend(backend, x, changed, [&](double const* from, double* to) {
    CHECK(ops.dot(on(from), on(static_cast<double const*>(to))) == dot);
    CHECK(ops.norm(on(from)) == std::sqrt(squares));
    CHECK(ops.axpy_dot(2, on(from), on(to)) == after);
  });
}

}  // namespace

TEST_CASE("device: vector operations and sums")
{
  for (std::size_t const size : {0u, 1u, 255u, 256u, 257u, 5000u}) every_operation(size);
}

TEST_CASE("device: gathers and scatters are what the table says")
{
  checks::every_way<1, double>({mesh::numbered({3, 2, 1}, 2, 5)}, device_backend());
  checks::every_way<3, float>({mesh::by_entities({2, 2, 1}, 1)}, device_backend());
}

TEST_CASE("device: edge elements, with signs and rows")
{
  using sumfac::dof_extras, sumfac::scatter;
  device_backend const backend;
  for (auto const policy : {scatter::deterministic, scatter::atomic}) {
    edges::check_edges<2, dof_extras{.signs = true}>(backend, {3, 2, 2}, true, {.policy = policy}, 1);
    edges::check_edges<1, dof_extras{.signs = true, .rows = true}>(backend, {2, 2, 2}, true, {.policy = policy}, 2);
  }
}
