// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Vectors (C, L, P, D) for the function of scalars.
// expect: sumfac::intrepid: the first factor has another rank than the function's table says
#include <sumfac/intrepid/contractions.hpp>

#if defined(SUMFAC_FITS)
using out = sumfac::view<double, sumfac::dextents<3>>;
using left = sumfac::view<double const, sumfac::dextents<3>>;
using right = sumfac::view<double const, sumfac::dextents<3>>;
#else
using out = sumfac::view<double, sumfac::dextents<3>>;
using left = sumfac::view<double const, sumfac::dextents<4>>;
using right = sumfac::view<double const, sumfac::dextents<3>>;
#endif

void call(out o, left l, right r)
{
  sumfac::intrepid::contractFieldFieldScalar(sumfac::host(), o, l, r);
}
