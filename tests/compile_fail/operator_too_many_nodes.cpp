// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A geometry policy that keeps more nodes per edge than a mesh may have.
// expect: sumfac::element_operator: the geometry policy must be sumfac::stored, affine, trilinear, isoparametric<M>
// errors: 1
#include <sumfac/operator/bake_off.hpp>

#if defined(SUMFAC_FITS)
using policy = sumfac::isoparametric<16>;
#else
using policy = sumfac::isoparametric<17>;
#endif

sumfac::bp35<1, sumfac::host, double, policy> make(sumfac::view<double const, sumfac::dextents<5>> nodes)
{
  return {sumfac::host(), nodes};
}
