// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The nodes of a lower degree on the elements of a table of nodes: numbers and marks that follow those of the table.
#pragma once

#include <sumfac/backend/detail/own_vector.hpp>
#include <sumfac/backend/host.hpp>
#include <sumfac/config.hpp>
#include <sumfac/dofs/restriction/node_table.hpp>

#include <cstddef>
#include <cstdint>

namespace sumfac::SUMFAC_TARGET::detail {

// Nodes of a lower degree on all elements of a table of a higher one.
//
// A node of the lower degree stands for a set of nodes of the higher one: in each direction node i of m stands for node
// i from its nearer end, and one in the middle for the node or the two nodes in the middle. These sets are disjoint,
// and mirror images and rotations of an element bring sets to sets, so that elements which share an edge or a face
// agree on them, however they are turned. A node's key is the node of its set that comes first, and its number follows
// the key's, so that it keeps the table's order; it is constrained where one of its set is.
//
// Of a part of a mesh, `place(node)` says which of a set comes first, the same on all parts, and `agree(flags)`, of
// flags (fine nodes, 1 + C), makes those of owned nodes true that are on another part: whether a node is a key, and
// which components of the node that it is the key of are constrained. A key may be a node of no element here.
// **Shapes** numbers (E, m, m, m), (E, m, m) on quadrilaterals, (E, m) on lines; marks (nodes, C), keys (fine nodes).
struct coarse_nodes {
  using node_flags = own_vector<std::uint8_t>;

  coarse_nodes(host const& threads, node_table const& fine, int nodes_1d);
  template <class Place, class Agree>
  coarse_nodes(host const& threads, node_table const& fine, int nodes_1d, Place const& place, Agree const& agree);

  int nodes_1d;
  index_t nodes = 0;
  own_vector<node_table::number> numbers;
  own_vector<std::uint8_t> marks;  // empty where nothing is constrained
  node_flags keys;                 // of the fine nodes, not 0 where one is a key

private:
  // The nodes of one direction that a node stands for: `first` and `second`, which may be the same.
  struct nodes_of_one {
    int first, second;
  };
  static nodes_of_one stands_for(int i, int coarse, int fine)
  {
    if (2 * i == coarse - 1) return {(fine - 1) / 2, fine / 2};
    int const at = 2 * i < coarse - 1 ? i : fine - coarse + i;
    return {at, at};
  }

  // Calls f(node) for those that node (k, j, i) of an element stands for.
  template <class Function>
  void for_each_of(node_table const& fine, index_t e, int k, int j, int i, Function const& f) const
  {
    int const n = fine.nodes_1d(), directions = fine.directions();
    auto const along = [&](int direction, int at) {
      return direction < directions ? stands_for(at, nodes_1d, n) : nodes_of_one{0, 0};
    };
    nodes_of_one const z = along(2, k), y = along(1, j), x = along(0, i);
    for (int c = z.first; c <= z.second; ++c)
      for (int b = y.first; b <= y.second; ++b)
        for (int a = x.first; a <= x.second; ++a) f(fine(e, (index_t{c} * n + b) * n + a));
  }
  // Calls f(k, j, i) for the nodes of an element, in their order.
  template <class Function>
  void for_each_node(node_table const& fine, Function const& f) const
  {
    node_box const box(nodes_1d, fine.directions());
    for (int k = 0; k < box.z; ++k)
      for (int j = 0; j < box.y; ++j)
        for (int i = 0; i < box.x; ++i) f(k, j, i);
  }

  template <class Place>
  void find_keys(host const& threads, node_table const& fine, Place const& place);
  node_flags flags_of_keys(node_table const& fine) const;
  void number_keys(node_table const& fine, node_flags const& flags);
};

inline coarse_nodes::coarse_nodes(host const& threads, node_table const& fine, int of_nodes_1d)
    : coarse_nodes(
          threads, fine, of_nodes_1d, [](node_table::number node) { return node; }, [](node_flags&) {})
{
}

template <class Place, class Agree>
coarse_nodes::coarse_nodes(host const& threads, node_table const& fine, int of_nodes_1d, Place const& place,
                           Agree const& agree)
    : nodes_1d(of_nodes_1d)
{
  find_keys(threads, fine, place);
  node_flags flags = flags_of_keys(fine);
  agree(flags);
  number_keys(fine, flags);
}

// The key of each node of each element.
template <class Place>
void coarse_nodes::find_keys(host const& threads, node_table const& fine, Place const& place)
{
  index_t const of_element = node_box(nodes_1d, fine.directions()).all();
  numbers.resize(static_cast<std::size_t>(fine.elements() * of_element));
  threads.partition(fine.elements(), [&](index_t first, index_t last) {
    for (index_t e = first; e < last; ++e) {
      auto* out = numbers.data() + e * of_element;
      for_each_node(fine, [&](int k, int j, int i) {
        constexpr auto none = ~node_table::number{0};
        *out = none;
        for_each_of(fine, e, k, j, i, [&](node_table::number node) {
          if (*out == none || place(node) < place(*out)) *out = node;
        });
        ++out;
      });
    }
  });
}

// (fine nodes, 1 + C): whether one is a key, and which components are constrained of its node.
inline coarse_nodes::node_flags coarse_nodes::flags_of_keys(node_table const& fine) const
{
  int const components = fine.components(), each = 1 + components;
  node_flags flags(static_cast<std::size_t>(fine.nodes() * each), 0);
  for (auto const key : numbers) flags[static_cast<std::size_t>(index_t{key} * each)] = 1;
  if (!fine.has_marks()) return flags;
  auto const* key = numbers.data();
  for (index_t e = 0; e < fine.elements(); ++e)
    for_each_node(fine, [&](int k, int j, int i) {
      for_each_of(fine, e, k, j, i, [&](node_table::number node) {
        for (int c = 0; c < components; ++c)
          if (fine.constrained(node, c)) flags[static_cast<std::size_t>(index_t{*key} * each + 1 + c)] = 1;
      });
      ++key;
    });
  return flags;
}

// From keys to numbers without gaps, in the same order.
inline void coarse_nodes::number_keys(node_table const& fine, node_flags const& flags)
{
  int const components = fine.components(), each = 1 + components;
  keys = node_flags(static_cast<std::size_t>(fine.nodes()), 0);
  own_vector<node_table::number> number_of(static_cast<std::size_t>(fine.nodes()), 0);
  bool marked = false;
  for (index_t node = 0; node < fine.nodes(); ++node) {
    auto const* const of_node = flags.data() + node * each;
    if (of_node[0] == 0) continue;
    keys[static_cast<std::size_t>(node)] = 1;
    number_of[static_cast<std::size_t>(node)] = static_cast<node_table::number>(nodes++);
    for (int c = 0; c < components; ++c) {
      marks.push_back(of_node[1 + c]);
      marked = marked || of_node[1 + c] != 0;
    }
  }
  if (!marked) marks = {};
  for (auto& key : numbers) key = number_of[key];
}

}  // namespace sumfac::detail
