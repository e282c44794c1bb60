// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A form of a user's own under a geometry policy, against the oracle and beside stored factors.
#pragma once

#include "beside_stored.hpp"
#include "own_forms.hpp"

namespace checks {

// Elements that the policy allows, where x, y, z > 0: the coefficients of our forms are then sums of positive terms, of
// which rounding loses no digits. (At a point where 1 + x^2 + y z all but vanishes, stored factors are off as far.)
template <class Policy>
mesh::nodes away_from_zero(int count, reference::rule const& where)
{
  return mesh::mapped(mesh_for(Policy{}, count, where), mesh::affine{{1, 1, 1}, 0, 0, 0, {2.5, 3, 2.75}});
}

template <class Policy, int N, class Points, class Form>
void own_form_agrees(reference::space const& space, reference::integrand<> const& exact, Form const& form)
{
  using operator_type = sumfac::element_operator<Form, N, Points, sumfac::host, double, Policy>;
  auto const where = reference::gauss_lobatto(3);
  auto const mesh = away_from_zero<Policy>(sumfac::native_width<double> + 3, where);
  agrees_with_oracle<operator_type>(mesh, where, space, exact, form);
  agrees_with_stored<operator_type>(mesh, where, space, exact, form);
}

template <class Policy, int N, class Form>
void own_form_agrees_on_gauss(reference::integrand<> const& exact, Form const& form = {})
{
  own_form_agrees<Policy, N, sumfac::gauss<N + 2>>(reference::on_gauss(N, sumfac::components_of<Form>), exact, form);
}
template <class Policy, int N, class Form>
void own_form_agrees_at_nodes(reference::integrand<> const& exact, Form const& form = {})
{
  own_form_agrees<Policy, N, sumfac::gauss_lobatto<N + 1>>(reference::collocated(N, sumfac::components_of<Form>), exact,
                                                           form);
}

}  // namespace checks
