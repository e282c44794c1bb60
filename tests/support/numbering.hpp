// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Which global node each node of an element is: boxes of hexahedra of any degree, shuffled as a mesh generator would.
#pragma once

#include "mesh.hpp"
#include "random.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace mesh {

// The element-to-node table of a mesh, and what is known of its nodes.
struct numbering {
  int elements = 0;
  int nodes_1d = 2;                    // n = degree + 1
  std::int64_t nodes = 0;              // global nodes
  std::vector<std::int64_t> table;     // (E, n, n, n): z, y, x directions, x fastest; (E, n, n), (E, n) of fewer
  std::vector<std::int64_t> boundary;  // nodes on the surface of the box, ascending
  int directions = 3;

  int element_size() const { return nodes_1d * (directions > 1 ? nodes_1d : 1) * (directions > 2 ? nodes_1d : 1); }
  std::int64_t const* element(int e) const { return table.data() + static_cast<std::ptrdiff_t>(e) * element_size(); }

  // In how many places of the table each node stands.
  std::vector<int> multiplicity() const
  {
    std::vector<int> count(static_cast<std::size_t>(nodes));
    for (auto const node : table) ++count[static_cast<std::size_t>(node)];
    return count;
  }

  template <class Index>
  std::vector<Index> table_of() const
  {
    std::vector<Index> result;
    for (auto const node : table) result.push_back(static_cast<Index>(node));
    return result;
  }
};

// Directions in which the box's last layer of elements meets its first again.
struct periods {
  bool x = false, y = false, z = false;
};

// Numbers in random order: 0 .. size - 1.
inline std::vector<std::int64_t> shuffled(std::int64_t size, std::uint64_t seed)
{
  std::vector<std::int64_t> order(static_cast<std::size_t>(size));
  std::iota(order.begin(), order.end(), std::int64_t{0});
  support::generator next(seed);
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[next.bits() % i]);
  return order;
}

// Nodes along x, y, z of a box for functions of a degree.
inline std::array<std::int64_t, 3> lines(counts n, int degree, periods around)
{
  return {std::int64_t{n.x} * degree + (around.x ? 0 : 1), std::int64_t{n.y} * degree + (around.y ? 0 : 1),
          std::int64_t{n.z} * degree + (around.z ? 0 : 1)};
}

// The nodes of mesh::box(n) for functions of a degree, elements numbered as there (x fastest). The node that is i-th,
// counted as they lie with x fastest, is called names[i], or i where there are no names.
inline numbering numbered(counts n, int degree, std::vector<std::int64_t> const& names, periods around)
{
  int const d = degree + 1;
  std::array<bool, 3> const closed{around.x, around.y, around.z};
  auto const size = lines(n, degree, around);
  numbering result{n.elements(), d, size[0] * size[1] * size[2], {}, {}};
  for (int e = 0; e < result.elements; ++e)
    for (int i = 0; i < result.element_size(); ++i) {
      std::array<int, 3> const cell{e % n.x, e / n.x % n.y, e / n.x / n.y}, at{i % d, i / d % d, i / d / d};
      std::array<std::int64_t, 3> line;
      bool surface = false;
      for (std::size_t r = 0; r < 3; ++r) {
        line[r] = (cell[r] * degree + at[r]) % size[r];
        surface = surface || (!closed[r] && (line[r] == 0 || line[r] == size[r] - 1));
      }
      std::int64_t const place = (line[2] * size[1] + line[1]) * size[0] + line[0];
      std::int64_t const node = names.empty() ? place : names[static_cast<std::size_t>(place)];
      result.table.push_back(node);
      if (surface) result.boundary.push_back(node);
    }
  std::sort(result.boundary.begin(), result.boundary.end());
  result.boundary.erase(std::unique(result.boundary.begin(), result.boundary.end()), result.boundary.end());
  return result;
}

// Seed 0 numbers nodes as they lie; any other in random order.
inline numbering numbered(counts n, int degree, std::uint64_t seed = 0, periods around = {})
{
  auto const size = lines(n, degree, around);
  return numbered(n, degree, seed == 0 ? std::vector<std::int64_t>{} : shuffled(size[0] * size[1] * size[2], seed),
                  around);
}

// As finite-element codes number: vertices first, then the insides of edges, of faces, of cells, each in one piece;
// every other piece from its end to its beginning, as the neighbour that made it saw it.
inline numbering by_entities(counts n, int degree, periods around = {})
{
  auto const size = lines(n, degree, around);
  std::vector<std::array<std::int64_t, 6>> keys;  // dimension, entity (z, y, x in half cells), inside, place
  for (std::int64_t place = 0; place < size[0] * size[1] * size[2]; ++place) {
    std::array<std::int64_t, 3> const line{place % size[0], place / size[0] % size[1], place / size[0] / size[1]};
    std::array<std::int64_t, 6> key{0, 0, 0, 0, place, place};
    std::int64_t pieces = 0;
    for (std::size_t r = 0; r < 3; ++r) {
      bool const inside = line[r] % degree != 0;
      key[0] += inside ? 1 : 0;
      key[3 - r] = 2 * (line[r] / degree) + (inside ? 1 : 0);
      pieces += line[r] / degree;
    }
    key[4] = pieces % 2 == 0 ? place : -place;
    keys.push_back(key);
  }
  std::sort(keys.begin(), keys.end());
  std::vector<std::int64_t> names(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i)
    names[static_cast<std::size_t>(keys[i][5])] = static_cast<std::int64_t>(i);
  return numbered(n, degree, names, around);
}

// Some of the elements, in the order given; the nodes keep their numbers.
inline numbering selected(numbering const& all, std::vector<int> const& elements)
{
  numbering result{static_cast<int>(elements.size()), all.nodes_1d, all.nodes, {}, all.boundary};
  for (int const e : elements)
    result.table.insert(result.table.end(), all.element(e), all.element(e) + all.element_size());
  return result;
}

}  // namespace mesh
