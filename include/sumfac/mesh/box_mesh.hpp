// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A box, cut into elements and bent.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/mesh/mesh.hpp>
#include <sumfac/mesh/mesh_nodes.hpp>

#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace sumfac::SUMFAC_TARGET {

// The box [0, 1]^D cut into cells along x, y, z, and bent: bend(x) is where the point x of the box lies, a
// sumfac::vector of as many coordinates or more (a surface, a curve). Elements are numbered along x first; its sides
// are named "x0", "x1", "y0" ... after where they are in the box, and have the tags 0, 1, 2, ...
//
// Elements have order + 1 nodes along an edge, at the Gauss-Lobatto points.
// **Errors** argument_error: fewer cells than 1, an order that is not in 1 .. 15.
template <int Dim, class Bend>
auto box_mesh(int const (&cells)[Dim], Bend const& bend, int order = 4);
template <int Dim>
mesh<Dim> box_mesh(int const (&cells)[Dim])
{
  return box_mesh(
      cells, [](vector<double, Dim> const& x) { return x; }, 1);
}

template <int Dim, class Bend>
auto box_mesh(int const (&cells)[Dim], Bend const& bend, int order)
{
  static_assert(Dim <= 3, "sumfac::box_mesh: cells along x, y, z: 1, 2 or 3 numbers");
  // Not std::is_invocable: of a lambda of a function that says `using namespace sumfac`, nvcc 13.0's front end does not
  // come back from it in here, where what is returned is found out.
  constexpr bool callable = requires(vector<double, Dim> const& x) { bend(x); };
  static_assert(callable,
                "sumfac::box_mesh: bend(x) takes a sumfac::vector<double, D>, a place in the box [0, 1]^D, and "
                "returns where it lies, a sumfac::vector<double, C>");
  using bent = std::remove_cvref_t<std::invoke_result_t<Bend const&, vector<double, Dim> const&>>;
  using result = mesh<Dim, bent::size>;
  if (order < 1 || order >= detail::max_mesh_nodes_1d)
    failf("box_mesh", "the order of its elements does not fit (got %d, 1 to %d expected)", order,
          detail::max_mesh_nodes_1d - 1);
  index_t elements = 1, vertices = 1, stride[Dim] = {};
  for (int d = 0; d < Dim; ++d) {
    if (cells[d] < 1) failf("box_mesh", "cells along direction %d are fewer than 1 (got %d)", d, cells[d]);
    stride[d] = vertices;
    elements *= cells[d], vertices *= cells[d] + 1;
  }
  int const m = order + 1;
  long double places[detail::max_mesh_nodes_1d];
  gauss_lobatto_nodes{}(m, places);
  detail::own_vector<double> nodes;
  detail::own_vector<typename result::number> table;
  std::vector<named_sides> sides;
  for (int s = 0; s < 2 * Dim; ++s) sides.push_back({std::string(1, "xyz"[s / 2]) + "01"[s % 2], s});
  for (index_t e = 0; e < elements; ++e) {
    index_t cell[3] = {}, first = 0, rest = e;
    for (int d = 0; d < Dim; ++d) {
      cell[d] = rest % cells[d], rest /= cells[d];
      first += cell[d] * stride[d];
      if (cell[d] == 0) sides[static_cast<std::size_t>(2 * d)].members.push_back({e, 2 * d});
      if (cell[d] == cells[d] - 1) sides[static_cast<std::size_t>(2 * d + 1)].members.push_back({e, 2 * d + 1});
    }
    detail::for_each_place<Dim>(m, [&](int k, int j, int i) {
      int const at[] = {i, j, k};
      vector<double, Dim> x{};
      for (int d = 0; d < Dim; ++d)
        x[d] = (static_cast<double>(cell[d]) + (1 + static_cast<double>(places[at[d]])) / 2) / cells[d];
      bent const y = bend(x);
      for (int c = 0; c < bent::size; ++c) nodes.push_back(static_cast<double>(y[c]));
    });
    for (int v = 0; v < 1 << Dim; ++v) {
      index_t vertex = first;
      for (int d = 0; d < Dim; ++d) vertex += (v >> d & 1) * stride[d];
      table.push_back(static_cast<typename result::number>(vertex));
    }
  }
  result box(std::move(nodes), elements, kept_nodes(m, gauss_lobatto_nodes{}), m, table, vertices);
  box.sides_ = std::move(sides);
  return box;
}

}  // namespace sumfac
