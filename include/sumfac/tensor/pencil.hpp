// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// One small table applied along one line of an element tensor, held in registers: the atom of sum factorization.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/basis/detail/tables.hpp>
#include <sumfac/math/pack.hpp>

namespace sumfac::SUMFAC_TARGET {

template <class T, int Size>
struct pencil;

namespace detail {
template <class Table, class T, class Sink>
SUMFAC_INLINE void contract_rows(Table a, pencil<T, Table::cols> const& u, Sink sink);

template <class T, int Size>
struct parts;

template <class Table, class T, class Sink>
SUMFAC_INLINE void contract_parts(Table a, parts<T, Table::cols> const& u, Sink sink);

template <class Table>
inline constexpr bool by_parts = Table::parity != 0 && Table::cols > 1;

// What a table without a symmetry has.
struct no_halves {};

template <int Parity, class Table>
constexpr auto halves_of(Table const& full)
{
  if constexpr (Parity == 0)
    return no_halves{};
  else
    return make_even_odd<Parity>(full);
}
}  // namespace detail

// The values on one line of nodes or points of an element, in registers.
template <class T, int Size>
struct pencil {
  T value[Size];
  SUMFAC_INLINE constexpr T& operator[](int i) { return value[i]; }
  SUMFAC_INLINE constexpr T const& operator[](int i) const { return value[i]; }
};

// The pencil with entries f(0), f(1), ...
template <class T, int Size, class Function>
SUMFAC_INLINE pencil<T, Size> fetch(Function f)
{
  pencil<T, Size> u;
  SUMFAC_UNROLL
  for (int i = 0; i < Size; ++i) {
    T const x = f(i);
    u[i] = detail::held(x);
  }
  return u;
}

// I: from values at the nodes to values at the points.
template <class T, class Nodes, class Points>
struct interpolate {
  static constexpr int rows = Points::size, cols = Nodes::size;
  static constexpr int parity = is_symmetric<Nodes> && is_symmetric<Points> ? 1 : 0;
  static constexpr auto full = detail::interpolation<T, Nodes, Points>();
  static constexpr auto halves = detail::halves_of<parity>(full);
};

// D: from values at the nodes to derivatives of their interpolant at the points, mostly the nodes themselves.
template <class T, class Nodes, class Points = Nodes>
struct differentiate {
  static constexpr int rows = Points::size, cols = Nodes::size;
  static constexpr int parity = is_symmetric<Nodes> && is_symmetric<Points> ? -1 : 0;
  static constexpr auto full = detail::differentiation<T, Nodes, Points>();
  static constexpr auto halves = detail::halves_of<parity>(full);
};

// The transpose of a table: from fluxes at the points back to the nodes.
template <class Table>
struct transposed {
  static constexpr int rows = Table::cols, cols = Table::rows, parity = Table::parity;
  static constexpr auto full = detail::transpose(Table::full);
  static constexpr auto halves = detail::halves_of<parity>(full);
};

// out = A u, or out += A u: A's rows times the pencil.
//
// A table with the reflection symmetry A(R-1-r, C-1-c) = parity A(r, c) is applied to the even and the odd part of u,
// which halves the multiplications.
// **Shapes** u (cols), out (rows). **Work** 2 rows cols credited flops; about half of that done where parity != 0.
// **Source** A. Solomonoff, A fast algorithm for spectral differentiation, J. Comput. Phys. 98 (1992).
template <class Table, class T>
SUMFAC_INLINE pencil<T, Table::rows> contract(Table a, pencil<T, Table::cols> const& u)
{
  pencil<T, Table::rows> out;
  detail::contract_rows(a, u, [&](int r, T x) SUMFAC_LAMBDA { out[r] = x; });
  return out;
}

// The same, handing each entry of A u to sink(r, x) as soon as it is known: to memory, mostly.
template <class Table, class T, class Sink>
SUMFAC_INLINE void contract(Table a, pencil<T, Table::cols> const& u, Sink sink)
{
  detail::contract_rows(a, u, sink);
}

template <class Table, class T>
SUMFAC_INLINE void contract_add(Table a, pencil<T, Table::cols> const& u, pencil<T, Table::rows>& out)
{
  detail::contract_rows(a, u, [&](int r, T x) SUMFAC_LAMBDA { out[r] += x; });
}

// A u to put_a and B u to put_b: values and derivatives, mostly.
template <class TableA, class TableB, class T, class PutA, class PutB>
SUMFAC_INLINE void contract_both(TableA a, TableB b, pencil<T, TableA::cols> const& u, PutA put_a, PutB put_b)
{
  if constexpr (detail::by_parts<TableA> && detail::by_parts<TableB>) {
    detail::parts<T, TableA::cols> const halves(u);
    detail::contract_parts(a, halves, put_a);
    detail::contract_parts(b, halves, put_b);
  } else {
    detail::contract_rows(a, u, put_a);
    detail::contract_rows(b, u, put_b);
  }
}

// A u + B v to the sink: what values and fluxes give to the nodes.
template <class TableA, class TableB, class T, class Sink>
SUMFAC_INLINE void contract_sum(TableA a, pencil<T, TableA::cols> const& u, TableB b, pencil<T, TableB::cols> const& v,
                                Sink sink)
{
  static_assert(TableA::rows == TableB::rows);
  constexpr int rows = TableA::rows;
  if constexpr (detail::by_parts<TableA> && detail::by_parts<TableB> && TableA::parity > 0 && TableB::parity < 0) {
    detail::parts<T, TableA::cols> const p(u);
    detail::parts<T, TableB::cols> const q(v);
    SUMFAC_UNROLL
    for (int r = 0; r < rows / 2; ++r) {
      T const same = q.add_odd(b, r, p.from_even(a, r)), opposite = q.add_even(b, r, p.from_odd(a, r));
      sink(r, same + opposite);
      sink(rows - 1 - r, same - opposite);
    }
    if constexpr (rows % 2 == 1) sink(rows / 2, q.add_odd(b, rows / 2, p.from_even(a, rows / 2)));
  } else {
    pencil<T, rows> out = contract(a, u);
    contract_add(b, v, out);
    SUMFAC_UNROLL
    for (int r = 0; r < rows; ++r) sink(r, out[r]);
  }
}

namespace detail {

// Entry r of a u, for a table without a symmetry.
template <class Table, class T>
SUMFAC_INLINE T dense_row(Table a, pencil<T, Table::cols> const& u, int r)
{
  T sum = a.full(r, 0) * u[0];
  SUMFAC_UNROLL
  for (int c = 1; c < Table::cols; ++c) sum = fma(a.full(r, c), u[c], sum);
  return sum;
}

// A pencil's even and odd part, as tables with a symmetry take it.
template <class T, int Size>
struct parts {
  static constexpr int pairs = Size / 2, evens = Size - pairs;
  T even[evens], odd[pairs + 1];

