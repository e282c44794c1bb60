// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A geometry policy where the backend stands.
// expect: sumfac::element_operator: Backend must be sumfac::host, checked, cuda or hip; behind it come Scalar and
// errors: 1
#include <sumfac/operator/bake_off.hpp>

#if defined(SUMFAC_FITS)
using mass = sumfac::bp1<2, sumfac::host, double, sumfac::trilinear>;
#else
using mass = sumfac::bp1<2, sumfac::trilinear>;
#endif

void make(sumfac::view<double const, sumfac::dextents<5>> nodes)
{
  mass const M(sumfac::host(), nodes);
}
