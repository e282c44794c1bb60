// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// BP1.0, BP3.0 and BP3.5 on checked as devices would run them: a choice of degrees.
// part f64_low: SCALAR=double DEGREES=1,2,3
// part f64_mid: SCALAR=double DEGREES=4,7
// part f64_high: SCALAR=double DEGREES=11,15
// part f32: SCALAR=float DEGREES=1,8
#include "properties.hpp"

#include <sumfac/backend/checked.hpp>

using sumfac::checked;

TEMPLATE_TEST_CASE_SIG("operator: BP1.0 on checked", "", ((int N), N), DEGREES)
{
  checks::properties<checks::bp1, N, checked, SCALAR>{}.all();
}

TEMPLATE_TEST_CASE_SIG("operator: BP3.0 on checked", "", ((int N), N), DEGREES)
{
  checks::properties<checks::bp3, N, checked, SCALAR>{}.all();
}

TEMPLATE_TEST_CASE_SIG("operator: BP3.5 on checked", "", ((int N), N), DEGREES)
{
  checks::properties<checks::bp35, N, checked, SCALAR>{}.all();
}
