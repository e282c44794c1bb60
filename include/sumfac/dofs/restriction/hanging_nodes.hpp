// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Nodes of small elements on sides of large ones: the equations that make functions continuous there.
#pragma once

#include <sumfac/dofs/constraints.hpp>
#include <sumfac/dofs/restriction/constraint_rows.hpp>
#include <sumfac/dofs/restriction/element_masks.hpp>
#include <sumfac/dofs/restriction/options.hpp>
#include <sumfac/mesh/parts/hanging_parts.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace sumfac::SUMFAC_TARGET::detail {

// The nodes of sides, large ones and those on them.
//
// **Shapes** table (E, n, n, n) or (E, n, n).
template <int Directions, class Table>
class nodes_of_sides {
protected:
  static constexpr int corners = 1 << (Directions - 1);

  nodes_of_sides(Table const& table, int n) : table_(table), n_(n) {}

  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  index_t on_side(element_side const& side, int j, int i) const
  {
    side_place const p = place_on_side(Directions, side.side, n_, j, i);
    return entry_at<Directions>(table_, side.element, p.k, p.j, p.i);
  }
  index_t corner(element_side const& side, int q) const
  {
    return on_side(side, (q >> 1) * (n_ - 1), (q & 1) * (n_ - 1));
  }
  // Which corner of a side is a node, or -1.
  int corner_at(element_side const& side, index_t node) const
  {
    for (int q = 0; q < corners; ++q)
      if (corner(side, q) == node) return q;
    return -1;
  }
  bool is_corner(element_side const& side, index_t node) const { return corner_at(side, node) >= 0; }

  // Which corner of small side q the large one has, and whether its directions are those of the large one changed.
  struct turn {
    int own, swap;
  };
  turn turn_of(hanging_side const& of, int q) const
  {
    int const own = corner_at(of.fine[q], corner(of.coarse, q));
    if constexpr (Directions == 3)
      return {own, corner_at(of.fine[q ^ 1], corner(of.fine[q], own ^ 1)) < 0 ? 1 : 0};
    else
      return {own, 0};
  }

  Table const& table_;
  int n_;
};

// Adds a row for each node of the small sides but those that are corners of the large one, whose function they take.
//
// **Shapes** places (n): where nodes lie on edges, of [-1, 1]; has_row (nodes).
template <int Directions, class Table>
class hanging_rows : nodes_of_sides<Directions, Table> {
  using base = nodes_of_sides<Directions, Table>;
  using base::at, base::corners, base::is_corner, base::n_, base::on_side;

public:
  hanging_rows(own_vector<long double> const& places, Table const& table)
      : base(table, static_cast<int>(places.size())), places_(places), weights_(places.size())
  {
    lagrange_weights(places.data(), n_, weights_.data());
  }

  void add(hanging_side const& of, constraints& to, own_vector<bool>& has_row) const
  {
    for (int q = 0; q < corners; ++q) {
      // Along which direction of the small side, and which way, the large one's go.
      auto const [own, swap] = this->turn_of(of, q);
      for (int j = 0; j < (Directions == 3 ? n_ : 1); ++j)
        for (int i = 0; i < n_; ++i) {
          index_t const node = on_side(of.fine[q], j, i);
          if (has_row[static_cast<std::size_t>(node)] || is_corner(of.coarse, node)) continue;
          long double const along[2] = {own & 1 ? -places_[at(i)] : places_[at(i)],
                                        own & 2 ? -places_[at(j)] : places_[at(j)]};
          long double s[2];
          for (int d = 0; d < Directions - 1; ++d) {
            long double const t = along[d ^ swap];  // -1 at the corner of the large side, 1 in its middle
            s[d] = q >> d & 1 ? (1 - t) / 2 : (t - 1) / 2;
          }
          add_row(of.coarse, s, node, to);
          has_row[static_cast<std::size_t>(node)] = true;
        }
    }
  }

private:
  // The node is the large side's function at s.
  void add_row(element_side const& side, long double const* s, index_t node, constraints& to) const
  {
    own_vector<long double> values[2] = {own_vector<long double>(places_.size(), 1), own_vector<long double>(1, 1)};
    for (int d = 0; d < Directions - 1; ++d) {
      values[d] = own_vector<long double>(places_.size());
      lagrange_values(places_.data(), weights_.data(), n_, s[d], values[d].data());
    }
    own_vector<constraint_term> terms;
    for (std::size_t j = 0; j < values[1].size(); ++j)
      for (std::size_t i = 0; i < values[0].size(); ++i)
        if (auto const w = static_cast<double>(values[1][j] * values[0][i]); w != 0)
          terms.push_back({on_side(side, static_cast<int>(j), static_cast<int>(i)), w});
    to.add(node, terms);
  }

