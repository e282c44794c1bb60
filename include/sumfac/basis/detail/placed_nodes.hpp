// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The blocks of components of a space: how many functions along each direction, and their nodes as types.
#pragma once

#include <sumfac/basis/quadrature.hpp>
#include <sumfac/basis/space.hpp>

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

// Functions of a space that is no product of lines.
constexpr int functions_of_cell(space const& of)
{
  int const n = nodes_of_degree(of.degree), of_triangle = n * (n + 1) / 2;
  if (of.shape == cell_shape::tables) return of.functions;
  if (of.shape == cell_shape::prism) return of_triangle * n;
  return of.directions == 3 ? of_triangle * (n + 2) / 3 : of_triangle;
}
// How many nodes an edge of such an element has of so many in all; 0 where there is no such element.
constexpr int edge_nodes_of(space of, long long nodes, int most)
{
  for (int m = 2; m <= most; ++m) {
    of.degree = m - 1;
    if (functions_of_cell(of) == nodes) return m;
  }
  return 0;
}
// How many those elements have, for messages.
constexpr char const* numbers_of_nodes(space const& of)
{
  return of.shape == cell_shape::prism ? "6, 18, 40, ..., those of a prism,"
         : of.directions == 3          ? "4, 10, 20, 35, ..., those of a tetrahedron,"
                                       : "3, 6, 10, 15, ..., those of a triangle,";
}
// The space of an input of a degree, 0 for that of an operator on space `of`, whose nodes are its own then: of a degree
// of its own it is on products of lines at Gauss and Lobatto's nodes, else placed as the operator's.
constexpr space space_of_input(space of, int degree)
{
  if (is_tensor(of))
    return degree == 0 ? space(of.degree, of.directions, 0, of.nodes, of.own_nodes) : space(degree, of.directions);
  if (degree != 0) of.degree = degree;
  return of;
}
// The nodes of such a space, one row of them.
template <space Space>
struct cell_nodes {
  static constexpr int size = functions_of_cell(Space);
};

template <space Space>
struct nodes_along {
  using type = typename placed_nodes<Space.degree, Space.nodes, Space.own_nodes>::type;
};
template <space Space>
  requires(!is_tensor(Space))
struct nodes_along<Space> {
  using type = cell_nodes<Space>;
};

// The nodes of two elements that lie side by side in [-1, 1], of which they have the one in the middle in common. The
// functions are those of `half` on either side.
template <class Nodes>
struct halved_nodes {
  using half = Nodes;
  static constexpr int size = 2 * Nodes::size - 1;
  static constexpr std::array<long double, size> nodes = [] {
    std::array<long double, size> all{};
    for (unsigned i = 0; i < unsigned{Nodes::size}; ++i) {
      all[i] = (Nodes::nodes[i] - 1) / 2;
      all[unsigned{size} - 1 - i] = (Nodes::nodes[unsigned{Nodes::size} - 1 - i] + 1) / 2;
    }
    return all;
  }();
};

template <auto Space>
struct space_nodes {
  using type = typename nodes_along<space_of<Space>>::type;
};
template <auto Space>
  requires is_children_space<Space>
struct space_nodes<Space> {
  using type = halved_nodes<typename space_nodes<Space.of>::type>;
};
template <auto Space>
using nodes_of_space = typename space_nodes<Space>::type;

// How many functions component c of a space has along x, y, z.
constexpr node_box block_box(space const& of, int c)
{
  if (!is_tensor(of)) return {functions_of_cell(of), 1, 1};
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
  using nodes = typename nodes_along<Space>::type;

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
  static constexpr int nodes_y = node_box(nodes_1d, axes_of(Space)).y;
  static constexpr int nodes_z = node_box(nodes_1d, axes_of(Space)).z;
  static constexpr int nodes_of_element = nodes_1d * nodes_y * nodes_z;
  static constexpr int entries_of_element = functions_before(Space, components);
};

}  // namespace sumfac::detail
