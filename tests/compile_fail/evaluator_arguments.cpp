// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A result that cannot be written, reference coordinates in one row, and points that are no view of numbers.
// expect: sumfac::evaluator: the result is a view of const: nothing can be written
// expect: sumfac::evaluator: the points' reference coordinates must be a sumfac::view of floating-point numbers
// expect: sumfac::locator: points must be a sumfac::view of floating-point numbers, of shape (P, 3)
// errors: 3
#include <sumfac/operator/evaluator.hpp>

#include <vector>

using vector = sumfac::view<double const, sumfac::dextents<1>>;
using nodes = sumfac::view<double const, sumfac::dextents<5>>;
using list = sumfac::view<int const, sumfac::dextents<1>>;

#if defined(SUMFAC_FITS)
using result = sumfac::view<double, sumfac::dextents<1>>;
using places = sumfac::view<double const, sumfac::dextents<2>>;
using points = places;
#else
using result = vector;
using places = vector;
using points = std::vector<double>;
#endif

void evaluate(sumfac::evaluator<2> const& at, vector x, result u)
{
  at.values(x, u);
}
void make(sumfac::restriction<> const& R, list elements, places coordinates)
{
  sumfac::evaluator<2> const at{R, elements, coordinates};
}
void find(sumfac::locator<nodes> const& search, points x)
{
  search.locate(x);
}
