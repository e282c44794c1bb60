// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The vectors and matrices of one quadrature point: vector, matrix and symmetric, of numbers or of SIMD packs.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/config.hpp>

#include <concepts>

namespace sumfac::SUMFAC_TARGET {

// N numbers: `vector<double, 3>{x, y, z}`; `vector<double, 3>{}` is zero.
template <class T, int Rows>
struct vector {
  static_assert(Rows >= 1, "sumfac::vector<T, N>: N must be positive");

  using value_type = T;
  static constexpr int size = Rows;

  T entries[size];

  SUMFAC_INLINE constexpr T& operator[](int i) { return entries[i]; }
  SUMFAC_INLINE constexpr T const& operator[](int i) const { return entries[i]; }
};

// N rows and M columns, `a(r, c)`; the initializer lists them row by row.
template <class T, int Rows, int Cols = Rows>
struct matrix {
  static_assert(Rows >= 1 && Cols >= 1, "sumfac::matrix<T, N, M>: N and M must be positive");

  using value_type = T;
  static constexpr int rows = Rows, cols = Cols, size = Rows * Cols;

  T entries[size];

  SUMFAC_INLINE constexpr T& operator()(int r, int c) { return entries[r * Cols + c]; }
  SUMFAC_INLINE constexpr T const& operator()(int r, int c) const { return entries[r * Cols + c]; }
};

// A symmetric N x N matrix, which keeps its upper triangle row by row: xx xy xz yy yz zz for N = 3.
template <class T, int Rows>
struct symmetric {
  static_assert(Rows >= 1, "sumfac::symmetric<T, N>: N must be positive");

  using value_type = T;
  static constexpr int rows = Rows, cols = Rows, size = Rows * (Rows + 1) / 2;

  T entries[size];

  // Place of entry (r, c), which is also entry (c, r), in `entries`.
  SUMFAC_INLINE static constexpr int index(int r, int c)
  {
    int const row = r < c ? r : c, col = r < c ? c : r;
    return row * Rows - row * (row - 1) / 2 + col - row;
  }

