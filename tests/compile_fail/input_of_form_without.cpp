// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A field for a form that reads none.
// expect: sumfac::element_operator: the form reads no other functions: it has no `inputs`
// errors: 1
#include <sumfac/operator/bake_off.hpp>

using vector = sumfac::view<double, sumfac::dextents<4>>;

void call(sumfac::bp1<2> const& A, vector u, vector v, vector a)
{
#if defined(SUMFAC_FITS)
  static_cast<void>(a);
  A.apply(u, v);
#else
  A.apply(u, v, sumfac::field(a));
#endif
}
