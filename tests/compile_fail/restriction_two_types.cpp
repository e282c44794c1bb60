// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A restriction for an operator that converts its vectors.
// expect: sumfac::element_operator: a restriction needs vectors and arithmetic of one type
#include <sumfac/sumfac.hpp>

using operator_type = sumfac::bp35<2, sumfac::host, sumfac::high_low>;

void refused(operator_type const& A, sumfac::restriction<double> const& R, sumfac::view<double, sumfac::extents<8>> x,
             sumfac::view<double, sumfac::extents<8>> y)
{
#if defined(SUMFAC_FITS)
  static_cast<void>(A.elements() + R.elements() + x.extent(0) + y.extent(0));
#else
  A.apply(R, x, y);
#endif
}
