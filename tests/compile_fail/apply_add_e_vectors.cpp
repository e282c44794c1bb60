// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// E-vectors to be added to, which operators only write.
// expect: sumfac::element_operator: apply_add adds to global vectors, A.apply_add(R, x, y); E-vectors are written
// errors: 1
#include <sumfac/operator/bake_off.hpp>

void act(sumfac::bp1<2> const& A, sumfac::view<double, sumfac::dextents<4>> u,
         sumfac::view<double, sumfac::dextents<4>> v)
{
#if defined(SUMFAC_FITS)
  A.apply(u, v);
#else
  A.apply_add(u, v);
#endif
}
