// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Arithmetic of one point's numbers, vectors and matrices where their entries are of several types that meet.
#pragma once

#include <sumfac/math/dual.hpp>

#include <type_traits>

namespace sumfac::SUMFAC_TARGET::weak::detail {

// Nothing: a sum that has no terms yet.
struct nothing {};

// entry times the identity.
template <class T, int Rows>
struct scaled_identity {
  using value_type = T;
  static constexpr int rows = Rows, cols = Rows, size = 1;

  T entries[1];
};

// 0 of numbers, 1 of vectors, 2 of matrices; and one of other entries.
template <class Operand>
struct shape_of {
  static constexpr int rank = 0, rows = 1, cols = 1;
  template <class To>
  using of = To;
};
template <class T, int Rows>
struct shape_of<vector<T, Rows>> {
  static constexpr int rank = 1, rows = Rows, cols = 1;
  template <class To>
  using of = vector<To, Rows>;
};
template <class T, int Rows, int Cols>
struct shape_of<matrix<T, Rows, Cols>> {
  static constexpr int rank = 2, rows = Rows, cols = Cols;
  template <class To>
  using of = matrix<To, Rows, Cols>;
};
template <class T, int Rows>
struct shape_of<symmetric<T, Rows>> {
  static constexpr int rank = 2, rows = Rows, cols = Rows;
  template <class To>
  using of = symmetric<To, Rows>;
};
template <class T, int Rows>
struct shape_of<scaled_identity<T, Rows>> {
  static constexpr int rank = 2, rows = Rows, cols = Rows;
  template <class To>
  using of = scaled_identity<To, Rows>;
};
template <class Operand>
inline constexpr int entries_of = shape_of<Operand>::rows * shape_of<Operand>::cols;
template <class Operand>
inline constexpr bool is_scaled_identity = false;
template <class T, int Rows>
inline constexpr bool is_scaled_identity<scaled_identity<T, Rows>> = true;
template <class Operand, class Other>
inline constexpr bool same_shape =
    shape_of<Operand>::rank == shape_of<Other>::rank && shape_of<Operand>::rows == shape_of<Other>::rows &&
    shape_of<Operand>::cols == shape_of<Other>::cols;

// The vector or matrix with the entries f(i). Here and below what is returned is a variable of its function's outermost
// block, which g++ before 14 asks for to make it in place: matrices of dual numbers are large.
template <class Result, class Function>
SUMFAC_INLINE constexpr Result with_entries(Function const& f)
{
  Result result;
  SUMFAC_UNROLL
  for (int i = 0; i < Result::size; ++i) result.entries[i] = f(i);
  return result;
}

// f of each entry.
template <class Function, class Operand>
SUMFAC_INLINE constexpr auto each(Function const& f, Operand const& a)
{
  if constexpr (shape_of<Operand>::rank == 0)
    return f(a);
  else
    return with_entries<typename shape_of<Operand>::template of<decltype(f(a.entries[0]))>>(
        [&](int i) SUMFAC_LAMBDA { return f(a.entries[i]); });
}

// The matrix with the entries f(r, c).
template <int Rows, int Cols, class Function>
SUMFAC_INLINE constexpr auto filled(Function const& f)
{
  matrix<std::remove_cvref_t<decltype(f(0, 0))>, Rows, Cols> result;
  SUMFAC_UNROLL
  for (int r = 0; r < Rows; ++r) {
    SUMFAC_UNROLL
    for (int c = 0; c < Cols; ++c) result(r, c) = f(r, c);
  }
  return result;
}

// With all its entries: vectors and matrices as they are.
template <class Operand>
inline constexpr bool is_dense = shape_of<Operand>::rank < 2;
template <class T, int Rows, int Cols>
inline constexpr bool is_dense<matrix<T, Rows, Cols>> = true;
template <class Operand>
SUMFAC_INLINE constexpr decltype(auto) dense(Operand const& a)
{
  if constexpr (is_dense<Operand>) {
    return (a);
  } else if constexpr (is_scaled_identity<Operand>) {
    using T = typename Operand::value_type;
    return filled<Operand::rows, Operand::rows>(
        [&](int r, int c) SUMFAC_LAMBDA { return r == c ? a.entries[0] : T(scalar_of<T>(0)); });
  } else {
    return filled<Operand::rows, Operand::cols>([&](int r, int c) SUMFAC_LAMBDA { return a(r, c); });
  }
}

// f of entries in the same place.
template <class Function, class Operand, class Other>
SUMFAC_INLINE constexpr auto both(Function const& f, Operand const& a, Other const& b)
{
  if constexpr (shape_of<Operand>::rank == 0) {
    return f(a, b);
  } else {
    using result_type = typename shape_of<Operand>::template of<decltype(f(a.entries[0], b.entries[0]))>;
    if constexpr (std::is_same_v<Operand, typename shape_of<Other>::template of<typename Operand::value_type>>)
      return with_entries<result_type>([&](int i) SUMFAC_LAMBDA { return f(a.entries[i], b.entries[i]); });
    else
      return both(f, dense(a), dense(b));
  }
}

struct sum_of {
  SUMFAC_INLINE constexpr auto operator()(auto const& a, auto const& b) const { return a + b; }
};
struct difference_of {
  SUMFAC_INLINE constexpr auto operator()(auto const& a, auto const& b) const { return a - b; }
};

// a + b, or a - b, of one shape; the identity is added to the diagonal alone.
template <class Function, class Operand, class Other>
SUMFAC_INLINE constexpr auto combined(Function const& f, Operand const& a, Other const& b)
{
  if constexpr (is_scaled_identity<Operand> == is_scaled_identity<Other>) {
    return both(f, a, b);
  } else {
    using T = decltype(f(a.entries[0], b.entries[0]));
    return filled<Operand::rows, Operand::rows>([&](int r, int c) SUMFAC_LAMBDA -> T {
      if constexpr (is_scaled_identity<Other>)
        return r == c ? f(a(r, c), b.entries[0]) : T(a(r, c));
      else
        return r == c ? f(a.entries[0], b(r, c)) : f(T(scalar_of<T>(0)), b(r, c));
    });
  }
}
template <class Operand, class Other>
SUMFAC_INLINE constexpr auto plus(Operand const& a, Other const& b)
{
  if constexpr (std::is_same_v<Operand, nothing>)
    return b;
  else if constexpr (std::is_same_v<Other, nothing>)
    return a;
  else if constexpr (is_scaled_identity<Operand> && !is_scaled_identity<Other>)
    return combined(sum_of{}, b, a);
  else
    return combined(sum_of{}, a, b);
}
template <class Operand, class Other>
SUMFAC_INLINE constexpr auto minus(Operand const& a, Other const& b)
{
  return combined(difference_of{}, a, b);
}

template <class Scale, class Operand>
SUMFAC_INLINE constexpr auto scaled(Scale const& s, Operand const& a)
{
  if constexpr (std::is_same_v<Operand, nothing>)
    return a;
  else
    return each([&](auto const& entry) SUMFAC_LAMBDA { return s * entry; }, a);
}

// Of all entries in the same place: of vectors, and of matrices.
template <class Operand, class Other>
SUMFAC_INLINE constexpr auto contracted(Operand const& a, Other const& b)
{
  if constexpr (is_scaled_identity<Operand> && is_scaled_identity<Other>) {
    return scalar_of<decltype(a.entries[0] * b.entries[0])>(Operand::rows) * (a.entries[0] * b.entries[0]);
  } else if constexpr (is_scaled_identity<Operand>) {
    auto sum = b(0, 0);
    SUMFAC_UNROLL
    for (int i = 1; i < Operand::rows; ++i) sum = sum + b(i, i);
    return a.entries[0] * sum;
  } else if constexpr (is_scaled_identity<Other>) {
    return contracted(b, a);
  } else if constexpr (shape_of<Operand>::rank == 1) {
    auto sum = a[0] * b[0];
    SUMFAC_UNROLL
    for (int i = 1; i < Operand::size; ++i) sum = sum + a[i] * b[i];
    return sum;
  } else {
    auto sum = a(0, 0) * b(0, 0);
    SUMFAC_UNROLL
    for (int i = 1; i < entries_of<Operand>; ++i)
      sum = sum + a(i / shape_of<Operand>::cols, i % shape_of<Operand>::cols) *
                      b(i / shape_of<Operand>::cols, i % shape_of<Operand>::cols);
    return sum;
  }
}

template <class Operand, class Argument>
SUMFAC_INLINE constexpr auto times_vector(Operand const& a, Argument const& x)
{
  if constexpr (is_scaled_identity<Operand>) {
    return scaled(a.entries[0], x);
  } else {
    return with_entries<vector<decltype(a(0, 0) * x[0]), Operand::rows>>([&](int r) SUMFAC_LAMBDA {
      auto sum = a(r, 0) * x[0];
      SUMFAC_UNROLL
      for (int c = 1; c < Operand::cols; ++c) sum = sum + a(r, c) * x[c];
      return sum;
    });
  }
}

template <class Operand, class Other>
SUMFAC_INLINE constexpr auto times_matrix(Operand const& a, Other const& b)
{
  if constexpr (is_scaled_identity<Operand>) {
    return scaled(a.entries[0], b);
  } else if constexpr (is_scaled_identity<Other>) {
    return each([&](auto const& entry) SUMFAC_LAMBDA { return entry * b.entries[0]; }, a);
  } else {
    return filled<Operand::rows, Other::cols>([&](int r, int c) SUMFAC_LAMBDA {
      auto sum = a(r, 0) * b(0, c);
      SUMFAC_UNROLL
      for (int k = 1; k < Operand::cols; ++k) sum = sum + a(r, k) * b(k, c);
      return sum;
    });
  }
}

template <class Operand>
SUMFAC_INLINE constexpr auto transposed(Operand const& a)
{
  if constexpr (shape_of<Operand>::rank == 2 && !is_scaled_identity<Operand>)
    return filled<Operand::cols, Operand::rows>([&](int r, int c) SUMFAC_LAMBDA { return a(c, r); });
  else
    return a;
}

// A value as one of another number type.
template <class To, class Operand>
SUMFAC_INLINE constexpr auto converted(Operand const& a)
{
  return each([](auto const& entry) SUMFAC_LAMBDA { return To(entry); }, dense(a));
}

}  // namespace sumfac::weak::detail