  SUMFAC_INLINE constexpr T& operator()(int r, int c) { return entries[index(r, c)]; }
  SUMFAC_INLINE constexpr T const& operator()(int r, int c) const { return entries[index(r, c)]; }
};

namespace detail {

// What adds, subtracts and scales entry by entry: the three above.
template <class Entries>
concept entrywise = requires(Entries a) {
  typename Entries::value_type;
  { a.entries[Entries::size - 1] } -> std::same_as<typename Entries::value_type&>;
};

// S scales A where an entry times S is an entry: numbers scale numbers and packs of them.
template <class Scale, class Entries>
concept scales = entrywise<Entries> && requires(typename Entries::value_type const& entry, Scale const& s) {
  { entry* s } -> std::same_as<typename Entries::value_type>;
};

// What the entries of a product are: numbers meet numbers of their own type, or what they are constants to.
template <class Left, class Right>
struct product_entry {};
template <class T>
struct product_entry<T, T> {
  using type = T;
};
template <class Left, class Right>
using product_of = typename product_entry<Left, Right>::type;

}  // namespace detail

template <detail::entrywise Entries>
SUMFAC_INLINE constexpr Entries& operator+=(Entries& a, Entries const& b)
{
  SUMFAC_UNROLL
  for (int i = 0; i < Entries::size; ++i) a.entries[i] = a.entries[i] + b.entries[i];
  return a;
}

template <detail::entrywise Entries>
SUMFAC_INLINE constexpr Entries& operator-=(Entries& a, Entries const& b)
{
  SUMFAC_UNROLL
  for (int i = 0; i < Entries::size; ++i) a.entries[i] = a.entries[i] - b.entries[i];
  return a;
}

template <detail::entrywise Entries, detail::scales<Entries> Scale>
SUMFAC_INLINE constexpr Entries& operator*=(Entries& a, Scale const& s)
{
  SUMFAC_UNROLL
  for (int i = 0; i < Entries::size; ++i) a.entries[i] = a.entries[i] * s;
  return a;
}

template <detail::entrywise Entries>
SUMFAC_INLINE constexpr Entries operator+(Entries a, Entries const& b)
{
  return a += b;
}

template <detail::entrywise Entries>
SUMFAC_INLINE constexpr Entries operator-(Entries a, Entries const& b)
{
  return a -= b;
}

template <detail::entrywise Entries, detail::scales<Entries> Scale>
SUMFAC_INLINE constexpr Entries operator*(Entries a, Scale const& s)
{
  return a *= s;
}

template <detail::entrywise Entries, detail::scales<Entries> Scale>
SUMFAC_INLINE constexpr Entries operator*(Scale const& s, Entries a)
{
  return a *= s;
}

// Products of vectors.
template <class T, class Other, int Rows>
SUMFAC_INLINE constexpr detail::product_of<T, Other> dot(vector<T, Rows> const& a, vector<Other, Rows> const& b)
{
  detail::product_of<T, Other> sum = a[0] * b[0];
  SUMFAC_UNROLL
  for (int i = 1; i < Rows; ++i) sum = sum + a[i] * b[i];
  return sum;
}

template <class T>
SUMFAC_INLINE constexpr vector<T, 3> cross(vector<T, 3> const& a, vector<T, 3> const& b)
{
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

// The matrix whose rows are the columns of a.
template <class T, int Rows, int Cols>
SUMFAC_INLINE constexpr matrix<T, Cols, Rows> transpose(matrix<T, Rows, Cols> const& a)
{
  matrix<T, Cols, Rows> result{};
  SUMFAC_UNROLL
  for (int r = 0; r < Rows; ++r) {
    SUMFAC_UNROLL
    for (int c = 0; c < Cols; ++c) result(c, r) = a(r, c);
  }
  return result;
}

template <class T, class Other, int Rows, int Cols>
SUMFAC_INLINE constexpr vector<detail::product_of<T, Other>, Rows> operator*(matrix<T, Rows, Cols> const& a,
                                                                             vector<Other, Cols> const& x)
{
  vector<detail::product_of<T, Other>, Rows> result{};
  SUMFAC_UNROLL
  for (int r = 0; r < Rows; ++r) {
    result[r] = a(r, 0) * x[0];
    SUMFAC_UNROLL
    for (int c = 1; c < Cols; ++c) result[r] = result[r] + a(r, c) * x[c];
  }
  return result;
}

template <class T, class Other, int Rows>
SUMFAC_INLINE constexpr vector<detail::product_of<T, Other>, Rows> operator*(symmetric<T, Rows> const& a,
                                                                             vector<Other, Rows> const& x)
{
  vector<detail::product_of<T, Other>, Rows> result{};
  SUMFAC_UNROLL
  for (int r = 0; r < Rows; ++r) {
    result[r] = a(r, 0) * x[0];
    SUMFAC_UNROLL
    for (int c = 1; c < Rows; ++c) result[r] = result[r] + a(r, c) * x[c];
  }
  return result;
}

template <class T, class Other, int Rows, int Inner, int Cols>
SUMFAC_INLINE constexpr matrix<detail::product_of<T, Other>, Rows, Cols> operator*(matrix<T, Rows, Inner> const& a,
                                                                                   matrix<Other, Inner, Cols> const& b)
{
  matrix<detail::product_of<T, Other>, Rows, Cols> result{};
  SUMFAC_UNROLL
  for (int r = 0; r < Rows; ++r) {
    SUMFAC_UNROLL
    for (int c = 0; c < Cols; ++c) {
      result(r, c) = a(r, 0) * b(0, c);
      SUMFAC_UNROLL
      for (int k = 1; k < Inner; ++k) result(r, c) = result(r, c) + a(r, k) * b(k, c);
    }
  }
  return result;
}

// a a^T: the dot products of a's rows.
template <class T, int Rows, int Cols>
SUMFAC_INLINE constexpr symmetric<T, Rows> gram(matrix<T, Rows, Cols> const& a)
{
  symmetric<T, Rows> result{};
  SUMFAC_UNROLL
  for (int r = 0; r < Rows; ++r) {
    SUMFAC_UNROLL
    for (int c = r; c < Rows; ++c) {
      result(r, c) = a(r, 0) * a(c, 0);
      SUMFAC_UNROLL
      for (int k = 1; k < Cols; ++k) result(r, c) = result(r, c) + a(r, k) * a(c, k);
    }
  }
  return result;
}

// Of one to three rows.
template <class T, int Rows>
SUMFAC_INLINE constexpr T determinant(matrix<T, Rows> const& a)
{
  static_assert(Rows <= 3, "sumfac::determinant: matrices up to 3 x 3");
  if constexpr (Rows == 1)
    return a(0, 0);
  else if constexpr (Rows == 2)
    return a(0, 0) * a(1, 1) - a(0, 1) * a(1, 0);
  else
    return a(0, 0) * (a(1, 1) * a(2, 2) - a(1, 2) * a(2, 1)) + a(0, 1) * (a(1, 2) * a(2, 0) - a(1, 0) * a(2, 2)) +
           a(0, 2) * (a(1, 0) * a(2, 1) - a(1, 1) * a(2, 0));
}

// The transposed cofactors: adjugate(a) * a is the identity times determinant(a), without a division.
template <class T, int Rows>
SUMFAC_INLINE constexpr matrix<T, Rows> adjugate(matrix<T, Rows> const& a)
{
  static_assert(Rows <= 3, "sumfac::adjugate: matrices up to 3 x 3");
  if constexpr (Rows == 1) {
    return {static_cast<T>(1)};
  } else if constexpr (Rows == 2) {
    return {a(1, 1), -a(0, 1), -a(1, 0), a(0, 0)};
  } else {
    matrix<T, Rows> result{};
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

// The inverse, of one to three rows. **Errors** none is raised: a singular matrix has an inverse of infinities and NaN.
template <class T, int Rows>
SUMFAC_INLINE constexpr matrix<T, Rows> inverse(matrix<T, Rows> const& a)
{
  return adjugate(a) * (static_cast<T>(1) / determinant(a));
}

}  // namespace sumfac
