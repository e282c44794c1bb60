// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A matrix of one's own, which has no sweep over elements.
// expect: sumfac::merged_cg: A must be a sumfac::global_operator{A, R}
// errors: 1
#include <sumfac/solver/cg.hpp>
#include <sumfac/solver/merged_cg.hpp>

using entries = sumfac::view<double, sumfac::dextents<1>>;

struct twice {
  void apply(sumfac::view<double const, sumfac::dextents<1>> x, entries y) const;
  sumfac::index_t size() const;
  sumfac::host backend() const;
};

void solve(twice const& A, entries x)
{
#if defined(SUMFAC_FITS)
  sumfac::cg(A, x, x);
#else
  sumfac::merged_cg(A, x, x);
#endif
}
