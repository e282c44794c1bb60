// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Recomputed geometry under forms of a user's own without apply_at, which are given the mapping of each point.
#include "own_forms_agree.hpp"

using checks::own_form_agrees_at_nodes, checks::own_form_agrees_on_gauss;
using sumfac::affine, sumfac::isoparametric, sumfac::trilinear;

TEMPLATE_TEST_CASE("geometry policies: forms without apply_at", "", affine, trilinear, isoparametric<3>)
{
  own_form_agrees_at_nodes<TestType, 2>(checks::reaction_exact(2.5L), checks::reaction{2.5});
  own_form_agrees_on_gauss<TestType, 2, checks::everything>(checks::everything_exact);
}

TEMPLATE_TEST_CASE("geometry policies: what is evaluated is not what is tested", "", affine, trilinear)
{
  own_form_agrees_on_gauss<TestType, 2, checks::advection>(checks::advected);
}
