// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Poisson's problem with a known solution, solved with elements of one degree.
#pragma once

#include <sumfac/sumfac.hpp>

#include <chrono>
#include <cmath>
#include <optional>
#include <vector>

// -div grad u = f inside, and u given on the boundary: a wave along (6, 3, 4).
inline double exact_solution(sumfac::vector<double, 3> const& x)
{
  return std::sin(6 * x[0] + 3 * x[1] + 4 * x[2]);
}
inline double source(sumfac::vector<double, 3> const& x)
{
  return (6 * 6 + 3 * 3 + 4 * 4) * exact_solution(x);
}

// What a solver made of the problem, and how long it took with its set-up.
struct timed_solve {
  sumfac::solve_result result{};
  double seconds = 0;
};

struct solution {
  std::optional<sumfac::function_space<3>> V{};
  std::vector<double> values{};
  double error = 0;                         // in the norm of L2
  timed_solve by_jacobi{}, by_multigrid{};  // the latter of degree 2 and higher; its solution is the one kept
};

template <int Degree>
solution solve_poisson(sumfac::mesh<3> const& mesh);

// Levels of multigrid whose degrees are halved, as 7, 4, 2, 1.
template <int Degree, int... Finer, class Operator, class Nodes>
auto halved_levels(Operator const& A, Nodes const& nodes, sumfac::restriction<> const& R)
{
  if constexpr (Degree == 1)
    return sumfac::p_levels<Finer..., 1>(A, nodes, R);
  else
    return halved_levels<(Degree + 1) / 2, Finer..., Degree>(A, nodes, R);
}

template <class Solve>
timed_solve timed(Solve const& solve)
{
  auto const begin = std::chrono::steady_clock::now();
  auto const result = solve();
  return {result, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count()};
}

template <int Degree>
solution solve_poisson(sumfac::mesh<3> const& mesh)
{
  sumfac::host const backend;
  sumfac::function_space const V{mesh, Degree, mesh.boundary()};
  sumfac::bp5<Degree> const A{backend, mesh};  // with the nodes as points, and so the load
  sumfac::element_operator<sumfac::mass, Degree, sumfac::gauss_lobatto<Degree + 1>> const M{backend, mesh};
  auto const R = V.restriction(backend);
  auto b = V.values(source);
  M.apply(V.unconstrained(backend), std::vector(b), b);
  V.zero_fixed(b);
  solution s{.V = V, .values = V.lift(A, exact_solution, b)};

  sumfac::global_operator const matrix{A, R};
  sumfac::cg_options const options{.iterations = 10000, .tolerance = 1e-13};
  auto by_jacobi = s.values;
  s.by_jacobi = timed([&] {
    std::vector<double> diagonal(b.size());
    matrix.diagonal(diagonal);
    return sumfac::merged_cg(matrix, b, by_jacobi, sumfac::jacobi{backend, diagonal}, options);
  });
  if constexpr (Degree > 1)
    s.by_multigrid = timed([&] {
      sumfac::multigrid const P{halved_levels<Degree>(A, mesh, R)};
      return sumfac::cg(matrix, b, s.values, P, options);
    });
  else
    s.values = by_jacobi;
  s.error = V.l2_error(s.values, exact_solution);
  return s;
}
