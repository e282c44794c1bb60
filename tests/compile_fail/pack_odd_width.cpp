// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A pack of three lanes.
// expect: sumfac::pack<T, W>: W must be a power of two
#include <sumfac/math/pack.hpp>

#if defined(SUMFAC_FITS)
sumfac::pack<double, 4> test;
#else
sumfac::pack<double, 3> test;
#endif
