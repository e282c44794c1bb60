// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Meshes from Gmsh's files, without its library: elements of any order, with the names of their physical groups.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/backend/detail/own_vector.hpp>
#include <sumfac/config.hpp>
#include <sumfac/interop/detail/gmsh_file.hpp>
#include <sumfac/mesh/boundary_faces.hpp>
#include <sumfac/mesh/cell_mesh.hpp>
#include <sumfac/mesh/mesh.hpp>
#include <sumfac/mesh/mesh_nodes.hpp>
#include <sumfac/view/view.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace sumfac::SUMFAC_TARGET::gmsh {

// The elements of Directions directions in a file of format 4.1, text or bytes, or 2.2 as text: hexahedra by read<3>,
// quadrilaterals in the plane z = 0 by read<2> and in space by read<2, 3>, lines by read<1>, read<1, 2>, read<1, 3>.
//
// Orders 1 to 10 (hexahedra: 9), all elements of one. Physical groups of elements are names of elements, those of the
// elements' sides names of sides: what has no name has its number as name; that is its tag.
// **Errors** argument_error with the file and the line: whatever is not as the format has it; elements of another shape
// or of several orders; sides of no element; sections that would change the mesh and are not read, as $Periodic and
// those of partitions; and the errors of a mesh.
template <int Directions = 3, int Coordinates = Directions>
mesh<Directions, Coordinates> read(std::string const& file);

// Tetrahedra of such a file by read_cells<3>, triangles in the plane z = 0 by read_cells<2> and in space by
// read_cells<2, 3>, of order 1 or 2, with the names of the sides' physical groups.
//
// **Errors** as those of read.
template <int Directions = 3, int Coordinates = Directions>
cell_mesh read_cells(std::string const& file);

template <int Directions, int Coordinates>
mesh<Directions, Coordinates> read(std::string const& file)
{
  using result = mesh<Directions, Coordinates>;
  namespace in = sumfac::SUMFAC_TARGET::detail;
  in::gmsh_reader const got(file, Directions);
  auto const& of = got.elements;
  index_t const elements = of.count(), m = of.order + 1, nodes = in::node_box(of.order + 1, Directions).all();
  in::gmsh_order const order(Directions, of.order);
  in::own_vector<double> places(static_cast<std::size_t>(elements * nodes * Coordinates));
  in::own_vector<std::int32_t> table(static_cast<std::size_t>(elements * nodes));
  for (index_t e = 0; e < elements; ++e)
    for (std::size_t a = 0; a < order.size(); ++a) {
      std::uint32_t const node = of.nodes[static_cast<std::size_t>(e * nodes) + a];
      auto const& at = order[a].at;
      auto const p = static_cast<std::size_t>(e * nodes + (at[2] * m + at[1]) * m + at[0]);
      table[p] = static_cast<std::int32_t>(node);
      for (int c = 0; c < 3; ++c) {
        double const x = got.coordinates[3 * std::size_t{node} + static_cast<std::size_t>(c)];
        if (c < Coordinates)
          places[p * Coordinates + static_cast<std::size_t>(c)] = x;
        else if (x < -1e-12 || x > 1e-12)
          got.file().refuse("element " + std::to_string(e) + " has a node with coordinate " + std::to_string(c) +
                            " at " + std::to_string(x) + " (0 expected): read<" + std::to_string(Directions) +
                            ", 3> is for meshes in space");
      }
    }
  mesh_view const view_of_places(in::element_view<Directions>(places.data(), elements, m, Coordinates),
                                 equispaced_nodes{});
  auto const build = [&] {
    try {
      return result::copy_of(view_of_places, in::element_view<Directions>(table.data(), elements, m));
    } catch (argument_error const& error) {
      got.file().refuse(error.what());
    }
  };
  result made = build();
  // Sides in groups, found by their vertices.
  auto const& parts = made.element_parts();
  in::own_vector<std::uint32_t> vertex(got.coordinates.size() / 3, static_cast<std::uint32_t>(-1));
  for (index_t e = 0; e < elements; ++e)
    for (int v = 0; v < 1 << Directions; ++v) {
      index_t const last = m - 1;
      auto const p =
          static_cast<std::size_t>(e * nodes + ((v >> 2 & 1) * last * m + (v >> 1 & 1) * last) * m + (v & 1) * last);
      vertex[static_cast<std::size_t>(table[p])] = parts.vertex(e, v);
    }
  std::vector<named_sides> sides;
  std::vector<named_elements> groups;
  auto const add = [&](auto& lists, int dimension, std::uint32_t list, auto const& member) {
    for (int const tag : got.group_lists[list]) {
      std::size_t known = 0;
      while (known < lists.size() && lists[known].tag != tag) ++known;
      if (known == lists.size()) lists.push_back({got.name_of(dimension, tag), tag});
      lists[known].members.push_back(member);
    }
  };
  for (index_t e = 0; e < elements; ++e) add(groups, Directions, of.groups[static_cast<std::size_t>(e)], e);
  constexpr int corners = 1 << (Directions - 1);
  auto const vertices_of = [&](index_t i) {
    in::side_vertices found;
    int const side = static_cast<int>(i % (2 * Directions));
    for (int v = 0; v < 1 << Directions; ++v)
      if ((v >> side / 2 & 1) == side % 2) found.add(parts.vertex(i / (2 * Directions), v));
    return found;
  };
  in::lists_by_number const around(parts.vertices(), elements * 2 * Directions,
                                   [&](index_t i) { return vertices_of(i).least(); });
  std::size_t const of_side = got.sides.groups.size() > 0 ? got.sides.nodes.size() / got.sides.groups.size() : 0;
  for (index_t i = 0; i < got.sides.count(); ++i) {
    auto const at = static_cast<std::size_t>(i);
    if (got.sides.groups[at] == 0) continue;
    in::side_vertices wanted;
    bool known = true;
    for (std::size_t v = 0; v < corners; ++v) {
      std::uint32_t const here = vertex[got.sides.nodes[at * of_side + v]];
      known = known && here != static_cast<std::uint32_t>(-1);
      if (known) wanted.add(here);
    }
    index_t found = -1;
    if (known)
      for (index_t const* s = around.begin(wanted.least()); found < 0 && s != around.end(wanted.least()); ++s)
        if (vertices_of(*s) == wanted) found = *s;
    if (found < 0)
      got.file().refuse("side " + std::to_string(i) + " of group '" +
                        got.name_of(Directions - 1, got.group_lists[got.sides.groups[at]][0]) +
                        "' is none of an element's (all of a group expected to be): mesh it with the elements beside "
                        "it");
    add(sides, Directions - 1, got.sides.groups[at],
        element_side{found / (2 * Directions), static_cast<int>(found % (2 * Directions))});
  }
  for (auto const& named : sides) made = made.named(named);
  for (auto const& named : groups) made = made.named(named);
  return made;
}

