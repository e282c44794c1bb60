// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Global numbers for the nodes of any degree on a mesh of hexahedra, whichever way its elements are turned.
#pragma once

#include "read_mesh.hpp"

#include <sumfac/config.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <map>
#include <vector>

struct node_numbers {
  sumfac::index_t nodes = 0;
  std::vector<sumfac::index_t> table;      // (E, n, n, n): element; node along z, y, x
  std::vector<unsigned char> on_boundary;  // (nodes)
};

node_numbers number_nodes(hexahedral_mesh const& mesh, int degree);

namespace detail {

// A node by the vertices around it and the trilinear weight of each, where that is not 0: two pairs on an edge, four on
// a face. Elements that share an edge or a face find the same pairs, however each of them is turned.
using node_name = std::array<std::size_t, 8>;

inline node_name name_of(std::size_t const* vertices, int degree, std::array<int, 3> const& place)
{
  // Vertices of no weight come last.
  constexpr auto none = std::numeric_limits<std::size_t>::max();
  std::array<std::array<std::size_t, 2>, 8> pairs{};
  for (std::size_t corner = 0; corner < 8; ++corner) {
    int weight = 1;
    for (std::size_t d = 0; d < 3; ++d) weight *= corner >> d & 1 ? place[d] : degree - place[d];
    pairs[corner] = {weight > 0 ? vertices[corner] : none, static_cast<std::size_t>(weight)};
  }
  std::sort(pairs.begin(), pairs.end());
  node_name name{};
  for (std::size_t i = 0; i < 4; ++i) {
    name[2 * i] = pairs[i][0];
    name[2 * i + 1] = pairs[i][1];
  }
  return name;
}

// The vertices of a face in ascending order; side is 0 or 1, across direction d.
inline std::array<std::size_t, 4> face_of(std::size_t const* vertices, std::size_t d, std::size_t side)
{
  std::array<std::size_t, 4> face{};
  std::size_t count = 0;
  for (std::size_t corner = 0; corner < 8; ++corner)
    if ((corner >> d & 1) == side) face[count++] = vertices[corner];
  std::sort(face.begin(), face.end());
  return face;
}

// Calls f(element, {i, j, k}), x first, in the order of a table.
template <class Function>
void for_each_node(sumfac::index_t elements, int degree, Function const& f)
{
  for (sumfac::index_t e = 0; e < elements; ++e)
    for (int k = 0; k <= degree; ++k)
      for (int j = 0; j <= degree; ++j)
        for (int i = 0; i <= degree; ++i) f(static_cast<std::size_t>(e), std::array<int, 3>{i, j, k});
}

}  // namespace detail

inline node_numbers number_nodes(hexahedral_mesh const& mesh, int degree)
{
  auto const vertices = [&](std::size_t e) { return mesh.vertices.data() + 8 * e; };
  auto const at_end = [&](int i) { return i == 0 || i == degree; };
  node_numbers numbers;

  std::map<detail::node_name, sumfac::index_t> known;
  detail::for_each_node(mesh.elements, degree, [&](std::size_t e, std::array<int, 3> const& place) {
    bool const shared = std::any_of(place.begin(), place.end(), at_end);
    auto number = numbers.nodes;
    if (shared) number = known.try_emplace(detail::name_of(vertices(e), degree, place), number).first->second;
    if (number == numbers.nodes) ++numbers.nodes;
    numbers.table.push_back(number);
  });

  // A face of one element alone lies on the boundary.
  std::map<std::array<std::size_t, 4>, int> faces;
  for (std::size_t e = 0; e < static_cast<std::size_t>(mesh.elements); ++e)
    for (std::size_t face = 0; face < 6; ++face) ++faces[detail::face_of(vertices(e), face / 2, face % 2)];
  numbers.on_boundary.resize(static_cast<std::size_t>(numbers.nodes));
  auto number = numbers.table.begin();
  detail::for_each_node(mesh.elements, degree, [&](std::size_t e, std::array<int, 3> const& place) {
    for (std::size_t d = 0; d < 3; ++d)
      if (at_end(place[d]) && faces.at(detail::face_of(vertices(e), d, place[d] == 0 ? 0 : 1)) == 1)
        numbers.on_boundary[static_cast<std::size_t>(*number)] = 1;
    ++number;
  });
  return numbers;
}
