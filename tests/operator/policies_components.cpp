// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Recomputed geometry under forms of several components: BP2, BP4, BP6, and components that a user's form couples.
#include "own_forms.hpp"
#include "policies.hpp"

#include <sumfac/backend/checked.hpp>

namespace {

using sumfac::affine, sumfac::checked, sumfac::host, sumfac::isoparametric, sumfac::trilinear;

template <class Operator, class Policy>
void agrees(reference::space const& space, reference::integrand<> const& form)
{
  auto const where = reference::gauss_lobatto(3);
  auto const mesh = checks::mesh_for(Policy{}, sumfac::native_width<typename Operator::scalar_type> + 1, where);
  checks::agrees_with_oracle<Operator>(mesh, where, space, form);
}

template <class Policy, int N, class Backend = host, class Scalar = double>
void problems()
{
  agrees<sumfac::bp2<N, Backend, Scalar, Policy>, Policy>(reference::on_gauss(N, 3), reference::mass());
  agrees<sumfac::bp4<N, Backend, Scalar, Policy>, Policy>(reference::on_gauss(N, 3), reference::laplace());
  agrees<sumfac::bp6<N, Backend, Scalar, Policy>, Policy>(reference::collocated(N, 3), reference::laplace());
}

}  // namespace

TEMPLATE_TEST_CASE("geometry policies: BP2, BP4 and BP6", "", affine, trilinear, isoparametric<3>)
{
  problems<TestType, 2>();
}

TEMPLATE_TEST_CASE("geometry policies: components that a user's form couples, on checked", "", affine, trilinear)
{
  using elasticity = sumfac::element_operator<checks::elasticity, 2, sumfac::gauss<4>, checked, double, TestType>;
  agrees<elasticity, TestType>(reference::on_gauss(2, 3), checks::elasticity_exact);
  using two_species =
      sumfac::element_operator<checks::two_species, 2, sumfac::gauss_lobatto<3>, checked, float, TestType>;
  agrees<two_species, TestType>(reference::collocated(2, 2), checks::two_species_exact);
}

TEST_CASE("geometry policies: BP6 at degree 7, and on checked")
{
  agrees<sumfac::bp6<7, host, double, trilinear>, trilinear>(reference::collocated(7, 3), reference::laplace());
  agrees<sumfac::bp6<3, checked, double, trilinear>, trilinear>(reference::collocated(3, 3), reference::laplace());
}
