// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// An output that cannot be written.
// expect: sumfac::intrepid: the output is a view of const: nothing can be written
#include <sumfac/intrepid/contractions.hpp>

#if defined(SUMFAC_FITS)
using out = sumfac::view<double, sumfac::dextents<3>>;
using left = sumfac::view<double const, sumfac::dextents<3>>;
using right = sumfac::view<double const, sumfac::dextents<3>>;
#else
using out = sumfac::view<double const, sumfac::dextents<3>>;
using left = sumfac::view<double const, sumfac::dextents<3>>;
using right = sumfac::view<double const, sumfac::dextents<3>>;
#endif

void call(out o, left l, right r)
{
  sumfac::intrepid::contractFieldFieldScalar(sumfac::host(), o, l, r);
}
