// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A restriction of what the kernel computes in, for an operator that converts its vectors.
// expect: sumfac::element_operator: the restriction must be of the operator's scalar type and backend
#include <sumfac/sumfac.hpp>

using operator_type = sumfac::bp35<2, sumfac::host, sumfac::low_high>;
using vector = sumfac::view<float, sumfac::dextents<1>>;

#if defined(SUMFAC_FITS)
void refused(operator_type const& A, sumfac::restriction<float> const& R, vector x, vector y)
#else
void refused(operator_type const& A, sumfac::restriction<double> const& R, vector x, vector y)
#endif
{
  A.apply(R, x, y);
}
