// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The one-dimensional tables of a basis at compile time: I, D, the derivative on the points, w; and even-odd halves.
#pragma once

#include <sumfac/basis/lagrange.hpp>
#include <sumfac/basis/quadrature.hpp>
#include <sumfac/math/detail/plain.hpp>

#include <type_traits>

namespace sumfac::SUMFAC_TARGET::detail {

// A small dense matrix of constants, rows by columns; a vector is a table of one row.
template <class T, int Rows, int Cols>
struct table {
  static constexpr int rows = Rows, cols = Cols;
  T value[Rows][Cols];

  SUMFAC_FUNCTION constexpr T operator()(int r, int c) const { return value[r][c]; }
  SUMFAC_FUNCTION constexpr T operator()(int c) const
    requires(Rows == 1)
  {
    return value[0][c];
  }
};

template <class Nodes>
constexpr int size_of();
template <class Nodes>
constexpr void check_nodes();
template <class Points>
constexpr void check_weights();
template <class Nodes, class Points, bool Derivatives>
constexpr table<long double, size_of<Points>(), size_of<Nodes>()> tabulate();
template <class T, int Rows, int Cols>
constexpr table<T, Rows, Cols> rounded(table<long double, Rows, Cols> const& a);
// The functions below are evaluated by the compiler only, and only where they are called. In a kernel, call them in the
// initializer of a `static constexpr` variable local to a function: there nvcc takes the entries as constants.

// I: the values at the points of the polynomial through the nodes.
//
// Each entry is computed in long double and rounded once. Where nodes and points both are symmetric so is the table,
// exactly: I(R-1-r, C-1-c) == I(r, c).
// **Shapes** (points, nodes). **Errors** at compile time, if Nodes or Points is not a node set.
template <class T, class Nodes, class Points>
consteval table<T, size_of<Points>(), size_of<Nodes>()> interpolation()
{
  return rounded<T>(tabulate<Nodes, Points, false>());
}

// D: the derivatives at the points of the polynomial through the nodes.
//
// Rounded once as well; where nodes and points both are symmetric, exactly antisymmetric: D(R-1-r, C-1-c) == -D(r, c).
// **Shapes** (points, nodes). **Errors** at compile time, if Nodes or Points is not a node set.
template <class T, class Nodes, class Points>
consteval table<T, size_of<Points>(), size_of<Nodes>()> differentiation()
{
  return rounded<T>(tabulate<Nodes, Points, true>());
}

// D on the points: the derivatives at the points of the polynomial through these same points.
//
// **Shapes** (points, points). **Errors** at compile time, if Points is not a node set.
template <class T, class Points>
consteval table<T, size_of<Points>(), size_of<Points>()> collocated_derivative()
{
  return differentiation<T, Points, Points>();
}

// w: the weights of a rule, as w(q).
//
// **Shapes** (1, points). **Errors** at compile time, if Points is not a rule, or one for another interval.
template <class T, class Points>
consteval table<T, 1, size_of<Points>()> quadrature_weights()
{
  check_weights<Points>();
  table<T, 1, size_of<Points>()> w{};
  if constexpr (quadrature_rule<Points>)
    for (unsigned q = 0; q < unsigned{Points::size}; ++q) w.value[0][q] = static_cast<T>(Points::weights[q]);
  return w;
}

// The places of nodes or points, as x(q).
//
// **Shapes** (1, points). **Errors** at compile time, if Points is not a node set.
template <class T, class Points>
consteval table<T, 1, size_of<Points>()> coordinates()
{
  check_nodes<Points>();
  table<T, 1, size_of<Points>()> x{};
  if constexpr (node_set<Points>)
    for (unsigned q = 0; q < unsigned{Points::size}; ++q) x.value[0][q] = static_cast<T>(Points::nodes[q]);
  return x;
}

template <class T, int Rows, int Cols>
SUMFAC_FUNCTION constexpr table<T, Cols, Rows> transpose(table<T, Rows, Cols> const& a)
{
  table<T, Cols, Rows> b{};
  for (int r = 0; r < Rows; ++r)
    for (int c = 0; c < Cols; ++c) b.value[c][r] = a.value[r][c];
  return b;
}

// The two halves of a table with a symmetry: half the multiplications, and half the table to keep.
//
// With e_c = u_c + u_{C-1-c} (middle column: u_c) and o_c = u_c - u_{C-1-c},
//     Parity +1 (I, its transpose):  out_r = even e + odd o,  out_{R-1-r} =  even e - odd o,  middle row: even e
//     Parity -1 (D, its transpose):  out_r = even e + odd o,  out_{R-1-r} = -even e + odd o,  middle row: odd o
// Only even_rows x even_cols of even and odd_rows x odd_cols of odd are needed; the rest is zero.
// **Source** A. Solomonoff, A fast algorithm for spectral differentiation, J. Comput. Phys. 98 (1992).
template <class T, int Rows, int Cols, int Parity>
struct even_odd {
  static_assert(Parity == 1 || Parity == -1, "sumfac::even_odd: the parity is +1 (as of I) or -1 (as of D)");
  static constexpr int rows = Rows, cols = Cols, parity = Parity;
  static constexpr int even_rows = Parity > 0 ? (Rows + 1) / 2 : Rows / 2, even_cols = (Cols + 1) / 2;
  static constexpr int odd_rows = Parity > 0 ? Rows / 2 : (Rows + 1) / 2, odd_cols = Cols / 2;

