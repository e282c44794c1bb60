// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Nodes of small elements on sides of large ones: the equations that make functions continuous there.
#pragma once

#include <sumfac/backend/detail/own_vector.hpp>
#include <sumfac/basis/lagrange.hpp>
#include <sumfac/config.hpp>
#include <sumfac/dofs/constraints.hpp>
#include <sumfac/dofs/restriction/constraint_rows.hpp>
#include <sumfac/dofs/restriction/options.hpp>
#include <sumfac/mesh/faces/side_places.hpp>
#include <sumfac/mesh/parts/element_views.hpp>
#include <sumfac/mesh/parts/hanging_parts.hpp>

#include <cstddef>
#include <utility>
#include <vector>

namespace sumfac::SUMFAC_TARGET::detail {

// Adds a row for each node of the small sides but those that are corners of the large one, whose function they take.
//
// **Shapes** table (E, n, n, n) or (E, n, n); places (n): where nodes lie on edges, of [-1, 1]; has_row (nodes).
template <int Directions, class Table>
class hanging_rows {
  static constexpr int corners = 1 << (Directions - 1);

public:
  hanging_rows(own_vector<long double> const& places, Table const& table)
      : places_(places), table_(table), n_(static_cast<int>(places.size())), weights_(places.size())
  {
    lagrange_weights(places.data(), n_, weights_.data());
  }

  void add(hanging_side const& of, constraints& to, own_vector<bool>& has_row) const
  {
    for (int q = 0; q < corners; ++q) {
      // Along which direction of the small side, and which way, the large one's go.
      int const own = corner_at(of.fine[q], corner(of.coarse, q));
      int swap = 0;
      if constexpr (Directions == 3) swap = corner_at(of.fine[q ^ 1], corner(of.fine[q], own ^ 1)) < 0 ? 1 : 0;
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
  Table const& table_;
  int n_;
  own_vector<long double> weights_;
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
    return made;
  }

  bool has(index_t node) const { return resolved_.find(node) != nullptr; }
  constraints const& rows() const { return rows_; }
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
