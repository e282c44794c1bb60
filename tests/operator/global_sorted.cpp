// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Mixed elements sorted like by like, on global vectors, which stay as they are.
#include "global_case.hpp"
#include "mixed_mesh.hpp"
#include "sorted_mesh.hpp"

using namespace checks;

TEST_CASE("split, sorted: the same A x on the same global vectors")
{
  using bake_off_35 = sumfac::bp35<2, sumfac::host, double, sumfac::split>;
  auto const where = reference::gauss_lobatto(3);
  auto const mesh = mesh::mixed(mesh::random_kinds(5 * 5 * 6, 6), where);
  auto const numbers = mesh::by_entities({5, 5, 6}, 2);
  global_case<bake_off_35> as_it_was(mesh, where, numbers, reference::collocated(2), reference::stiffness(0.3),
                                     {.lambda = 0.3});
  as_it_was.constrain(random_marks(numbers.nodes, 1, 5, 3));

  auto const order = sumfac::element_order::like_by_like(nodes_view(mesh));
  auto const there = sorted(mesh, order);
  restricted_mesh const renumbered{sorted(numbers, order), 1, as_it_was.numbered.marks};
  as_it_was.compare(bake_off_35(sumfac::host{}, nodes_view(there), {.lambda = 0.3}),
                    renumbered.restriction<double, sumfac::host>(sumfac::host{}, {}));
}
