// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// An operator of degree 0.
// expect: sumfac::element_operator: the degree is less than 1
#include <sumfac/operator/bake_off.hpp>

#if defined(SUMFAC_FITS)
using bad = sumfac::bp1<1>;
#else
using bad = sumfac::bp1<0>;
#endif

int nodes()
{
  return bad::nodes_1d;
}
