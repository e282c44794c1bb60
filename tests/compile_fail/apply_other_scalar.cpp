// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Vectors of float for an operator on double.
// expect: sumfac::element_operator: u must have entries of the operator's scalar type
// expect: sumfac::element_operator: v must have entries of the operator's scalar type
// errors: 2
#include <sumfac/operator/bake_off.hpp>

#if defined(SUMFAC_FITS)
using in = sumfac::view<double const, sumfac::dextents<4>>;
using out = sumfac::view<double, sumfac::dextents<4>>;
#else
using in = sumfac::view<float const, sumfac::dextents<4>>;
using out = sumfac::view<float, sumfac::dextents<4>>;
#endif

void call(sumfac::bp1<1> const& A, in u, out v)
{
  A.apply(u, v);
}
