// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Global vectors by device kernels, watched by `checked`, against the assembled oracle.
#include "global_case.hpp"

#include <sumfac/backend/checked.hpp>

using checks::agrees_globally;
using sumfac::checked;

TEMPLATE_TEST_CASE_SIG("global vectors: one component on checked", "", ((int N), N), 1, 2, 3, 5, 8)
{
  std::vector<mesh::counts> boxes{{3, 1, 1}, {2, 2, 1}, {2, 2, 2}};
  boxes.resize(N > 3 ? 2 : 3);
  agrees_globally<sumfac::bp1<N, checked>>(boxes, reference::on_gauss(N), reference::mass());
}

TEST_CASE("global vectors: stiffness on checked")
{
  agrees_globally<sumfac::bp35<2, checked>>({{3, 1, 1}, {2, 2, 1}, {3, 1, 1}}, reference::collocated(2),
                                            reference::stiffness(0.3), {.lambda = 0.3});
  agrees_globally<sumfac::bp3<3, checked>>({{3, 1, 1}, {2, 2, 1}}, reference::on_gauss(3), reference::stiffness(0.1));
}

TEST_CASE("global vectors: three components on checked, and single precision")
{
  agrees_globally<sumfac::bp4<2, checked>>({{3, 1, 1}, {2, 2, 1}, {3, 1, 1}}, reference::on_gauss(2, 3),
                                           reference::laplace());
  agrees_globally<sumfac::bp2<3, checked, float>>({{3, 1, 1}, {2, 2, 1}}, reference::on_gauss(3, 3), reference::mass());
}

TEST_CASE("global vectors: what stands at constrained entries of x reaches no other entry, not even if it is no number")
{
  mesh::counts const counts{3, 2, 1};
  auto const numbers = mesh::by_entities(counts, 2);
  checks::global_case<sumfac::bp3<2, checked>> c(counts, numbers, reference::on_gauss(2), reference::stiffness(0.1));
  c.constrain(checks::random_marks(numbers.nodes, 1, 4, 3));
  auto const a = c.make();
  for (auto const policy : {sumfac::scatter::deterministic, sumfac::scatter::atomic}) {
    auto const r = c.restriction({.policy = policy, .rows = sumfac::constrained_rows::zero});
    auto const y = c.apply(a, r, c.x);
    auto with_nan = c.x;
    for (std::size_t i = 0; i < with_nan.size(); ++i)
      if (c.exact.constrained()[i]) with_nan[i] = std::numeric_limits<double>::quiet_NaN();
    auto const again = c.apply(a, r, with_nan);
    for (std::size_t i = 0; i < y.size(); ++i) {
      INFO("entry " << i);
      CHECK(std::abs(again[i] - y[i]) <= 2 * c.allowed[i]);
    }
  }
}
