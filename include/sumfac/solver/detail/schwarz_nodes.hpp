// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The nodes that each element's subdomain has: its own, and a layer of its neighbours', found by the nodes of faces;
// how its lines end there.
#pragma once

#include <sumfac/dofs/restriction/node_table.hpp>

#include <cstddef>
#include <cstdint>

namespace sumfac::SUMFAC_TARGET::detail {

// The faces of elements of so many directions: sides of quadrilaterals, ends of lines. Face f is across direction
// f / 2, x first, at its begin or, f odd, its end; its nodes are in rows, and in columns along the lower of its
// directions.
struct face_shape {
  int directions, nodes_1d;

  int faces() const { return 2 * directions; }
  int rows() const { return directions >= 3 ? nodes_1d : 1; }
  int columns() const { return directions >= 2 ? nodes_1d : 1; }
  int nodes() const { return rows() * columns(); }
  int corners() const { return 1 << (directions - 1); }
  // In which the nodes of a face may be those of another: see face_partner::turn().
  int ways() const { return directions >= 3 ? 8 : corners(); }
};

// The node in row a and column b of a face of elements of n nodes per direction, `depth` layers inside.
inline index_t node_of_face(int n, int face, int a, int b, int depth = 0)
{
  int const along = face / 2, at = face % 2 == 0 ? depth : n - 1 - depth;
  int const x = along == 0 ? at : b, y = along == 1 ? at : along == 0 ? b : a, z = along == 2 ? at : a;
  return (index_t{z} * n + y) * n + x;
}

// The same face of another element, or another face of the same one.
struct face_partner {
  index_t element = -1;  // -1: there is none
  std::uint8_t face = 0;
  std::uint8_t way = 0;  // in which a face's rows and columns are the partner's: see turn()

  // Row and column in the partner of what is in row a and column b here.
  void turn(int n, int& a, int& b) const
  {
    if ((way & 4) != 0) {
      int const row = a;
      a = b, b = row;
    }
    if ((way & 2) != 0) a = n - 1 - a;
    if ((way & 1) != 0) b = n - 1 - b;
  }
};

// Partners of the faces of some elements among these. Faces are one where all their nodes are, however the elements are
// turned; of more than two such faces the first ones are partners.
class element_faces {
public:
  element_faces(node_table const& table, own_vector<index_t> const& active)
      : table_(table),
        shape_{table.directions(), table.nodes_1d()},
        partners_(static_cast<std::size_t>(table.elements() * shape_.faces()))
  {
    list(active);
    for (std::size_t bucket = 0; bucket + 1 < first_.size(); ++bucket) pair(first_[bucket], first_[bucket + 1]);
  }

  face_shape const& shape() const { return shape_; }
  face_partner const& of(index_t e, int face) const
  {
    return partners_[static_cast<std::size_t>(e * shape_.faces() + face)];
  }

private:
  using number = node_table::number;

  number corner(index_t e, int face, int i) const
  {
    int const n = table_.nodes_1d();
    return table_(e, node_of_face(n, face, (i >> 1) * (n - 1), (i & 1) * (n - 1)));
  }
  number least_corner(index_t e, int face) const
  {
    number least = corner(e, face, 0);
    for (int i = 1; i < shape_.corners(); ++i)
      if (corner(e, face, i) < least) least = corner(e, face, i);
    return least;
  }

  // Faces by the least number of their corners, in order of elements.
  void list(own_vector<index_t> const& active)
  {
    first_.assign(static_cast<std::size_t>(table_.nodes() + 1), 0);
    for (index_t const e : active)
      for (int f = 0; f < shape_.faces(); ++f) ++first_[least_corner(e, f) + std::size_t{1}];
    for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
    faces_.resize(static_cast<std::size_t>(first_.back()));
    own_vector<index_t> next = first_;
    for (index_t const e : active)
      for (int f = 0; f < shape_.faces(); ++f)
        faces_[static_cast<std::size_t>(next[least_corner(e, f)]++)] = e * shape_.faces() + f;
  }

  void pair(index_t begin, index_t end)
  {
    for (index_t i = begin; i < end; ++i)
      for (index_t j = i + 1; j < end; ++j) {
        index_t const one = faces_[static_cast<std::size_t>(i)], other = faces_[static_cast<std::size_t>(j)];
        auto &here = partners_[static_cast<std::size_t>(one)], &there = partners_[static_cast<std::size_t>(other)];
        if (here.element >= 0 || there.element >= 0) continue;
        here = compared(one, other);
        if (here.element >= 0) there = compared(other, one);
      }
  }

