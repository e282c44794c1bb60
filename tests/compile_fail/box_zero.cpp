// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A box without an item.
// expect: sumfac::box: an extent is not positive: give every direction an item or more
#include <sumfac/backend/policy.hpp>

#if defined(SUMFAC_FITS)
sumfac::box<3, 1> test;
#else
sumfac::box<3, 0> test;
#endif
