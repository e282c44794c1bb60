// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A mesh, said once: nodes, where they lie on edges, which elements share what, and the names of its sides.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/backend/detail/own_pointer.hpp>
#include <sumfac/mesh/boundary_faces.hpp>
#include <sumfac/mesh/interior_faces.hpp>
#include <sumfac/mesh/mesh_nodes.hpp>
#include <sumfac/mesh/parts/element_parts.hpp>
#include <sumfac/mesh/parts/element_views.hpp>
#include <sumfac/mesh/parts/hanging_parts.hpp>
#include <sumfac/mesh/parts/joined_vertices.hpp>
#include <sumfac/mesh/parts/named_parts.hpp>
#include <sumfac/mesh/parts/shared.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace sumfac::SUMFAC_TARGET {

namespace detail {

template <int Directions>
using kept_view = view<double const, dextents<Directions + 2>>;

}  // namespace detail

// Elements of one shape: those below of lines, triangles and so on by cell_mesh.
template <int Directions, int Coordinates = Directions, cell_shape Shape = cell_shape::lines>
class mesh;

// Elements of `Directions` directions in `Coordinates` coordinates: mesh<3> hexahedra, mesh<2> quadrilaterals, mesh<1>
// lines; mesh<2, 3> surfaces, mesh<1, 2> and mesh<1, 3> curves.
//
// Whatever takes mesh nodes takes a mesh: it is a mesh_view of them. It never changes, and copies share its memory.
// **Shapes** nodes (E, m, m, m, 3), (E, m, m, C), (E, m, C), 2 <= m <= 16; where they are contiguous and double they
// are not copied, and must live as long as the mesh. A table (E, n, n, n), (E, n, n), (E, n) of numbers, 0 or more: of
// vertices (n = 2), or of nodes of any degree, of which those beyond the vertices tell elements apart that have the
// same vertices, as in a mesh that is periodic over two elements.
// **Work** linear in the elements.
// **Errors** argument_error: those of mesh nodes and their set; a table that does not fit them; numbers out of range;
// collapsed elements; a side of three elements (of a surface in space it may have more than two).
template <int Directions, int Coordinates>
class mesh<Directions, Coordinates, cell_shape::lines>
    : public mesh_view<detail::kept_view<Directions>, kept_nodes>,
      public detail::named_parts<mesh<Directions, Coordinates>, Coordinates> {
  static_assert(Directions >= 1 && Coordinates >= Directions && Coordinates <= 3,
                "sumfac::mesh<D, C>: elements have 1 to 3 directions, and a mesh as many coordinates or more, up to 3");
  using parts = detail::element_parts<Directions>;
  using number = typename parts::number;
  using names = detail::named_parts<mesh, Coordinates>;

public:
  using nodes_type = mesh_view<detail::kept_view<Directions>, kept_nodes>;
  using position = vector<double, Coordinates>;
  static constexpr int directions = Directions, coordinates = Coordinates, sides_of_element = 2 * Directions;
  static constexpr cell_shape shape = cell_shape::lines;

  static constexpr double usual_tolerance = 1e-6;

  // Vertices are one where they coincide, to within a tolerance as a part of the shortest distance between two vertices
  // of an element. The set is left out where it is said: for m <= 3, and of a mesh_view.
  template <class Nodes, mesh_node_set Set = unsaid_nodes>
    requires is_view<Nodes>
  explicit mesh(Nodes const& nodes, Set const& set = {}, double tolerance = usual_tolerance)
      : mesh(checked_nodes(nodes, set))
  {
    join_vertices(tolerance);
    find_boundary();
  }
  // Vertices are those of a table.
  template <class Nodes, mesh_node_set Set, class Table>
    requires is_view<Nodes> && is_view<Table>
  mesh(Nodes const& nodes, Set const& set, Table const& table) : mesh(checked_nodes(nodes, set))
  {
    constexpr bool fits = detail::is_view_of_integers<Table, Directions + 1, Directions + 1>;
    static_assert(fits,
                  "sumfac::mesh: the table must be a sumfac::view of integers, of shape (E, n, n, n) of hexahedra, "
                  "(E, n, n) of quadrilaterals, (E, n) of lines");
    if constexpr (fits) take_vertices(table);
    find_boundary();
  }
  template <class Nodes, class Table>
    requires is_view<Nodes> && is_view<Table>
  mesh(Nodes const& nodes, Table const& table) : mesh(nodes, unsaid_nodes{}, table)
  {
  }

  // The same with nodes of its own, which need not live on.
  template <class Nodes, class... Table>
  static mesh copy_of(Nodes const& nodes, Table const&... table)
  {
    mesh result(checked_nodes(nodes, unsaid_nodes{}, true));
    if constexpr (sizeof...(Table) == 0)
      result.join_vertices(usual_tolerance);
    else
      result.take_vertices(table...);
    result.find_boundary();
    return result;
  }

  using names::elements;
  index_t elements() const { return this->extent(0); }
  int nodes_1d() const { return static_cast<int>(this->extent(1)); }
  index_t vertices() const { return data_->parts.vertices(); }
  index_t vertex(index_t e, int v) const { return data_->parts.vertex(e, v); }
  double const* vertex_at(index_t e, int v) const  // its coordinates
  {
    int const last = nodes_1d() - 1;
    return node(e, (v >> 2 & 1) * last, (v >> 1 & 1) * last, (v & 1) * last);
  }
  nodes_type const& nodes() const { return *this; }  // a mesh_view: the nodes, and where they lie on edges

  // Where it hangs: sides of elements that two sides of others cover, or four, with a vertex of these in the middle.
  std::vector<hanging_side> const& hanging() const { return data_->hanging; }

  // The sides that one element alone has, and that do not hang; by name, tag or place: as named_parts has them.
  using names::boundary;
  std::vector<element_side> const& boundary() const { return data_->boundary; }

  // The sides that two elements have, and those that a large one has with small ones, and how these are turned to each
  // other.
  face_pairs interior_faces() const
  {
    detail::own_vector<std::int32_t> table;
    index_t const nodes = data_->parts.number_nodes(2, table);
    auto pairs = sumfac::interior_faces(detail::element_view<Directions>(table.data(), elements(), 3), nodes);
    detail::join_hanging(pairs, hanging(), [this](index_t e, int v) { return data_->parts.vertex(e, v); });
    return pairs;
  }
  // The elements' sides as a mesh of their own: a surface, or a curve, with its normals outwards.
  //
  // **Errors** argument_error: an element or a side that does not exist; mesh nodes that are not symmetric on edges.
  auto sides(std::vector<element_side> const& which) const
    requires(Directions > 1)
  {
    if (!this->node_set().is_symmetric())
      fail("mesh::sides", "the mesh nodes lie on edges differently from both ends: pass nodes of a symmetric set");
    using side_mesh = mesh<Directions - 1, Coordinates>;
    auto const taken = face_nodes(this->nodes(), which);
    detail::own_vector<double> own;
    own.append(taken);
    detail::own_vector<number> vertices;
    for (element_side const& at : which)
      for_each_on_side(at.side, 2, [&](int k, int j, int i) {
        vertices.push_back(data_->parts.vertex(at.element, (k * 2 + j) * 2 + i));
      });
    index_t const count = detail::close_gaps(vertices);
    return side_mesh(std::move(own), static_cast<index_t>(which.size()), this->node_set(), nodes_1d(), vertices, count);
  }

  // The mesh that refined() or refine() cut into this one, or that with_coarser() found, null where there is none; of
  // each of its elements e the first of those that it became, first_parts()[e] to first_parts()[e + 1] - 1: 2^D of
  // them, or one where it was not cut.
  mesh const* coarser() const { return data_->coarser.empty() ? nullptr : &*data_->coarser; }
  std::vector<index_t> const& first_parts() const { return data_->first_parts; }
  // The elements of a process, by a list of that of each element, as a mesh without names; and those of the meshes that
  // it was cut from, as far down as all that became of an element is one process', at most `coarser_ones` where that is
  // not below 0. Nodes are copied.
  //
  // **Errors** argument_error for a list of another length.
  mesh of_process(std::vector<int> const& process, int which, int coarser_ones = -1) const;
  parts const& element_parts() const { return data_->parts; }  // vertices, edges and faces
  // The same mesh with the node at x at place(x), and so the coarser ones.
  //
  // **Errors** argument_error: a mesh that hangs, whose sides would no longer match; a place that is not finite.
  template <class Place>
  mesh moved(Place const& place) const
  {
    if constexpr (Directions > 1) detail::refuse_hanging_mesh("mesh::moved", hanging());
    contents own{{}, data_->parts, data_->boundary, {}, {}, data_->first_parts};
    own.nodes.reserve(static_cast<std::size_t>(this->size()));
    for (index_t i = 0; i < this->size(); i += Coordinates) {
      position x;
      for (int c = 0; c < Coordinates; ++c) x[c] = this->data()[i + c];
      x = place(std::as_const(x));
      for (int c = 0; c < Coordinates; ++c) own.nodes.push_back(x[c]);
    }
    detail::check_finite_nodes("mesh::moved", own.nodes.data(), this->size(), elements());
    if (coarser() != nullptr) own.coarser = detail::own_pointer<mesh const>(new mesh(coarser()->moved(place)));
    mesh result(*this);
    static_cast<nodes_type&>(result) = view_of(own.nodes.data(), elements(), nodes_1d(), this->node_set());
    result.data_ = detail::shared<contents>(std::move(own));
    return result;
  }

  // For spaces: numbers of a degree's nodes, (E, n^D), of which there are so many; and which of an element's lie on
  // each of its sides.
  index_t number_nodes(int degree, detail::own_vector<std::int32_t>& table) const
  {
    return data_->parts.number_nodes(degree, table);
  }
  static auto places_along_sides(int degree) { return places_on_sides(degree); }  // in the order of sides()
  static detail::own_vector<detail::own_vector<int>> places_on_sides(int degree)
  {
    detail::own_vector<detail::own_vector<int>> places(2 * Directions);
    for (int side = 0; side < 2 * Directions; ++side)
      for_each_on_side(side, degree + 1, [&](int k, int j, int i) {
        places[static_cast<std::size_t>(side)].push_back((k * (degree + 1) + j) * (degree + 1) + i);
      });
    return places;
  }

private:
  template <int, int, cell_shape>
  friend class mesh;
  template <int, int>
  friend class nesting;
  friend names;
  template <int Dim, class Bend>
  friend auto box_mesh(int const (&cells)[Dim], Bend const& bend, int order);
  template <int Dim, int Space>
  friend mesh<Dim, Space> refined(mesh<Dim, Space> const& coarse, int times);
  template <int Dim, int Space>
  friend mesh<Dim, Space> refine(mesh<Dim, Space> const& coarse, std::vector<index_t> const& elements);

  struct contents {
    detail::own_vector<double> nodes{};  // where they are its own
    typename mesh::parts parts{};
    std::vector<element_side> boundary{};
    std::vector<hanging_side> hanging{};
    detail::own_pointer<mesh const> coarser{};
    std::vector<index_t> first_parts{};
  };
  struct made {
    nodes_type nodes;
    detail::shared<contents> data;
  };

  // Of nodes of its own.
  mesh(detail::own_vector<double> nodes, index_t elements, kept_nodes const& set, int m,
       detail::own_vector<number> const& vertices, index_t count)
      : nodes_type(view_of(nodes.data(), elements, m, set)), data_(contents{std::move(nodes)})
  {
    detail::check_finite_nodes("mesh", this->data(), this->size(), elements);
    data_.edit().parts = parts(
        vertices, count, [](auto...) { return index_t{0}; }, false);
    find_boundary();
  }
  explicit mesh(made const& m) : nodes_type(m.nodes), data_(m.data) {}

  // For refined(), beside which they are: the same with nodes of its own; and what it was cut from, and its names.
  mesh with_own_nodes() const;
  mesh cut_from(mesh const& coarse, std::vector<index_t> first) const;

  template <class Nodes, class Set>
  static made checked_nodes(Nodes const& nodes, Set const& set, bool copy = false)
  {
    constexpr bool fits = int{Nodes::rank()} == Directions + 2;
    static_assert(fits,
                  "sumfac::mesh: mesh nodes are a view of shape (E, m, m, m, 3) of hexahedra, (E, m, m, C) of "
                  "quadrilaterals, (E, m, C) of lines");
    auto const plain = detail::plain_nodes(nodes);
    if constexpr (fits) {
      detail::check_mesh_nodes("mesh", nodes, Coordinates);
      int const m = static_cast<int>(nodes.extent(1));
      kept_nodes const kept(m, detail::said_nodes("mesh", nodes, set));
      detail::shared<contents> own(contents{});
      double const* at = nullptr;
      if constexpr (std::is_same_v<typename decltype(plain)::value_type, double> &&
                    std::is_same_v<typename decltype(plain)::layout_type, layout_right>)
        at = copy ? nullptr : plain.data();
      if (at == nullptr) {
        auto& copied = own.edit().nodes;
        copied.reserve(static_cast<std::size_t>(plain.size()));
        for (index_t e = 0; e < plain.extent(0); ++e)
          detail::for_each_place<Directions>(m, [&](int k, int j, int i) {
            for (int c = 0; c < Coordinates; ++c)
              copied.push_back(static_cast<double>(detail::entry_at<Directions>(plain, e, k, j, i, c)));
          });
        at = copied.data();
      }
      detail::check_finite_nodes("mesh", at, plain.size(), plain.extent(0));
      return {view_of(at, plain.extent(0), m, kept), own};
    }
  }
  static nodes_type view_of(double const* nodes, index_t elements, int m, kept_nodes const& set)
  {
    return {detail::element_view<Directions>(nodes, elements, m, Coordinates), set};
  }
  double const* node(index_t e, int k, int j, int i) const
  {
    index_t const m = this->extent(1);
    index_t const row = Directions == 3 ? (e * m + k) * m + j : Directions == 2 ? e * m + j : e;
    return this->data() + (row * m + i) * Coordinates;
  }
  // The places (k, j, i) of a side's nodes, n along each of its directions.
  template <class Function>
  static void for_each_on_side(int side, int n, Function const& f)
  {
    if constexpr (Directions == 1) {
      f(0, 0, side * (n - 1));
    } else {
      for (int j = 0; j < (Directions == 3 ? n : 1); ++j)
        for (int i = 0; i < n; ++i) {
          detail::side_place const p = detail::place_on_side(Directions, side, n, j, i);
          f(p.k, p.j, p.i);
        }
    }
  }

  void join_vertices(double tolerance)
  {
    constexpr int corners = 1 << Directions;
    if (!(tolerance > 0 && tolerance < 0.25))
      failf("mesh", "the tolerance is not between 0 and 0.25 (got %g): pass a small part of an element's size",
            tolerance);
    double least = 0;  // square of the shortest distance
    for (index_t e = 0; e < elements(); ++e)
      for (int v = 1; v < corners; ++v)
        for (int before = 0; before < v; ++before) {
          double square = 0;
          for (int c = 0; c < Coordinates; ++c) {
            double const apart = vertex_at(e, v)[c] - vertex_at(e, before)[c];
            square += apart * apart;
          }
          if (square == 0)
            failf("mesh",
                  "vertices %d and %d of element %lld coincide (distance 0, more expected): leave out elements "
                  "that are collapsed",
                  before, v, static_cast<long long>(e));
          if (least == 0 || square < least) least = square;
        }
    detail::joined_points<Coordinates> joined(elements() * corners, tolerance * __builtin_sqrt(least));
    detail::own_vector<number> of_elements;
    of_elements.reserve(static_cast<std::size_t>(elements() * corners));
    for (index_t e = 0; e < elements(); ++e)
      for (int v = 0; v < corners; ++v) of_elements.push_back(joined.number(vertex_at(e, v)));
    data_.edit().parts = parts(
        of_elements, joined.count(), [](auto...) { return index_t{0}; }, false);
  }
  template <class Table>
  void take_vertices(Table const& table)
  {
    constexpr index_t most = index_t{1} << 30;
    check_equal("mesh", "extent 0 (elements) of the table", elements(), table.extent(0));
    int const n = static_cast<int>(table.extent(1));
    if (n < 2 || n > 32)
      failf("mesh", "extent 1 (nodes along an edge) of the table does not fit (got %d, 2 to 32 expected)", n);
    for (int d = 1; d < Directions; ++d)
      check_equal("mesh", "another extent (nodes along an edge) of the table", n, table.extent(d + 1));
    check_data("mesh", "view of the table", table.data(), table.size());
    auto const entry = [&](index_t e, int k, int j, int i) {
      return static_cast<index_t>(detail::entry_at<Directions>(table, e, k, j, i));
    };
    for (index_t e = 0; e < elements(); ++e)
      detail::for_each_place<Directions>(n, [&](int k, int j, int i) {
        index_t const at = entry(e, k, j, i);
        if (at < 0 || at >= most)
          failf("mesh",
                "a number of the table is out of range (element %lld, node (k, j, i) = (%d, %d, %d): got %lld, 0 to "
                "%lld expected)",
                static_cast<long long>(e), k, j, i, static_cast<long long>(at), static_cast<long long>(most - 1));
      });
    detail::own_vector<number> vertices;
    vertices.reserve(static_cast<std::size_t>(elements() << Directions));
    for (index_t e = 0; e < elements(); ++e)
      detail::for_each_place<Directions>(2, [&](int k, int j, int i) {
        vertices.push_back(static_cast<number>(entry(e, k * (n - 1), j * (n - 1), i * (n - 1))));
      });
    // The least number next to the vertices of an edge or a face, which all elements find that have it.
    auto const inner = [&](index_t e, int place) {
      index_t least = 0;
      bool any = false;
      if (n == 2) return least;
      for (int end = 0; end < 1 << Directions; ++end) {
        int at[3] = {};
        for (int d = 0; d < Directions; ++d) {
          int const digit = detail::digit_of_part(place, d);
          at[d] = digit == 1 ? ((end >> d & 1) != 0 ? n - 2 : 1) : digit / 2 * (n - 1);
        }
        index_t const found = entry(e, at[2], at[1], at[0]);
        if (!any || found < least) least = found;
        any = true;
      }
      return least;
    };
    index_t const count = detail::close_gaps(vertices);
    data_.edit().parts = parts(vertices, count, inner, n > 2);
  }
  void find_boundary()
  {
    auto& of = data_.edit();
    of.boundary = of.parts.boundary(Coordinates > Directions);
    if constexpr (Directions > 1) of.hanging = detail::take_hanging<Directions, Coordinates>(*this, of.boundary);
  }

  // For names.
  template <class Function>
  void for_each_mesh_node(element_side const& at, Function const& f) const
  {
    for_each_on_side(at.side, nodes_1d(), [&](int k, int j, int i) { f(node(at.element, k, j, i)); });
  }

  detail::shared<contents> data_;
};

template <int Directions, int Coordinates, cell_shape Shape>
inline constexpr bool is_view<mesh<Directions, Coordinates, Shape>> = Shape != cell_shape::mixed;
namespace detail {
template <int Directions, int Coordinates, cell_shape Shape>
inline constexpr bool says_node_set<mesh<Directions, Coordinates, Shape>> = Shape != cell_shape::mixed;

// Coordinates of a view of mesh nodes: as many as directions, where its type says nothing else.
template <class Nodes>
inline constexpr int coordinates_of_nodes = [] {
  constexpr int directions = int{Nodes::rank()} - 2;
  constexpr auto last = Nodes::static_extent(Nodes::rank() - 1);
  return last == dynamic_extent ? directions : static_cast<int>(last);
}();
}  // namespace detail

template <class Nodes, class... Rest>
  requires is_view<Nodes>
mesh(Nodes const&, Rest const&...) -> mesh<int{Nodes::rank()} - 2, detail::coordinates_of_nodes<Nodes>>;

}  // namespace sumfac
