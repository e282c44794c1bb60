// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Vectors that look random, and whether a matrix is symmetric, as two of them tell.
#pragma once

#include <sumfac/solver/detail/cg_steps.hpp>
#include <sumfac/solver/detail/matrix.hpp>
#include <sumfac/solver/detail/passes.hpp>

#include <cstdint>

namespace sumfac::SUMFAC_TARGET::detail {

// number(i), or for a pack those from i on.
template <class T, class Number>
SUMFAC_INLINE T each_lane(index_t i, Number const& number)
{
  if constexpr (width_of<T> == 1) {
    return number(i);
  } else {
    T x{};
    for (int lane = 0; lane < width_of<T>; ++lane) x.set(lane, number(i + lane));
    return x;
  }
}

// Entry i of vector k of two: numbers from -1 to 1.
template <class T>
SUMFAC_INLINE T noise(index_t i, int k)
{
  return each_lane<T>(i, [k](index_t entry) {
    auto bits = static_cast<std::uint64_t>(2 * entry + k + 1) * 0x9e3779b97f4a7c15u;
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9u;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebu;
    return static_cast<scalar_of<T>>(static_cast<double>(bits >> 40) * 0x1p-23 - 1);
  });
}

// From 1 to 1.25, or from -1.25 to -1: a number from -1 to 1 might happen to be next to 0, and numbers of one size are
// eigenvectors of matrices of few rows, or with as many symmetries.
template <class T>
SUMFAC_INLINE T noise_of_one_size(index_t i, int k)
{
  T const x = noise<T>(i, k), whole = static_cast<scalar_of<T>>(0x1p23) * x, more = static_cast<scalar_of<T>>(0.25) * x;
  if constexpr (width_of<T> > 1)
    return more + max SUMFAC_NO_MACRO(min SUMFAC_NO_MACRO(whole, T(1)), T(-1));
  else
    return more + (whole > 0 ? T(1) : T(-1));
}

template <class T>
SUMFAC_INLINE T root(T const& x)
{
  if constexpr (width_of<T> > 1)
    return sqrt(x);
  else if constexpr (sizeof(T) == sizeof(float))
    return __builtin_sqrtf(x);
  else
    return __builtin_sqrt(x);
}

// x = noise(i, k), times the roots of factors.
template <class Scalar>
struct noise_body {
  using scalar = Scalar;
  static constexpr int sums = 0;
  Scalar* x;
  int k;
  Scalar const* factors;  // null where they are 1
  template <class T>
  SUMFAC_INLINE void operator()(index_t i, T (&)[most_sums]) const
  {
    store(entry<T>(i), x + i);
  }
  template <class T>
  SUMFAC_INLINE T entry(index_t i) const
  {
    T const one = noise<T>(i, k);
    return factors == nullptr ? one : one * root(load<T>(factors + i));
  }
};

// Sums y . x for the x of a noise_body, and y . y with the factors between.
template <class Scalar>
struct noise_products {
  using scalar = Scalar;
  static constexpr int sums = 2;
  Scalar const* y;
  noise_body<Scalar> x;
  template <class T>
  SUMFAC_INLINE void operator()(index_t i, T (&sum)[most_sums]) const
  {
    T const entry = load<T>(y + i);
    sum[0] = fma(entry, x.template entry<T>(i), sum[0]);
    sum[1] = fma(times(x.factors, i, entry), entry, sum[1]);
  }
};

// y . A z and z . A y of two vectors y and z.
struct both_products {
  double forth = 0, back = 0;
  bool differ = false;  // by more than rounding
  double square = 0;    // A y . A y, with the factors between
};

// Throws where they differ: what is not symmetric, and what to do.
inline void refuse_without_symmetry(char const* where, both_products const& of, char const* what, char const* instead)
{
  if (of.differ)
    failf(where, "%s (for two vectors y . A z = %.8g, z . A y = %.8g): %s", what, of.forth, of.back, instead);
}

// Entries look random, so that rounding adds up as noise does; times the roots of `factors`, as Jacobi's are, they are
// of one size in a matrix of rows of any size. x, y: memory for a vector each; sums: for those of a pass.
template <class Matrix, class Scalar, class Backend>
both_products compare_products(Matrix const& a, pass_runner<Backend> const& passes, Scalar* x, Scalar* y, double* sums,
                               Scalar const* factors = nullptr)
{
  double product[2], square[2];
  for (int k = 0; k < 2; ++k) {
    passes.run(a.size(), noise_body<Scalar>{x, k, factors});
    a.apply(view<Scalar const, dextents<1>>(x, a.size()), view<Scalar, dextents<1>>(y, a.size()));
    passes.run(a.size(), noise_products<Scalar>{y, {x, 1 - k, factors}}, sums);
    product[k] = download_one(passes.backend(), sums), square[k] = download_one(passes.backend(), sums + 1);
  }
  double const gap = __builtin_fabs(product[0] - product[1]);
  double const allowed = 1000 * rounding_of<Matrix, Scalar>() * (__builtin_sqrt(square[0]) + __builtin_sqrt(square[1]));
  constexpr double least = sizeof(Scalar) == sizeof(double) ? 1e-290 : 1e-34;  // squares below it have lost digits
  bool const known = is_finite(gap) && is_finite(allowed) && square[0] > least && square[1] > least;
  return {product[0], product[1], known && gap > allowed, square[0]};
}

// Looks again and again at one matrix, in memory of its own.
template <class Matrix, class Scalar>
class symmetry_watch {
  using backend = backend_of_matrix<Matrix>;

public:
  explicit symmetry_watch(Matrix const& a)
      : matrix_(&a),
        passes_(a.backend(), a.size(), reduction_of(a)),
        vectors_(make_memory<Scalar>(a.backend(), 2 * a.size())),
        sums_(make_memory<double>(a.backend(), most_sums))
  {
  }

  both_products look(Scalar const* factors = nullptr) const
  {
    index_t const size = matrix_->size();
    return compare_products(*matrix_, passes_, vectors_.data(), vectors_.data() + size, sums_.data(), factors);
  }

private:
  Matrix const* matrix_;
  pass_runner<backend> passes_;
  mutable memory_of<Scalar, backend> vectors_;
  mutable memory_of<double, backend> sums_;
};

// The same once.
template <class Scalar, class Matrix>
both_products compare_products(Matrix const& a, Scalar const* factors = nullptr)
{
  return symmetry_watch<Matrix, Scalar>(a).look(factors);
}

}  // namespace sumfac::detail
