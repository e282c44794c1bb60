// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// An operator of any geometry policy beside the one with stored factors: A u, diagonals and matrices of elements.
#pragma once

#include "policies.hpp"

namespace checks {

// Two that are each as near to the oracle as rounding allows are within twice that of each other.
template <class Unit>
void compare_observed(observed const& a, observed const& b, mesh::nodes const& mesh, reference::rule const& where,
                      reference::space const& space, reference::integrand<> const& form)
{
  for (int e = 0; e < mesh.elements; ++e) {
    reference::element<> const oracle(space, where, mesh.element(e), form);
    INFO("beside stored factors, degree " << a.order << ", element " << e << " of " << mesh.elements);
    check_near("A u", distance(a.part(a.v, e), b.part(b.v, e)),
               2 * reference::allowed<Unit>(oracle, a.part(a.u, e), a.order));
    check_near("the diagonal", distance(a.part(a.d, e), b.part(b.d, e)),
               2 * reference::allowed_diagonal<Unit>(oracle, a.order));
    if (a.matrices.count(e) == 0) continue;
    auto const &of_a = a.matrices.at(e), &of_b = b.matrices.at(e);
    REQUIRE(of_a.size() == a.size() * a.size());
    REQUIRE(of_b.size() == a.size() * a.size());
    for (std::size_t j = 0; j < a.size(); ++j) {
      std::vector<real> unit(a.size());
      unit[j] = 1;
      INFO("column " << j);
      check_near("the element's matrix", distance(column(of_a, a.size(), j), column(of_b, a.size(), j)),
                 2 * reference::allowed<Unit>(oracle, unit, a.order));
    }
  }
}

// A u, the diagonal and, at low degrees, the matrices of the first, the middle and the last element.
template <class Operator, class Set = sumfac::gauss_lobatto_nodes>
void agrees_with_stored(mesh::nodes const& mesh, reference::rule const& where, reference::space const& space,
                        reference::integrand<> const& form, typename Operator::form_type const& own_form = {},
                        Set const& set = {})
{
  using scalar = typename Operator::scalar_type;
  using stored_operator = sumfac::element_operator<typename Operator::form_type, Operator::order,
                                                   typename Operator::points_type, sumfac::host, scalar>;
  std::set<int> const with_matrix{0, mesh.elements / 2, mesh.elements - 1};
  Operator const a(typename Operator::backend_type{}, nodes_view(mesh, set), own_form, set);
  auto const of_a = observe(a, with_matrix);
  stored_operator const stored(sumfac::host{}, nodes_view(mesh, set), own_form, set);
  compare_observed<scalar>(of_a, observe(stored, with_matrix), mesh, where, space, form);
  if constexpr (requires { a.backend().finding_count(); }) CHECK(a.backend().finding_count() == 0);
}

}  // namespace checks
