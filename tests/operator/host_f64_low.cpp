// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// BP1.0, BP3.0 and BP3.5 on the host in double, degrees 1 to 6.
#include "properties.hpp"

TEMPLATE_TEST_CASE_SIG("operator: BP1.0 on the host in double, low degrees", "", ((int N), N), 1, 2, 3, 4, 5, 6)
{
  checks::properties<checks::bp1, N, sumfac::host, double>{}.all();
}

TEMPLATE_TEST_CASE_SIG("operator: BP3.0 on the host in double, low degrees", "", ((int N), N), 1, 2, 3, 4, 5, 6)
{
  checks::properties<checks::bp3, N, sumfac::host, double>{}.all();
}

TEMPLATE_TEST_CASE_SIG("operator: BP3.5 on the host in double, low degrees", "", ((int N), N), 1, 2, 3, 4, 5, 6)
{
  checks::properties<checks::bp35, N, sumfac::host, double>{}.all();
}
