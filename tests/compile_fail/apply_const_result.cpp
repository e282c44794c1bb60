// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A result that cannot be written.
// expect: sumfac::element_operator: v is written to, and must not be a view of const
// errors: 1
#include <sumfac/operator/bake_off.hpp>

#if defined(SUMFAC_FITS)
using in = sumfac::view<double const, sumfac::dextents<4>>;
using out = sumfac::view<double, sumfac::dextents<4>>;
#else
using in = sumfac::view<double const, sumfac::dextents<4>>;
using out = sumfac::view<double const, sumfac::dextents<4>>;
#endif

void call(sumfac::bp1<1> const& A, in u, out v)
{
  A.apply(u, v);
}
