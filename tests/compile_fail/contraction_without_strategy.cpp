// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A number in the place of a strategy.
// expect: sumfac::intrepid: the last argument must be a strategy: automatic{}, flat{}, team_reduction<>{},
// errors: 1
#include <sumfac/intrepid/contractions.hpp>

#if defined(SUMFAC_FITS)
inline constexpr sumfac::intrepid::flat strategy;
#else
inline constexpr int strategy = 3;
#endif

void call(sumfac::view<double, sumfac::dextents<1>> out, sumfac::view<double const, sumfac::dextents<2>> factor)
{
  sumfac::intrepid::contractDataDataScalar(sumfac::host(), out, factor, factor, false, strategy);
}
