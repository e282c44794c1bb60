// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The determinant of a matrix too large for the closed formula.
// expect: sumfac::determinant: matrices up to 3 x 3
#include <sumfac/math/small.hpp>

#if defined(SUMFAC_FITS)
constexpr int n = 3;
#else
constexpr int n = 4;
#endif

double det(sumfac::matrix<double, n> const& a)
{
  return sumfac::determinant(a);
}
