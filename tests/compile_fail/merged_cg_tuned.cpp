// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A merged solve with an operator that was chosen at run time, as a whole.
// expect: sumfac::merged_cg: A must be of a sumfac::element_operator
// errors: 1
#include <sumfac/operator/bake_off.hpp>
#include <sumfac/operator/global_operator.hpp>
#include <sumfac/operator/tune.hpp>
#include <sumfac/solver/merged_cg.hpp>

using entries = sumfac::view<double, sumfac::dextents<1>>;

void solve(sumfac::tuned_operator<sumfac::bp35<1>> const& A, sumfac::restriction<double> const& R, entries x)
{
#if defined(SUMFAC_FITS)
  A.visit([&](auto const& chosen) { sumfac::merged_cg(sumfac::global_operator{chosen, R}, x, x); });
#else
  sumfac::merged_cg(sumfac::global_operator{A, R}, x, x);
#endif
}
