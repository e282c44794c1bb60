// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A transfer to a degree that is not lower.
// expect: sumfac::transfer: the coarse degree is not less than the fine one
// errors: 1
#include <sumfac/solver/transfer.hpp>

#if defined(SUMFAC_FITS)
using made = sumfac::transfer<3, 2>;
#else
using made = sumfac::transfer<2, 2>;
#endif

using vector = sumfac::view<double, sumfac::dextents<1>>;

void prolong(made const& P, vector x, vector y)
{
  P.prolong(x, y);
}
