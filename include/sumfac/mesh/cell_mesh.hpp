// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A mesh of triangles, tetrahedra or prisms: where its nodes lie, which vertices are one, and its sides.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/backend/detail/own_vector.hpp>
#include <sumfac/basis/detail/placed_nodes.hpp>
#include <sumfac/basis/space.hpp>
#include <sumfac/config.hpp>
#include <sumfac/error.hpp>
#include <sumfac/mesh/boundary_faces.hpp>
#include <sumfac/mesh/mesh.hpp>
#include <sumfac/mesh/mesh_nodes.hpp>
#include <sumfac/mesh/parts/shared.hpp>
#include <sumfac/view/view.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace sumfac::SUMFAC_TARGET {

namespace detail {

// Vertices of an element, and of its sides, -1 behind the last: side s of a simplex lies opposite vertex s; a prism has
// the lower and the upper triangle, then the sides along y = 0, x + y = 1 and x = 0.
struct cell_sides {
  int vertices, sides;
  int of_side[5][4];
};
constexpr cell_sides sides_of_cell(cell_shape shape, int directions)
{
  if (shape == cell_shape::prism)
    return {6, 5, {{0, 1, 2, -1}, {3, 4, 5, -1}, {0, 1, 3, 4}, {1, 2, 4, 5}, {0, 2, 3, 5}}};
  if (directions == 3) return {4, 4, {{1, 2, 3, -1}, {0, 2, 3, -1}, {0, 1, 3, -1}, {0, 1, 2, -1}, {}}};
  return {3, 3, {{1, 2, -1, -1}, {0, 2, -1, -1}, {0, 1, -1, -1}, {}, {}}};
}

}  // namespace detail

// Elements of one shape, (E, M, C) nodes at equal distances as Gmsh and VTK place them, and a table of vertices (E, V):
// those of one number are one. It has memory of its own, which its copies share.
//
// Operators take it in the place of mesh nodes, cell_space makes functions on it.
// **Errors** argument_error: extents that do not fit; vertices out of range; a side of three elements.
class cell_mesh : public mesh_view<view<double const, dextents<3>>, equispaced_nodes> {
  using nodes_view = view<double const, dextents<3>>;

public:
  using nodes_type = mesh_view<nodes_view, equispaced_nodes>;

  // Straight elements, of points (vertices, C) and a table (E, V); C = 2 for triangles in the plane, else 3.
  template <class Points, class Table>
    requires(Points::rank() == 2)
  cell_mesh(cell_shape shape, Points const& points, Table const& table)
      : cell_mesh(shape, made_of(points, table), table, points.extent(0))
  {
  }
  // Elements of any degree, of nodes (E, M, C), as many as a space of that degree has, in its order.
  template <class Nodes, class Table>
    requires(Nodes::rank() == 3)
  cell_mesh(cell_shape shape, Nodes const& nodes, Table const& table, index_t vertices)
      : cell_mesh(shape, copied(nodes), table, vertices)
  {
  }

  cell_shape shape() const { return shape_; }
  int directions() const { return directions_; }
  int coordinates() const { return static_cast<int>(this->extent(2)); }
  int nodes_1d() const { return nodes_1d_; }
  index_t elements() const { return this->extent(0); }
  index_t vertices() const { return vertices_; }
  int vertices_of_element() const { return detail::sides_of_cell(shape_, directions_).vertices; }
  index_t vertex(index_t e, int v) const
  {
    return data_->table[static_cast<std::size_t>(e * vertices_of_element() + v)];
  }
  nodes_type const& nodes() const { return *this; }

  // The sides that one element alone has: all, or those of a name.
  std::vector<element_side> const& boundary() const { return data_->boundary; }
  std::vector<element_side> const& boundary(std::string const& name) const
  {
    for (auto const& sides : sides_)
      if (sides.name == name) return sides.members;
    sumfac::fail("cell_mesh::boundary", "no sides have the name '" + name + "'");
  }
  // The same mesh with a name for sides.
  cell_mesh named(named_sides const& sides) const
  {
    cell_mesh result = *this;
    result.sides_.push_back(sides);
    return result;
  }
  // Of all elements, (element, side), each with its vertices in ascending order: those of two elements are the same.
  using side_key = std::array<index_t, 4>;
  side_key key_of(element_side const& side) const
  {
    auto const sides = detail::sides_of_cell(shape_, directions_);
    side_key key{-1, -1, -1, -1};
    for (std::size_t v = 0; v < key.size(); ++v)
      if (int const of = sides.of_side[side.side][v]; of >= 0) key[v] = vertex(side.element, of);
    std::sort(key.begin(), key.end());
    return key;
  }

private:
  struct contents {
    detail::own_vector<double> nodes;
    index_t elements, nodes_of_element, coordinates;
    detail::own_vector<index_t> table;
    std::vector<element_side> boundary;
  };

