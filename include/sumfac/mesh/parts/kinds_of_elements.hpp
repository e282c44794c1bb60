// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Meshes of several kinds of elements beside one another: which kinds, and the vertices that they have in common.
#pragma once

#include <sumfac/basis/detail/element_functions.hpp>
#include <sumfac/mesh/boundary_faces.hpp>
#include <sumfac/mesh/cell_mesh.hpp>
#include <sumfac/mesh/mesh.hpp>
#include <sumfac/mesh/mesh_nodes.hpp>
#include <sumfac/mesh/parts/cell_lattice.hpp>
#include <sumfac/mesh/parts/element_views.hpp>
#include <sumfac/mesh/parts/joined_vertices.hpp>

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>

namespace sumfac::SUMFAC_TARGET::detail {

// Any template of a shape's, as mesh, for each of the kinds of elements of so many directions.
template <template <int, int, cell_shape> class Of, int Directions, int Coordinates>
struct by_kind {
  using type = std::tuple<Of<3, Coordinates, cell_shape::lines>, Of<3, Coordinates, cell_shape::prism>,
                          Of<3, Coordinates, cell_shape::simplex>>;
};
template <template <int, int, cell_shape> class Of, int Coordinates>
struct by_kind<Of, 2, Coordinates> {
  using type = std::tuple<Of<2, Coordinates, cell_shape::lines>, Of<2, Coordinates, cell_shape::simplex>>;
};
template <int Directions, int Coordinates>
using kinds_of_mesh = typename by_kind<mesh, Directions, Coordinates>::type;

template <class T, class Tuple>
inline constexpr int times_in = 0;
template <class T, class... Types>
inline constexpr int times_in<T, std::tuple<Types...>> = (0 + ... + int{std::is_same_v<T, Types>});

// What Self, which keeps a tuple of_kinds() of a thing for each kind, has of one of them: by its place, at<0>(), or by
// its shape, of<cell_shape::prism>(). for_each_kind(f) calls f(thing) or f(thing, index) of each.
template <class Self>
class kinds_by_shape {
public:
  template <int Index>
  auto const& at() const
  {
    return std::get<static_cast<std::size_t>(Index)>(self().of_kinds());
  }
  template <cell_shape Kind>
  auto const& of() const
  {
    static_assert(Kind != cell_shape::prism || Self::kinds == 3,
                  "sumfac::mesh: elements of two directions are quadrilaterals and triangles");
    return at < Kind == cell_shape::lines ? 0 : Kind == cell_shape::prism ? 1 : Self::kinds - 1 > ();
  }
  template <class Function>
  void for_each_kind(Function const& f) const
  {
    int index = 0;
    auto const call = [&](auto const& thing) {
      if constexpr (std::is_invocable_v<Function const&, decltype(thing), int>)
        f(thing, index++);
      else
        f(thing);
    };
    std::apply([&](auto const&... things) { (call(things), ...); }, self().of_kinds());
  }

private:
  Self const& self() const { return static_cast<Self const&>(*this); }
};

// A mesh of no elements.
template <class Mesh>
Mesh empty_mesh()
{
  constexpr int directions = Mesh::directions;
  double const* const no_place = nullptr;
  std::int32_t const* const no_number = nullptr;
  if constexpr (Mesh::shape == cell_shape::lines)
    return Mesh::copy_of(element_view<directions>(no_place, 0, 2, Mesh::coordinates),
                         element_view<directions>(no_number, 0, 2));
  else
    return Mesh(view(no_place, 0, index_t{Mesh::coordinates}), view(no_number, 0, index_t{Mesh::vertices_of_element}));
}

// Of some meshes those of a tuple's types, and empty ones of the rest.
template <class Tuple>
struct kinds_taker;
template <class... Mesh>
struct kinds_taker<std::tuple<Mesh...>> {
  template <class... Some>
  static std::tuple<Mesh...> take(Some const&... some)
  {
    static_assert(((times_in<Mesh, std::tuple<Some...>> <= 1) && ...),
                  "sumfac::mesh: two of the meshes are of one kind: make one mesh of their elements");
    [[maybe_unused]] auto const given = std::tie(some...);
    auto const one = [&]<class Wanted>(std::type_identity<Wanted>) {
      if constexpr (times_in<Wanted, std::tuple<Some...>> == 1)
        return std::get<Wanted const&>(given);
      else
        return empty_mesh<Wanted>();
    };
    return {one(std::type_identity<Mesh>{})...};
  }
};

// Where elements' nodes of a basis lie.
template <class Mesh>
class node_places {
  using functions = element_functions<Mesh::directions, Mesh::shape>;

public:
  node_places(Mesh const& of, typename functions::basis const& basis)
      : mesh_(of),
        table_(functions::nodes_of(basis), functions::through(of.nodes_1d(), of.node_set())),
        map_(table_, Mesh::coordinates)
  {
  }
  node_places(node_places const&) = delete;
  node_places& operator=(node_places const&) = delete;

  double const* of_element(index_t e) { return map_.at_points(mesh_.data() + e * (mesh_.size() / mesh_.elements())); }

private:
  Mesh const& mesh_;
  typename functions::table table_;
  typename functions::contraction map_;
};

// Where something lies that is between 1 to 4 vertices of an element, and they, in the order of their numbers.
template <int Coordinates>
struct place_between {
  double middle[Coordinates] = {}, vertex[4][Coordinates] = {};
  int vertices = 0;

