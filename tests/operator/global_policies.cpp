// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Recomputed geometry on global vectors: gather and scatter fused with every geometry policy, against the assembled
// oracle.
#include "global_case.hpp"
#include "mixed_mesh.hpp"
#include "policies.hpp"

#include <sumfac/backend/checked.hpp>

namespace {

using sumfac::affine, sumfac::checked, sumfac::host, sumfac::isoparametric, sumfac::split, sumfac::trilinear;

// Elements that the policy allows, numbered as those of a box.
mesh::nodes elements_for(split, int count, reference::rule const& where)
{
  return mesh::mixed(mesh::random_kinds(count, 2), where);
}
template <class Policy>
mesh::nodes elements_for(Policy policy, int count, reference::rule const& where)
{
  return checks::mesh_for(policy, count, where);
}

template <class Operator, class Policy>
void agrees(mesh::counts box, reference::space const& space, reference::integrand<> const& form,
            typename Operator::form_type const& own_form = {})
{
  auto const where = reference::gauss_lobatto(3);
  auto const numbers = mesh::by_entities(box, Operator::order);
  checks::global_case<Operator> c(elements_for(Policy{}, box.elements(), where), where, numbers, space, form, own_form);
  c.constrain(checks::random_marks(numbers.nodes, Operator::components, 5, 3));
  checks::every_restriction(c);
}

}  // namespace

TEMPLATE_TEST_CASE("geometry policies on global vectors: the host", "", affine, trilinear, isoparametric<3>, split)
{
  agrees<sumfac::bp35<2, host, double, TestType>, TestType>({3, 3, 3}, reference::collocated(2),
                                                            reference::stiffness(0.3), {.lambda = 0.3});
}

TEMPLATE_TEST_CASE("geometry policies on global vectors: checked", "", trilinear, split)
{
  agrees<sumfac::bp3<2, checked, double, TestType>, TestType>({3, 3, 1}, reference::on_gauss(2),
                                                              reference::stiffness(0.3), {.lambda = 0.3});
}
