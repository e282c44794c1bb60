// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A matrix applied on a device in parts, so that a solver adds its own to the kernel that adds up elements' results.
#pragma once

#include <sumfac/dofs/restriction/storage.hpp>
#include <sumfac/math/precision.hpp>

#include <cstddef>
#include <type_traits>

namespace sumfac::SUMFAC_TARGET::detail {

// Whether it has what a solver that sweeps over elements itself asks for; a tuned_operator has not, and is applied.
template <class Operator>
inline constexpr bool is_element_operator = requires {
  typename Operator::points_type;
  typename Operator::arithmetic_type;
};

// What an operator's results are rounded as: the narrower of what it computes in and what it keeps factors in. Of one
// that says neither, as a tuned_operator, float.
template <class Operator>
using narrower_in = narrowest<typename Operator::arithmetic_type, typename Operator::factor_type>;
template <class Operator>
using operator_arithmetic = member_or<narrower_in, Operator, float>;

// Any matrix: applied as a whole. In parts, on devices and `checked`, is a global operator: see global_team_sweep.
template <class Matrix>
struct team_sweep {
  static constexpr bool is_in_parts = false;
};

// The results of a node's elements added up, and then a body for its entries; see solver/detail/passes.hpp.
template <class Node, class Body>
struct body_of_node {
  using scalar = typename Body::scalar;
  static constexpr int sums = Body::sums;
  static constexpr int resident_teams = 4;
  Node node;
  Body body;
  template <std::size_t Sums>
  SUMFAC_INLINE void operator()(index_t i, scalar (&sum)[Sums]) const
  {
    for (int c = 0; c < node.components; ++c) body(node.set(i, c), sum);
  }
};

// A body without sums, and the entry of y cleared behind it.
template <class Body, class Clear>
struct clearing_body {
  using scalar = typename Body::scalar;
  static constexpr int sums = 0;
  Body body;
  Clear clear;
  template <std::size_t Sums>
  SUMFAC_INLINE void operator()(index_t i, scalar (&sum)[Sums]) const
  {
    body(i, sum);
    clear(i);
  }
};
template <class Body, class Clear>
clearing_body(Body, Clear) -> clearing_body<Body, Clear>;

// Elements whose results are added at once add to a y that `clearing` has cleared; those of others are added up behind
// them, in the kernel of the pass.
template <class Matrix, class Application>
class global_team_sweep {
public:
  static constexpr bool is_in_parts = true;

  explicit global_team_sweep(Matrix const& a) : a_(a), application_(a.element_operator(), "global_operator::apply") {}

  bool clears() const { return storage().adds_at_once(); }
  template <class T>
  auto clearing(T const* x, T* y) const
  {
    return storage().clearing(x, y, Application::rows(a_.restriction()));
  }

  // y = A x, where y was cleared if it has to be, and then a pass: the body for each entry, and what follows it.
  template <class T, class Passes, class Body, class... Results>
  void run(T const* x, T* y, Passes const& passes, Body const& body, Results const&... results_and_step) const
  {
    auto const rows = Application::rows(a_.restriction());
    if (application_.by_patches(a_.restriction(), x, y, sweep_mode::write, rows))
      return passes.run(a_.size(), body, results_and_step...);
    application_.launch_elements(a_.restriction(), x, y);
    if (clears() || storage().has_rows()) {
      storage().finish(x, y, rows);
      passes.run(a_.size(), body, results_and_step...);
    } else {
      auto const node = storage().adding_up(x, y, rows);
      passes.run(a_.restriction().nodes(), body_of_node<std::remove_const_t<decltype(node)>, Body>{node, body},
                 results_and_step...);
    }
  }

private:
  auto const& storage() const { return Application::storage(a_.restriction()); }

  Matrix const& a_;
  Application application_;
};

}  // namespace sumfac::detail
