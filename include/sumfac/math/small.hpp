// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The vectors and matrices of one quadrature point: vector, matrix and symmetric, of numbers or of SIMD packs.
#pragma once

#include <sumfac/config.hpp>

#include <concepts>

namespace sumfac::inline SUMFAC_TARGET {

// N numbers: `vector<double, 3>{x, y, z}`; `vector<double, 3>{}` is zero.
template <class T, int N>
struct vector {
  static_assert(N >= 1, "sumfac::vector<T, N>: N must be positive");

  using value_type = T;
  static constexpr int size = N;

  T entries[size];

  SUMFAC_INLINE constexpr T& operator[](int i) { return entries[i]; }
  SUMFAC_INLINE constexpr T const& operator[](int i) const { return entries[i]; }
};

// N rows and M columns, `a(r, c)`; the initializer lists them row by row.
template <class T, int N, int M = N>
struct matrix {
  static_assert(N >= 1 && M >= 1, "sumfac::matrix<T, N, M>: N and M must be positive");

  using value_type = T;
  static constexpr int rows = N, cols = M, size = N * M;

  T entries[size];

  SUMFAC_INLINE constexpr T& operator()(int r, int c) { return entries[r * M + c]; }
  SUMFAC_INLINE constexpr T const& operator()(int r, int c) const { return entries[r * M + c]; }
};

// A symmetric N x N matrix, which keeps its upper triangle row by row: xx xy xz yy yz zz for N = 3.
template <class T, int N>
struct symmetric {
  static_assert(N >= 1, "sumfac::symmetric<T, N>: N must be positive");

  using value_type = T;
  static constexpr int rows = N, cols = N, size = N * (N + 1) / 2;

  T entries[size];

  // Place of entry (r, c), which is also entry (c, r), in `entries`.
  SUMFAC_INLINE static constexpr int index(int r, int c)
  {
    int const row = r < c ? r : c, col = r < c ? c : r;
    return row * N - row * (row - 1) / 2 + col - row;
  }

