// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A box without a direction.
// expect: sumfac::box: no extent (at least one is needed) write box<1> for one item
#include <sumfac/backend/policy.hpp>

#if defined(SUMFAC_FITS)
sumfac::box<1> test;
#else
sumfac::box<> test;
#endif