  template <class Table>
  cell_mesh(cell_shape shape, contents&& nodes, Table const& table, index_t vertices)
      : cell_mesh(shape, detail::shared<contents>(std::move(nodes)), vertices)
  {
    constexpr auto here = "cell_mesh";
    int const count = vertices_of_element();
    check_equal(here, "extent 0 (elements) of the table", elements(), table.extent(0));
    check_equal(here, "extent 1 (vertices of an element) of the table", count, table.extent(1));
    contents& own = data_.edit();
    for (index_t e = 0; e < elements(); ++e)
      for (int v = 0; v < count; ++v) {
        auto const number = static_cast<index_t>(table(e, v));
        if (number < 0 || number >= vertices)
          failf(here, "a vertex is out of range (element %lld, vertex %d: got %lld, 0 to %lld expected)",
                static_cast<long long>(e), v, static_cast<long long>(number), static_cast<long long>(vertices - 1));
        own.table.push_back(number);
      }
    find_boundary();
  }
  cell_mesh(cell_shape shape, detail::shared<contents> const& data, index_t vertices)
      : nodes_type(nodes_view(data->nodes.data(), data->elements, data->nodes_of_element, data->coordinates),
                   equispaced_nodes{}),
        data_(data),
        shape_(shape),
        vertices_(vertices)
  {
    index_t const nodes = data->nodes_of_element;
    for (int d : {2, 3}) {
      if (shape == cell_shape::prism && d == 2) continue;
      space const of{1, d, d, node_placement::gauss_lobatto, nullptr, function_family::nodal, shape};
      int const m = detail::edge_nodes_of(of, nodes, detail::max_mesh_nodes_1d);
      // 10 nodes are a tetrahedron's of degree 2 and a triangle's of degree 3: in space they are the former's.
      if (m > 0 && (d == data->coordinates || (nodes_1d_ == 0 && d == 2))) directions_ = d, nodes_1d_ = m;
    }
    if (nodes_1d_ == 0 || shape == cell_shape::lines || shape == cell_shape::tables)
      failf("cell_mesh",
            "extent 1 (nodes of an element) does not fit (got %lld; 3, 6, ... of triangles, 4, 10, ... of "
            "tetrahedra, 6, 18, ... of prisms expected)",
            static_cast<long long>(nodes));
  }

  template <class Nodes>
  static contents copied(Nodes const& nodes)
  {
    check_data("cell_mesh", "view of the mesh nodes", nodes.data(), nodes.size());
    contents made{{}, nodes.extent(0), nodes.extent(1), nodes.extent(2), {}, {}};
    for (index_t e = 0; e < made.elements; ++e)
      for (index_t i = 0; i < made.nodes_of_element; ++i)
        for (index_t c = 0; c < made.coordinates; ++c) made.nodes.push_back(static_cast<double>(nodes(e, i, c)));
    return made;
  }
  template <class Points, class Table>
  static contents made_of(Points const& points, Table const& table)
  {
    contents made{{}, table.extent(0), table.extent(1), points.extent(1), {}, {}};
    for (index_t e = 0; e < made.elements; ++e)
      for (index_t v = 0; v < made.nodes_of_element; ++v) {
        auto const number = static_cast<index_t>(table(e, v));
        if (number < 0 || number >= points.extent(0))
          failf("cell_mesh", "a vertex is out of range (element %lld, vertex %lld: got %lld, 0 to %lld expected)",
                static_cast<long long>(e), static_cast<long long>(v), static_cast<long long>(number),
                static_cast<long long>(points.extent(0) - 1));
        for (index_t c = 0; c < made.coordinates; ++c) made.nodes.push_back(static_cast<double>(points(number, c)));
      }
    return made;
  }

  void find_boundary()
  {
    std::vector<std::pair<side_key, element_side>> sides;
    int const count = detail::sides_of_cell(shape_, directions_).sides;
    for (index_t e = 0; e < elements(); ++e)
      for (int s = 0; s < count; ++s) sides.push_back({key_of({e, s}), {e, s}});
    std::sort(sides.begin(), sides.end(), [](auto const& a, auto const& b) { return a.first < b.first; });
    for (std::size_t i = 0, next = 0; i < sides.size(); i = next) {
      for (next = i; next < sides.size() && sides[next].first == sides[i].first;) ++next;
      if (next == i + 1) data_.edit().boundary.push_back(sides[i].second);
      if (next > i + 2 && directions_ == coordinates())
        failf("cell_mesh", "a side is one of %lld elements (at most 2 expected): elements %lld, %lld and %lld",
              static_cast<long long>(next - i), static_cast<long long>(sides[i].second.element),
              static_cast<long long>(sides[i + 1].second.element), static_cast<long long>(sides[i + 2].second.element));
    }
    auto& boundary = data_.edit().boundary;
    std::sort(boundary.begin(), boundary.end(), [](element_side const& a, element_side const& b) {
      return a.element < b.element || (a.element == b.element && a.side < b.side);
    });
  }

  detail::shared<contents> data_;
  cell_shape shape_;
  int directions_ = 0, nodes_1d_ = 0;
  index_t vertices_;
  std::vector<named_sides> sides_;
};
template <>
inline constexpr bool is_view<cell_mesh> = true;

namespace detail {
template <>
inline constexpr bool says_node_set<cell_mesh> = true;
}  // namespace detail

}  // namespace sumfac
