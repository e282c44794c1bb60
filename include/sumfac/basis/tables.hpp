// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The one-dimensional tables of a basis at compile time: I, D, the derivative on the points, w, and their even-odd halves.
#pragma once

#include <sumfac/basis/lagrange.hpp>
#include <sumfac/basis/quadrature.hpp>
#include <sumfac/config.hpp>

namespace sumfac {

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

namespace detail {
template <class Nodes>
constexpr int size_of();
template <class Nodes>
constexpr void check_nodes();
template <class Nodes, class Points, bool Derivatives>
constexpr table<long double, size_of<Points>(), size_of<Nodes>()> tabulate();
template <class To, class From, int Rows, int Cols>
constexpr table<To, Rows, Cols> rounded(table<From, Rows, Cols> const& a);
}  // namespace detail

// I: the values at the points of the polynomial through the nodes.
//
// Each entry is computed in long double and rounded once. Where nodes and points both are symmetric so is the table,
// exactly: I[R-1-r][C-1-c] == I[r][c].
// **Shapes** (points, nodes). **Errors** at compile time, if Nodes or Points is not a node set.
template <class T, class Nodes, class Points>
constexpr table<T, detail::size_of<Points>(), detail::size_of<Nodes>()> interpolation()
{
  return detail::rounded<T>(detail::tabulate<Nodes, Points, false>());
}

// D: the derivatives at the points of the polynomial through the nodes, exactly antisymmetric where both are symmetric.
//
// **Shapes** (points, nodes). **Errors** at compile time, if Nodes or Points is not a node set.
template <class T, class Nodes, class Points>
constexpr table<T, detail::size_of<Points>(), detail::size_of<Nodes>()> differentiation()
{
  return detail::rounded<T>(detail::tabulate<Nodes, Points, true>());
}

// The derivatives at the points of the polynomial through these same points.
//
// **Shapes** (points, points). **Errors** at compile time, if Points is not a node set.
template <class T, class Points>
constexpr table<T, detail::size_of<Points>(), detail::size_of<Points>()> collocated_derivative()
{
  return differentiation<T, Points, Points>();
}

// w: the weights of a rule, as w(q).
//
// **Shapes** (1, points). **Errors** at compile time, if Points has no weights.
template <class T, class Points>
constexpr table<T, 1, detail::size_of<Points>()> quadrature_weights()
{
  static_assert(quadrature_rule<Points>,
                "sumfac::quadrature_weights: Points is no quadrature rule: it needs size, nodes and weights");
  table<T, 1, detail::size_of<Points>()> w{};
  if constexpr (quadrature_rule<Points>)
    for (unsigned i = 0; i < static_cast<unsigned>(Points::size); ++i)
      w.value[0][i] = static_cast<T>(Points::weights[i]);
  return w;
}

// The points of a rule or node set in the kernel's scalar, as x(q).
//
// **Shapes** (1, points). **Errors** at compile time, if Points is not a node set.
template <class T, class Points>
constexpr table<T, 1, detail::size_of<Points>()> coordinates()
{
  detail::check_nodes<Points>();
  table<T, 1, detail::size_of<Points>()> x{};
  if constexpr (node_set<Points>)
    for (unsigned i = 0; i < static_cast<unsigned>(Points::size); ++i)
      x.value[0][i] = static_cast<T>(Points::nodes[i]);
  return x;
}

template <class T, int Rows, int Cols>
constexpr table<T, Cols, Rows> transpose(table<T, Rows, Cols> const& a)
{
  table<T, Cols, Rows> b{};
  for (int r = 0; r < Rows; ++r)
    for (int c = 0; c < Cols; ++c)
      b.value[c][r] = a.value[r][c];
  return b;
}

// The two halves of a table with a symmetry: half the multiplications, and half the table to keep.
//
// With e_c = u_c + u_{C-1-c} (middle column: u_c) and o_c = u_c - u_{C-1-c},
//     Parity +1 (I, its transpose):  out_r = even e + odd o,  out_{R-1-r} =  even e - odd o,  middle row: even e
//     Parity -1 (D, its transpose):  out_r = even e + odd o,  out_{R-1-r} = -even e + odd o,  middle row: odd o
// Only even_rows x even_cols of even and odd_rows x odd_cols of odd are needed; the rest is zero.
// **Source** Solomonoff, J. Comput. Phys. 98 (1992).
template <class T, int Rows, int Cols, int Parity>
struct even_odd {
  static_assert(Parity == 1 || Parity == -1, "sumfac::even_odd: the parity is +1 (as I) or -1 (as D)");
  static constexpr int rows = Rows, cols = Cols, parity = Parity;
  static constexpr int even_rows = Parity > 0 ? (Rows + 1) / 2 : Rows / 2, even_cols = (Cols + 1) / 2;
  static constexpr int odd_rows = Parity > 0 ? Rows / 2 : (Rows + 1) / 2, odd_cols = Cols / 2;

