// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// One component on global vectors, gather and scatter fused, against the assembled oracle, on the host.
#include "global_case.hpp"

using checks::agrees_globally;

namespace {

// Nothing about the number of elements fits a register.
template <int N>
std::vector<mesh::counts> boxes()
{
  if constexpr (N <= 3)
    return {{3, 3, 1}, {3, 2, 2}, {3, 3, 3}, {1, 1, 1}, {2, 1, 1}};
  else
    return {{5, 1, 1}, {3, 1, 1}, {3, 2, 1}};
}

}  // namespace

TEMPLATE_TEST_CASE_SIG("global vectors: BP1", "", ((int N), N), 5)
{
  agrees_globally<sumfac::bp1<N>>(boxes<N>(), reference::on_gauss(N), reference::mass());
}

TEMPLATE_TEST_CASE_SIG("global vectors: BP3 with a mass term", "", ((int N), N), 2)
{
  agrees_globally<sumfac::bp3<N>>(boxes<N>(), reference::on_gauss(N), reference::stiffness(0.3), {.lambda = 0.3});
}

TEMPLATE_TEST_CASE_SIG("global vectors: BP5", "", ((int N), N), 8)
{
  agrees_globally<sumfac::bp5<N>>(boxes<N>(), reference::collocated(N), reference::laplace());
}
