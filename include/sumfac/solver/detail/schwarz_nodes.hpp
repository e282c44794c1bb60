// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The nodes that each element's subdomain has: its own, and a layer of its neighbours'; how its lines end there.
#pragma once

#include <sumfac/backend/detail/own_vector.hpp>
#include <sumfac/config.hpp>
#include <sumfac/dofs/restriction/node_table.hpp>
#include <sumfac/solver/detail/element_faces.hpp>

#include <cstddef>
#include <cstdint>

namespace sumfac::SUMFAC_TARGET::detail {

// What is at the end of an element's lines through one of its faces.
enum class line_end : std::uint8_t {
  open,    // nothing
  joined,  // another element
  fixed,   // constrained nodes, all over the face
};

// Subdomains of elements, of their nodes and Overlap (0 or 1) layers of those behind their faces: not those that lie
// beside an edge or a corner, in whose place, as in that of nodes that are not there, a node of the element is named.
class schwarz_nodes {
public:
  schwarz_nodes(node_table const& table, own_vector<index_t> const& active, int overlap)
      : table_(table), active_(active), faces_(table, active), overlap_(overlap)
  {
    ends_.assign(static_cast<std::size_t>(table.elements() * table.components() * shape().faces()), line_end::open);
    for (index_t const e : active)
      for (int c = 0; c < table.components(); ++c)
        for (int f = 0; f < shape().faces(); ++f) ends_[place(e, c, f)] = find_end(e, c, f);
  }

  element_faces const& faces() const { return faces_; }
  line_end end(index_t e, int c, int face) const { return ends_[place(e, c, face)]; }
  int nodes_1d() const { return table_.nodes_1d() + 2 * overlap_; }

  // The subdomains' nodes. **Shapes** (E, n, n, n), (E, n, n) of quadrilaterals, (E, n) of lines
  own_vector<node_table::number> numbers() const
  {
    int const n = table_.nodes_1d(), wide = nodes_1d();
    index_t const of_subdomain = node_box(wide, table_.directions()).all();
    own_vector<node_table::number> numbers(static_cast<std::size_t>(table_.elements() * of_subdomain));
    for (index_t e = 0; e < table_.elements(); ++e) {
      auto* const own = numbers.data() + e * of_subdomain;
      for (index_t p = 0; p < of_subdomain; ++p) {
        auto const within = [&](index_t i) {
          index_t const inner = i - overlap_;
          return inner < 0 ? 0 : inner >= n ? n - 1 : inner;
        };
        own[p] = table_(e, (within(p / wide / wide) * n + within(p / wide % wide)) * n + within(p % wide));
      }
    }
    int const row = shape().rows() > 1 ? overlap_ : 0, column = shape().columns() > 1 ? overlap_ : 0;
    for (index_t const e : active_)
      for_each_behind(e, [&](int f, int a, int b, node_table::number node) {
        numbers[static_cast<std::size_t>(e * of_subdomain + node_of_face(wide, f, a + row, b + column))] = node;
      });
    return numbers;
  }

  // How many subdomains have component c of a node. **Shapes** (nodes, C), 0 where constrained.
  own_vector<double> multiplicity() const
  {
    int const components = table_.components();
    own_vector<double> count(static_cast<std::size_t>(table_.nodes() * components), 0);
    auto const add = [&](node_table::number node, int c) {
      if (!table_.constrained(node, c)) count[static_cast<std::size_t>(index_t{node} * components + c)] += 1;
    };
    for (index_t const e : active_) {
      for (index_t p = 0; p < table_.nodes_of_element(); ++p)
        for (int c = 0; c < components; ++c) add(table_(e, p), c);
      for_each_behind(e, [&](int f, int, int, node_table::number node) {
        for (int c = 0; c < components; ++c)
          if (end(e, c, f) == line_end::joined) add(node, c);
      });
    }
    return count;
  }

private:
  face_shape const& shape() const { return faces_.shape(); }
  std::size_t place(index_t e, int c, int face) const
  {
    return static_cast<std::size_t>((e * table_.components() + c) * shape().faces() + face);
  }

  line_end find_end(index_t e, int c, int face) const
  {
    int const n = table_.nodes_1d();
    int fixed = 0;
    for (int a = 0; a < shape().rows(); ++a)
      for (int b = 0; b < shape().columns(); ++b)
        fixed += table_.constrained(table_(e, node_of_face(n, face, a, b)), c) ? 1 : 0;
    if (fixed == shape().nodes()) return line_end::fixed;
    return faces_.of(e, face).element >= 0 ? line_end::joined : line_end::open;
  }

  // Calls f(face, row, column, node) for the layers of nodes behind the faces of an element.
  template <class Function>
  void for_each_behind(index_t e, Function const& f) const
  {
    int const n = table_.nodes_1d();
    for (int face = 0; face < shape().faces() && overlap_ > 0; ++face) {
      face_partner const& partner = faces_.of(e, face);
      for (int a = 0; a < shape().rows() && partner.element >= 0; ++a)
        for (int b = 0; b < shape().columns(); ++b) {
          int row = a, column = b;
          partner.turn(n, row, column);
          f(face, a, b, table_(partner.element, node_of_face(n, partner.face, row, column, 1)));
        }
    }
  }

  node_table const& table_;
  own_vector<index_t> const& active_;
  element_faces faces_;
  int overlap_;
  own_vector<line_end> ends_;  // (E, C, 6), or 4 sides, 2 ends
};

}  // namespace sumfac::detail
