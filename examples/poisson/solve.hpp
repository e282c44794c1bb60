// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Poisson's problem with a known solution, solved with elements of one degree.
#pragma once

#include "../l2_error.hpp"
#include "number_nodes.hpp"
#include "read_mesh.hpp"

#include <sumfac/sumfac.hpp>

#include <chrono>
#include <cmath>
#include <cstddef>
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
  int degree = 0;
  node_numbers numbers;
  std::vector<double> points{};  // (nodes, 3)
  std::vector<double> values{};  // (nodes)
  double error = 0;              // in the norm of L2
  timed_solve by_jacobi{}, by_multigrid{};  // the latter of degree 2 and higher; its solution is the one kept
};

template <int Degree>
solution solve_poisson(hexahedral_mesh const& mesh);

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

// The same as in l2_error.hpp, on a mesh from Gmsh.
template <class Rule, class Function>
void for_each_point(hexahedral_mesh const& mesh, Function const& f)
{
  for_each_point<Rule>(mesh.nodes(), f);
}

template <int Degree>
solution solve_poisson(hexahedral_mesh const& mesh)
{
  constexpr int n = Degree + 1;
  auto const at = [](auto i) { return static_cast<std::size_t>(i); };
  auto const on = [](auto& data) { return sumfac::view(data.data(), static_cast<sumfac::index_t>(data.size())); };

  // From global vectors to elements: all of the nodes, and those inside, whose values are sought.
  sumfac::host const backend;
  solution s{.degree = Degree, .numbers = number_nodes(mesh, Degree)};
  auto const nodes = s.numbers.nodes;
  sumfac::view const table(s.numbers.table.data(), mesh.elements, n, n, n);
  sumfac::restriction const all{backend, table, nodes};
  sumfac::restriction const inside{backend, table, nodes, on(s.numbers.on_boundary)};

  // The load, integrated with the nodes as points, and the boundary's values.
  std::vector<double> load(at(mesh.elements * n * n * n)), b(at(nodes)), lifted(at(nodes));
  sumfac::view const load_at(load.data(), mesh.elements, n, n, n);
  s.points.resize(at(3 * nodes));
  s.values.resize(at(nodes));
  for_each_point<sumfac::gauss_lobatto<n>>(mesh, [&](sumfac::index_t e, int k, int j, int i, auto const& x) {
    load_at(e, k, j, i) = x.measure() * source(x.position());
    auto const node = at(table(e, k, j, i));
    for (int d = 0; d < 3; ++d) s.points[3 * node + at(d)] = x.position()[d];
    s.values[node] = s.numbers.on_boundary[node] ? exact_solution(x.position()) : 0;
  });

  // What the boundary's values contribute goes to the right.
  sumfac::bp5<Degree> const A{backend, mesh.nodes()};
  A.apply(all, on(s.values), on(lifted));
  all.scatter(load_at, on(b));
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = s.numbers.on_boundary[i] ? s.values[i] : b[i] - lifted[i];

  sumfac::global_operator const matrix{A, inside};
  sumfac::cg_options const options{.iterations = 10000, .tolerance = 1e-13};
  auto by_jacobi = s.values;
  s.by_jacobi = timed([&] {
    std::vector<double> diagonal(at(nodes));
    matrix.diagonal(on(diagonal));
    return sumfac::merged_cg(matrix, on(b), on(by_jacobi), sumfac::jacobi{backend, on(diagonal)}, options);
  });
  if constexpr (Degree > 1)
    s.by_multigrid = timed([&] {
      sumfac::multigrid const P{halved_levels<Degree>(A, mesh.nodes(), inside)};
      return sumfac::cg(matrix, on(b), on(s.values), P, options);
    });
  else
    s.values = by_jacobi;
  s.error = l2_error<Degree>(all, mesh.nodes(), s.values, exact_solution);
  return s;
}