  own_vector<long double> const& places_;
  own_vector<long double> weights_;
};

// Finds the elements whose nodes on sides and edges that hang are interpolated line by line: those that are, along each
// direction, a half of what is large beside them, with what hangs on its outside. Others are left to the equations.
//
// **Work** an element's nodes for each that has a side or an edge that hangs.
template <int Directions, class Table>
class mask_finder : nodes_of_sides<Directions, Table> {
  using base = nodes_of_sides<Directions, Table>;
  using base::corner, base::corners, base::n_, base::on_side;
  using number = element_masks::number;
  using bits = element_mask::bits;

public:
  mask_finder(Table const& table, own_vector<long double> const& places, index_t nodes)
      : base(table, static_cast<int>(places.size())),
        places_(places),
        is_middle_(static_cast<std::size_t>(nodes), false)
  {
    of_element_.assign(static_cast<std::size_t>(table.extent(0)), -1);
  }

  element_masks find(std::vector<hanging_side> const& sides)
  {
    for (hanging_side const& side : sides)
      for (int q = 0; q < corners; ++q) add_side(side, q);
    if constexpr (Directions == 3) add_edges();
    element_masks masks(this->table_.extent(0), n_, Directions, halves());
    for (candidate const& c : found_)
      if (c.fits && on_outside(c)) masks.add(c.element, c.mask, element(c.element), c.read);
    return masks;
  }

private:
  struct candidate {
    index_t element;
    bits mask = 0, known = 0;  // known: directions of which the half is known
    bool fits = true;
    own_vector<number> read = {};
    own_vector<bool> is_read = {};
  };
  // Half of a large edge: its ends, from the large one's on, and where its nodes are listed.
  struct half_edge {
    number end, middle;
    std::size_t first;
  };

  index_t size() const { return node_box(n_, Directions).all(); }
  auto const* element(index_t e) const { return this->table_.data() + e * size(); }
  index_t place(int const (&ends)[3]) const { return (ends[2] * index_t{n_} + ends[1]) * n_ + ends[0]; }

  candidate& candidate_of(index_t e)
  {
    auto& at = of_element_[static_cast<std::size_t>(e)];
    if (at < 0) {
      at = static_cast<std::int32_t>(found_.size());
      found_.push_back({e});
      for (index_t p = 0; p < size(); ++p) found_.back().read.push_back(static_cast<number>(element(e)[p]));
      found_.back().is_read.assign(static_cast<std::size_t>(size()), false);
    }
    return found_[static_cast<std::size_t>(at)];
  }
  static void read(candidate& c, index_t place, index_t node)
  {
    auto const p = static_cast<std::size_t>(place);
    if (c.is_read[p] && c.read[p] != static_cast<number>(node)) c.fits = false;
    c.read[p] = static_cast<number>(node), c.is_read[p] = true;
  }
  static void set_half(candidate& c, int direction, int half)
  {
    bits const at = element_mask::upper(direction);
    if ((c.known & at) != 0 && ((c.mask & at) != 0) != (half != 0)) c.fits = false;
    c.known |= at;
    if (half != 0) c.mask |= at;
  }

