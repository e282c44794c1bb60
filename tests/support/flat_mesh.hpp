// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Meshes of lines, quadrilaterals, curves and surfaces for tests.
#pragma once

#include "random.hpp"
#include "rules.hpp"

#include <cstddef>
#include <vector>

namespace checks {

// Elements of m^D nodes, near cubes of side 1 or planes in space, each its own; straight where `moved` is 0.
struct flat_mesh {
  int elements, directions, coordinates, m;
  std::vector<double> numbers;  // (E, m, m, C), or (E, m, C)

  flat_mesh(int count, int of_directions, int of_coordinates, int nodes_1d, double moved, unsigned seed = 1)
      : elements(count), directions(of_directions), coordinates(of_coordinates), m(nodes_1d)
  {
    support::generator next(seed);
    auto const rule = reference::gauss_lobatto(m);
    for (int e = 0; e < elements; ++e) {
      double const a = 0.3 * next(), b = 0.3 * next(), turn = 0.4 * next();
      for (int j = 0; j < (directions == 2 ? m : 1); ++j)
        for (int i = 0; i < m; ++i) {
          double const x = double(rule.nodes[std::size_t(i)]),
                       y = directions == 2 ? double(rule.nodes[std::size_t(j)]) : 0;
          double const at[3] = {e + x + a * y, y * (1 + b) + turn * x, 0.5 * x + b * y};
          for (int c = 0; c < coordinates; ++c) numbers.push_back(at[c] + moved * next());
        }
    }
  }

  std::vector<reference::real> element(int e) const
  {
    auto const size = numbers.size() / std::size_t(elements);
    auto const first = numbers.begin() + std::ptrdiff_t(size * std::size_t(e));
    return {first, first + std::ptrdiff_t(size)};
  }
};

}  // namespace checks
