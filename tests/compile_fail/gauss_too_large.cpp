// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A built-in rule beyond the largest.
// expect: sumfac::gauss: rules are built in to 32 points: write a larger one as your own type
#include <sumfac/basis/quadrature.hpp>

#if defined(SUMFAC_FITS)
sumfac::gauss<32> rule;
#else
sumfac::gauss<33> rule;
#endif