  // How the nodes of one face are those of another, if they are.
  face_partner compared(index_t one, index_t other) const
  {
    int const faces = shape_.faces();
    for (std::uint8_t way = 0; way < shape_.ways(); ++way) {
      face_partner const candidate{other / faces, static_cast<std::uint8_t>(other % faces), way};
      if (are_same(one / faces, static_cast<int>(one % faces), candidate)) return candidate;
    }
    return {};
  }
  bool are_same(index_t e, int face, face_partner const& candidate) const
  {
    int const n = table_.nodes_1d();
    for (int a = shape_.rows() - 1; a >= 0; --a)
      for (int b = shape_.columns() - 1; b >= 0; --b) {
        int row = a, column = b;
        candidate.turn(n, row, column);
        if (table_(e, node_of_face(n, face, a, b)) !=
            table_(candidate.element, node_of_face(n, candidate.face, row, column)))
          return false;
      }
    return true;
  }

  node_table const& table_;
  face_shape shape_;
  own_vector<face_partner> partners_;  // (E, 6), or 4 sides, 2 ends
  own_vector<index_t> first_, faces_;  // faces of each bucket, as 6 e + f; to be dropped
};

// What is at the end of an element's lines through one of its faces.
enum class line_end : std::uint8_t {
  open,    // nothing
  joined,  // another element
  fixed,   // constrained nodes, all over the face
};

// Subdomains of elements, of their nodes and Overlap (0 or 1) layers of those behind their faces: not those that lie
// beside an edge or a corner, in whose place, as in that of nodes that are not there, a node of the element is named.
// Elements from `own` on are other processes', and have none.
class schwarz_nodes {
public:
  schwarz_nodes(node_table const& table, own_vector<index_t> const& active, int overlap, index_t own)
      : table_(table), active_(active), faces_(table, active), overlap_(overlap), own_(own)
  {
    ends_.assign(static_cast<std::size_t>(own * table.components() * shape().faces()), line_end::open);
    for_each_own([&](index_t e) {
      for (int c = 0; c < table.components(); ++c)
        for (int f = 0; f < shape().faces(); ++f) ends_[place(e, c, f)] = find_end(e, c, f);
    });
  }

  element_faces const& faces() const { return faces_; }
  // Whether an element of this process is behind a face.
  bool is_inside(index_t e, int face) const
  {
    index_t const behind = faces_.of(e, face).element;
    return behind >= 0 && behind < own_;
  }
  line_end end(index_t e, int c, int face) const { return ends_[place(e, c, face)]; }
  int nodes_1d() const { return table_.nodes_1d() + 2 * overlap_; }

  // The subdomains' nodes. **Shapes** (E, n, n, n), (E, n, n) of quadrilaterals, (E, n) of lines
  own_vector<node_table::number> numbers() const
  {
    int const n = table_.nodes_1d(), wide = nodes_1d();
    index_t const of_subdomain = node_box(wide, table_.directions()).all();
    own_vector<node_table::number> numbers(static_cast<std::size_t>(own_ * of_subdomain));
    for (index_t e = 0; e < own_; ++e) {
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
    for_each_own([&](index_t e) {
      for_each_behind(e, [&](int f, int a, int b, node_table::number node) {
        numbers[static_cast<std::size_t>(e * of_subdomain + node_of_face(wide, f, a + row, b + column))] = node;
      });
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
    for_each_own([&](index_t e) {
      for (index_t p = 0; p < table_.nodes_of_element(); ++p)
        for (int c = 0; c < components; ++c) add(table_(e, p), c);
      for_each_behind(e, [&](int f, int, int, node_table::number node) {
        for (int c = 0; c < components; ++c)
          if (end(e, c, f) == line_end::joined) add(node, c);
      });
    });
    return count;
  }

private:
  face_shape const& shape() const { return faces_.shape(); }
  template <class Function>
  void for_each_own(Function const& f) const
  {
    for (index_t const e : active_)
      if (e < own_) f(e);
  }
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
  index_t own_;
  own_vector<line_end> ends_;  // (E, C, 6), or 4 sides, 2 ends
};

}  // namespace sumfac::detail
