// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What an operator is given in place of a restriction of its own and of views.
// expect: sumfac::element_operator: the first of the arguments must be a sumfac::restriction: A.apply(R, x, y)
// expect: sumfac::element_operator: the restriction must be of the operator's scalar type and backend
// expect: sumfac::element_operator: x and y must be sumfac::view
// expect: sumfac::element_operator: d must be a sumfac::view of the operator's scalar type, not const
// errors: 4
#include <sumfac/operator/bake_off.hpp>

#include <vector>

using global = sumfac::view<double, sumfac::dextents<1>>;

#if defined(SUMFAC_FITS)
void call(sumfac::bp35<1> const& A, sumfac::restriction<double> const& R, global x, global y)
{
  A.apply(R, x, y);
}
#else
void call(sumfac::bp35<1> const& A, sumfac::restriction<double> const& R, sumfac::restriction<float> const& other,
          global x, global y, std::vector<double> const& array)
{
  A.apply(x, y, R);
  A.apply_add(other, x, y);
  A.apply(R, array, array);
  A.diagonal(array);
}
#endif
