// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Function spaces on meshes of several kinds of elements that lie side by side, with one number for each node.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/dofs/function_space.hpp>
#include <sumfac/mesh/parts/kinds_of_elements.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <tuple>
#include <type_traits>
#include <utility>

namespace sumfac::SUMFAC_TARGET {

namespace detail {

// A struct, not a member of function_space: the C++ that nvcc 13.0 writes of such a member, with a pack of its own,
// does not compile.
struct space_joiner {
  // The same spaces with one number for each node; of each the numbers of its mesh's vertices among those of all.
  template <class... Spaces>
  static std::tuple<Spaces...> join(own_vector<index_t> const* vertices, Spaces const&... spaces)
  {
    constexpr auto here = "joined";
    auto const& first = std::get<0>(std::tie(spaces...));
    own_vector<std::uint8_t> users;
    own_vector<std::size_t> last_user;
    for (std::size_t k = 0; k < sizeof...(Spaces); ++k)
      for (index_t const number_of_all : vertices[k]) {
        auto const vertex = static_cast<std::size_t>(number_of_all);
        while (users.size() <= vertex) users.push_back(0), last_user.push_back(sizeof...(Spaces));
        if (std::exchange(last_user[vertex], k) != k && users[vertex] < 2) ++users[vertex];
      }
    nodes_by_key<std::tuple_element_t<0, std::tuple<Spaces...>>::mesh_type::coordinates> known;
    node_number count = 0;
    std::size_t kind = 0;
    auto const number = [&](auto const& of) {
      if (!of.options_.continuous) fail(here, "functions of a space are not continuous: nothing joins them");
      check_equal(here, "degree of a space", first.degree_, of.degree_);
      check_equal(here, "number of components of a space", first.components(), of.components());
      check_equal(here, "interleaving of a space's components", static_cast<int>(first.options_.components_lie),
                  static_cast<int>(of.options_.components_lie));
      check_equal(here, "placement of a space's nodes", static_cast<int>(first.options_.nodes),
                  static_cast<int>(of.options_.nodes));
      check_equal(here, "number of equations of a space, whose mesh hangs", index_t{0}, of.hanging().size());
      own_vector<node_number> numbers(static_cast<std::size_t>(of.nodes_), -1);
      auto const keys = keys_of(of, vertices[kind++], users);
      for (auto const& [key, own] : keys) {
        auto const [begin, end] = known.equal_range(key);
        for (auto found = begin; found != end; ++found)
          if (own.place.is_one_with(found->second.place))
            numbers[static_cast<std::size_t>(own.number)] = found->second.number;
      }
      for (auto& own : numbers)
        if (own < 0) own = count++;
      for (auto [key, own] : keys) {
        own.number = numbers[static_cast<std::size_t>(own.number)];
        known.emplace(key, own);
      }
      return numbers;
    };
    own_vector<node_number> const of_each[] = {number(spaces)...};
    auto const c = static_cast<std::size_t>(first.components());
    own_vector<unsigned char> marks(static_cast<std::size_t>(count) * c, 0);
    auto const mark_nodes = [&](auto const& of, auto const& numbers) {
      for (std::size_t i = 0; i < of.marks_.size(); ++i)
        if (of.marks_[i] != 0) marks[static_cast<std::size_t>(numbers[i / c]) * c + i % c] = 1;
    };
    auto const renumbered = [&](auto const& of, auto const& numbers) {
      own_vector<std::int32_t> table;
      for (auto const node : of.table_) table.push_back(numbers[static_cast<std::size_t>(node)]);
      using space_type = std::remove_cvref_t<decltype(of)>;
      return space_type(of.mesh_, of.degree_, of.options_, count, std::move(table), marks, of.hanging_);
    };
    return [&]<std::size_t... Index>(std::index_sequence<Index...>) {
      (mark_nodes(spaces, of_each[Index]), ...);
      return std::tuple<Spaces...>{renumbered(spaces, of_each[Index])...};
    }(std::index_sequence_for<Spaces...>{});
  }

private:
  using node_number = std::int32_t;

  template <int Coordinates>
  struct placed_node {
    place_between<Coordinates> place;
    node_number number;
  };
  template <int Coordinates>
  using nodes_by_key = std::multimap<node_key, placed_node<Coordinates>>;

