// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// BP1, BP3, BP3.5 and BP5 on affine elements, geometry recomputed, on the host: low degrees, against the oracle.
#include "policies.hpp"

TEMPLATE_TEST_CASE_SIG("affine: the bake-off on the host, low degrees", "", ((int N), N), 1, 2, 3)
{
  checks::problems_agree<sumfac::affine, N>();
}
