// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Global vectors of another type than the kernel computes in, on the host: several components.
#include "global_precisions.hpp"

using checks::mixes_globally;
using sumfac::high_low, sumfac::host, sumfac::low_high;

TEMPLATE_TEST_CASE("mixed global vectors: three components", "", low_high, high_low)
{
  mixes_globally<sumfac::bp4<1, host, TestType>>({{2, 1, 1}, {3, 3, 1}, {5, 1, 1}}, reference::on_gauss(1, 3),
                                                 reference::laplace());
}

TEST_CASE("mixed global vectors: three components, degree 2")
{
  mixes_globally<sumfac::bp2<2, host, high_low>>({{5, 1, 1}, {3, 2, 1}}, reference::on_gauss(2, 3), reference::mass());
}

TEMPLATE_TEST_CASE("mixed global vectors: three components, by any number of threads", "", low_high, high_low)
{
  checks::same_for_any_number_of_threads<sumfac::bp4<1, host, TestType>>({12, 11, 5});
}
