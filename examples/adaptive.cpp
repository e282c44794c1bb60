// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Laplace's equation on an L-shaped domain: elements are cut where u is not smooth, towards the corner.
// [program]
#include <sumfac/sumfac.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>
#include <vector>

// r^(2/3) sin(2 phi / 3), whose gradient is infinite in the corner.
double exact(sumfac::vector<double, 2> const& x)
{
  double const phi = std::atan2(x[1], x[0]);
  return std::pow(std::hypot(x[0], x[1]), 2.0 / 3) * std::sin(2.0 / 3 * (phi < 0 ? phi + 2 * std::acos(-1.0) : phi));
}

// Three squares of [-1, 1]^2, without x > 0, y < 0.
sumfac::mesh<2> l_shape()
{
  std::vector<double> nodes;
  for (auto const& [left, low] : {std::pair{-1, -1}, {-1, 0}, {0, 0}})
    for (int v = 0; v < 4; ++v) nodes.push_back(left + v % 2), nodes.push_back(low + v / 2);
  return sumfac::refined(sumfac::mesh<2>::copy_of(sumfac::view(nodes.data(), 3, 2, 2, 2)), 2);
}

int main()
{
  constexpr int degree = 4;
  auto mesh = l_shape();
  sumfac::function_space V{mesh, degree, mesh.boundary()};
  std::vector<double> start(V.size());                                 // the solution on the mesh before
  double error = 0;
  for (int step = 0; step < 9; ++step) {
    sumfac::host const backend;
    sumfac::element_operator<sumfac::laplace, sumfac::quadrilateral(degree)> const A{backend, mesh};
    auto const R = V.restriction(backend);                             // with the equations of hanging nodes
    sumfac::global_operator const L{A, R};
    std::vector<double> b(V.size());
    auto u = V.lift(A, exact, b, start);
    sumfac::multigrid const P{sumfac::p_levels<degree, 2, 1>(A, mesh, R)};  // and degree 1 on the meshes before
    auto const result = sumfac::cg(L, b, u, P, {.tolerance = 0, .absolute = 1e-9});
    V.distribute(u);                                                   // hanging nodes, from the others
    error = V.l2_error(u, exact);
    std::printf("%2d: %4d elements, %5d unknowns, %3d iterations, L2 error %.1e\n", step, int(mesh.elements()),
                int(V.size() - R.constrained()), int(result.iterations), error);

    // What u lacks of a degree that is one less, element by element: the elements with the most of it are cut.
    sumfac::function_space const W{mesh, degree - 1};
    auto const without = V.values(W, W.values(V, u));
    std::vector<double> lacks(mesh.elements());
    for (sumfac::index_t e = 0; e < mesh.elements(); ++e)
      for (int j = 0; j <= degree; ++j)
        for (int i = 0; i <= degree; ++i) {
          auto const node = V.table()(e, j, i);
          lacks[e] = std::max(lacks[e], std::abs(u[node] - without[node]));
        }
    double const most = *std::max_element(lacks.begin(), lacks.end());
    std::vector<sumfac::index_t> cut;
    for (sumfac::index_t e = 0; e < mesh.elements(); ++e)
      if (lacks[e] > 0.2 * most) cut.push_back(e);
    mesh = sumfac::refine(mesh, cut);                                  // and neighbours that would be too large
    sumfac::function_space const finer{mesh, degree, mesh.boundary()};
    start = finer.values(V, u);
    V = finer;
  }
  return error < 2e-6 ? 0 : 1;
}
// [program]
