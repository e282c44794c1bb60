// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// An operator on integers.
// expect: sumfac::element_operator: Scalar must be double or float
#include <sumfac/operator/bake_off.hpp>

#if defined(SUMFAC_FITS)
using bad = sumfac::bp1<2, sumfac::host, float>;
#else
using bad = sumfac::bp1<2, sumfac::host, int>;
#endif

int nodes()
{
  return bad::nodes_1d;
}
