// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A Gauss-Lobatto rule with one point.
// expect: sumfac::gauss_lobatto: both ends are points, so a rule has at least two
#include <sumfac/basis/quadrature.hpp>

#if defined(SUMFAC_FITS)
sumfac::gauss_lobatto<2> rule;
#else
sumfac::gauss_lobatto<1> rule;
#endif
