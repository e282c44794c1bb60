// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Poisson's problem on the unit cube: -div grad u = f, u = 0 on the surface, with a solution that is known.
#pragma once

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

// Entries that this process owns, as solvers take them.
template <class T>
auto vector_of(std::vector<T>& x)
{
  return sumfac::view<T, sumfac::dextents<1>>(x.data(), sumfac::index_t(x.size()));
}
template <class T>
auto vector_of(std::vector<T> const& x)
{
  return sumfac::view<T const, sumfac::dextents<1>>(x.data(), sumfac::index_t(x.size()));
}

inline auto nodes_of(slabs const& mesh)
{
  return sumfac::view<double const, sumfac::extents<sumfac::dynamic_extent, 2, 2, 2, 3>>(mesh.vertices.data(),
                                                                                          mesh.elements());
}
inline auto table_of(slabs const& mesh)
{
  using shape = sumfac::extents<sumfac::dynamic_extent, nodes_on_edge, nodes_on_edge, nodes_on_edge>;
  return sumfac::view<std::int32_t const, shape>(mesh.table.data(), mesh.elements());
}