  // The nodes of a space on sides that one element alone has, of surfaces, of which three may meet, on all sides,
  // between vertices that other meshes have, too.
  template <class Space>
  static auto keys_of(Space const& of, own_vector<index_t> const& vertices, own_vector<std::uint8_t> const& users)
  {
    using mesh_type = typename Space::mesh_type;
    constexpr int coordinates = mesh_type::coordinates;
    cell_lattice<mesh_type::directions, mesh_type::shape> const nodes(of.degree_);
    nodes_by_key<coordinates> keys;
    if (of.mesh_.elements() == 0) return keys;
    node_places<mesh_type> places(of.mesh_, of.own_basis());
    auto const on_sides = mesh_type::places_on_sides(of.degree_);
    auto const is_shared = [&](index_t vertex) { return vertex < 0 || users[static_cast<std::size_t>(vertex)] > 1; };
    auto const add = [&](element_side const& at) {
      auto const number = [&](int v) { return vertices[static_cast<std::size_t>(of.mesh_.vertex(at.element, v))]; };
      bool meets = false;
      for (int const v : nodes.sides.of_side[at.side]) meets = meets || (v >= 0 && is_shared(number(v)));
      if (!meets) return;
      double const* const x = places.of_element(at.element);
      for (int const p : on_sides[static_cast<std::size_t>(at.side)]) {
        node_key const key = nodes.key_of(p, number);
        if (!std::all_of(key.vertex, key.vertex + 4, is_shared)) continue;
        placed_node<coordinates> own{{}, of.table_[static_cast<std::size_t>(at.element * nodes.size() + p)]};
        for (int c = 0; c < coordinates; ++c) own.place.middle[c] = x[p * coordinates + c];
        own.place.add_vertices(of.mesh_, at.element, number, key.vertex);
        bool is_known = false;
        auto const [first, last] = keys.equal_range(key);
        for (auto known = first; known != last && !is_known; ++known) {
          is_known = own.place.is_one_with(known->second.place);
          if (is_known && known->second.number != own.number)
            failf("joined",
                  "two nodes of a mesh lie at one place between the same vertices (nodes %lld and %lld), as at the end "
                  "of a crack, so that it is not known which of them another mesh has: leave an element between",
                  static_cast<long long>(known->second.number), static_cast<long long>(own.number));
        }
        if (!is_known) keys.emplace(key, own);
      }
    };
    if constexpr (coordinates > mesh_type::directions) {
      for (index_t e = 0; e < of.mesh_.elements(); ++e)
        for (int s = 0; s < mesh_type::sides_of_element; ++s) add({e, s});
    } else {
      for (element_side const& at : of.mesh_.boundary()) add(at);
    }
    return keys;
  }
};

}  // namespace detail

// The same spaces with one number for each node of all of them: where elements of one mesh lie beside those of another,
// as quadrilaterals beside triangles, they have the nodes on their common sides in common, and functions are
// continuous.
//
//     auto const [V, W] = sumfac::joined(of_squares, of_triangles);
//     sumfac::sum const L{sumfac::part{A, R}, sumfac::part{B, S}};  // R and S are the restrictions of V and W
//
// Numbers of the first space stay; vertices are one where they lie at one place, on sides that one element alone has
// of its own mesh, and nodes where they lie at one place on such sides, between such vertices. A component that is
// fixed at a node in one space is so in all. Sides that meet must be the same ones, of the same map: of others
// functions jump there. A mesh's `boundary()` has the sides that meet, too: name what is fixed by its place. Values,
// loads and norms of a space are those of its own elements: loads are added up, norms by their squares, and values(f)
// is 0 at nodes of the others alone, where lift() leaves b as it is.
// **Errors** argument_error: other degrees, components or nodes; meshes that hang; a mesh that has no vertex in common
// with those before it.
template <int Directions, int Coordinates, cell_shape Shape, class... Others>
auto joined(function_space<Directions, Coordinates, Shape> const& first, Others const&... others)
{
  static_assert(((Others::mesh_type::coordinates == Coordinates) && ...),
                "sumfac::joined: the spaces' meshes have the same number of coordinates");
  detail::own_vector<index_t> vertices[1 + sizeof...(Others)];
  detail::number_vertices<Coordinates>(vertices, "joined", first.mesh(), others.mesh()...);
  return detail::space_joiner::join(vertices, first, others...);
}

}  // namespace sumfac::SUMFAC_TARGET
