// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A unit cube with curved sides, for examples whose problems have terms on the boundary.
#pragma once

#include <sumfac/sumfac.hpp>

#include <cmath>
#include <cstdint>
#include <vector>

// So many cells along each edge, with nodes of a degree on all of them.
struct curved_block {
  int cells, order, n = order + 1, per_edge = cells * order + 1;
  sumfac::index_t elements = sumfac::index_t{cells} * cells * cells;
  sumfac::index_t nodes = sumfac::index_t{per_edge} * per_edge * per_edge;
  std::vector<double> xyz;            // (E, n, n, n, 3)
  std::vector<std::int32_t> numbers;  // (E, n, n, n)

  curved_block(int cells_per_edge, int degree) : cells(cells_per_edge), order(degree)
  {
    long double points[16];
    sumfac::gauss_lobatto_nodes{}(n, points);
    auto const at = [&](int cell, int i) { return (cell + (1 + double(points[i])) / 2) / cells; };
    for (int e = 0; e < elements; ++e) {
      int const x = e % cells, y = e / cells % cells, z = e / (cells * cells);
      for (int k = 0; k < n; ++k)
        for (int j = 0; j < n; ++j)
          for (int i = 0; i < n; ++i) {
            double place_of_node[3];
            place(at(x, i), at(y, j), at(z, k), place_of_node);
            xyz.insert(xyz.end(), place_of_node, place_of_node + 3);
            numbers.push_back(((z * order + k) * per_edge + y * order + j) * per_edge + x * order + i);
          }
    }
  }

  auto nodes_of_elements() const
  {
    return sumfac::mesh_view(sumfac::view(xyz.data(), elements, n, n, n, 3), sumfac::gauss_lobatto_nodes{});
  }

private:
  static void place(double a, double b, double c, double* x)
  {
    x[0] = a + 0.08 * std::sin(2 * b) * c, x[1] = b * (1 + 0.1 * a), x[2] = c + 0.06 * a * b;
  }
};