  SUMFAC_INLINE explicit parts(pencil<T, Size> const& u)
  {
    SUMFAC_UNROLL
    for (int c = 0; c < pairs; ++c) {
      even[c] = u[c] + u[Size - 1 - c];
      odd[c] = u[c] - u[Size - 1 - c];
    }
    if constexpr (evens > pairs) even[pairs] = u[pairs];
  }

  // What the even and the odd part give to entry r; and a sum with it, from column First on.
  SUMFAC_INLINE T from_even(auto a, int r) const { return add_even<1>(a, r, a.halves.even(r, 0) * even[0]); }
  SUMFAC_INLINE T from_odd(auto a, int r) const { return add_odd<1>(a, r, a.halves.odd(r, 0) * odd[0]); }
  template <int First = 0, class Table>
  SUMFAC_INLINE T add_even(Table a, int r, T sum) const
  {
    SUMFAC_UNROLL
    for (int c = First; c < evens; ++c) sum = fma(a.halves.even(r, c), even[c], sum);
    return sum;
  }
  template <int First = 0, class Table>
  SUMFAC_INLINE T add_odd(Table a, int r, T sum) const
  {
    SUMFAC_UNROLL
    for (int c = First; c < pairs; ++c) sum = fma(a.halves.odd(r, c), odd[c], sum);
    return sum;
  }
};

template <class Table, class T, class Sink>
SUMFAC_INLINE void contract_parts(Table a, parts<T, Table::cols> const& u, Sink sink)
{
  constexpr int rows = Table::rows;
  SUMFAC_UNROLL
  for (int r = 0; r < rows / 2; ++r) {
    T const e = u.from_even(a, r), o = u.from_odd(a, r);
    sink(r, e + o);
    sink(rows - 1 - r, Table::parity > 0 ? e - o : o - e);
  }
  if constexpr (rows % 2 == 1) sink(rows / 2, Table::parity > 0 ? u.from_even(a, rows / 2) : u.from_odd(a, rows / 2));
}

template <class Table, class T, class Sink>
SUMFAC_INLINE void contract_rows(Table a, pencil<T, Table::cols> const& u, Sink sink)
{
  if constexpr (by_parts<Table>) {
    contract_parts(a, parts<T, Table::cols>(u), sink);
  } else {
    SUMFAC_UNROLL
    for (int r = 0; r < Table::rows; ++r) sink(r, dense_row(a, u, r));
  }
}

}  // namespace detail

}  // namespace sumfac
