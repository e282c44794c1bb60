// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A mesh of several kinds of elements: hexahedra, prisms and tetrahedra, or quadrilaterals and triangles, side by side.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/mesh/boundary_faces.hpp>
#include <sumfac/mesh/cell_mesh.hpp>
#include <sumfac/mesh/mesh.hpp>
#include <sumfac/mesh/mesh_nodes.hpp>
#include <sumfac/mesh/parts/cell_lattice.hpp>
#include <sumfac/mesh/parts/element_views.hpp>
#include <sumfac/mesh/parts/kinds_of_elements.hpp>
#include <sumfac/mesh/parts/named_parts.hpp>
#include <sumfac/mesh/parts/shared.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace sumfac::SUMFAC_TARGET {

// Of three directions hexahedra, then prisms, then tetrahedra, of two quadrilaterals, then triangles, any of which may
// be none: a mesh of each kind, whose elements are counted one kind behind the other. An element_side is of such a
// number, and of the sides of its kind.
//
//     sumfac::mesh const part{squares, triangles};      // or gmsh::read_mixed<2>("part.msh")
//     sumfac::function_space const V{part, 3, part.boundary("wall")};
//
// Vertices are one where they lie at one place, on sides that one element alone has of its own mesh; or by numbers.
// Sides are where their vertices are and their middles lie at one place, so that two curved sides may lie between the
// same two vertices. Sides that meet must be the same ones, of maps of one degree.
// **Errors** argument_error: a triangle upon a part of a quadrilateral, between which prisms or pyramids are wanted;
// meshes that hang; a side of three elements, but of surfaces; numbers of other vertices than a mesh has.
template <int Directions, int Coordinates>
class mesh<Directions, Coordinates, cell_shape::mixed>
    : public detail::named_parts<mesh<Directions, Coordinates, cell_shape::mixed>, Coordinates>,
      public detail::kinds_by_shape<mesh<Directions, Coordinates, cell_shape::mixed>> {
  static_assert((Directions == 2 || Directions == 3) && Coordinates >= Directions && Coordinates <= 3,
                "sumfac::mesh: of several kinds are meshes of 2 or 3 directions");
  using names = detail::named_parts<mesh, Coordinates>;
  using by_shape = detail::kinds_by_shape<mesh>;
  using kinds_type = detail::kinds_of_mesh<Directions, Coordinates>;
  static constexpr auto count = std::tuple_size_v<kinds_type>;

public:
  using position = vector<double, Coordinates>;
  // Of each kind the number of each of its vertices among those of all.
  using vertex_numbers = std::array<detail::own_vector<index_t>, count>;
  static constexpr int directions = Directions, coordinates = Coordinates, sides_of_element = 2 * Directions;
  static constexpr int kinds = static_cast<int>(count);
  static constexpr cell_shape shape = cell_shape::mixed;

  // Of meshes of some of the kinds, in any order.
  template <class... Kinds>
    requires(sizeof...(Kinds) > 0 && ((detail::times_in<Kinds, kinds_type> == 1) && ...))
  explicit mesh(Kinds const&... of) : mesh(contents{detail::kinds_taker<kinds_type>::take(of...)}, nullptr)
  {
  }
  // Of meshes whose vertices have these numbers.
  mesh(kinds_type const& of, vertex_numbers const& numbers) : mesh(contents{of}, &numbers) {}

  using names::elements;
  index_t elements() const { return data_->first[count]; }
  index_t vertices() const { return data_->vertices; }
  // The elements of a kind as a mesh of their own, of<cell_shape::prism>() or at<1>(), and how many come before them.
  using by_shape::for_each_kind;
  index_t first_element(int kind) const { return data_->first[static_cast<std::size_t>(kind)]; }
  vertex_numbers const& numbers() const { return data_->numbers; }

  // The sides that one element alone has of all kinds; by name, tag or place: as named_parts has them.
  using names::boundary;
  std::vector<element_side> const& boundary() const { return data_->boundary; }

  // Those sides that are of the elements of a kind, by their numbers there.
  std::vector<element_side> of_kind(int kind, std::vector<element_side> const& sides) const
  {
    std::vector<element_side> found;
    for (element_side const& at : sides) {
      detail::check_side("mesh", at, elements(), sides_of_element);
      if (at.element >= first_element(kind) && at.element < first_element(kind + 1))
        found.push_back({at.element - first_element(kind), at.side});
    }
    return found;
  }
  // The elements' sides as a mesh of their own: a surface of quadrilaterals and triangles, with its normals outwards;
  // its elements are those of hexahedra, then of prisms, then those of prisms and of tetrahedra that are triangles.
  auto sides(std::vector<element_side> const& which) const
    requires(Directions == 3)
  {
    using quadrilaterals = mesh<2, Coordinates>;
    using triangles = mesh<2, Coordinates, cell_shape::simplex>;
    struct {
      detail::own_vector<double> nodes{};
      detail::own_vector<std::int32_t> table{};
      index_t count = 0, nodes_of_side = 3;
    } of[2];  // triangles, quadrilaterals
    int nodes_1d = 2;
    kept_nodes set(2, equispaced_nodes{});
    for_each_kind([&](auto const& kind, int k) {
      using kind_type = std::remove_cvref_t<decltype(kind)>;
      auto const own = of_kind(k, which);
      if (own.empty()) return;
      if constexpr (kind_type::shape == cell_shape::lines) static_cast<void>(kind.sides({}));  // refuses odd node sets
      if (of[0].count + of[1].count > 0)
        check_equal("mesh::sides", "number of mesh nodes along an edge of a kind", nodes_1d, kind.nodes_1d());
      kept_nodes const here(kind.nodes_1d(), kind.node_set());
      if (of[0].count + of[1].count > 0 && !(here == set))
        fail("mesh::sides", "mesh nodes of two kinds lie at other places on edges: give all of them one node set");
      set = here, nodes_1d = kind.nodes_1d();
      auto const places = kind_type::places_along_sides(nodes_1d - 1), corners = kind_type::places_along_sides(1);
      index_t const of_element = kind.size() / (kind.elements() * Coordinates);
      for (element_side const& at : own) {
        detail::check_side("mesh::sides", at, kind.elements(), kind_type::sides_of_element);
        auto const side = static_cast<std::size_t>(at.side);
        auto& to = of[corners[side].size() - 3];
        ++to.count, to.nodes_of_side = static_cast<index_t>(places[side].size());
        for (int const p : places[side])
          for (int c = 0; c < Coordinates; ++c)
            to.nodes.push_back(kind.data()[(at.element * of_element + p) * Coordinates + c]);
        for (int const v : corners[side])
          to.table.push_back(static_cast<std::int32_t>(
              numbers()[static_cast<std::size_t>(k)][static_cast<std::size_t>(kind.vertex(at.element, v))]));
      }
    });
    triangles const three(view(of[0].nodes.data(), of[0].count, of[0].nodes_of_side, index_t{Coordinates}),
                          view(of[0].table.data(), of[0].count, index_t{3}), vertices());
    quadrilaterals const four = quadrilaterals::copy_of(
        mesh_view(detail::element_view<2>(of[1].nodes.data(), of[1].count, nodes_1d, Coordinates), set),
        detail::element_view<2>(of[1].table.data(), of[1].count, 2));
    typename mesh<2, Coordinates, cell_shape::mixed>::vertex_numbers numbers_of_sides{
        detail::own_vector<index_t>(static_cast<std::size_t>(four.vertices())), detail::own_vector<index_t>()};
    for (index_t e = 0; e < four.elements(); ++e)
      for (int v = 0; v < 4; ++v)
        numbers_of_sides[0][static_cast<std::size_t>(four.vertex(e, v))] =
            of[1].table[static_cast<std::size_t>(4 * e + v)];
    for (index_t v = 0; v < vertices(); ++v) numbers_of_sides[1].push_back(v);
    return mesh<2, Coordinates, cell_shape::mixed>({four, three}, numbers_of_sides);
  }

private:
  friend names;
  friend by_shape;
  struct contents {
    kinds_type kinds;
    vertex_numbers numbers{};
    index_t vertices = 0;
    std::array<index_t, count + 1> first{};
    std::vector<element_side> boundary{};
  };

  mesh(contents&& made, vertex_numbers const* numbers) : data_(std::move(made))
  {
    auto& of = data_.edit();
    for_each_kind([&](auto const& kind, int k) {
      auto const at = static_cast<std::size_t>(k);
      of.first[at + 1] = of.first[at] + kind.elements();
      if constexpr (std::remove_cvref_t<decltype(kind)>::shape == cell_shape::lines)
        check_equal("mesh", "number of sides that hang, of a mesh of several kinds", 0,
                    static_cast<index_t>(kind.hanging().size()));
    });
    if (numbers == nullptr)
      of.vertices = std::apply(
          [&](auto const&... kind) {
            return detail::number_vertices<Coordinates>(of.numbers.data(), nullptr, kind...);
          },
          of.kinds);
    else
      take(*numbers);
    find_boundary();
    for_each_kind([&](auto const& kind, int k) {
      for (named_sides named : kind.names_of_sides()) {
        for (auto& at : named.members) at.element += first_element(k);
        *this = this->named(named);
      }
      for (named_elements named : kind.names_of_elements()) {
        for (auto& e : named.members) e += first_element(k);
        *this = this->named(named);
      }
    });
  }

  void take(vertex_numbers const& numbers)
  {
    auto& of = data_.edit();
    of.numbers = numbers;
    for_each_kind([&](auto const& kind, int k) {
      auto const& here = numbers[static_cast<std::size_t>(k)];
      check_equal("mesh", "number of a kind's vertices", kind.vertices(), static_cast<index_t>(here.size()));
      for (index_t const number : here) {
        if (number < 0)
          failf("mesh", "a vertex is out of range (got %lld, at least 0 expected)", static_cast<long long>(number));
        of.vertices = detail::greater(of.vertices, number + 1);
      }
    });
  }

  void find_boundary()
  {
    using key = std::array<index_t, 4>;  // a side's vertices, -1 in front of a triangle's
    struct own_side {
      key first;
      element_side second;
      int kind;
      detail::place_between<Coordinates> place;
    };
    std::vector<own_side> sides;
    for_each_kind([&](auto const& kind, int k) {
      using kind_type = std::remove_cvref_t<decltype(kind)>;
      constexpr auto of_element = detail::sides_of_cell(kind_type::shape, Directions);
      constexpr int degree = 3;  // the least that has nodes inside of triangles
      detail::node_places<kind_type> places(
          kind, detail::element_functions<Directions, kind_type::shape>::through(degree + 1, equispaced_nodes{}));
      auto const on_sides = kind_type::places_on_sides(degree);
      for (element_side const& at : kind.boundary()) {
        auto const number = [&](int v) {
          return numbers()[static_cast<std::size_t>(k)][static_cast<std::size_t>(kind.vertex(at.element, v))];
        };
        own_side own{{-1, -1, -1, -1}, {at.element + first_element(k), at.side}, k, {}};
        for (std::size_t i = 0; i < 4; ++i)
          if (int const v = of_element.of_side[at.side][i]; v >= 0) own.first[i] = number(v);
        std::sort(own.first.begin(), own.first.end());
        own.place.add_vertices(kind, at.element, number, own.first.data());
        double const* const nodes = places.of_element(at.element);
        auto const& of_side = on_sides[static_cast<std::size_t>(at.side)];
        for (int const p : of_side)
          for (int c = 0; c < Coordinates; ++c)
            own.place.middle[c] += nodes[p * Coordinates + c] / static_cast<double>(of_side.size());
        sides.push_back(own);
      }
    });
    std::sort(sides.begin(), sides.end(), [](auto const& a, auto const& b) { return a.first < b.first; });
    auto& boundary = data_.edit().boundary;
    std::vector<std::pair<key, element_side>> alone;
    for (std::size_t i = 0, next = 0; i < sides.size(); i = next) {
      for (next = i; next < sides.size() && sides[next].first == sides[i].first;) ++next;
      for (std::size_t one = i; one < next; ++one) {
        // Of other kinds alone: sides of its own are others, as those of a crack.
        index_t met[2] = {}, others = 0;
        for (std::size_t other = i; other < next; ++other)
          if (sides[other].kind != sides[one].kind && sides[one].place.is_one_with(sides[other].place))
            met[others++ > 0 ? 1 : 0] = sides[other].second.element;
        if (others == 0) alone.push_back({sides[one].first, sides[one].second});
        if (others > 1 && Directions == Coordinates)
          failf("mesh", "a side is one of %lld elements (at most 2 expected): elements %lld, %lld and %lld",
                static_cast<long long>(others + 1), static_cast<long long>(sides[one].second.element),
                static_cast<long long>(met[0]), static_cast<long long>(met[1]));
      }
    }
    for (auto const& [vertices, at] : alone) {
      boundary.push_back(at);
      if (vertices[0] < 0) continue;
      for (std::size_t left = 0; left < 4; ++left) {  // a triangle of three of a quadrilateral's vertices
        key three{-1, 0, 0, 0};
        for (std::size_t i = 0, to = 1; i < 4; ++i)
          if (i != left) three[to++] = vertices[i];
        auto const found = std::lower_bound(alone.begin(), alone.end(), three,
                                            [](auto const& one, key const& other) { return one.first < other; });
        if (found != alone.end() && found->first == three)
          failf(
              "mesh",
              "a triangle lies upon a part of a quadrilateral (side %d of element %lld, side %d of element %lld; sides "
              "with the same vertices expected): mesh it with prisms, or with hexahedra cut into tetrahedra, in "
              "between",
              found->second.side, static_cast<long long>(found->second.element), at.side,
              static_cast<long long>(at.element));
      }
    }
    std::sort(boundary.begin(), boundary.end());
  }
  kinds_type const& of_kinds() const { return data_->kinds; }

  // For names.
  template <class Function>
  void for_each_mesh_node(element_side const& at, Function const& f) const
  {
    for_each_kind([&](auto const& kind, int k) {
      if (at.element >= first_element(k) && at.element < first_element(k + 1))
        kind.for_each_mesh_node({at.element - first_element(k), at.side}, f);
    });
  }

  detail::shared<contents> data_;
};

template <int Directions, int Coordinates, cell_shape Shape, cell_shape... Shapes>
  requires((Shape != cell_shape::mixed && sizeof...(Shapes) > 0) && ((Shapes != cell_shape::mixed) && ...))
mesh(mesh<Directions, Coordinates, Shape> const&, mesh<Directions, Coordinates, Shapes> const&...)
    -> mesh<Directions, Coordinates, cell_shape::mixed>;

// mixed_mesh<3> of hexahedra, prisms and tetrahedra, mixed_mesh<2> of quadrilaterals and triangles, also in space.
template <int Directions, int Coordinates = Directions>
using mixed_mesh = mesh<Directions, Coordinates, cell_shape::mixed>;

}  // namespace sumfac
