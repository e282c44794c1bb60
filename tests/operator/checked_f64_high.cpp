// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// BP1.0, BP3.0 and BP3.5 on checked in double, degrees 12 to 15.
#include "properties.hpp"

#include <sumfac/backend/checked.hpp>

TEMPLATE_TEST_CASE_SIG("operator: BP1.0 on checked in double, high degrees", "", ((int N), N), 12, 13, 14, 15)
{
  checks::properties<checks::bp1, N, sumfac::checked, double>{}.all();
}

TEMPLATE_TEST_CASE_SIG("operator: BP3.0 on checked in double, high degrees", "", ((int N), N), 12, 13, 14, 15)
{
  checks::properties<checks::bp3, N, sumfac::checked, double>{}.all();
}

TEMPLATE_TEST_CASE_SIG("operator: BP3.5 on checked in double, high degrees", "", ((int N), N), 12, 13, 14, 15)
{
  checks::properties<checks::bp35, N, sumfac::checked, double>{}.all();
}
