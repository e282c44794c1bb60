// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Meshes whose affine, trilinear and general elements come in random order: split beside stored, on the host.
#include "mixed_beside_stored.hpp"
#include "own_forms.hpp"

namespace {

using checks::agrees_in_any_order, sumfac::host, sumfac::split;

}  // namespace

TEST_CASE("split in random order: the bake-off on the host")
{
  agrees_in_any_order<sumfac::bp35<2, host, double, split>>(41, reference::collocated(2), reference::stiffness(0.3),
                                                            {.lambda = 0.3});
  agrees_in_any_order<sumfac::bp3<5, host, double, split>>(14, reference::on_gauss(5), reference::stiffness(0.3),
                                                           {.lambda = 0.3});
  agrees_in_any_order<sumfac::bp1<7, host, float, split>>(14, reference::on_gauss(7), reference::mass());
}

TEST_CASE("split in random order: degree 15")
{
  // A group of each kind where a register holds four.
  auto const where = reference::gauss_lobatto(3);
  checks::agrees_with_oracle<sumfac::bp35<15, host, double, split>>(
      mesh::mixed("aaaagtatt", where), where, reference::collocated(15), reference::stiffness(0.3), {.lambda = 0.3});
}

TEST_CASE("split in random order: components, and forms of a user's own")
{
  agrees_in_any_order<sumfac::bp6<1, host, double, split>>(17, reference::collocated(1, 3), reference::laplace());
  using reaction = sumfac::element_operator<checks::reaction, 2, sumfac::gauss<4>, host, double, split>;
  agrees_in_any_order<reaction>(17, reference::on_gauss(2), checks::reaction_exact(2.5L), {2.5});
}
