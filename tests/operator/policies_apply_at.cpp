// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Recomputed geometry under forms of a user's own with apply_at, which ask for measure and metric alone.
#include "own_forms_agree.hpp"

using checks::own_form_agrees_at_nodes, checks::own_form_agrees_on_gauss;
using sumfac::affine, sumfac::isoparametric, sumfac::trilinear;

TEMPLATE_TEST_CASE("geometry policies: forms with apply_at", "", affine, trilinear, isoparametric<3>)
{
  own_form_agrees_on_gauss<TestType, 2>(checks::reaction_diffusion_exact(0.7L, 1.9L),
                                        checks::reaction_diffusion{0.7, 1.9});
  own_form_agrees_at_nodes<TestType, 1, checks::two_species>(checks::two_species_exact);
}
