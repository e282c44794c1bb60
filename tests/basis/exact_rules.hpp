// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Oracle for the rules: Gauss points as eigenvalues of a Jacobi matrix, by bisection in the widest arithmetic there is.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

// Nothing here is shared with the library, nor the method: a Sturm count tells how many points lie below a place, and
// the weights are Christoffel numbers, sums of squared orthonormal polynomials.
namespace exact {

#if defined(__SIZEOF_FLOAT128__)
__extension__ using real = __float128;
#else
using real = long double;
#endif

struct rule {
  std::vector<real> nodes, weights;
};

// The monic orthogonal polynomials of an even weight function: p_{k+1} = x p_k - beta_k p_{k-1}, with beta_k at k - 1.
struct recurrence {
  std::vector<real> beta;
  real total;  // the integral of the weight function

  // The points of the Gauss rule with n points that lie below x: negative pivots of the shifted Jacobi matrix.
  int points_below(int n, real x) const
  {
    int count = 0;
    real pivot = 1;
    for (int k = 0; k < n; ++k) {
      real const coupling = k == 0 ? real(0) : beta[static_cast<std::size_t>(k - 1)];
      pivot = -x - coupling / pivot;
      if (pivot == 0) pivot = real(1e-40);
      count += pivot < 0;
    }
    return count;
  }

  real point(int n, int i) const
  {
    real low = -1, high = 1;
    for (int step = 0; step < 118; ++step) {
      real const middle = (low + high) / 2;
      (points_below(n, middle) > i ? high : low) = middle;
    }
    return (low + high) / 2;
  }

  real weight(int n, real x) const
  {
    real previous = 0, p = 1, norm = total, sum = 1 / total;
    for (int k = 1; k < n; ++k) {
      real const b = k == 1 ? real(0) : beta[static_cast<std::size_t>(k - 2)];
      real const next = x * p - b * previous;
      previous = p;
      p = next;
      norm *= beta[static_cast<std::size_t>(k - 1)];
      sum += p * p / norm;
    }
    return 1 / sum;
  }
};

// Weight function 1.
inline rule gauss(int n)
{
  recurrence legendre{{}, 2};
  for (int k = 1; k < n; ++k) legendre.beta.push_back(real(k * k) / real(4 * k * k - 1));
  rule r;
  for (int i = 0; i < n; ++i) {
    r.nodes.push_back(legendre.point(n, i));
    r.weights.push_back(legendre.weight(n, r.nodes.back()));
  }
  return r;
}

// The inner Gauss-Lobatto points are the Gauss points of the weight function 1 - x^2.
inline rule gauss_lobatto(int n)
{
  recurrence jacobi{{}, real(4) / 3};
  for (int k = 1; k < n - 2; ++k) jacobi.beta.push_back(real(k * (k + 2)) / real((2 * k + 1) * (2 * k + 3)));
  rule r{{-1}, {real(2) / real(n * (n - 1))}};
  for (int i = 0; i < n - 2; ++i) {
    real const x = jacobi.point(n - 2, i);
    r.nodes.push_back(x);
    r.weights.push_back(jacobi.weight(n - 2, x) / ((1 - x) * (1 + x)));
  }
  r.nodes.push_back(1);
  r.weights.push_back(r.weights.front());
  return r;
}

// The distance of a from b in units of the last place of T, at b.
template <class T>
double ulps(T a, real b)
{
  if (b < real(1e-30) && b > real(-1e-30)) return a == 0 ? 0 : HUGE_VAL;
  T const rounded = std::fabs(static_cast<T>(b));
  real const spacing = real(std::nextafter(rounded, T(4)) - rounded);
  real const distance = real(a) - b;
  return static_cast<double>((distance < 0 ? -distance : distance) / spacing);
}

}  // namespace exact
