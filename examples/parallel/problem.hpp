// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Poisson's problem on the unit cube: -div grad u = f, u = 0 on the surface, with a solution that is known.
#pragma once

#include "slab_views.hpp"
#include "slabs.hpp"

#include <cmath>
#include <numbers>
#include <vector>

constexpr int order = 3, nodes_on_edge = order + 1;

using stiffness = sumfac::element_operator<sumfac::laplace, order>;
using mass = sumfac::bp1<order>;

// u = sin(pi x) sin(pi y) sin(pi z) at the nodes that a process owns; f is 3 pi^2 times that.
inline std::vector<double> exact_solution(slabs const& mesh)
{
  std::vector<double> cell;  // Gauss-Lobatto points of a cell, from 0 to 1
  for (auto const x : sumfac::gauss_lobatto<nodes_on_edge>::nodes) cell.push_back((double(x) + 1) / 2);
  std::vector<double> u;
  for (std::int64_t node = 0; node < mesh.owned; ++node) {
    double value = 1;
    for (int d = 0; d < 3; ++d) value *= std::sin(std::numbers::pi * mesh.coordinate(node, d, cell));
    u.push_back(value);
  }
  return u;
}

inline auto table_of(slabs const& mesh)
{
  return table_of<order>(mesh);
}
