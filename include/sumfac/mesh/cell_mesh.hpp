// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Meshes of triangles, tetrahedra and prisms: where nodes lie, which vertices are one, sides and their names.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/mesh/boundary_faces.hpp>
#include <sumfac/mesh/mesh.hpp>
#include <sumfac/mesh/mesh_nodes.hpp>
#include <sumfac/mesh/parts/cell_lattice.hpp>
#include <sumfac/mesh/parts/named_parts.hpp>
#include <sumfac/mesh/parts/shared.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace sumfac::SUMFAC_TARGET {

// Elements of a shape that is no product of lines: (E, M, C) nodes at equal distances as Gmsh and VTK place them, and a
// table of vertices (E, V); those of one number are one. It has memory of its own, which its copies share.
//
// Operators take it in the place of mesh nodes, function_space makes functions on it.
// **Errors** argument_error: extents that do not fit; coordinates that are not finite; vertices out of range, or one
// twice in an element; a side of three elements, but of surfaces.
template <int Directions, int Coordinates, cell_shape Shape>
class mesh : public mesh_view<view<double const, dextents<3>>, equispaced_nodes>,
             public detail::named_parts<mesh<Directions, Coordinates, Shape>, Coordinates> {
  static_assert(Shape == cell_shape::simplex || (Shape == cell_shape::prism && Directions == 3),
                "sumfac::mesh: it is of lines, quadrilaterals, hexahedra, simplices, or prisms in three directions");
  static_assert((Directions == 2 || Directions == 3) && Coordinates >= Directions && Coordinates <= 3,
                "sumfac::mesh<D, C>: triangles have 2 directions and 2 or 3 coordinates, tetrahedra and prisms 3");
  using nodes_view = sumfac::view<double const, dextents<3>>;
  using lattice = detail::cell_lattice<Directions, Shape>;
  using names = detail::named_parts<mesh, Coordinates>;
  static constexpr space of_degree(int degree)
  {
    return {degree, Directions, Coordinates, node_placement::gauss_lobatto, nullptr, function_family::nodal, Shape};
  }

public:
  using nodes_type = mesh_view<nodes_view, equispaced_nodes>;
  using position = vector<double, Coordinates>;
  static constexpr int directions = Directions, coordinates = Coordinates;
  static constexpr cell_shape shape = Shape;
  static constexpr int vertices_of_element = lattice::vertices, sides_of_element = lattice::sides.sides;

  // Straight elements, of points (vertices, C) and a table (E, V).
  template <class Points, class Table>
    requires is_view<Points> && is_view<Table> && (Points::rank() == 2)
  mesh(Points const& points, Table const& table) : mesh(made_of(points, table))
  {
  }
  // Elements of any degree, of nodes (E, M, C), as many as a space of that degree has, in its order.
  template <class Nodes, class Table>
    requires is_view<Nodes> && is_view<Table> && (Nodes::rank() == 3)
  mesh(Nodes const& nodes, Table const& table, index_t vertices) : mesh(copied(nodes, table, vertices))
  {
  }

  using names::elements;
  index_t elements() const { return this->extent(0); }
  int nodes_1d() const { return nodes_1d_; }
  index_t vertices() const { return data_->vertices; }
  index_t vertex(index_t e, int v) const { return data_->table[static_cast<std::size_t>(e * vertices_of_element + v)]; }
  double const* vertex_at(index_t e, int v) const  // its coordinates
  {
    return this->data() + (e * this->extent(1) + data_->corners[v]) * Coordinates;
  }
  nodes_type const& nodes() const { return *this; }

  // The sides that one element alone has; by name, tag or place: as named_parts has them.
  using names::boundary;
  std::vector<element_side> const& boundary() const { return data_->boundary; }

  // A side's vertices in ascending order: those of two elements are the same.
  using side_key = std::array<index_t, 4>;
  side_key key_of(element_side const& side) const
  {
    side_key key{-1, -1, -1, -1};
    for (std::size_t v = 0; v < key.size(); ++v)
      if (int const of = lattice::sides.of_side[side.side][v]; of >= 0) key[v] = vertex(side.element, of);
    std::sort(key.begin(), key.end());
    return key;
  }

  // The elements' sides as a mesh of their own: triangles in space, or curves, with their normals outwards.
  auto sides(std::vector<element_side> const& which) const
    requires(Shape == cell_shape::simplex)
  {
    constexpr auto side_shape = Directions == 3 ? cell_shape::simplex : cell_shape::lines;
    using side_mesh = mesh<Directions - 1, Coordinates, side_shape>;
    auto const places = places_along_sides(nodes_1d_ - 1);
    auto const of_side = static_cast<index_t>(places[0].size());
    detail::own_vector<double> nodes;
    detail::own_vector<std::int32_t> table;
    for (element_side const& at : which) {
      detail::check_side("mesh::sides", at, elements(), sides_of_element);
      for (int const p : places[static_cast<std::size_t>(at.side)])
        for (int c = 0; c < Coordinates; ++c) nodes.push_back((*this)(at.element, p, c));
      for (int v = 0; v < Directions; ++v)
        table.push_back(static_cast<std::int32_t>(vertex(at.element, lattice::sides.of_side[at.side][v])));
    }
    auto const count = static_cast<index_t>(which.size());
    sumfac::view const of_nodes(nodes.data(), count, of_side, index_t{Coordinates});
    sumfac::view const of_table(table.data(), count, index_t{Directions});
    if constexpr (Directions == 3)
      return side_mesh(of_nodes, of_table, vertices());
    else
      return side_mesh::copy_of(sumfac::mesh_view(of_nodes, equispaced_nodes{}), of_table);
  }

  // For spaces: numbers of a degree's nodes, (E, P), of which there are so many; and which of an element's lie on each
  // of its sides.
  index_t number_nodes(int degree, detail::own_vector<std::int32_t>& table) const
  {
    return lattice(degree).number(
        elements(), [this](index_t e, int v) { return vertex(e, v); }, table);
  }
  static auto places_on_sides(int degree) { return lattice(degree).places_on_sides(); }
  static auto places_along_sides(int degree)  // in the order of sides()
  {
    lattice const nodes(degree);
    detail::own_vector<detail::own_vector<int>> places;
    for (int side = 0; side < sides_of_element; ++side) places.push_back(nodes.places_along(side));
    return places;
  }

private:
  friend names;
  template <int, int, cell_shape>
  friend class mesh;
  struct contents {
    detail::own_vector<double> nodes;
    index_t elements, nodes_of_element, vertices;
    detail::own_vector<index_t> table{};
    std::vector<element_side> boundary{};
    detail::own_vector<detail::own_vector<int>> on_sides{};  // an element's mesh nodes
    int corners[lattice::vertices] = {};                     // those that are its vertices
  };

  explicit mesh(contents&& made) : mesh(detail::shared<contents>(std::move(made))) {}
  explicit mesh(detail::shared<contents> const& data)
      : nodes_type(nodes_view(data->nodes.data(), data->elements, data->nodes_of_element, index_t{Coordinates}),
                   equispaced_nodes{}),
        data_(data),
        nodes_1d_(detail::checked_edge_nodes("mesh", of_degree(1), data->nodes_of_element))
  {
    detail::check_finite_nodes("mesh", data->nodes.data(), this->size(), data->elements);
    data_.edit().on_sides = places_on_sides(nodes_1d_ - 1);
    lattice const mesh_nodes(nodes_1d_ - 1);
    for (int v = 0; v < vertices_of_element; ++v) data_.edit().corners[v] = mesh_nodes.place_between({v, -1, -1, -1});
    find_boundary();
  }

  template <class Nodes, class Table>
  static contents copied(Nodes const& nodes, Table const& table, index_t vertices)
  {
    check_equal("mesh", "extent 2 (coordinates) of the mesh nodes", Coordinates, nodes.extent(2));
    check_data("mesh", "view of the mesh nodes", nodes.data(), nodes.size());
    contents made{{}, nodes.extent(0), nodes.extent(1), vertices};
    take(table, made);
    for (index_t e = 0; e < made.elements; ++e)
      for (index_t i = 0; i < made.nodes_of_element; ++i)
        for (int c = 0; c < Coordinates; ++c) made.nodes.push_back(static_cast<double>(nodes(e, i, c)));
    return made;
  }
  template <class Points, class Table>
  static contents made_of(Points const& points, Table const& table)
  {
    check_equal("mesh", "extent 1 (coordinates) of the points", Coordinates, points.extent(1));
    check_data("mesh", "view of the points", points.data(), points.size());
    contents made{{}, table.extent(0), vertices_of_element, points.extent(0)};
    take(table, made);
    for (index_t const vertex : made.table)
      for (int c = 0; c < Coordinates; ++c) made.nodes.push_back(static_cast<double>(points(vertex, c)));
    return made;
  }
  template <class Table>
  static void take(Table const& table, contents& to)
  {
    static_assert(detail::is_view_of_integers<Table, 2, 2>,
                  "sumfac::mesh: the table must be a sumfac::view of integers, of shape (E, V)");
    check_equal("mesh", "extent 0 (elements) of the table", to.elements, table.extent(0));
    check_equal("mesh", "extent 1 (vertices of an element) of the table", vertices_of_element, table.extent(1));
    check_data("mesh", "view of the table", table.data(), table.size());
    for (index_t e = 0; e < to.elements; ++e)
      for (int v = 0; v < vertices_of_element; ++v) {
        auto const number = static_cast<index_t>(table(e, v));
        if (number < 0 || number >= to.vertices)
          failf("mesh", "a vertex is out of range (element %lld, vertex %d: got %lld, 0 to %lld expected)",
                static_cast<long long>(e), v, static_cast<long long>(number), static_cast<long long>(to.vertices - 1));
        for (int before = 0; before < v; ++before)
          if (static_cast<index_t>(table(e, before)) == number)
            failf("mesh",
                  "vertices %d and %d of element %lld are one (number %lld): leave out elements that are collapsed",
                  before, v, static_cast<long long>(e), static_cast<long long>(number));
        to.table.push_back(number);
      }
  }

  void find_boundary()
  {
    std::vector<std::pair<side_key, element_side>> sides;
    for (index_t e = 0; e < elements(); ++e)
      for (int s = 0; s < lattice::sides.sides; ++s) sides.push_back({key_of({e, s}), {e, s}});
    std::sort(sides.begin(), sides.end(), [](auto const& a, auto const& b) { return a.first < b.first; });
    auto& boundary = data_.edit().boundary;
    for (std::size_t i = 0, next = 0; i < sides.size(); i = next) {
      for (next = i; next < sides.size() && sides[next].first == sides[i].first;) ++next;
      if (next == i + 1) boundary.push_back(sides[i].second);
      if (next > i + 2 && Directions == Coordinates)
        failf("mesh", "a side is one of %lld elements (at most 2 expected): elements %lld, %lld and %lld",
              static_cast<long long>(next - i), static_cast<long long>(sides[i].second.element),
              static_cast<long long>(sides[i + 1].second.element), static_cast<long long>(sides[i + 2].second.element));
    }
    std::sort(boundary.begin(), boundary.end());
  }

  // For names.
  template <class Function>
  void for_each_mesh_node(element_side const& at, Function const& f) const
  {
    for (int const p : data_->on_sides[static_cast<std::size_t>(at.side)])
      f(this->data() + (at.element * this->extent(1) + p) * Coordinates);
  }

  detail::shared<contents> data_;
  int nodes_1d_;
};

// Triangles, cell_mesh<2>, or in space, cell_mesh<2, 3>; tetrahedra, cell_mesh<3>; prisms, cell_mesh<3, 3,
// cell_shape::prism>.
template <int Directions, int Coordinates = Directions, cell_shape Shape = cell_shape::simplex>
using cell_mesh = mesh<Directions, Coordinates, Shape>;

}  // namespace sumfac
