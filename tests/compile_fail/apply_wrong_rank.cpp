// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Vectors with one index per element where four are needed.
// expect: sumfac::element_operator: the rank of an E-vector is (E, k, j, i) for one component
#include <sumfac/operator/bake_off.hpp>

#if defined(SUMFAC_FITS)
using in = sumfac::view<double const, sumfac::dextents<4>>;
using out = sumfac::view<double, sumfac::dextents<4>>;
#else
using in = sumfac::view<double const, sumfac::dextents<2>>;
using out = sumfac::view<double, sumfac::dextents<2>>;
#endif

void call(sumfac::bp1<1> const& A, in u, out v)
{
  A.apply(u, v);
}