  // The node that is `i` nodes from corner q of a large side along one direction and j along the other.
  index_t from_corner(element_side const& coarse, int q, int j, int i) const
  {
    return on_side(coarse, q & 2 ? n_ - 1 - j : j, q & 1 ? n_ - 1 - i : i);
  }
  void add_side(hanging_side const& of, int q)
  {
    element_side const& fine = of.fine[q];
    auto const [own, swap] = this->turn_of(of, q);
    candidate& c = candidate_of(fine.element);
    side_place const vertex = place_on_side(Directions, fine.side, 2, own >> 1, own & 1);
    int const ends[3] = {vertex.i, vertex.j, vertex.k};
    for (int d = 0; d < Directions; ++d)
      if (d != fine.side / 2) set_half(c, d, ends[d]);
    c.mask |= element_mask::side(fine.side);
    for (int j = 0; j < (Directions == 3 ? n_ : 1); ++j)
      for (int i = 0; i < n_; ++i) {
        side_place const p =
            place_on_side(Directions, fine.side, n_, own & 2 ? n_ - 1 - j : j, own & 1 ? n_ - 1 - i : i);
        read(c, place({p.i, p.j, p.k}), from_corner(of.coarse, q, swap != 0 ? i : j, swap != 0 ? j : i));
      }
    if constexpr (Directions == 3)
      for (int f = 0; f < 2; ++f) {  // along each direction of the small side
        auto const end = static_cast<number>(corner(fine, own)),
                   middle = static_cast<number>(corner(fine, own ^ 1 << f));
        edges_.push_back({end, middle, edge_nodes_.size()});
        is_middle_[middle] = true;
        for (int i = 0; i < n_; ++i)
          edge_nodes_.push_back(static_cast<number>(from_corner(of.coarse, q, f != swap ? i : 0, f != swap ? 0 : i)));
      }
  }

  // Edges of all elements that are halves of large ones.
  void add_edges()
  {
    auto const before = [](half_edge const& a, half_edge const& b) {
      return a.middle != b.middle ? a.middle < b.middle : a.end < b.end;
    };
    std::sort(edges_.begin(), edges_.end(), before);
    for (index_t e = 0; e < this->table_.extent(0); ++e)
      for (int v = 0; v < 8; ++v) {
        int const middle[3] = {(v & 1) * (n_ - 1), (v >> 1 & 1) * (n_ - 1), (v >> 2) * (n_ - 1)};
        auto const node = static_cast<number>(element(e)[place(middle)]);
        if (!is_middle_[node]) continue;
        for (int d = 0; d < 3; ++d) {
          int at[3] = {middle[0], middle[1], middle[2]};
          at[d] = n_ - 1 - middle[d];
          half_edge const wanted{static_cast<number>(element(e)[place(at)]), node, 0};
          auto const* const edge = std::lower_bound(edges_.begin(), edges_.end(), wanted, before);
          if (edge == edges_.end() || before(wanted, *edge)) continue;
          candidate& c = candidate_of(e);
          set_half(c, d, at[d] > 0 ? 1 : 0);
          int const low = d == 0 ? 1 : 0, high = d == 2 ? 1 : 2;
          c.mask |= element_mask::edge(d, (v >> low & 1) + 2 * (v >> high & 1));
          int const step = at[d] > 0 ? -1 : 1;
          for (std::size_t i = 0; i < this->places_.size(); ++i, at[d] += step)
            read(c, place(at), edge_nodes_[edge->first + i]);
        }
      }
  }

  // What hangs lies on the outside of the large element's extent, where interpolation along other directions changes
  // nothing.
  bool on_outside(candidate const& c) const
  {
    bool outside = true;
    auto const look = [&](int d, int end) {
      bits const at = element_mask::upper(d);
      outside = outside && ((c.known & at) == 0 || ((c.mask & at) != 0) == (end != 0));
    };
    for (int side = 0; side < 2 * Directions; ++side)
      if ((c.mask & element_mask::side(side)) != 0) look(side / 2, side & 1);
    for (int d = 0; d < Directions; ++d)
      for (int ends = 0; ends < 4; ++ends)
        if ((c.mask & element_mask::edge(d, ends)) != 0)
          look(d == 0 ? 1 : 0, ends & 1), look(d == 2 ? 1 : 2, ends >> 1);
    return outside;
  }

  own_vector<double> halves() const
  {
    own_vector<long double> weights(places_.size()), values(places_.size());
    lagrange_weights(places_.data(), n_, weights.data());
    own_vector<double> half;
    for (long double const x : places_) {
      lagrange_values(places_.data(), weights.data(), n_, (x - 1) / 2, values.data());
      for (long double const value : values) half.push_back(static_cast<double>(value));
    }
    return half;
  }

