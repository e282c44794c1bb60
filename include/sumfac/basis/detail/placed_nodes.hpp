// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The nodes of a space along a direction, as a type.
#pragma once

#include <sumfac/basis/quadrature.hpp>
#include <sumfac/basis/space.hpp>
#include <sumfac/config.hpp>

#include <array>

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

}  // namespace sumfac::detail
