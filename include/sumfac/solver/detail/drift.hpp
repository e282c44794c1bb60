// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// How far the residual of conjugate gradients' recursion may be from b - A x, from scalars that are at hand.
#pragma once

#include <sumfac/config.hpp>
#include <sumfac/solver/detail/passes.hpp>

namespace sumfac::inline SUMFAC_TARGET::detail {

// Each step rounds A p, x and r; what that leads r from b - A x is a few roundings of |A| times the largest |x| in each
// step (Greenbaum 1997; Sleijpen, van der Vorst and Fokkema 1994), which add up as noise does. In the norm of P's
// inverse, in which the directions' products follow from those of residuals (Steihaug 1983), so does |x|; |P A| is at
// least the diagonal of Lanczos' matrix; and r . r over r . P r leads back to the 2-norm.
struct drift_scalars {
  double pp = 0, xp = 0, xx = 0;  // |p|^2, x . p and |x|^2, where x is what the steps have added, over the scale
  double alpha = 0;               // of the last step
  double largest = 0;             // eigenvalue of P A, from below
  double ratio = 0;               // r . r over r . P r, the largest

  // Before the step alpha along p = z + beta p.
  SUMFAC_INLINE void step(double next, double beta, double rz, double rr)
  {
    if (!(next > 0)) return;
    xp = beta * (xp + alpha * pp);
    pp = rz + beta * beta * pp;
    double const value = 1 / next + (alpha > 0 ? beta / alpha : 0);
    largest = value > largest ? value : largest;
    ratio = rr > ratio * rz ? rr / rz : ratio;
    xx += next * (2 * xp + next * pp);
    alpha = next;
  }
  // From a residual that was computed anew.
  SUMFAC_INLINE void restart() { alpha = pp = xp = 0; }

  // Of |r|, where `of_x` is |x|^2 over the scale's square, for numbers of that rounding.
  double bound(double of_x, index_t iterations, double rounding) const
  {
    double const x = of_x > xx ? of_x : xx, steps = static_cast<double>(iterations + 1);
    return 15 * rounding * __builtin_sqrt(steps * ratio * x) * largest;
  }
};

// Sums x times 0, which is 0 where all numbers are finite, and x . x over P's factors, x over the scale.
template <class Scalar>
struct cg_test_x {
  using scalar = Scalar;
  static constexpr int sums = 2;
  double const* scale;
  Scalar const* x;
  Scalar const* factors;
  template <class T>
  SUMFAC_INLINE void operator()(index_t i, T (&sum)[most_sums]) const
  {
    T const entry = load<T>(x + i), scaled = static_cast<Scalar>(1 / *scale) * entry;
    sum[0] += entry * T(0);
    if (factors == nullptr)
      sum[1] = fma(scaled, scaled, sum[1]);
    else
      sum[1] += scaled * scaled / load<T>(factors + i);
  }
};

}  // namespace sumfac::detail