template <int Directions, int Coordinates>
cell_mesh read_cells(std::string const& file)
{
  static_assert(Directions == 2 || Directions == 3,
                "sumfac::gmsh: read_cells<D> is for triangles, 2, and tetrahedra, 3");
  namespace in = sumfac::SUMFAC_TARGET::detail;
  in::gmsh_reader const got(file, Directions, cell_shape::simplex);
  auto const& of = got.elements;
  // Places of Gmsh's nodes, vertices and then the middles of edges, among those of a space.
  constexpr int places[2][2][10] = {{{0, 1, 2}, {0, 2, 5, 1, 4, 3}}, {{0, 1, 2, 3}, {0, 2, 5, 9, 1, 4, 3, 6, 8, 7}}};
  int const(&place)[10] = places[Directions - 2][of.order - 1];
  constexpr std::size_t vertices = Directions + 1, coordinates = Coordinates;
  std::size_t const elements = of.groups.size(), nodes = of.nodes.size() / elements;
  std::vector<double> numbers(elements * nodes * coordinates);
  std::vector<index_t> table;
  for (std::size_t e = 0; e < elements; ++e)
    for (std::size_t a = 0; a < nodes; ++a) {
      std::size_t const node = of.nodes[e * nodes + a];
      if (a < vertices) table.push_back(static_cast<index_t>(node));
      for (std::size_t c = 0; c < 3; ++c) {
        double const x = got.coordinates[3 * node + c];
        if (c < coordinates)
          numbers[(e * nodes + static_cast<std::size_t>(place[a])) * coordinates + c] = x;
        else if (x < -1e-12 || x > 1e-12)
          got.file().refuse("element " + std::to_string(e) + " has a node at z = " + std::to_string(x) +
                            " (0 expected): read_cells<2, 3> is for meshes in space");
      }
    }
  auto const count = static_cast<index_t>(elements);
  cell_mesh made(
      cell_shape::simplex, view(numbers.data(), count, static_cast<index_t>(nodes), static_cast<index_t>(coordinates)),
      view(table.data(), count, static_cast<index_t>(vertices)), static_cast<index_t>(got.coordinates.size() / 3));
  std::map<cell_mesh::side_key, element_side> known;
  for (index_t e = 0; e < count; ++e)
    for (int s = 0; s < static_cast<int>(vertices); ++s) known.emplace(made.key_of({e, s}), element_side{e, s});
  std::vector<named_sides> named;
  std::size_t const of_side = got.sides.groups.empty() ? 0 : got.sides.nodes.size() / got.sides.groups.size();
  for (std::size_t i = 0; i < got.sides.groups.size(); ++i) {
    cell_mesh::side_key key{-1, -1, -1, -1};
    for (std::size_t v = 0; v + 1 < vertices; ++v) key[v] = static_cast<index_t>(got.sides.nodes[i * of_side + v]);
    std::sort(key.begin(), key.end());
    for (int const tag : got.group_lists[got.sides.groups[i]]) {
      auto const found = known.find(key);
      std::string const name = got.name_of(Directions - 1, tag);
      if (found == known.end())
        got.file().refuse("side " + std::to_string(i) + " of group '" + name +
                          "' is none of an element's (all of a group expected to be): mesh it with the elements beside "
                          "it");
      std::size_t g = 0;
      while (g < named.size() && named[g].tag != tag) ++g;
      if (g == named.size()) named.push_back({name, tag});
      named[g].members.push_back(found->second);
    }
  }
  for (auto const& sides : named) made = made.named(sides);
  return made;
}

}  // namespace sumfac::gmsh
