// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// An operator on mixed elements in random order, beside stored factors.
#pragma once

#include "beside_stored.hpp"
#include "mixed_mesh.hpp"

#include <string>

namespace checks {

// In any order, and with so few of one kind that no group is of it alone.
template <class Operator>
void agrees_in_any_order(int count, reference::space const& space, reference::integrand<> const& form,
                         typename Operator::form_type const& own_form = {})
{
  auto const where = reference::gauss_lobatto(3);
  for (std::string const& kinds : {mesh::random_kinds(count, 1), mesh::random_kinds(count, 2, "aaaaaaaaat"),
                                   mesh::random_kinds(count, 3, "tttttttttg")}) {
    INFO(kinds);
    agrees_with_stored<Operator>(mesh::mixed(kinds, where), where, space, form, own_form);
  }
}

}  // namespace checks
