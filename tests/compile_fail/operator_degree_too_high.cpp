// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// An operator of a degree above the largest rule.
// expect: sumfac::element_operator: the degree is greater than 31
#include <sumfac/operator/bake_off.hpp>

#if defined(SUMFAC_FITS)
using bad = sumfac::bp35<31>;
#else
using bad = sumfac::bp35<32>;
#endif

int nodes()
{
  return bad::nodes_1d;
}
