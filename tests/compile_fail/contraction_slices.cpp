// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A team without threads, and more sums than a thread can keep.
// expect: sumfac::intrepid::slicing: Threads is not in 1..1024
// expect: sumfac::intrepid::slicing: Slices is not in 1..64
// errors: 2
#include <sumfac/intrepid/strategy.hpp>

#if defined(SUMFAC_FITS)
sumfac::intrepid::slicing<1, 64> strategy;
sumfac::intrepid::slicing<64, 64> large;
#else
sumfac::intrepid::slicing<1, 0> strategy;
sumfac::intrepid::slicing<20000, 64> large;
#endif
