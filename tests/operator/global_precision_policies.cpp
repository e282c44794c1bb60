// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Global vectors of another type than the kernel computes in, under geometry that is recomputed, on the host.
#include "global_precisions.hpp"
#include "mixed_mesh.hpp"
#include "policies.hpp"

namespace {

using sumfac::affine, sumfac::high_low, sumfac::host, sumfac::low_high, sumfac::split, sumfac::trilinear;

template <class Policy>
mesh::nodes elements_for(Policy policy, int count, reference::rule const& where)
{
  return checks::mesh_for(policy, count, where);
}
// Runs of a class end in the middle of what one of the types works at once.
mesh::nodes elements_for(split, int count, reference::rule const& where)
{
  std::string const runs = "aaaattttggggggggaaaattttttttagtaaaaaaaattttg";
  return mesh::mixed(runs.substr(0, static_cast<std::size_t>(count)), where);
}

template <class Scalar, class Policy>
void agrees(mesh::counts box)
{
  using operator_type = sumfac::bp35<2, host, Scalar, Policy>;
  auto const where = reference::gauss_lobatto(3);
  auto const numbers = mesh::by_entities(box, 2);
  checks::mixed_case<operator_type> const m({elements_for(Policy{}, box.elements(), where),
                                             where,
                                             numbers,
                                             reference::collocated(2),
                                             reference::stiffness(0.3),
                                             {.lambda = 0.3}},
                                            checks::random_marks(numbers.nodes, 1, 5, 3));
  checks::every_mixed_restriction(m);
}

}  // namespace

TEMPLATE_TEST_CASE("mixed global vectors: geometry policies", "", affine, trilinear, split)
{
  for (auto const box : {mesh::counts{3, 3, 3}, mesh::counts{5, 1, 1}}) {
    agrees<low_high, TestType>(box);
    agrees<high_low, TestType>(box);
  }
}

TEMPLATE_TEST_CASE("mixed global vectors: a split mesh with a longer run of each class", "", low_high, high_low)
{
  agrees<TestType, split>({11, 2, 2});
}
