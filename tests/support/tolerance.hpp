// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// How far a right answer may be from the oracle: rounding, counted, and nothing else.
#pragma once

#include "reference.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

// Where the number comes from. v = A u is B^T F B u, every entry a sum of products. A term of it meets, on its way from
// u to v, one rounding per multiply-add of each of its sums: three interpolations (N+1 terms) and one differentiation
// (N+2), the form (3 terms and about 15 roundings of its factors), and the transposes; the even-odd split adds one per
// contraction:
//   k(N) = 8 (N + 2) + 30.
// Roundings are as good as independent, so a term is off by about sqrt(k) u, u the unit roundoff (Higham and Mary, SIAM
// J. Sci. Comput. 41, 2019), and all together by less than sqrt(k) u times the sum of the moduli of all terms. That
// sum, the condition of the sums, is |B|^T |F| |B| |u|: element::magnitude computes it. Coordinates enter F through J,
// whose relative error is u times point::condition; magnitude adds it. The even-odd split mixes mirrored entries, so
// the bound holds for the greatest entry of an element and not entry by entry.
namespace reference {

inline double roundings(int degree) { return 8.0 * (degree + 2) + 30; }

// Relative to element::magnitude(u, sqrt(roundings(degree))).
template <class Scalar>
double tolerance(int degree)
{
  return std::sqrt(roundings(degree)) * static_cast<double>(std::numeric_limits<Scalar>::epsilon()) / 2;
}

// The greatest allowed modulus of an entry of (v - A u) on this element.
template <class Scalar>
double allowed(element<> const& a, std::vector<real> const& u, int degree)
{
  auto const sums = a.magnitude(u, static_cast<real>(std::sqrt(roundings(degree))));
  return tolerance<Scalar>(degree) * static_cast<double>(*std::max_element(sums.begin(), sums.end()));
}

// And of an entry of (d - diagonal of A).
template <class Scalar>
double allowed_diagonal(element<> const& a, int degree)
{
  auto const sums = a.diagonal_magnitude(static_cast<real>(std::sqrt(roundings(degree))));
  return tolerance<Scalar>(degree) * static_cast<double>(*std::max_element(sums.begin(), sums.end()));
}

}  // namespace reference
