// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The nodes of a lower degree on the elements of a table of nodes: numbers and marks that follow those of the table.
#pragma once

#include <sumfac/basis/detail/cell_basis.hpp>
#include <sumfac/dofs/restriction/node_table.hpp>

#include <cstddef>
#include <cstdint>

namespace sumfac::SUMFAC_TARGET::detail {

// For each node of a lower degree on an element the nodes of a higher one that it stands for: a set of them.
//
// In each direction of a line, a quadrilateral or a hexahedron node i of m stands for node i from its nearer end, and
// one in the middle for the node or the two nodes in the middle. Of a simplex a node's barycentric indices grow, the
// largest alone, or all that are as large by the same; where that is not possible in whole numbers, some of these by
// one more, in all ways. A prism's nodes are those of the triangle times those of the line. These sets are disjoint,
// those of an element's sides are the same whatever the element, and mirror images and rotations bring sets to sets, so
// that elements which share a side agree on them, however they are turned.
class coarse_sets {
public:
  // Of lines of `fine` nodes, and `coarse` of them.
  coarse_sets(int directions, int fine, int coarse)
  {
    node_box const box(coarse, directions);
    for (int k = 0; k < box.z; ++k)
      for (int j = 0; j < box.y; ++j)
        for (int i = 0; i < box.x; ++i) {
          auto const along = [&](int direction, int at) {
            return direction < directions ? stands_for(at, coarse, fine) : nodes_of_one{0, 0};
          };
          nodes_of_one const z = along(2, k), y = along(1, j), x = along(0, i);
          for (int c = z.first; c <= z.second; ++c)
            for (int b = y.first; b <= y.second; ++b)
              for (int a = x.first; a <= x.second; ++a) nodes_.push_back((c * fine + b) * fine + a);
          first_.push_back(static_cast<int>(nodes_.size()));
        }
  }
  // Of the elements of a space, and of another degree.
  coarse_sets(space const& fine, int degree)
  {
    if (is_tensor(fine)) {
      *this = {fine.directions, fine.degree + 1, degree + 1};
      return;
    }
    bool const is_prism = fine.shape == cell_shape::prism;
    int const flat = is_prism ? 2 : fine.directions, layer = lattice_size(flat, fine.degree);
    for (int k = 0; k <= (is_prism ? degree : 0); ++k) {
      nodes_of_one const z = is_prism ? stands_for(k, degree + 1, fine.degree + 1) : nodes_of_one{0, 0};
      for_each_lattice_index(flat, degree, [&](int const* a) {
        for (int c = z.first; c <= z.second; ++c)
          for_each_larger(flat, a, fine.degree, [&](int node) { nodes_.push_back(c * layer + node); });
        first_.push_back(static_cast<int>(nodes_.size()));
      });
    }
  }

  int size() const { return static_cast<int>(first_.size()) - 1; }
  int first(int p) const { return nodes_[static_cast<std::size_t>(first_[static_cast<std::size_t>(p)])]; }
  // Calls f(node) for those that node p stands for.
  template <class Function>
  void for_each_of(int p, Function const& f) const
  {
    for (int i = first_[static_cast<std::size_t>(p)]; i < first_[static_cast<std::size_t>(p + 1)]; ++i)
      f(nodes_[static_cast<std::size_t>(i)]);
  }

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

  static int lattice_size(int directions, int degree)
  {
    int count = 0;
    for_each_lattice_index(directions, degree, [&](int const*) { ++count; });
    return count;
  }
  // Calls f(node) for the nodes of a simplex of a degree that one of indices a stands for.
  template <class Function>
  static void for_each_larger(int directions, int const* a, int degree, Function const& f)
  {
    int largest = 0, count = 0, excess = degree;
    for (int d = 0; d <= directions; ++d) {
      excess -= a[d];
      if (a[d] > largest) largest = a[d], count = 0;
      count += a[d] == largest;
    }
    int node = 0;
    for_each_lattice_index(directions, degree, [&](int const* b) {
      int rest = excess % count;
      bool is_one = true;
      for (int d = 0; d <= directions; ++d) {
        int const more = b[d] - a[d] - (a[d] == largest ? excess / count : 0);
        is_one = is_one && (more == 0 || (more == 1 && a[d] == largest));
        rest -= more;
      }
      if (is_one && rest == 0) f(node);
      ++node;
    });
  }