  // number(v) is that of an element's vertex v; of wanted ones that are less than 0 there is none.
  template <class Mesh, class Numbers>
  void add_vertices(Mesh const& of, index_t e, Numbers const& number, index_t const* wanted)
  {
    for (int i = 0; i < 4; ++i)
      for (int v = 0; wanted[i] >= 0 && v < sides_of_cell(Mesh::shape, Mesh::directions).vertices; ++v) {
        if (number(v) != wanted[i]) continue;
        for (int c = 0; c < Coordinates; ++c) vertex[vertices][c] = of.vertex_at(e, v)[c];
        ++vertices;
        break;
      }
  }
  // Whether what lies between vertices of the same numbers is one: it lies at one place, or all of it elsewhere and is
  // one by its numbers, as around a period.
  bool is_one_with(place_between const& other) const
  {
    auto const apart = [](double const* a, double const* b) {
      double square = 0;
      for (int c = 0; c < Coordinates; ++c) square += (a[c] - b[c]) * (a[c] - b[c]);
      return square;
    };
    double least = 0;
    for (int i = 1; i < vertices; ++i)
      for (int before = 0; before < i; ++before)
        if (double const edge = apart(vertex[i], vertex[before]); least == 0 || edge < least) least = edge;
    double const allowed = 1e-8 * least;
    bool elsewhere = true;
    for (int i = 0; i < vertices; ++i) elsewhere = elsewhere && apart(vertex[i], other.vertex[i]) > allowed;
    return vertices == 1 || elsewhere || apart(middle, other.middle) <= allowed;
  }
};

// Of each of some meshes the number of each of its vertices among those of all, which is one where those on the
// boundaries of two meshes lie at one place. Returns how many there are.
//
// **Errors** argument_error, where `demanding` is who asks and not null: a mesh that has no vertex in common with those
// before it.
template <int Coordinates, class... Meshes>
index_t number_vertices(own_vector<index_t>* numbers, char const* demanding, Meshes const&... meshes)
{
  double least = 0;  // square of the shortest distance between vertices of an element on a boundary
  index_t most = 0;
  auto const measure = [&](auto const& of) {
    using mesh_type = std::remove_cvref_t<decltype(of)>;
    constexpr int vertices = sides_of_cell(mesh_type::shape, mesh_type::directions).vertices;
    for (element_side const& at : of.boundary())
      for (int v = 0; v < vertices; ++v, ++most)
        for (int before = 0; before < v; ++before) {
          double square = 0;
          for (int c = 0; c < Coordinates; ++c) {
            double const apart = of.vertex_at(at.element, v)[c] - of.vertex_at(at.element, before)[c];
            square += apart * apart;
          }
          if (square > 0 && (least == 0 || square < least)) least = square;
        }
  };
  (measure(meshes), ...);
  joined_points<Coordinates> points(most, 1e-4 * __builtin_sqrt(least));
  own_vector<std::size_t> root;  // of a point one that it is one with: a vertex around a period has several
  auto const root_of = [&](std::size_t point) {
    while (root[point] != point) point = root[point];
    return point;
  };
  auto const number = [&](auto const& of, std::size_t index) {
    using mesh_type = std::remove_cvref_t<decltype(of)>;
    constexpr auto sides = sides_of_cell(mesh_type::shape, mesh_type::directions);
    auto& here = numbers[index];
    here = own_vector<index_t>(static_cast<std::size_t>(of.vertices()), -1);
    auto const known = static_cast<std::size_t>(points.count());
    index_t shared = 0;
    for (element_side const& at : of.boundary())
      for (int const v : sides.of_side[at.side]) {
        if (v < 0) continue;
        auto& own = here[static_cast<std::size_t>(of.vertex(at.element, v))];
        std::size_t const point = points.number(of.vertex_at(at.element, v));
        if (point == root.size()) root.push_back(point);
        if (point < known) ++shared;
        if (own < 0) own = static_cast<index_t>(point);
        std::size_t const one = root_of(static_cast<std::size_t>(own)), other = root_of(point);
        root[one < other ? other : one] = one < other ? one : other;
      }
    if (demanding != nullptr && index > 0 && shared == 0)
      failf(demanding,
            "a mesh has no vertex where one before it has some (0 of %lld vertices, at least 1 expected): pass meshes "
            "that lie side by side, whose sides have the same places where they meet",
            static_cast<long long>(of.vertices()));
  };
  std::size_t index = 0;
  (number(meshes, index++), ...);
  own_vector<index_t> of_roots(root.size(), -1);
  index_t count = 0;
  for (std::size_t k = 0; k < sizeof...(Meshes); ++k)
    for (auto& own : numbers[k]) {
      if (own < 0) {
        own = count++;
        continue;
      }
      auto& of_all = of_roots[root_of(static_cast<std::size_t>(own))];
      if (of_all < 0) of_all = count++;
      own = of_all;
    }
  return count;
}

}  // namespace sumfac::SUMFAC_TARGET::detail
