// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// An output (C, L) where (C, L, R) is needed.
// expect: sumfac::intrepid: the output has another rank than the function's table says
#include <sumfac/intrepid/contractions.hpp>

#if defined(SUMFAC_FITS)
using out = sumfac::view<double, sumfac::dextents<3>>;
using left = sumfac::view<double const, sumfac::dextents<3>>;
using right = sumfac::view<double const, sumfac::dextents<3>>;
#else
using out = sumfac::view<double, sumfac::dextents<2>>;
using left = sumfac::view<double const, sumfac::dextents<3>>;
using right = sumfac::view<double const, sumfac::dextents<3>>;
#endif

void call(out o, left l, right r)
{
  sumfac::intrepid::contractFieldFieldScalar(sumfac::host(), o, l, r);
}
