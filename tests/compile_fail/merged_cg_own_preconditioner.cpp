// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A preconditioner of one's own, which cannot be merged with the sweep.
// expect: sumfac::merged_cg: only factors are merged with the sweep, no_preconditioner or sumfac::jacobi
// errors: 1
#include <sumfac/operator/bake_off.hpp>
#include <sumfac/operator/global_operator.hpp>
#include <sumfac/solver/merged_cg.hpp>

using entries = sumfac::view<double, sumfac::dextents<1>>;
using matrix = sumfac::global_operator<sumfac::bp35<1>, sumfac::restriction<double>>;

struct half {
  void apply(sumfac::view<double const, sumfac::dextents<1>> r, entries z) const;
};

void solve(matrix const& A, entries b, entries x)
{
#if defined(SUMFAC_FITS)
  sumfac::cg(A, b, x, half{});
#else
  sumfac::merged_cg(A, b, x, half{});
#endif
}
