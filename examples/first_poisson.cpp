// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Poisson's problem in one file: - div grad u = f on the unit cube, u = 0 on its surface.
// [program]
#include <sumfac/sumfac.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <vector>

int main()
{
  constexpr int N = 4, n = N + 1;                              // the degree; nodes of an element along an edge
  constexpr int cells = 6, per_edge = cells * N + 1;           // elements and nodes along an edge of the cube
  constexpr int elements = cells * cells * cells, nodes = per_edge * per_edge * per_edge;

  // The mesh as sumfac wants it: where elements are, which nodes they have, and where u is given.
  std::vector<double> vertices;                                // (E, 2, 2, 2, 3): element; z, y, x; coordinate
  std::vector<int> numbers;                                    // (E, n, n, n): element; z, y, x
  for (int e = 0; e < elements; ++e) {
    int const a = e % cells, b = e / cells % cells, c = e / (cells * cells);
    for (int z = c; z <= c + 1; ++z)
      for (int y = b; y <= b + 1; ++y)
        for (int x = a; x <= a + 1; ++x)
          for (int const place : {x, y, z}) vertices.push_back(double(place) / cells);
    for (int k = 0; k < n; ++k)
      for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i) numbers.push_back(((c * N + k) * per_edge + b * N + j) * per_edge + a * N + i);
  }
  auto const along = [](int i) {
    return (i / N + (1 + double(sumfac::gauss_lobatto<n>::nodes[std::size_t(i % N)])) / 2) / cells;
  };
  sumfac::buffer<char> given(nodes);                           // not 0 on the boundary
  sumfac::buffer<double> exact(nodes), f(nodes), b(nodes), u(nodes), diagonal(nodes);  // 0 at first
  for (int i = 0; i < nodes; ++i) {
    int const at[] = {i % per_edge, i / per_edge % per_edge, i / (per_edge * per_edge)};
    exact[i] = 1;
    for (int const place : at) {
      if (place == 0 || place == per_edge - 1) given[i] = 1;
      exact[i] *= std::sin(M_PI * along(place));
    }
    f[i] = 3 * M_PI * M_PI * exact[i];
  }

  // Operators of the mesh; restrictions from global vectors to elements.
  sumfac::host const backend;
  sumfac::view const mesh(vertices.data(), elements, 2, 2, 2, 3);
  sumfac::view const table(numbers.data(), elements, n, n, n);
  sumfac::bp5<N> const A{backend, mesh};                       // (grad u, grad v)
  sumfac::bp1<N> const M{backend, mesh};                       // (u, v)
  sumfac::restriction const all{backend, table, nodes};
  sumfac::restriction const inside{backend, table, nodes, sumfac::view(given.data(), nodes)};

  // b = (f, v), 0 where u is given; then A u = b by conjugate gradients with Jacobi's preconditioner.
  M.apply(all, sumfac::view(f.data(), nodes), sumfac::view(b.data(), nodes));
  for (int i = 0; i < nodes; ++i)
    if (given[i] != 0) b[i] = 0;
  sumfac::global_operator const L{A, inside};
  L.diagonal(sumfac::view(diagonal.data(), nodes));
  sumfac::jacobi const P{backend, sumfac::view(diagonal.data(), nodes)};
  auto const result = sumfac::cg(L, sumfac::view(b.data(), nodes), sumfac::view(u.data(), nodes), P);

  double error = 0;
  for (int i = 0; i < nodes; ++i) error = std::max(error, std::abs(u[i] - exact[i]));
  std::printf("%d unknowns, %s\nthe greatest error at a node: %.1e\n", nodes, result.report().c_str(), error);
  return error < 1e-5 ? 0 : 1;
}
// [program]
