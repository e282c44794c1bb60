// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// BP1.0, BP3.0 and BP3.5 on the host in single, degrees 12 to 15.
#include "properties.hpp"

TEMPLATE_TEST_CASE_SIG("operator: BP1.0 on the host in single, high degrees", "", ((int N), N), 12, 13, 14, 15)
{
  checks::properties<checks::bp1, N, sumfac::host, float>{}.all();
}

TEMPLATE_TEST_CASE_SIG("operator: BP3.0 on the host in single, high degrees", "", ((int N), N), 12, 13, 14, 15)
{
  checks::properties<checks::bp3, N, sumfac::host, float>{}.all();
}

TEMPLATE_TEST_CASE_SIG("operator: BP3.5 on the host in single, high degrees", "", ((int N), N), 12, 13, 14, 15)
{
  checks::properties<checks::bp35, N, sumfac::host, float>{}.all();
}
