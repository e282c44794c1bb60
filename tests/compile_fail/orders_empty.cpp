// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A list of no degree.
// expect: sumfac::orders: the list is empty: name the degrees to instantiate
#include <sumfac/operator/dispatch.hpp>

#if defined(SUMFAC_FITS)
sumfac::orders<3> list;
#else
sumfac::orders<> list;
#endif
