// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Multigrid in the degree as a preconditioner: iterations, symmetry, cycles, precision, threads, what is refused.
#include "multigrid_case.hpp"

#include <sumfac/operator/bake_off.hpp>

namespace {

using checks::box_problem, checks::global_view, checks::index_t, checks::refused;
using sumfac::cg_status;

template <class Problem, class Preconditioner>
sumfac::cg_result solve(Problem const& p, Preconditioner const& preconditioner, sumfac::cg_options const& options = {})
{
  sumfac::global_operator const l{p.a, p.r};
  std::vector<typename Problem::scalar> x(p.b.size());
  auto const result = sumfac::cg(l, global_view(p.b), global_view(x), preconditioner, options);
  // b - A x, computed anew.
  std::vector<typename Problem::scalar> y(x.size());
  l.apply(global_view(std::as_const(x)), global_view(y));
  double left = 0;
  for (std::size_t i = 0; i < y.size(); ++i) left += std::pow(double(p.b[i]) - double(y[i]), 2);
  CHECK(std::sqrt(left) <= 1.01 * result.residual + 1e-12 * result.initial_residual);
  return result;
}

}  // namespace

TEST_CASE("multigrid: at most 12 iterations on smooth cubes, where Jacobi needs ten times as many")
{
  box_problem<sumfac::bp5<4>> const p({6, 6, 6}, mesh::smooth{});
  sumfac::multigrid const in_double{sumfac::p_levels<4, 2, 1>(p.a, p.nodes(), p.r), {.smoother = sumfac::chebyshev{3}}};
  sumfac::multigrid const in_float{sumfac::p_levels<float, 4, 2, 1>(p.a, p.nodes(), p.r)};
  auto const one = solve(p, in_double), two = solve(p, in_float);
  INFO(one.report() << "; " << two.report());
  CHECK(one.status == cg_status::converged);
  CHECK(one.iterations <= 12);
  CHECK(two.status == cg_status::converged);
  CHECK(two.iterations <= one.iterations + 1);
  std::vector<double> d(p.b.size());
  p.a.diagonal(p.r, global_view(d));
  sumfac::jacobi const by_jacobi{p.backend, global_view(std::as_const(d))};
  CHECK(solve(p, by_jacobi).iterations >= 5 * one.iterations);
}