  own_vector<int> first_ = own_vector<int>(1, 0), nodes_;
};

// Nodes of a lower degree on all elements of a table of a higher one.
//
// A node of the lower degree stands for a set of nodes of the higher one, as coarse_sets says. A node's key is the node
// of its set that comes first, and its number follows the key's, so that it keeps the table's order; it is marked
// where one of its set is constrained without terms.
//
// Of a part of a mesh, `place(node)` says which of a set comes first, the same on all parts, and `agree(flags)`, of
// flags (fine nodes, 1 + C), makes those of owned nodes true that are on another part: whether a node is a key, and
// which components of the node that it is the key of are constrained. A key may be a node of no element here.
// **Shapes** numbers (E, m, m, m), (E, m, m) on quadrilaterals, (E, m) on lines, (E, P) of m = P nodes on what is no
// product of lines; marks (nodes, C), keys (fine nodes).
struct coarse_nodes {
  using node_flags = own_vector<std::uint8_t>;

  coarse_nodes(host const& threads, node_table const& fine, coarse_sets const& sets)
      : coarse_nodes(
            threads, fine, sets, [](node_table::number node) { return node; }, [](node_flags&) {})
  {
  }
  template <class Place, class Agree>
  coarse_nodes(host const& threads, node_table const& fine, coarse_sets const& sets, Place const& place,
               Agree const& agree)
      : of_element_(sets)
  {
    find_keys(threads, fine, place);
    node_flags flags = flags_of_keys(fine);
    agree(flags);
    number_keys(fine, flags);
  }

  // The same with numbers that are known; there are no keys then.
  coarse_nodes(node_table const& fine, coarse_sets const& sets, own_vector<std::int32_t> const& known, index_t of_nodes)
      : nodes(of_nodes), of_element_(sets)
  {
    numbers.reserve(known.size());
    for (auto const number : known) numbers.push_back(static_cast<node_table::number>(number));
    if (!fine.has_marks()) return;
    marks.assign(static_cast<std::size_t>(nodes * fine.components()), 0);
    mark(fine, [&](node_table::number node, int c) -> std::uint8_t& {
      return marks[static_cast<std::size_t>(index_t{node} * fine.components() + c)];
    });
  }

  index_t nodes = 0;
  own_vector<node_table::number> numbers;
  own_vector<std::uint8_t> marks;  // empty where nothing is constrained
  node_flags keys;                 // of the fine nodes, not 0 where one is a key

private:
  // The key of each node of each element.
  template <class Place>
  void find_keys(host const& threads, node_table const& fine, Place const& place)
  {
    index_t const of_element = of_element_.size();
    numbers.resize(static_cast<std::size_t>(fine.elements() * of_element));
    threads.partition(fine.elements(), [&](index_t first, index_t last) {
      for (index_t e = first; e < last; ++e) {
        auto* out = numbers.data() + e * of_element;
        for (int p = 0; p < of_element; ++p, ++out) {
          constexpr auto none = ~node_table::number{0};
          *out = none;
          of_element_.for_each_of(p, [&](int of_fine) {
            node_table::number const node = fine(e, of_fine);
            if (*out == none || place(node) < place(*out)) *out = node;
          });
        }
      }
    });
  }
  // (fine nodes, 1 + C): whether one is a key, and which components are constrained of its node.
  node_flags flags_of_keys(node_table const& fine) const
  {
    int const components = fine.components(), each = 1 + components;
    node_flags flags(static_cast<std::size_t>(fine.nodes() * each), 0);
    for (auto const key : numbers) flags[static_cast<std::size_t>(index_t{key} * each)] = 1;
    if (fine.has_marks())
      mark(fine, [&](node_table::number key, int c) -> std::uint8_t& {
        return flags[static_cast<std::size_t>(index_t{key} * each + 1 + c)];
      });
    return flags;
  }
  // flag(number, component) becomes 1 where one of the nodes that a node stands for is constrained without terms.
  template <class Flag>
  void mark(node_table const& fine, Flag const& flag) const
  {
    auto const* number = numbers.data();
    for (index_t e = 0; e < fine.elements(); ++e)
      for (int p = 0; p < of_element_.size(); ++p, ++number)
        of_element_.for_each_of(p, [&](int of_fine) {
          node_table::number const node = fine(e, of_fine);
          for (int c = 0; c < fine.components(); ++c)
            if (fine.constrained(node, c) && !has_terms(fine, node, c)) flag(*number, c) = 1;
        });
  }
  // From keys to numbers without gaps, in the same order.
  void number_keys(node_table const& fine, node_flags const& flags)
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

  coarse_sets of_element_;
};

}  // namespace sumfac::detail