  table<T, (Rows + 1) / 2, (Cols + 1) / 2> even, odd;
};

namespace detail {
template <int Parity, class T, int Rows, int Cols>
constexpr bool has_parity(table<T, Rows, Cols> const& a);
inline void even_odd_needs_a_table_with_this_symmetry() { __builtin_trap(); }
}  // namespace detail

// The even-odd halves of a table which satisfies a[R-1-r][C-1-c] == Parity * a[r][c] exactly.
//
// **Errors** at compile time, if the table does not (in a constant expression; at run time the program is stopped).
template <int Parity, class T, int Rows, int Cols>
constexpr even_odd<T, Rows, Cols, Parity> make_even_odd(table<T, Rows, Cols> const& a)
{
  if (!detail::has_parity<Parity>(a))
    detail::even_odd_needs_a_table_with_this_symmetry();

  using halves = even_odd<T, Rows, Cols, Parity>;
  halves h{};
  for (int r = 0; r < halves::even_rows; ++r)
    for (int c = 0; c < halves::even_cols; ++c)
      h.even.value[r][c] = (a.value[r][c] + a.value[r][Cols - 1 - c]) / 2;  // the middle column is itself
  for (int r = 0; r < halves::odd_rows; ++r)
    for (int c = 0; c < halves::odd_cols; ++c)
      h.odd.value[r][c] = (a.value[r][c] - a.value[r][Cols - 1 - c]) / 2;
  return h;
}

namespace detail {

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
  for (unsigned i = 1; i < static_cast<unsigned>(Nodes::size); ++i)
    if (!(Nodes::nodes[i - 1] < Nodes::nodes[i]))
      return false;
  return true;
}

template <class Nodes>
constexpr void check_nodes()
{
  static_assert(node_set<Nodes>,
                "sumfac::basis: not a node set: it needs `static constexpr int size` and "
                "`static constexpr std::array<long double, size> nodes` on [-1, 1]");
  if constexpr (node_set<Nodes>)
    static_assert(ascends<Nodes>(), "sumfac::basis: the nodes must be distinct and in ascending order");
}

// The second half of the table is the first read backwards, times the parity: exactly, not only to rounding.
template <int Rows, int Cols>
constexpr void mirror(table<long double, Rows, Cols>& a, long double parity)
{
  for (int r = 0; r < (Rows + 1) / 2; ++r)
    for (int c = 0; c < Cols; ++c) {
      bool const center = 2 * r + 1 == Rows && 2 * c + 1 == Cols;
      if (center && parity < 0)
        a.value[r][c] = 0;
      else if (!center)
        a.value[Rows - 1 - r][Cols - 1 - c] = parity * a.value[r][c];
      if (2 * r + 1 == Rows && 2 * c + 1 >= Cols)
        break;
    }
}

template <class Nodes, class Points, bool Derivatives>
constexpr table<long double, size_of<Points>(), size_of<Nodes>()> tabulate()
{
  check_nodes<Nodes>();
  check_nodes<Points>();
  table<long double, size_of<Points>(), size_of<Nodes>()> a{};
  if constexpr (node_set<Nodes> && node_set<Points>) {
    constexpr int n = Nodes::size;
    constexpr bool symmetric = is_symmetric<Nodes> && is_symmetric<Points>;
    constexpr int rows = symmetric ? (Points::size + 1) / 2 : Points::size;
    long double nodes[n] = {}, weights[n] = {}, values[n] = {};
    for (unsigned i = 0; i < static_cast<unsigned>(n); ++i)
      nodes[i] = Nodes::nodes[i];
    lagrange_weights(nodes, n, weights);
    for (int r = 0; r < rows; ++r) {
      long double const x = Points::nodes[static_cast<unsigned>(r)];
      if constexpr (Derivatives)
        lagrange_derivatives(nodes, weights, n, x, values, a.value[r]);
      else
        lagrange_values(nodes, weights, n, x, a.value[r]);
    }
    if constexpr (symmetric)
      mirror(a, Derivatives ? -1 : 1);
  }
  return a;
}

template <class To, class From, int Rows, int Cols>
constexpr table<To, Rows, Cols> rounded(table<From, Rows, Cols> const& a)
{
  table<To, Rows, Cols> b{};
  for (int r = 0; r < Rows; ++r)
    for (int c = 0; c < Cols; ++c)
      b.value[r][c] = static_cast<To>(a.value[r][c]);
  return b;
}

template <int Parity, class T, int Rows, int Cols>
constexpr bool has_parity(table<T, Rows, Cols> const& a)
{
  for (int r = 0; r < (Rows + 1) / 2; ++r)
    for (int c = 0; c < Cols; ++c)
      if (a.value[Rows - 1 - r][Cols - 1 - c] != static_cast<T>(Parity) * a.value[r][c])
        return false;
  return true;
}

}  // namespace detail

}  // namespace sumfac
