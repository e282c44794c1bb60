// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The blocks of components of a space: how many functions along each direction, and their nodes as types.
#pragma once

#include <sumfac/basis/quadrature.hpp>
#include <sumfac/basis/space.hpp>
#include <sumfac/config.hpp>

#include <array>
#include <type_traits>

namespace sumfac::SUMFAC_TARGET::detail {

// The nodes of a space along a direction. Of a degree that operators refuse they are those of the nearest that they
// take, so that nothing else is said of it.
constexpr int nodes_of_degree(int degree) { return degree < 1 ? 2 : degree > 31 ? 32 : degree + 1; }
template <int Size, node_list const* Own>
struct own_node_set {
  static constexpr int size = Size;
  static constexpr std::array<long double, size> nodes = [] {
    std::array<long double, size> all{};
    for (int i = 0; i < Size; ++i) all[static_cast<unsigned>(i)] = Own->nodes[i];
    return all;
  }();
};
template <class Set>
inline constexpr bool is_own_node_set = false;
template <int Size, node_list const* Own>
inline constexpr bool is_own_node_set<own_node_set<Size, Own>> = true;

template <int Degree, node_placement Placement, node_list const* Own>
struct placed_nodes {
  using type = own_node_set<nodes_of_degree(Degree), Own>;
};
template <int Degree>
struct placed_nodes<Degree, node_placement::gauss_lobatto, nullptr> {
  using type = gauss_lobatto<nodes_of_degree(Degree)>;
};
template <int Degree>
struct placed_nodes<Degree, node_placement::gauss, nullptr> {
  using type = gauss<nodes_of_degree(Degree)>;
};
template <int Degree>
struct placed_nodes<Degree, node_placement::equispaced, nullptr> {
  using type = equispaced<nodes_of_degree(Degree)>;
};
template <auto Space>
using nodes_of_space =
    typename placed_nodes<space_of<Space>.degree, space_of<Space>.nodes, space_of<Space>.own_nodes>::type;

// How many functions component c of a space has along x, y, z.
constexpr node_box block_box(space const& of, int c)
{
  int const n = nodes_of_degree(of.degree);
  if (of.family == function_family::edge) return {n - (c == 0 ? 1 : 0), n - (c == 1 ? 1 : 0), n - (c == 2 ? 1 : 0)};
  return {n, of.directions};
}

// All functions of the components before that one.
constexpr int functions_before(space const& of, int component)
{
  int count = 0;
  for (int c = 0; c < component; ++c) count += block_box(of, c).all();
  return count;
}

// Functions of a space with so many components, as a problem's trial and test functions are. Components are blocks, one
// behind the other in E-vectors; those of a nodal space are all alike.
template <space Space, int Components>
struct function_side {
  using nodes = typename placed_nodes<Space.degree, Space.nodes, Space.own_nodes>::type;

  // One function for each of the nodes along x times those along y and z.
  template <int Component>
  struct block {
    template <int Direction>
    using nodes = std::conditional_t<Space.family == function_family::edge && Component == Direction,
                                     gauss<nodes_of_degree(Space.degree) - 1>, typename function_side::nodes>;
    static constexpr node_box box = block_box(Space, Component);
    static constexpr int first = functions_before(Space, Component);
  };

  static constexpr int nodes_1d = nodes::size, components = Components;
  static constexpr int nodes_y = node_box(nodes_1d, Space.directions).y;
  static constexpr int nodes_z = node_box(nodes_1d, Space.directions).z;
  static constexpr int nodes_of_element = nodes_1d * nodes_y * nodes_z;
  static constexpr int entries_of_element = functions_before(Space, components);
};

}  // namespace sumfac::detail
