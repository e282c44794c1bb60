// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Equations between unknowns: hanging nodes, periodic boundaries, slip, values other than 0.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/dofs/restriction/element_masks.hpp>
#include <sumfac/error.hpp>

#include <cmath>
#include <cstddef>
#include <initializer_list>
#include <utility>

namespace sumfac::SUMFAC_TARGET {

// A term of an equation: `weight` times the unknown of a node, of the component that the equation is for where none is
// said.
struct constraint_term {
  index_t node;
  double weight;
  int component = -1;

  friend bool operator==(constraint_term const&, constraint_term const&) = default;
};

// Equations u_i = sum_j w_ij u_j + b_i, each of which says what one unknown is. A restriction that gets them reads u_i
// as that sum, and adds to the u_j what elements have for u_i, so that its operators are C^T A C, C being the equations
// without b; restriction::distribute(x) sets the u_i of a vector, with b.
//
// Terms may be unknowns that have equations themselves, added before or after; a restriction resolves such chains. What
// it cannot is refused when it is made, with the row's node.
// **Work** a few words for each term.
// **Errors** argument_error: a node or a component less than 0, a weight or a value that is no finite number.
class constraints {
public:
  using term = constraint_term;

  // u_node = the sum of the terms + b, for each component alike.
  void add(index_t node, std::initializer_list<term> terms, double b = 0) { add_row({node, -1, count(), b}, terms); }
  template <class Range>
  void add(index_t node, Range const& terms, double b = 0)
  {
    add_row({node, -1, count(), b}, terms);
  }
  // For one component, of terms of any.
  void add_component(index_t node, int component, std::initializer_list<term> terms, double b = 0)
  {
    add_row({node, checked_component(node, component), count(), b}, terms);
  }
  template <class Range>
  void add_component(index_t node, int component, Range const& terms, double b = 0)
  {
    add_row({node, checked_component(node, component), count(), b}, terms);
  }
  // normal . u = b at a node, whose components are those of a vector: for slip along a boundary, of any length. The
  // component along which the normal is longest is what the others give.
  template <class Normal>
  void add_normal(index_t node, Normal const& normal, double b = 0)
  {
    int longest = 0, components = 0;
    for (double const n : normal) {
      if (std::fabs(n) > std::fabs(normal[static_cast<std::size_t>(longest)])) longest = components;
      ++components;
    }
    double const n = components > 0 ? static_cast<double>(normal[static_cast<std::size_t>(longest)]) : 0.0;
    if (n == 0)
      failf(here_, "the normal at node %lld is 0 (%d components): pass a vector that has a direction",
            static_cast<long long>(node), components);
    detail::own_vector<term> terms;
    for (int c = 0; c < components; ++c)
      if (double const other = normal[static_cast<std::size_t>(c)]; c != longest && other != 0)
        terms.push_back({node, -other / n, c});
    add_component(node, longest, terms, b / n);
  }
  // All of other constraints.
  void append(constraints const& others)
  {
    if (masks_.size() == 0) masks_ = others.masks_;
    for (index_t i = 0; i < others.size(); ++i) {
      equation made = others.row(i);
      made.first = count();
      rows_.push_back(made);
      for (term const* t = others.begin(i); t != others.end(i); ++t) terms_.push_back(*t);
    }
  }

  index_t size() const { return static_cast<index_t>(rows_.size()); }

  // For restrictions: equation `row`, of all components where its component is -1.
  struct equation {
    index_t node;
    int component;
    index_t first;  // of its terms
    double b;
  };
  equation const& row(index_t i) const { return rows_[static_cast<std::size_t>(i)]; }
  // Of equations of hanging nodes, how elements interpolate instead of reading them.
  detail::element_masks const& masks() const { return masks_; }
  void set_masks(detail::element_masks masks) { masks_ = std::move(masks); }
  term const* begin(index_t i) const { return terms_.data() + row(i).first; }
  term const* end(index_t i) const { return terms_.data() + (i + 1 < size() ? row(i + 1).first : count()); }

private:
  static constexpr char const* here_ = "constraints";

  index_t count() const { return static_cast<index_t>(terms_.size()); }

  static int checked_component(index_t node, int component)
  {
    if (component < 0)
      failf(here_, "the component of the row of node %lld is negative (got %d, at least 0 expected)",
            static_cast<long long>(node), component);
    return component;
  }
  template <class Range>
  void add_row(equation const& made, Range const& terms)
  {
    auto const node = static_cast<long long>(made.node);
    if (made.node < 0) failf(here_, "a row is of a negative node (got %lld, at least 0 expected)", node);
    if (!std::isfinite(made.b))
      failf(here_, "the row of node %lld has a value that is not finite (got %g)", node, made.b);
    for (term const& t : terms) {
      if (t.node < 0 || t.component < -1)
        failf(here_, "the row of node %lld has a term of node %lld, component %d (at least 0 expected)", node,
              static_cast<long long>(t.node), t.component);
      if (!std::isfinite(t.weight))
        failf(here_, "the row of node %lld has a weight that is not finite (got %g for node %lld)", node, t.weight,
              static_cast<long long>(t.node));
    }
    rows_.push_back(made);
    for (term const& t : terms) terms_.push_back(t);
  }

  detail::own_vector<equation> rows_;
  detail::own_vector<term> terms_;
  detail::element_masks masks_;
};

}  // namespace sumfac
