// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A transfer from quadrilaterals to lines.
// expect: sumfac::transfer: the spaces are not of the same elements
// errors: 1
#include <sumfac/solver/transfer.hpp>

#if defined(SUMFAC_FITS)
using made = sumfac::transfer<sumfac::quadrilateral(4), sumfac::quadrilateral(2)>;
#else
using made = sumfac::transfer<sumfac::quadrilateral(4), sumfac::line(2)>;
#endif

using vector = sumfac::view<double, sumfac::dextents<1>>;

void prolong(made const& P, vector x, vector y)
{
  P.prolong(x, y);
}
