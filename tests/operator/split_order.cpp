// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Meshes whose affine, trilinear and general elements come in random order: split beside stored, on the host.
#include "beside_stored.hpp"
#include "mixed_mesh.hpp"
#include "own_forms.hpp"

#include <string>

namespace {

using sumfac::host, sumfac::split;

// In any order, and with so few of one kind that no group is of it alone.
template <class Operator>
void agrees(int count, reference::space const& space, reference::integrand<> const& form,
            typename Operator::form_type const& own_form = {})
{
  auto const where = reference::gauss_lobatto(3);
  for (std::string const& kinds : {mesh::random_kinds(count, 1), mesh::random_kinds(count, 2, "aaaaaaaaat"),
                                   mesh::random_kinds(count, 3, "tttttttttg")}) {
    INFO(kinds);
    checks::agrees_with_stored<Operator>(mesh::mixed(kinds, where), where, space, form, own_form);
  }
}

}  // namespace

TEST_CASE("split in random order: the bake-off on the host")
{
  agrees<sumfac::bp35<2, host, double, split>>(41, reference::collocated(2), reference::stiffness(0.3),
                                               {.lambda = 0.3});
  agrees<sumfac::bp3<5, host, double, split>>(14, reference::on_gauss(5), reference::stiffness(0.3), {.lambda = 0.3});
  agrees<sumfac::bp1<7, host, float, split>>(14, reference::on_gauss(7), reference::mass());
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
  agrees<sumfac::bp6<1, host, double, split>>(17, reference::collocated(1, 3), reference::laplace());
  using reaction = sumfac::element_operator<checks::reaction, 2, sumfac::gauss<4>, host, double, split>;
  agrees<reaction>(17, reference::on_gauss(2), checks::reaction_exact(2.5L), {2.5});
}
