// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The restriction before the operator.
// expect: sumfac::global_operator: the element operator comes first, the restriction second
#include <sumfac/operator/bake_off.hpp>
#include <sumfac/operator/global_operator.hpp>

void refused(sumfac::bp35<2> const& A, sumfac::restriction<double> const& R)
{
#if defined(SUMFAC_FITS)
  sumfac::global_operator const matrix{A, R};
#else
  sumfac::global_operator const matrix{R, A};
#endif
  static_cast<void>(matrix.size());
}
