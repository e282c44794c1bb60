// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What expressions are made by: for each operation its rank, how it depends on its arguments, and its value at a point.
#pragma once

#include <sumfac/form/weak/expression.hpp>
#include <sumfac/form/weak/values.hpp>

namespace sumfac::SUMFAC_TARGET::weak::detail {

// How an operation depends on its arguments: linear in all at once; in each; in the first alone; in the second and
// third at once, which the first chooses from; as a function.
enum class dependence { sum, product, quotient, choice, function };

// 0 independent of what Bit says (on_trial's own bit, on_test), 1 linear in it, 2 anything else.
template <class Expression, unsigned Bit>
struct degree_in {
  static constexpr int value = (Expression::uses & Bit) != 0 ? 1 : 0;
};
template <class Expression, unsigned Bit>
inline constexpr int degree = degree_in<Expression, Bit>::value;
template <class Op, class... Arguments, unsigned Bit>
struct degree_in<node<Op, Arguments...>, Bit> {
  static constexpr int value = [] {
    if (((degree<Arguments, Bit> == 0) && ...)) return 0;
    int degrees[] = {degree<Arguments, Bit>..., 0, 0}, count = int{sizeof...(Arguments)}, total = 0;
    bool equal = true;
    for (int i = 0; i < count; ++i) {
      total += degrees[i];
      if (i > (Op::depends == dependence::choice ? 1 : 0)) equal = equal && degrees[i] == degrees[i - 1];
    }
    bool linear = false;
    if (Op::depends == dependence::sum) linear = equal && degrees[0] == 1;
    if (Op::depends == dependence::product) linear = total == 1;
    if (Op::depends == dependence::quotient) linear = degrees[0] == 1 && total == 1;
    if (Op::depends == dependence::choice) linear = degrees[0] == 0 && equal && degrees[1] == 1;
    return linear ? 1 : 2;
  }();
};
inline constexpr unsigned trial_bit = 4;

// Of two arguments of these ranks, linear in each.
template <int Rank, int OtherRank, int Result>
struct product_of_ranks {
  static constexpr auto depends = dependence::product;
  static constexpr int rank(int a, int b) { return a == Rank && b == OtherRank ? Result : no_rank; }
  template <bool>
  static constexpr void require_ranks()
  {
  }
};

// A sum, and a difference.
template <bool Minus>
struct sum_or_difference {
  static constexpr char name[] = {Minus ? '-' : '+', 0};
  static constexpr auto depends = dependence::sum;
  static constexpr int rank(int a, int b) { return a == b && a != of_condition ? a : no_rank; }
  template <bool Fits>
  static constexpr void require_ranks()
  {
    static_assert(Fits || Minus,
                  "sumfac::weak: a + b: the terms are of different rank: add numbers to numbers, vectors to "
                  "vectors, matrices to matrices (a number times identity is a matrix)");
    static_assert(Fits || !Minus,
                  "sumfac::weak: a - b: the terms are of different rank: subtract numbers from numbers, vectors "
                  "from vectors, matrices from matrices (a number times identity is a matrix)");
  }
  template <class Operand, class Other>
  SUMFAC_INLINE static constexpr auto apply(Operand const& a, Other const& b)
  {
    static_assert(same_shape<Operand, Other>, "sumfac::weak: a + b, a - b: the terms are of different size");
    if constexpr (!same_shape<Operand, Other>)
      return a;
    else if constexpr (Minus)
      return minus(a, b);
    else
      return plus(a, b);
  }
};
struct sum : sum_or_difference<false> {};
struct difference : sum_or_difference<true> {};

struct negation {
  static constexpr char name[] = "-";
  static constexpr auto depends = dependence::sum;
  static constexpr int rank(int a) { return a == of_condition ? no_rank : a; }
  template <bool Fits>
  static constexpr void require_ranks()
  {
    static_assert(Fits, "sumfac::weak: -a: of a condition");
  }
  SUMFAC_INLINE static constexpr auto apply(auto const& a)
  {
    return each([](auto const& entry) SUMFAC_LAMBDA { return -entry; }, a);
  }
};

// A number, the first argument, times anything.
struct scaling {
  static constexpr char name[] = "*";
  static constexpr auto depends = dependence::product;
  static constexpr int rank(int a, int b) { return a == 0 && b != of_condition ? b : no_rank; }
  template <bool Fits>
  static constexpr void require_ranks()
  {
    static_assert(Fits,
                  "sumfac::weak: a * b: one must be a number, or a a matrix and b a vector or a matrix: for two "
                  "vectors there are dot(a, b), cross(a, b) and outer(a, b)");
  }
  SUMFAC_INLINE static constexpr auto apply(auto const& a, auto const& b) { return scaled(a, b); }
};
struct division {
  static constexpr char name[] = "/";
  static constexpr auto depends = dependence::quotient;
  static constexpr int rank(int a, int b) { return b == 0 && a != of_condition ? a : no_rank; }
  template <bool Fits>
  static constexpr void require_ranks()
  {
    static_assert(Fits, "sumfac::weak: a / b: b must be a number (of matrices there is inv(b))");
  }
  SUMFAC_INLINE static constexpr auto apply(auto const& a, auto const& b)
  {
    return each([&](auto const& entry) SUMFAC_LAMBDA { return entry / b; }, a);
  }
};

template <int Rank>
struct contraction : product_of_ranks<Rank, Rank, 0> {
  static constexpr char const* name = Rank == 1 ? "dot" : "inner";
  template <bool Fits>
  static constexpr void require_ranks()
  {
    static_assert(Fits || Rank == 2,
                  "sumfac::weak: dot(a, b): both must be vectors: numbers are multiplied by *, matrices by "
                  "inner(a, b)");
    static_assert(Fits || Rank == 1, "sumfac::weak: inner(a, b): both must be matrices, or both vectors");
  }
  template <class Operand, class Other>
  SUMFAC_INLINE static constexpr auto apply(Operand const& a, Other const& b)
  {
    static_assert(same_shape<Operand, Other>, "sumfac::weak: dot(a, b), inner(a, b): a and b are of different size");
    if constexpr (same_shape<Operand, Other>)
      return contracted(a, b);
    else
      return a.entries[0] * b.entries[0];
  }
};
using dot_product = contraction<1>;
using inner_product = contraction<2>;

// A matrix times a vector, or a matrix.
template <int Rank>
struct matrix_product : product_of_ranks<2, Rank, Rank> {
  static constexpr char name[] = "*";
  template <class Operand, class Other>
  SUMFAC_INLINE static constexpr auto apply(Operand const& a, Other const& b)
  {
    constexpr bool fits = shape_of<Operand>::cols == shape_of<Other>::rows;
    static_assert(
        fits, "sumfac::weak: a * b: the matrix a has other columns than b has rows, or entries where it is a vector");
    if constexpr (!fits)
      return b;
    else if constexpr (Rank == 1)
      return times_vector(a, b);
    else
      return times_matrix(a, b);
  }
};
using matrix_vector = matrix_product<1>;
using matrix_matrix = matrix_product<2>;

template <int Result>
struct product_of_vectors : product_of_ranks<1, 1, Result> {
  template <bool Fits>
  static constexpr void require_ranks()
  {
    static_assert(Fits, "sumfac::weak: outer(a, b), cross(a, b): both must be vectors");
  }
};
struct outer_product : product_of_vectors<2> {
  static constexpr char name[] = "outer";
  template <class Operand, class Other>
  SUMFAC_INLINE static constexpr auto apply(Operand const& a, Other const& b)
  {
    return filled<Operand::size, Other::size>([&](int r, int c) SUMFAC_LAMBDA { return a[r] * b[c]; });
  }
};
struct cross_product : product_of_vectors<1> {
  static constexpr char name[] = "cross";
  template <class Operand, class Other>
  SUMFAC_INLINE static constexpr auto apply(Operand const& a, Other const& b)
  {
    constexpr bool fits = shape_of<Operand>::rows == 3 && shape_of<Other>::rows == 3;
    static_assert(fits, "sumfac::weak: cross(a, b): both must have three entries");
    vector<decltype(a[0] * b[0]), 3> result{};
    SUMFAC_UNROLL
    for (int i = 0; i < 3 && fits; ++i) result[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
    return result;
  }
};

// Of a matrix.
template <int Result>
struct of_matrix {
  static constexpr auto depends = dependence::sum;
  static constexpr int rank(int a) { return a == 2 ? Result : no_rank; }
  template <bool Fits>
  static constexpr void require_ranks()
  {
    static_assert(Fits, "sumfac::weak: trace(a), transpose(a), sym(a), skew(a), det(a), inv(a): a must be a matrix");
  }
};
// A square one, or a diagnostic.
template <class Operand>
inline constexpr bool is_square = shape_of<Operand>::rows == shape_of<Operand>::cols;
template <class Operand>
SUMFAC_FUNCTION constexpr bool require_square()
{
  static_assert(is_square<Operand>,
                "sumfac::weak: trace(a), div(u), sym(a), skew(a), det(a), inv(a): the matrix is not square: of a "
                "gradient, u must have a component for each coordinate of the mesh");
  return is_square<Operand>;
}

struct trace_of_matrix : of_matrix<0> {
  static constexpr char name[] = "trace";
  template <class Operand>
  SUMFAC_INLINE static constexpr auto apply(Operand const& a)
  {
    if constexpr (require_square<Operand>() && is_scaled_identity<Operand>) {
      return scalar_of<typename Operand::value_type>(Operand::rows) * a.entries[0];
    } else {
      auto result = a(0, 0);
      SUMFAC_UNROLL
      for (int i = 1; i < Operand::rows && is_square<Operand>; ++i) result = result + a(i, i);
      return result;
    }
  }
};
struct transposition : of_matrix<2> {
  static constexpr char name[] = "transpose";
  SUMFAC_INLINE static constexpr auto apply(auto const& a) { return transposed(a); }
};
struct symmetric_part : of_matrix<2> {
  static constexpr char name[] = "sym";
  template <class Operand>
  SUMFAC_INLINE static constexpr auto apply(Operand const& a)
  {
    if constexpr (!require_square<Operand>() || is_scaled_identity<Operand>) {
      return a;
    } else {
      using T = typename Operand::value_type;
      symmetric<T, Operand::rows> result;
      SUMFAC_UNROLL
      for (int r = 0; r < Operand::rows; ++r) {
        result(r, r) = a(r, r);
        SUMFAC_UNROLL
        for (int c = r + 1; c < Operand::rows; ++c) result(r, c) = scalar_of<T>(0.5) * (a(r, c) + a(c, r));
      }
      return result;
    }
  }
};
struct skew_part : of_matrix<2> {
  static constexpr char name[] = "skew";
  template <class Operand>
  SUMFAC_INLINE static constexpr auto apply(Operand const& a)
  {
    static_assert(require_square<Operand>());
    using T = typename Operand::value_type;
    auto const& d = dense(a);
    return filled<Operand::rows, Operand::rows>([&](int r, int c)
                                                    SUMFAC_LAMBDA { return scalar_of<T>(0.5) * (d(r, c) - d(c, r)); });
  }
};
struct determinant_of_matrix : of_matrix<0> {
  static constexpr char name[] = "det";
  static constexpr auto depends = dependence::function;
  template <class Operand>
  SUMFAC_INLINE static constexpr auto apply(Operand const& a)
  {
    static_assert(require_square<Operand>());
    return determinant(dense(a));
  }
};
struct inverse_of_matrix : of_matrix<2> {
  static constexpr char name[] = "inv";
  static constexpr auto depends = dependence::function;
  template <class Operand>
  SUMFAC_INLINE static constexpr auto apply(Operand const& a)
  {
    static_assert(require_square<Operand>());
    auto const& full = dense(a);
    return scaled(scalar_of<typename Operand::value_type>(1) / determinant(full), adjugate(full));
  }
};
// The vector whose cross product with w is skew(a) w, times two: the curl of what has the gradient a; and the matrix
// that a vector's product with it is the contraction of.
struct curl_of_gradient : of_matrix<1> {
  static constexpr char name[] = "curl_of";
  template <bool Fits>
  static constexpr void require_ranks()
  {
    static_assert(Fits, "sumfac::weak: curl(u): u must be a function of two or three components");
  }
  template <class Operand>
  SUMFAC_INLINE static constexpr auto apply(Operand const& a)
  {
    constexpr bool fits = shape_of<Operand>::rows == 3 && shape_of<Operand>::cols == 3;
    static_assert(fits, "sumfac::weak: curl(u): u must have a component for each coordinate of the mesh");
    vector<decltype(a(0, 0) - a(0, 0)), 3> result{};
    SUMFAC_UNROLL
    for (int i = 0; i < 3 && fits; ++i) result[i] = a((i + 2) % 3, (i + 1) % 3) - a((i + 1) % 3, (i + 2) % 3);
    return result;
  }
};
struct spin {
  static constexpr char name[] = "spin";
  static constexpr auto depends = dependence::sum;
  static constexpr int rank(int a) { return a == 1 ? 2 : no_rank; }
  template <bool>
  static constexpr void require_ranks()
  {
  }
  template <class Operand>
  SUMFAC_INLINE static constexpr auto apply(Operand const& a)
  {
    using T = typename Operand::value_type;
    T const zero(scalar_of<T>(0));
    return matrix<T, 3>{zero, -a[2], a[1], a[2], zero, -a[0], -a[1], a[0], zero};
  }
};

// An entry of a vector, or of a matrix; of one with Size rows and columns where Size is not 0.
template <int Row, int Col, int Size, class Operand>
SUMFAC_FUNCTION constexpr bool require_entry()
{
  using shape = shape_of<Operand>;
  constexpr bool there = Row < shape::rows && Col < shape::cols;
  constexpr bool planar = !there || Size == 0 || (shape::rows == Size && shape::cols == Size);
  static_assert(there, "sumfac::weak: component<i>(a), component<i, j>(a): a has not as many");
  static_assert(planar, "sumfac::weak: curl(u): u must have a component for each coordinate of the mesh");
  return there && planar;
}
template <int Row, int Col = -1, int Size = 0>
struct entry {
  static constexpr char name[] = "component";
  static constexpr auto depends = dependence::sum;
  static constexpr int rank(int a) { return a == (Col < 0 ? 1 : 2) ? 0 : no_rank; }
  template <bool Fits>
  static constexpr void require_ranks()
  {
    static_assert(Fits, "sumfac::weak: component<i>(a) is of a vector, component<i, j>(a) of a matrix");
  }
  template <class Operand>
  SUMFAC_INLINE static constexpr auto apply(Operand const& a)
  {
    if constexpr (!require_entry<Row, Col, Size, Operand>())
      return a.entries[0];
    else if constexpr (Col < 0)
      return a[Row];
    else
      return dense(a)(Row, Col);
  }
};

struct gradient_of {
  static constexpr char name[] = "grad";
  static constexpr auto depends = dependence::sum;
  static constexpr int rank(int a) { return a == 0 ? 1 : a == 1 ? 2 : no_rank; }
};

// The node of an operation, or a diagnostic.
template <class Op, class... Arguments>
constexpr auto made(Arguments const&... arguments)
{
  using result = node<Op, as_expression_t<Arguments>...>;
  Op::template require_ranks<(result::rank != no_rank || ((as_expression_t<Arguments>::rank == no_rank) || ...))>();
  return result{{}, as_expression(arguments)...};
}

}  // namespace sumfac::weak::detail
