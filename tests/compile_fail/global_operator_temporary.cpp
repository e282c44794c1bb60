// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A matrix that would refer to an operator which is gone at the end of the line.
// expect: sumfac::global_operator: it refers to both, so neither may be a temporary
// errors: 1
#include <sumfac/sumfac.hpp>

using operator_type = sumfac::bp35<2>;

void refused(operator_type& A, sumfac::restriction<double> const& R)
{
#if defined(SUMFAC_FITS)
  sumfac::global_operator const matrix{A, R};
#else
  sumfac::global_operator const matrix{std::move(A), R};
#endif
  static_cast<void>(matrix.size());
}
