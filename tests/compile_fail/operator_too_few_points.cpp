// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Fewer points than nodes per direction; the compiler prints both numbers.
// expect: sumfac::element_operator: too few points per direction for this degree
// expect: take sumfac::gauss<degree + 2>
#include <sumfac/operator/bake_off.hpp>

#if defined(SUMFAC_FITS)
using bad = sumfac::element_operator<sumfac::mass, 3, sumfac::gauss<4>>;
#else
using bad = sumfac::element_operator<sumfac::mass, 3, sumfac::gauss<3>>;
#endif

int nodes()
{
  return bad::nodes_1d;
}
