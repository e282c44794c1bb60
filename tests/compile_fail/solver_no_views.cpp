// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Arrays themselves in place of views, and a result that cannot be written.
// expect: sumfac::vector_ops: vectors must be sumfac::view of the operations' scalar type
// expect: sumfac::vector_ops: the result is a view of const: nothing can be written
// expect: sumfac::jacobi: the diagonal must be a sumfac::view of the solver's scalar type
// errors: 3
#include <sumfac/solver/preconditioner.hpp>
#include <sumfac/solver/vector_ops.hpp>

#include <vector>

using in = sumfac::view<double const, sumfac::dextents<1>>;
using out = sumfac::view<double, sumfac::dextents<1>>;

#if defined(SUMFAC_FITS)
using array = out;
using result = out;
#else
using array = std::vector<double>;
using result = in;
#endif

double combine(sumfac::vector_ops<> const& operations, in x, result y, array const& z)
{
  operations.axpy(2, x, y);
  return operations.dot(x, z);
}
sumfac::jacobi<> make(array const& d)
{
  return {sumfac::host(), d};
}