  table<T, (Rows + 1) / 2, (Cols + 1) / 2> even, odd;
};

template <int Parity, class T, int Rows, int Cols>
SUMFAC_FUNCTION constexpr bool has_parity(table<T, Rows, Cols> const& a);
SUMFAC_FUNCTION inline void even_odd_needs_a_table_with_this_symmetry() { SUMFAC_TRAP(); }
// The even-odd halves of a table which satisfies a(R-1-r, C-1-c) == Parity * a(r, c) exactly.
//
// **Errors** if it does not: at compile time in a constant expression, otherwise the program is stopped.
template <int Parity, class T, int Rows, int Cols>
SUMFAC_FUNCTION constexpr even_odd<T, Rows, Cols, Parity> make_even_odd(table<T, Rows, Cols> const& a)
{
  if (!has_parity<Parity>(a)) even_odd_needs_a_table_with_this_symmetry();

  using halves = even_odd<T, Rows, Cols, Parity>;
  halves h{};
  for (int r = 0; r < halves::even_rows; ++r)
    for (int c = 0; c < halves::even_cols; ++c)
      h.even.value[r][c] = (a.value[r][c] + a.value[r][Cols - 1 - c]) / 2;  // of the middle column: the entry itself
  for (int r = 0; r < halves::odd_rows; ++r)
    for (int c = 0; c < halves::odd_cols; ++c) h.odd.value[r][c] = (a.value[r][c] - a.value[r][Cols - 1 - c]) / 2;
  return h;
}

template <class Nodes>
constexpr int size_of()
{
  if constexpr (node_set<Nodes>)
    return Nodes::size;
  else
    return 1;
}

template <class Nodes>
constexpr bool ascends()
{
  bool inside = -1 <= Nodes::nodes[0] && Nodes::nodes[Nodes::size - 1] <= 1;
  for (unsigned i = 1; i < unsigned{Nodes::size}; ++i) inside = inside && Nodes::nodes[i - 1] < Nodes::nodes[i];
  return inside;
}

template <class Nodes>
constexpr void check_nodes()
{
  static_assert(node_set<Nodes>,
                "sumfac::basis: this is no node set (see the type in the notes below): it needs "
                "`static constexpr int size` and `static constexpr std::array<long double, size> nodes`");
  if constexpr (node_set<Nodes>)
    static_assert(ascends<Nodes>(), "sumfac::basis: the nodes of a set must ascend, within -1 and 1");
}

template <class Points>
constexpr long double sum_of_weights()
{
  long double sum = 0;
  for (long double const weight : Points::weights) sum += weight;
  return sum;
}

template <class Points>
constexpr void check_weights()
{
  static_assert(quadrature_rule<Points>,
                "sumfac::basis: this is no quadrature rule (see the type in the notes below): it needs `size` and "
                "`nodes` as a node set, and `static constexpr std::array<long double, size> weights`");
  if constexpr (quadrature_rule<Points>)
    static_assert(sum_of_weights<Points>() > 1.999999L && sum_of_weights<Points>() < 2.000001L,
                  "sumfac::basis: the weights of a rule must sum to 2, the length of [-1, 1]");
}

// The second half of a symmetric table is the first read backwards, times the parity: exactly, not to rounding only.
template <int Rows, int Cols>
constexpr void mirror(table<long double, Rows, Cols>& a, long double parity)
{
  for (int r = 0; 2 * r + 1 < Rows; ++r)
    for (int c = 0; c < Cols; ++c) a.value[Rows - 1 - r][Cols - 1 - c] = parity * a.value[r][c];
  if constexpr (Rows % 2 == 1) {
    constexpr int middle = Rows / 2;
    for (int c = 0; 2 * c + 1 < Cols; ++c) a.value[middle][Cols - 1 - c] = parity * a.value[middle][c];
    if (Cols % 2 == 1 && parity < 0) a.value[middle][Cols / 2] = 0;
  }
}

// The nodes of one polynomial: of a set of two halves, as halved_nodes, those of a half.
template <class Nodes>
using half_of_nodes = typename Nodes::half;
template <class Nodes>
using piece_of = member_or<half_of_nodes, Nodes, Nodes>;

template <class Nodes, class Points, bool Derivatives>
constexpr table<long double, size_of<Points>(), size_of<Nodes>()> tabulate()
{
  check_nodes<Nodes>();
  check_nodes<Points>();
  table<long double, size_of<Points>(), size_of<Nodes>()> a{};
  if constexpr (node_set<Nodes> && node_set<Points>) {
    using piece = piece_of<Nodes>;
    constexpr bool halved = !std::is_same_v<piece, Nodes>;
    static_assert(!(halved && Derivatives), "sumfac::basis: functions of two halves have no slope in the middle");
    constexpr unsigned n = piece::size;
    constexpr bool symmetric = is_symmetric<Nodes> && is_symmetric<Points>;
    constexpr unsigned rows = symmetric ? (Points::size + 1) / 2 : Points::size;
    long double nodes[n] = {}, weights[n] = {}, values[n] = {};
    for (unsigned i = 0; i < n; ++i) nodes[i] = piece::nodes[i];
    lagrange_weights(nodes, piece::size, weights);
    for (unsigned r = 0; r < rows; ++r) {
      long double const x = Points::nodes[r];
      if constexpr (Derivatives) {
        lagrange_derivatives<long double>(nodes, weights, piece::size, x, values, a.value[r]);
      } else if constexpr (halved) {
        bool const upper = x > 0;
        lagrange_values<long double>(nodes, weights, piece::size, 2 * x + (upper ? -1 : 1),
                                     a.value[r] + (upper ? n - 1 : 0));
      } else {
        lagrange_values<long double>(nodes, weights, piece::size, x, a.value[r]);
      }
    }
    if constexpr (symmetric) mirror(a, Derivatives ? -1 : 1);
  }
  return a;
}

template <class T, int Rows, int Cols>
constexpr table<T, Rows, Cols> rounded(table<long double, Rows, Cols> const& a)
{
  table<T, Rows, Cols> b{};
  for (int r = 0; r < Rows; ++r)
    for (int c = 0; c < Cols; ++c) b.value[r][c] = static_cast<T>(a.value[r][c]);
  return b;
}

template <int Parity, class T, int Rows, int Cols>
SUMFAC_FUNCTION constexpr bool has_parity(table<T, Rows, Cols> const& a)
{
  for (int r = 0; 2 * r < Rows; ++r)
    for (int c = 0; c < Cols; ++c)
      if (a.value[Rows - 1 - r][Cols - 1 - c] != Parity * a.value[r][c]) return false;
  return true;
}

}  // namespace sumfac::detail
