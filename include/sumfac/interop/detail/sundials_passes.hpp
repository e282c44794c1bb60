// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What operations of SUNDIALS' vectors make of each entry, and the passes that they are.
#pragma once

#include <sumfac/math/functions.hpp>
#include <sumfac/solver/detail/passes.hpp>

namespace sumfac::SUMFAC_TARGET::detail {

enum class sundials_operation {
  linear,           // a x + b y
  affine,           // a x + b
  product,          // x y
  quotient,         // x / y
  absolute,         // |x|
  inverse,          // 1 / x
  inverse_or_zero,  // the same, 0 where x is 0
  is_zero,          // 1 where x is 0, else 0
  at_least,         // 1 where |x| >= a, else 0
  weighted_square,  // (x y)^2
  masked_square,    // the same where z > 0, else 0
  violates,         // 1 where y is not as x says: 2 above 0, 1 not below, -1 not above, -2 below 0, 0 any; else 0
  itself,           // x
  minus_absolute,   // -|x|
  quotient_or_most  // x / y, a where y is 0
};

// An operation on numbers, or on packs of them.
template <sundials_operation Operation>
struct sundials_function {
  double a = 0, b = 0;

  template <class T>
  SUMFAC_INLINE T operator()(T const& x, [[maybe_unused]] T const& y, [[maybe_unused]] T const& z) const
  {
    using enum sundials_operation;
    [[maybe_unused]] T const zero{}, one = zero + 1.0;
    if constexpr (Operation == linear)
      return a * x + b * y;
    else if constexpr (Operation == affine)
      return a * x + b;
    else if constexpr (Operation == product)
      return x * y;
    else if constexpr (Operation == quotient)
      return x / y;
    else if constexpr (Operation == absolute)
      return magnitude(x);
    else if constexpr (Operation == inverse)
      return one / x;
    else if constexpr (Operation == inverse_or_zero)
      return select(x == 0.0, zero, one / select(x == 0.0, one, x));
    else if constexpr (Operation == is_zero)
      return select(x == 0.0, one, zero);
    else if constexpr (Operation == at_least)
      return select(magnitude(x) >= a, one, zero);
    else if constexpr (Operation == weighted_square)
      return (x * y) * (x * y);
    else if constexpr (Operation == masked_square)
      return select(z > 0.0, (x * y) * (x * y), zero);
    else if constexpr (Operation == violates)
      return select(magnitude(x) > 1.5, select(x * y > 0.0, zero, one),
                    select(magnitude(x) > 0.5, select(x * y < 0.0, one, zero), zero));
    else if constexpr (Operation == minus_absolute)
      return zero - magnitude(x);
    else if constexpr (Operation == quotient_or_most)
      return select(y == 0.0, zero + a, x / select(y == 0.0, one, y));
    else
      return x;
  }
};

// z = f(x, y), entry by entry
template <class Function>
struct sundials_each {
  using scalar = double;
  static constexpr int sums = 0;
  Function f;
  double const *x, *y;
  double* z;
  template <class T>
  SUMFAC_INLINE void operator()(index_t i, T (&)[most_sums]) const
  {
    T const second = load<T>(y + i);
    store(f(load<T>(x + i), second, second), z + i);
  }
};

// The sum of f(x, y, z)
template <class Function>
struct sundials_sum {
  using scalar = double;
  static constexpr int sums = 1;
  Function f;
  double const *x, *y, *z;
  template <class T>
  SUMFAC_INLINE void operator()(index_t i, T (&sum)[most_sums]) const
  {
    sum[0] += f(load<T>(x + i), load<T>(y + i), load<T>(z + i));
  }
};

}  // namespace sumfac::detail
