// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Other coefficients for factors that were made of a mesh which is gone.
// expect: sumfac::element_operator: an operator whose geometry is sumfac::stored or split keeps the form's factors, not
// errors: 1
#include <sumfac/operator/bake_off.hpp>

#if defined(SUMFAC_FITS)
using policy = sumfac::affine;
#else
using policy = sumfac::stored;
#endif

void change(sumfac::bp3<1, sumfac::host, double, policy>& A)
{
  A.update({.lambda = 0.2});
}
