// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Global vectors of another type than the kernel computes in, by device kernels, watched by `checked`.
#include "global_precisions.hpp"

#include <sumfac/backend/checked.hpp>

using sumfac::checked, sumfac::high_low, sumfac::low_high;

static std::vector<mesh::counts> const boxes{{3, 1, 1}, {2, 2, 1}};

TEMPLATE_TEST_CASE("mixed global vectors: recommended ways on checked", "", low_high, high_low)
{
  checks::mixes_globally<sumfac::bp35<2, checked, TestType>>(boxes, reference::collocated(2), reference::stiffness(0.3),
                                                             {.lambda = 0.3});
  checks::mixes_globally<sumfac::bp2<1, checked, TestType>>(boxes, reference::on_gauss(1, 3), reference::mass());
}

TEMPLATE_TEST_CASE("mixed global vectors: recomputed geometry on checked", "", low_high, high_low)
{
  using operator_type = sumfac::bp35<1, checked, TestType, sumfac::trilinear>;
  auto const where = reference::gauss_lobatto(3);
  auto const mesh = mesh::sampled(mesh::jittered({3, 3, 3}, 0.2, where), 4);
  auto const numbers = mesh::by_entities({2, 2, 1}, 1);
  checks::mixed_case<operator_type> const m(
      {mesh, where, numbers, reference::collocated(1), reference::stiffness(0.3), {.lambda = 0.3}},
      checks::random_marks(numbers.nodes, 1, 5, 3));
  checks::every_mixed_restriction(m);
}
