// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A merged solve on a backend that cannot merge.
// expect: sumfac::merged_cg: only the host merges vector updates with the sweep: call sumfac::cg
// errors: 1
#include <sumfac/backend/checked.hpp>
#include <sumfac/operator/bake_off.hpp>
#include <sumfac/solver/merged_cg.hpp>

#if defined(SUMFAC_FITS)
using backend = sumfac::host;
#else
using backend = sumfac::checked;
#endif
using matrix = sumfac::global_operator<sumfac::bp35<1, backend>, sumfac::restriction<double, backend>>;

void solve(matrix const& L, sumfac::view<double, sumfac::dextents<1>> x)
{
  sumfac::merged_cg(L, x, x);
}
