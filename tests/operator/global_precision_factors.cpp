// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Global vectors of another type than the kernel computes in, on the host: factors of either type, and a higher degree.
#include "global_precisions.hpp"

using checks::mixes_globally;
using sumfac::high_low, sumfac::host, sumfac::low_high, sumfac::precision;

TEMPLATE_TEST_CASE("mixed global vectors: factors of either type", "", (precision<float, float, double>),
                   (precision<double, double, float>))
{
  mixes_globally<sumfac::bp1<2, host, TestType>>({{3, 3, 1}, {5, 1, 1}}, reference::on_gauss(2), reference::mass());
}

TEMPLATE_TEST_CASE("mixed global vectors: degree 4", "", low_high, high_low)
{
  mixes_globally<sumfac::bp3<4, host, TestType>>({{3, 1, 1}, {3, 2, 2}}, reference::on_gauss(4),
                                                 reference::stiffness(0.3), {.lambda = 0.3});
}
