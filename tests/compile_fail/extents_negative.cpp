// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// An extent below zero.
// expect: sumfac::extents: a static extent is negative
#include <sumfac/view/extents.hpp>

#if defined(SUMFAC_FITS)
sumfac::extents<3, 2> shape;
#else
sumfac::extents<3, -2> shape;
#endif
