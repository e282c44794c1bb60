// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What results are compared with before they are timed, and how far they may be off.
//
// Elements: with the tests' reference in long double, by the tests' tolerance (support/tolerance.hpp). Its code is
// compiled once, in check.cpp, by the host's compiler. Global vectors: at the nodes of two elements with the sums of
// that, the allowed errors added up alike. Rungs of a ladder: also with this library's operator on all elements, by
// twice the tolerance. Solves and contractions as said below.
#pragma once

#include <sumfac/config.hpp>

#include <stdexcept>
#include <string>
#include <vector>

namespace sumfac::bench {

// A merged solve's residual is that of the plain one but for such a part.
inline constexpr double solve_tolerance = 1e-6;

// A contraction's sums s are those of plain loops but for this times 1 + |s|.
inline constexpr double contraction_tolerance = 1e-11;

// What is integrated over an element: mass, stiffness, or stiffness plus 0.1 times mass.
enum class integral { mass, stiffness, screened };

// What the reference knows of an operator. single: the narrowest of its numbers are float; curved: the geometry is read
// from the nodes of u.
struct oracle {
  integral form;
  int order;
  bool collocated = false, single = false, curved = false;
  int directions = 3;  // of the element
};

// What v must be on one element, (n, n, n) or (n, n), and how far rounding may take it from there.
struct expectation {
  std::vector<long double> v;
  double allowed;

  // The largest error of an element's v, a NaN's being infinite, over the allowed one.
  double error_of(double const* v_of_element) const;
};

// vertices (2, 2, 2, 3), u (n, n, n); or of a quadrilateral (2, 2, 2), u (n, n)
expectation expected(oracle const& what, double const* vertices, double const* u);

// The largest modulus of a[i] - b[i], infinite where one is NaN.
double distance(double const* a, double const* b, index_t size);

// Refuses what is off by more than is allowed.
inline void require_right(double error, std::string const& what = "v")
{
  if (!(error <= 1))
    throw std::runtime_error(what + " is wrong: its error is " + std::to_string(error) + " times what is allowed");
}

}  // namespace sumfac::bench
