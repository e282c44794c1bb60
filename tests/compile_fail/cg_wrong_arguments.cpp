// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// An operator without a restriction, vectors that are no views or of another scalar, an array for a preconditioner, and
// a preconditioner behind the options.
// expect: sumfac::solver: A must have apply(x, y) const, for views of rank 1 and layout_right of x's scalar type
// expect: sumfac::solver: b and x must be sumfac::view of the workspace's scalar type, and x must not be const
// expect: sumfac::solver: b and x must have entries of A's scalar type
// expect: sumfac::solver: the preconditioner must be sumfac::no_preconditioner, a sumfac::jacobi of b's scalar
// expect: sumfac::solver: behind the options stands a monitor, which is called with (iteration, residual)
// errors: 5
#include <sumfac/operator/bake_off.hpp>
#include <sumfac/operator/global_operator.hpp>
#include <sumfac/solver/cg.hpp>

#include <vector>

using operator_type = sumfac::bp35<1>;
using matrix = sumfac::global_operator<operator_type, sumfac::restriction<double>>;
template <class T>
using vector_view = sumfac::view<T, sumfac::dextents<1>>;

#if defined(SUMFAC_FITS)
void solve(matrix const& L, vector_view<double> x)
{
  sumfac::cg(L, x, x, {}, sumfac::cg_options());
  sumfac::cg(L, x, x, sumfac::cg_options());
}
#else
void solve(operator_type const& A, matrix const& L, vector_view<double> x, vector_view<float> of_float,
           std::vector<double> const& array)
{
  sumfac::cg(A, x, x);
  sumfac::cg(L, array, array);
  sumfac::cg(L, of_float, of_float);
  sumfac::cg(L, x, x, array);
  sumfac::cg(L, x, x, sumfac::cg_options(), sumfac::no_preconditioner{});
}
#endif
