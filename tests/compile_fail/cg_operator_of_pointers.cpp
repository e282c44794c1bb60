// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A matrix of one's own whose apply() does not take views, or is not const.
// expect: sumfac::solver: A must have apply(x, y) const, for views of rank 1 and layout_right of x's scalar type
#include <sumfac/solver/cg.hpp>

using vector_view = sumfac::view<double, sumfac::dextents<1>>;

struct matrix {
#if defined(SUMFAC_FITS)
  void apply(sumfac::view<double const, sumfac::dextents<1>> const&, vector_view const&) const;
#else
  void apply(double const*, double*) const;
#endif
  sumfac::index_t size() const;
  sumfac::host backend() const;
};

void solve(matrix const& A, vector_view b, vector_view x)
{
  sumfac::cg(A, b, x);
}
