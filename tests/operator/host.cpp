// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// BP1.0, BP3.0 and BP3.5 on the host: all degrees in double; in single, the same kernel in wider packs, a choice.
// part f64_low: SCALAR=double DEGREES=1,2,3
// part f64_mid: SCALAR=double DEGREES=4,5,6,7,8,9
// part f64_high: SCALAR=double DEGREES=10,11,12,13,14,15
// part f32: SCALAR=float DEGREES=2,7,15
#include "properties.hpp"

#if defined(SUMFAC_TESTS_FEW)
#undef DEGREES
#define DEGREES 2
#endif

using sumfac::host;

TEMPLATE_TEST_CASE_SIG("operator: BP1.0 on the host", "", ((int N), N), DEGREES)
{
  checks::properties<checks::bp1, N, host, SCALAR>{}.all();
}

TEMPLATE_TEST_CASE_SIG("operator: BP3.0 on the host", "", ((int N), N), DEGREES)
{
  checks::properties<checks::bp3, N, host, SCALAR>{}.all();
}

TEMPLATE_TEST_CASE_SIG("operator: BP3.5 on the host", "", ((int N), N), DEGREES)
{
  checks::properties<checks::bp35, N, host, SCALAR>{}.all();
}
