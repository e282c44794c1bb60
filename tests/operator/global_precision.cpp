// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Global vectors of another type than the kernel computes in, on the host: against the assembled oracle, in parts, and
// by any number of threads.
#include "global_precisions.hpp"

namespace {

using checks::mixes_globally;
using sumfac::high_low, sumfac::host, sumfac::low_high;

// Nothing about the number of elements fits a register of either type; some are less than half of one.
std::vector<mesh::counts> const boxes{{3, 3, 2}, {5, 1, 1}, {3, 3, 1}, {2, 1, 1}, {1, 1, 1}, {13, 1, 1}};

}  // namespace

TEMPLATE_TEST_CASE("mixed global vectors: one component", "", low_high, high_low)
{
  mixes_globally<sumfac::bp1<1, host, TestType>>(boxes, reference::on_gauss(1), reference::mass());
  mixes_globally<sumfac::bp35<2, host, TestType>>(boxes, reference::collocated(2), reference::stiffness(0.3),
                                                  {.lambda = 0.3});
}

TEMPLATE_TEST_CASE("mixed global vectors: bit for bit the same for any number of threads", "", low_high, high_low)
{
  checks::same_for_any_number_of_threads<sumfac::bp35<2, host, TestType>>({9, 8, 7});
}

TEMPLATE_TEST_CASE("mixed global vectors: what stands at constrained entries of x reaches no other entry", "", low_high,
                   high_low)
{
  using operator_type = sumfac::bp35<2, host, TestType>;
  mesh::counts const counts{3, 3, 1};
  auto const numbers = mesh::by_entities(counts, 2);
  checks::mixed_case<operator_type> m({counts, numbers, reference::collocated(2), reference::stiffness(0.1)},
                                      checks::random_marks(numbers.nodes, 1, 4, 3));
  auto const a = m.c.make();
  for (auto const policy : {sumfac::scatter::deterministic, sumfac::scatter::atomic}) {
    auto const r = m.c.restriction({.policy = policy, .rows = sumfac::constrained_rows::zero});
    for (std::size_t i = 0; i < m.c.x.size(); ++i)
      if (m.c.exact.constrained()[i]) m.c.x[i] = std::numeric_limits<typename operator_type::scalar_type>::quiet_NaN();
    m.compare(a, r, m.all());
  }
}