  SUMFAC_INLINE constexpr T& operator()(int r, int c) { return entries[index(r, c)]; }
  SUMFAC_INLINE constexpr T const& operator()(int r, int c) const { return entries[index(r, c)]; }
};

// What adds, subtracts and scales entry by entry: the three above.
template <class A>
concept entrywise = requires(A a) {
  typename A::value_type;
  { a.entries[A::size - 1] } -> std::same_as<typename A::value_type&>;
};

// S scales A where an entry times S is an entry: numbers scale numbers and packs of them.
template <class S, class A>
concept scales = entrywise<A> && requires(typename A::value_type const& entry, S const& s) {
  { entry * s } -> std::same_as<typename A::value_type>;
};

template <entrywise A>
SUMFAC_INLINE constexpr A& operator+=(A& a, A const& b)
{
  SUMFAC_UNROLL
  for (int i = 0; i < A::size; ++i) a.entries[i] = a.entries[i] + b.entries[i];
  return a;
}

template <entrywise A>
SUMFAC_INLINE constexpr A& operator-=(A& a, A const& b)
{
  SUMFAC_UNROLL
  for (int i = 0; i < A::size; ++i) a.entries[i] = a.entries[i] - b.entries[i];
  return a;
}

template <entrywise A, scales<A> S>
SUMFAC_INLINE constexpr A& operator*=(A& a, S const& s)
{
  SUMFAC_UNROLL
  for (int i = 0; i < A::size; ++i) a.entries[i] = a.entries[i] * s;
  return a;
}

template <entrywise A>
SUMFAC_INLINE constexpr A operator+(A a, A const& b)
{
  return a += b;
}

template <entrywise A>
SUMFAC_INLINE constexpr A operator-(A a, A const& b)
{
  return a -= b;
}

template <entrywise A, scales<A> S>
SUMFAC_INLINE constexpr A operator*(A a, S const& s)
{
  return a *= s;
}

template <entrywise A, scales<A> S>
SUMFAC_INLINE constexpr A operator*(S const& s, A a)
{
  return a *= s;
}

template <class T, int N>
SUMFAC_INLINE constexpr T dot(vector<T, N> const& a, vector<T, N> const& b)
{
  T sum = a[0] * b[0];
  SUMFAC_UNROLL
  for (int i = 1; i < N; ++i) sum = sum + a[i] * b[i];
  return sum;
}

template <class T>
SUMFAC_INLINE constexpr vector<T, 3> cross(vector<T, 3> const& a, vector<T, 3> const& b)
{
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

template <class T, int N, int M>
SUMFAC_INLINE constexpr matrix<T, M, N> transpose(matrix<T, N, M> const& a)
{
  matrix<T, M, N> result{};
  SUMFAC_UNROLL
  for (int r = 0; r < N; ++r) {
    SUMFAC_UNROLL
    for (int c = 0; c < M; ++c) result(c, r) = a(r, c);
  }
  return result;
}

template <class T, int N, int M>
SUMFAC_INLINE constexpr vector<T, N> operator*(matrix<T, N, M> const& a, vector<T, M> const& x)
{
  vector<T, N> result{};
  SUMFAC_UNROLL
  for (int r = 0; r < N; ++r) {
    result[r] = a(r, 0) * x[0];
    SUMFAC_UNROLL
    for (int c = 1; c < M; ++c) result[r] = result[r] + a(r, c) * x[c];
  }
  return result;
}

template <class T, int N>
SUMFAC_INLINE constexpr vector<T, N> operator*(symmetric<T, N> const& a, vector<T, N> const& x)
{
  vector<T, N> result{};
  SUMFAC_UNROLL
  for (int r = 0; r < N; ++r) {
    result[r] = a(r, 0) * x[0];
    SUMFAC_UNROLL
    for (int c = 1; c < N; ++c) result[r] = result[r] + a(r, c) * x[c];
  }
  return result;
}

template <class T, int N, int K, int M>
SUMFAC_INLINE constexpr matrix<T, N, M> operator*(matrix<T, N, K> const& a, matrix<T, K, M> const& b)
{
  matrix<T, N, M> result{};
  SUMFAC_UNROLL
  for (int r = 0; r < N; ++r) {
    SUMFAC_UNROLL
    for (int c = 0; c < M; ++c) {
      result(r, c) = a(r, 0) * b(0, c);
      SUMFAC_UNROLL
      for (int k = 1; k < K; ++k) result(r, c) = result(r, c) + a(r, k) * b(k, c);
    }
  }
  return result;
}

// a a^T: the dot products of a's rows.
template <class T, int N, int M>
SUMFAC_INLINE constexpr symmetric<T, N> gram(matrix<T, N, M> const& a)
{
  symmetric<T, N> result{};
  SUMFAC_UNROLL
  for (int r = 0; r < N; ++r) {
    SUMFAC_UNROLL
    for (int c = r; c < N; ++c) {
      result(r, c) = a(r, 0) * a(c, 0);
      SUMFAC_UNROLL
      for (int k = 1; k < M; ++k) result(r, c) = result(r, c) + a(r, k) * a(c, k);
    }
  }
  return result;
}

template <class T, int N>
SUMFAC_INLINE constexpr T determinant(matrix<T, N> const& a)
{
  static_assert(N <= 3, "sumfac::determinant: matrices up to 3 x 3");
  if constexpr (N == 1)
    return a(0, 0);
  else if constexpr (N == 2)
    return a(0, 0) * a(1, 1) - a(0, 1) * a(1, 0);
  else
    return a(0, 0) * (a(1, 1) * a(2, 2) - a(1, 2) * a(2, 1)) + a(0, 1) * (a(1, 2) * a(2, 0) - a(1, 0) * a(2, 2)) +
           a(0, 2) * (a(1, 0) * a(2, 1) - a(1, 1) * a(2, 0));
}

// The transposed cofactors: adjugate(a) * a is the identity times determinant(a), without a division.
template <class T, int N>
SUMFAC_INLINE constexpr matrix<T, N> adjugate(matrix<T, N> const& a)
{
  static_assert(N <= 3, "sumfac::adjugate: matrices up to 3 x 3");
  if constexpr (N == 1) {
    return {static_cast<T>(1)};
  } else if constexpr (N == 2) {
    return {a(1, 1), -a(0, 1), -a(1, 0), a(0, 0)};
  } else {
    matrix<T, N> result{};
    SUMFAC_UNROLL
    for (int r = 0; r < 3; ++r) {
      SUMFAC_UNROLL
      for (int c = 0; c < 3; ++c) {
        int const r1 = (r + 1) % 3, r2 = (r + 2) % 3, c1 = (c + 1) % 3, c2 = (c + 2) % 3;
        result(r, c) = a(c1, r1) * a(c2, r2) - a(c1, r2) * a(c2, r1);
      }
    }
    return result;
  }
}

// **Errors** none is raised: a singular matrix has an inverse of infinities and NaN.
template <class T, int N>
SUMFAC_INLINE constexpr matrix<T, N> inverse(matrix<T, N> const& a)
{
  return adjugate(a) * (static_cast<T>(1) / determinant(a));
}

}  // namespace sumfac
