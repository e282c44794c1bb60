// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Equations between unknowns in operators on the host, in matrices, and in solvers.
#include "constraints.hpp"

#include <sumfac/solver/assemble.hpp>
#include <sumfac/solver/cg.hpp>
#include <sumfac/solver/merged_cg.hpp>

namespace {

using checks::agrees_with_rows, checks::global_view;
using sumfac::interleaving, sumfac::scatter;

template <int Order, class Form, class Scalar = double>
using collocated = sumfac::element_operator<Form, Order, sumfac::gauss_lobatto<Order + 1>, sumfac::host, Scalar>;

}  // namespace

TEST_CASE("constraints: operators are C^T A C, with chains, marks and rows between components")
{
  std::uint64_t seed = 0;
  for (auto const policy : {scatter::deterministic, scatter::atomic}) {
    sumfac::index_t const blocks = 3;
    agrees_with_rows<collocated<1, sumfac::laplace>>({5, 3, 2}, reference::collocated(1), reference::laplace(), ++seed,
                                                     {.policy = policy, .rows = 0.25, .blocks = blocks});
    agrees_with_rows<collocated<2, sumfac::laplace>>({3, 1, 1}, reference::collocated(2), reference::laplace(), ++seed,
                                                     {.policy = policy, .rows = 0});
    for (auto const way : {interleaving::fastest, interleaving::slowest})
      agrees_with_rows<collocated<1, sumfac::vector_laplace<3>>>(
          {9, 1, 1}, reference::collocated(1, 3), reference::laplace(), ++seed,
          {.components_lie = way, .policy = policy, .blocks = way == interleaving::fastest ? blocks : 1});
  }
  agrees_with_rows<collocated<1, sumfac::laplace, float>>({9, 3, 2}, reference::collocated(1), reference::laplace(),
                                                          ++seed, {.blocks = 2});
}

TEST_CASE("constraints: a load is gathered, values are lifted, and cg finds what the dense system has")
{
  using laplacian = sumfac::bp3<2>;
  mesh::counts const counts{4, 3, 2};
  auto const numbers = mesh::numbered(counts, 2, 3);
  checks::global_case<laplacian> const s(counts, numbers, reference::on_gauss(2), reference::stiffness(0.1));
  // Each node of some elements is half of two others and a value.
  sumfac::constraints rows;
  for (sumfac::index_t i = 0; i + 2 < numbers.nodes; i += 7) rows.add(i, {{i + 1, 0.5}, {i + 2, 0.5}}, 0.25);
  auto const a = s.make(sumfac::host{2});
  auto const list = numbers.table_of<std::int32_t>();
  auto const table = checks::table_view(list, numbers.elements, 3);
  sumfac::restriction const all{sumfac::host{2}, table, numbers.nodes};
  auto const size = s.x.size();
  std::vector<double> f(size), b(size), lifted(size), of_lifted(size);
  // A function that obeys the equations, and its load.
  auto wanted = s.x;
  for (sumfac::index_t const blocks : {1, 3}) {
    sumfac::restriction const r{sumfac::host{2}, table, numbers.nodes, rows, {.blocks = blocks}};
    r.distribute(global_view(wanted));
    a.apply(r, all, global_view(std::as_const(wanted)), global_view(b));
    std::fill(lifted.begin(), lifted.end(), 0);
    r.distribute(global_view(lifted));
    a.apply(r, all, global_view(std::as_const(lifted)), global_view(of_lifted));
    for (std::size_t i = 0; i < size; ++i) b[i] -= of_lifted[i];
    sumfac::global_operator const L{a, r};
    std::vector<double> d(size);
    L.diagonal(global_view(d));
    sumfac::jacobi const P{sumfac::host{2}, global_view(std::as_const(d))};
    auto const matrix = sumfac::assemble(a, r);
    auto const solved = [&](auto const& solve) {
      std::vector<double> x(size, 0);
      CHECK(solve(global_view(std::as_const(b)), global_view(x)));
      r.distribute(x);
      double off = 0;
      for (std::size_t i = 0; i < size; ++i) off = std::max(off, std::abs(x[i] - wanted[i]));
      CHECK(off < 1e-10);
    };
    solved([&](auto right, auto x) { return bool(sumfac::cg(L, right, x, P, {.tolerance = 1e-13})); });
    solved([&](auto right, auto x) { return bool(sumfac::merged_cg(L, right, x, P, {.tolerance = 1e-13})); });
    solved([&](auto right, auto x) { return bool(sumfac::cg(matrix, right, x, {.tolerance = 1e-13})); });
    // The matrix multiplies as the operator does, entry by entry of its diagonal, too.
    std::vector<double> y(size), z(size), e(size);
    L.apply(global_view(s.x), global_view(y));
    matrix.apply(global_view(s.x), global_view(z));
    matrix.diagonal(global_view(e));
    for (std::size_t i = 0; i < size; ++i) CHECK((std::abs(y[i] - z[i]) < 1e-12 && std::abs(d[i] - e[i]) < 1e-12));
  }
}
