// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The even-odd halves of a table that has no such symmetry.
// expect: even_odd_needs_a_table_with_this_symmetry
#include <sumfac/basis/detail/tables.hpp>

using namespace sumfac::detail;

#if defined(SUMFAC_FITS)
constexpr auto halves = make_even_odd<-1>(collocated_derivative<double, sumfac::gauss<3>>());
#else
constexpr auto halves = make_even_odd<+1>(collocated_derivative<double, sumfac::gauss<3>>());
#endif
