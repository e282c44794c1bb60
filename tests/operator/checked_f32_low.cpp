// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// BP1.0, BP3.0 and BP3.5 on checked in single, degrees 1 to 6.
#include "properties.hpp"

#include <sumfac/backend/checked.hpp>

TEMPLATE_TEST_CASE_SIG("operator: BP1.0 on checked in single, low degrees", "", ((int N), N), 1, 2, 3, 4, 5, 6)
{
  checks::properties<checks::bp1, N, sumfac::checked, float>{}.all();
}

TEMPLATE_TEST_CASE_SIG("operator: BP3.0 on checked in single, low degrees", "", ((int N), N), 1, 2, 3, 4, 5, 6)
{
  checks::properties<checks::bp3, N, sumfac::checked, float>{}.all();
}

TEMPLATE_TEST_CASE_SIG("operator: BP3.5 on checked in single, low degrees", "", ((int N), N), 1, 2, 3, 4, 5, 6)
{
  checks::properties<checks::bp35, N, sumfac::checked, float>{}.all();
}
