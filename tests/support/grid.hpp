// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Meshes of lines, quadrilaterals and hexahedra for oracles, elements turned as a mesh generator may leave them.
#pragma once

#include "mesh.hpp"
#include "points.hpp"
#include "rules.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

namespace reference {

// Elements with their own copies of m^D nodes each, at the places `where` along each direction.
struct grid {
  int directions = 3;
  rule where;
  std::vector<double> nodes;  // (E, m^D, D), reference x fastest, then the coordinate

  int nodes_of_element() const
  {
    int product = 1;
    for (int d = 0; d < directions; ++d) product *= where.size();
    return product;
  }
  int elements() const { return static_cast<int>(nodes.size()) / (nodes_of_element() * directions); }
  double* element(int e) { return nodes.data() + std::ptrdiff_t{e} * nodes_of_element() * directions; }
  double const* element(int e) const { return nodes.data() + std::ptrdiff_t{e} * nodes_of_element() * directions; }
  std::vector<real> nodes_of(int e) const
  {
    return {element(e), element(e) + std::ptrdiff_t{nodes_of_element()} * directions};
  }
};

inline grid grid_of(mesh::nodes const& hexahedra, rule const& where) { return {3, where, hexahedra.coordinates}; }

// Cells (along x fastest) of sides 1: [0, counts[0]] x ..., each node moved by map(coordinates) -> coordinates.
template <class Map>
grid box_grid(std::vector<int> const& counts, rule const& where, Map const& map)
{
  grid result{static_cast<int>(counts.size()), where, {}};
  int cells = 1;
  for (int const n : counts) cells *= n;
  for (int e = 0; e < cells; ++e)
    for (int node = 0; node < result.nodes_of_element(); ++node) {
      std::array<double, 3> x{};
      int cell = e, at = node;
      for (std::size_t d = 0; d < counts.size(); cell /= counts[d], at /= where.size(), ++d)
        x[d] =
            static_cast<double>(cell % counts[d] + (where.nodes[static_cast<std::size_t>(at % where.size())] + 1) / 2);
      x = map(x);
      result.nodes.insert(result.nodes.end(), x.begin(), x.begin() + result.directions);
    }
  return result;
}

inline grid box_grid(std::vector<int> const& counts, rule const& where)
{
  return box_grid(counts, where, [](std::array<double, 3> const& x) { return x; });
}

// Where place p of a rule lies in the reference element, x fastest.
inline place place_of(rule const& r, int directions, int p)
{
  place xi{};
  for (std::size_t d = 0; d < static_cast<std::size_t>(directions); ++d, p /= r.size())
    xi[d] = r.nodes[static_cast<std::size_t>(p % r.size())];
  return xi;
}

// And in space.
inline place position_of(grid const& mesh, int e, place const& xi)
{
  place x{};
  for (int node = 0; node < mesh.nodes_of_element(); ++node) {
    real const phi = basis_function(mesh.where, mesh.directions, node, xi);
    for (int c = 0; c < mesh.directions; ++c)
      x[static_cast<std::size_t>(c)] += phi * mesh.element(e)[node * mesh.directions + c];
  }
  return x;
}

// The place of an element where one of its 2^D parts has xi; bit d of the part says which half along direction d.
inline place place_of_part(place xi, int part)
{
  for (std::size_t d = 0; d < 3; ++d) xi[d] = (xi[d] + ((part >> d & 1) == 1 ? 1 : -1)) / 2;
  return xi;
}

// Marked elements cut into 2^D, along their curves; the parts are where the element was.
inline grid cut(grid const& mesh, std::vector<bool> const& marked)
{
  grid result{mesh.directions, mesh.where, {}};
  for (int e = 0; e < mesh.elements(); ++e)
    for (int part = 0; part < (marked[static_cast<std::size_t>(e)] ? 1 << mesh.directions : 1); ++part)
      for (int node = 0; node < mesh.nodes_of_element(); ++node) {
        place xi = place_of(mesh.where, mesh.directions, node);
        if (marked[static_cast<std::size_t>(e)]) xi = place_of_part(xi, part);
        for (int c = 0; c < mesh.directions; ++c)
          result.nodes.push_back(static_cast<double>(position_of(mesh, e, xi)[static_cast<std::size_t>(c)]));
      }
  return result;
}

// A turn of the reference element onto itself: its coordinate d runs along direction axis[d], backwards where reversed.
struct turn {
  std::array<int, 3> axis{0, 1, 2};
  std::array<bool, 3> reversed{};

  friend bool operator==(turn const&, turn const&) = default;
};

// All of them in so many directions, those that mirror included or not: 2, 8, 48 or 1, 4, 24.
inline std::vector<turn> turns(int directions, bool mirrors = false)
{
  std::vector<turn> result;
  turn t;
  do {
    int crossings = 0;
    for (std::size_t a = 0; a < 3; ++a)
      for (std::size_t b = a + 1; b < 3; ++b) crossings += t.axis[a] > t.axis[b] ? 1 : 0;
    for (int bits = 0; bits < 1 << directions; ++bits) {
      int minus = crossings;
      for (int d = 0; d < directions; ++d) {
        t.reversed[static_cast<std::size_t>(d)] = (bits >> d & 1) == 1;
        minus += bits >> d & 1;
      }
      if (mirrors || minus % 2 == 0) result.push_back(t);
    }
  } while (std::next_permutation(t.axis.begin(), t.axis.begin() + directions));
  return result;
}

// Where node p of the turned element (n nodes a direction, places that lie evenly around 0) stood before.
inline int turned_from(turn const& t, int directions, int n, int p)
{
  std::array<int, 3> before{}, stride{1, n, n * n};
  for (std::size_t d = 0; d < static_cast<std::size_t>(directions); ++d, p /= n)
    before[static_cast<std::size_t>(t.axis[d])] = t.reversed[d] ? n - 1 - p % n : p % n;
  return before[0] * stride[0] + before[1] * stride[1] + before[2] * stride[2];
}

// The same element in space, said in other reference coordinates.
inline grid turned(grid mesh, int e, turn const& t)
{
  auto const before = mesh.nodes_of(e);
  int const size = mesh.directions;
  for (int p = 0; p < mesh.nodes_of_element(); ++p)
    for (int c = 0; c < size; ++c)
      mesh.element(e)[p * size + c] = static_cast<double>(
          before[static_cast<std::size_t>(turned_from(t, mesh.directions, mesh.where.size(), p) * size + c)]);
  return mesh;
}

}  // namespace reference
