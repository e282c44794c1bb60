// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Packs, dual numbers and small matrices.
#include "support/fits.hpp"

#include <sumfac/math/dual.hpp>
#include <sumfac/math/pack.hpp>
#include <sumfac/math/small.hpp>

// The determinant of a matrix too large for the closed formula.
// expect: sumfac::determinant: matrices up to 3 x 3
namespace determinant_4x4 {
constexpr int n = fits ? 3 : 4;

double det(sumfac::matrix<double, n> const& a) { return sumfac::determinant(a); }
}  // namespace determinant_4x4

// Duals of packs compared: their lanes differ. clang++ does not say where.
// alone
// expect: sumfac::pack: numbers of several elements are compared at once, which may differ
namespace dual_of_packs_compared {
bool f(sumfac::dual<fitting<double, sumfac::pack<double, 4>>> const& x) { return x < 1.0; }
}  // namespace dual_of_packs_compared

// A pack of three lanes.
// expect: sumfac::pack<T, W>: W must be a power of two
namespace pack_odd_width {
#if defined(SUMFAC_FITS)
sumfac::pack<double, 4> test;
#else
sumfac::pack<double, 3> test;
#endif
}  // namespace pack_odd_width

// A pack of integers.
// expect: sumfac::pack<T, W>: T must be float or double
namespace pack_of_integers {
#if defined(SUMFAC_FITS)
sumfac::pack<float, 4> test;
#else
sumfac::pack<int, 4> test;
#endif
}  // namespace pack_of_integers
