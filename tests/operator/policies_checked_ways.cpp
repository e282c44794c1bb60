// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Recomputed geometry on checked: plane by plane, and as the tuning recommends.
#include "own_forms.hpp"
#include "policies_checked.hpp"

using sumfac::affine, sumfac::isoparametric, sumfac::trilinear;

TEMPLATE_TEST_CASE("geometry policies on checked: planes", "", affine, trilinear, isoparametric<3>)
{
  checks::collocated_by_way<3, TestType, checks::planes>();
  checks::mass_by_way<3, TestType, checks::planes, float>();
}

TEMPLATE_TEST_CASE("geometry policies on checked: as recommended", "", affine, trilinear, isoparametric<3>)
{
  checks::agrees_on_checked<sumfac::stiffness, 7, sumfac::gauss_lobatto<8>, TestType>(
      reference::collocated(7), reference::stiffness(0.3), {.lambda = 0.3});
  checks::agrees_on_checked<sumfac::laplace, 3, sumfac::gauss<5>, TestType>(reference::on_gauss(3),
                                                                            reference::laplace());
}

TEST_CASE("geometry policies on checked: no way looks at what a form does not test")
{
  auto const forms_by_way = []<sumfac::tuning Tuning>() {
    auto const agrees = []<class Form, class Points>(Form, Points, reference::space const& space,
                                                     reference::integrand<> const& exact) {
      checks::agrees_on_checked<Form, 2, Points, trilinear, double, Tuning>(space, exact);
    };
    auto const at_points = [&]<class Form>(Form form, reference::integrand<> const& exact) {
      constexpr int components = sumfac::components_of<Form>;
      agrees(form, sumfac::gauss<4>{}, reference::on_gauss(2, components), exact);
      agrees(form, sumfac::gauss_lobatto<3>{}, reference::collocated(2, components), exact);
    };
    at_points(checks::advection{}, checks::advected);
    at_points(checks::conservative_advection{}, checks::conserved);
    at_points(checks::crossed_advection{}, checks::crossed_advected);
    at_points(checks::crossed_conservative_advection{}, checks::crossed_conserved);
  };
  forms_by_way.operator()<checks::slices>();
  forms_by_way.operator()<checks::cubes>();
  forms_by_way.operator()<checks::planes>();
}