  own_vector<long double> const& places_;
  own_vector<std::int32_t> of_element_;
  own_vector<candidate> found_;
  own_vector<bool> is_middle_;
  own_vector<half_edge> edges_;
  own_vector<number> edge_nodes_;
};

// The equations of hanging nodes, and what they make of functions on the host.
class hanging_nodes {
public:
  hanging_nodes() = default;
  // Of the sides of a mesh that hang, and the elements' nodes, of which there are so many, at these places.
  template <int Directions, class Table>
  static hanging_nodes of(std::vector<hanging_side> const& sides, index_t nodes, own_vector<long double> const& places,
                          Table const& table)
  {
    hanging_nodes made;
    if (sides.empty()) return made;
    own_vector<bool> has_row(static_cast<std::size_t>(nodes), false);
    hanging_rows<Directions, Table> const rows(places, table);
    for (hanging_side const& side : sides) rows.add(side, made.rows_, has_row);
    made.resolved_ = constraint_rows(made.rows_, nodes, 1);
    made.rows_.set_masks(mask_finder<Directions, Table>(table, places, nodes).find(sides));
    return made;
  }

  bool has(index_t node) const { return resolved_.find(node) != nullptr; }
  constraints const& rows() const { return rows_; }
  // A node of which others' rows, of so many components, say something else; -1 where there is none.
  index_t differs_from(constraint_rows const& others, int components) const
  {
    for (auto const& row : resolved_.all())
      for (int c = 0; c < components; ++c)
        if (others.find(row.key * components + c) == nullptr) return row.key;
    for (auto const& other : others.all()) {
      index_t const node = other.key / components;
      auto const* const own = resolved_.find(node);
      if (own == nullptr || own->terms.size() != other.terms.size() || other.b != 0) return node;
      for (row_term const& t : other.terms) {
        bool found = false;
        for (row_term const& mine : own->terms)
          found = found || (mine.index == t.index && t.component == static_cast<int>(other.key % components) &&
                            __builtin_fabs(mine.weight - t.weight) < 1e-10);
        if (!found) return node;
      }
    }
    return -1;
  }
  // Unknowns that a fixed one is the sum of are fixed: marks (nodes, C).
  void fix_terms(own_vector<unsigned char>& marks, int components) const
  {
    for (auto const& row : resolved_.all())
      for (row_term const& t : row.terms)
        for (int c = 0; c < components; ++c)
          if (marks[static_cast<std::size_t>(row.key * components + c)] != 0)
            marks[static_cast<std::size_t>(t.index * components + c)] = 1;
  }
  // u at hanging nodes, from the others; of a load what these have is given to the others.
  void distribute(double* u, entry_order const& order) const
  {
    for_each(order, [&](auto const& row, int c) {
      double sum = 0;
      for (row_term const& t : row.terms) sum += t.weight * u[order.entry(t.index, c)];
      u[order.entry(row.key, c)] = sum;
    });
  }
  void gather_load(double* b, entry_order const& order) const
  {
    for_each(order, [&](auto const& row, int c) {
      double& of_row = b[order.entry(row.key, c)];
      for (row_term const& t : row.terms) b[order.entry(t.index, c)] += t.weight * of_row;
      of_row = 0;
    });
  }
  // The values (count, C) at some nodes.
  template <class Node>
  void gather(double const* u, Node const* node, index_t count, entry_order const& order, double* values) const
  {
    for (Node const* const end = node + count; node != end; ++node) {
      auto const* const row = resolved_.find(*node);
      for (int c = 0; c < order.components; ++c, ++values) {
        *values = row == nullptr ? u[order.entry(*node, c)] : 0;
        for (std::size_t t = 0; row != nullptr && t < row->terms.size(); ++t)
          *values += row->terms[t].weight * u[order.entry(row->terms[t].index, c)];
      }
    }
  }

private:
  template <class Function>
  void for_each(entry_order const& order, Function const& f) const
  {
    for (auto const& row : resolved_.all())
      for (int c = 0; c < order.components; ++c) f(row, c);
  }

  constraints rows_;
  constraint_rows resolved_;
};

}  // namespace sumfac::detail
