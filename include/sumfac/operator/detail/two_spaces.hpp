// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// An operator between two spaces, and the transpose of any, on global vectors with a restriction for each side.
#pragma once

#include <sumfac/backend/detail/memory.hpp>
#include <sumfac/dofs/restriction.hpp>
#include <sumfac/element/kernel/launch_groups.hpp>
#include <sumfac/element/kernel/problem.hpp>
#include <sumfac/element/vectors/host_global.hpp>
#include <sumfac/element/vectors/team_global.hpp>
#include <sumfac/error.hpp>
#include <sumfac/form/detail/transposed_form.hpp>
#include <sumfac/view/view.hpp>

namespace sumfac::SUMFAC_TARGET::detail {

// Throws unless a restriction is of the elements and functions of a side of the operator.
template <class Side, int Directions, class Restriction>
void check_side(char const* where, char const* whose, Restriction const& r, index_t elements)
{
  auto const demand = [&](char const* what, index_t expected, index_t got) {
    if (expected != got)
      failf(where, "%s of the restriction of %s does not match (expected %lld, got %lld)", what, whose,
            static_cast<long long>(expected), static_cast<long long>(got));
  };
  demand("number of elements", elements, r.elements());
  demand("number of directions", Directions, r.directions());
  demand("number of nodes per direction", Side::nodes_1d, r.nodes_1d());
  demand("number of components", Side::components, r.components());
}

// Throws unless x is read on all elements that the result is summed over; in a subset x is known on its elements alone.
template <class Restriction>
void check_subsets(char const* where, Restriction const& r_test, Restriction const& r_trial)
{
  auto const& read = r_trial.active();
  if (static_cast<index_t>(read.size()) == r_trial.elements()) return;
  auto at = read.begin();
  for (index_t const e : r_test.active()) {
    while (at != read.end() && *at < e) ++at;
    if (at == read.end() || *at != e)
      failf(where,
            "the restriction of x is a subset without element %lld, over which the result is summed (%lld elements of "
            "x, %lld of the result): take the subset of the result's restriction, too",
            static_cast<long long>(e), static_cast<long long>(read.size()),
            static_cast<long long>(r_test.active().size()));
  }
}

template <class Scalar, class Vector, class Restriction>
void check_global(char const* where, char const* what, Vector const& x, Restriction const& r)
{
  check_extent(where, what, 0, "entries", r.size(), x.extent(0));
  check_data(where, what, x.data(), r.size());
}

// y = R_test^T A R_trial x, or added to y, where `make` builds the kernel of the problem upon its vectors.
template <class Problem, class Vectors, class Scalar, class Backend, class From, class To, class Make>
void sweep_two(char const* where, Backend const& backend, restriction<Scalar, Backend> const& r_test,
               restriction<Scalar, Backend> const& r_trial, From const& x, To const& y, index_t elements,
               sweep_mode mode, Make const& make)
{
  constexpr bool entries = is_view_of<From, Scalar> && is_writable_view_of<To, Scalar>;
  constexpr bool contiguous = is_vector_view<From> && is_vector_view<To>;
  static_assert(entries,
                "sumfac::element_operator: x and y must be sumfac::view of the operator's scalar type, and y must "
                "not be const");
  static_assert(contiguous || !entries,
                "sumfac::element_operator: global vectors must be contiguous: views of rank 1 and layout_right");
  if constexpr (entries && contiguous) {
    check_side<typename Problem::test_side, Problem::directions>(where, "the result", r_test, elements);
    check_side<typename Problem::trial_side, Problem::directions>(where, "x", r_trial, elements);
    check_subsets(where, r_test, r_trial);
    check_global<Scalar>(where, "x", x, r_trial);
    check_global<Scalar>(where, "y", y, r_test);
    check_distinct(where, x, y, "x", "y");
    if constexpr (is_device<Backend>) {
      check_equal(where, "device of the restriction of the result", backend.device(), r_test.backend().device());
      check_equal(where, "device of the restriction of x", backend.device(), r_trial.backend().device());
    }
    Scalar const* const from = x.data();
    sweep_pair<Vectors>(r_test.backend(), r_test.storage(), r_trial.storage(), from, y.data(), mode,
                        mode == sweep_mode::write ? row_action::zero : row_action::none, make);
  }
}

// The problem of a transpose: trial and test functions change places.
template <class Form, auto Space, class Points, class Scalar>
using transposed_problem = problem<transposed_form<Form>, test_space_of<Space>, Points, Scalar, space_of<Space>>;

}  // namespace sumfac::detail
