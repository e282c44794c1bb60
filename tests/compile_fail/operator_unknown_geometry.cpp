// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A geometry policy that does not exist.
// expect: sumfac::element_operator: the geometry policy must be sumfac::stored, affine, trilinear,
#include <sumfac/operator/bake_off.hpp>

struct imagined {};

#if defined(SUMFAC_FITS)
using bad = sumfac::bp1<2, sumfac::host, double, sumfac::stored>;
#else
using bad = sumfac::bp1<2, sumfac::host, double, imagined>;
#endif

int nodes()
{
  return bad::nodes_1d;
}
