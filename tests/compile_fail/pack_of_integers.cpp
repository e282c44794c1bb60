// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A pack of integers.
// expect: sumfac::pack<T, W>: T must be float or double
#include <sumfac/math/pack.hpp>

#if defined(SUMFAC_FITS)
sumfac::pack<float, 4> test;
#else
sumfac::pack<int, 4> test;
#endif
