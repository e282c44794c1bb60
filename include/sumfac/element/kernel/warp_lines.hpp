// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Small tables along lines that lie across the threads of a warp: by matrix instructions where a team has them.
#pragma once

#include <sumfac/backend/policy.hpp>
#include <sumfac/basis/detail/tables.hpp>

namespace sumfac::SUMFAC_TARGET::detail {

// Threads of a warp, (a, l), and how many numbers a line has at most.
using warp_threads = box<8, 4>;
inline constexpr int warp_line = 8;

// What thread (a, l) of a warp has of 8 x 8 x 8 numbers (z, a, b): value[z][i] at b = l + 4 i. So a line along z is in
// one thread, one along b in four.
template <class T>
struct warp_part {
  T value[warp_line][2];
};

// Places (z, a, b) in scratch for half of these: rows of 12, so that neither reading nor writing along a or b has
// conflicts; but what warp_columns writes in doubles, at a warp_place, takes twice the turns.
inline constexpr int warp_planes = warp_line / 2;
template <class Team>
using warp_scratch = typename Team::template shared<typename Team::scalar, warp_planes, warp_line, warp_line + 4>;

// The place that an 8 x 8 product by matrix instructions has in column a: those of one thread, 2 l and 2 l + 1, are the
// places l and l + 4 of a part.
SUMFAC_INLINE constexpr int warp_place(int a) { return a / 2 + a % 2 * 4; }

// Entry (r, c) of a table, 0 outside.
template <class Table>
SUMFAC_INLINE auto entry_or_zero(int r, int c)
{
  static constexpr auto padded = [] {
    auto const& full = Table::full;
    table<decltype(full(0, 0)), warp_line, warp_line> made{};
    for (int i = 0; i < Table::rows; ++i)
      for (int j = 0; j < Table::cols; ++j) made.value[i][j] = full(i, j);
    return made;
  }();
  return padded(r, c);
}

// Whether a team has c += A B of 16 x 8 by 8 x 8 numbers.
template <class Team>
SUMFAC_FUNCTION constexpr bool multiplies()
{
  if constexpr (requires { Team::multiplies; })
    return Team::multiplies;
  else
    return false;
}

// Puts half of the planes of all threads' parts into scratch, by put(z, a, b, number) for plane z of these, and calls
// make(plane, z, a, l) of each thread (a, l) for each of them; then the other half. Ends with a barrier.
template <class Team, class Parts, class Put, class Make>
SUMFAC_INLINE void by_scratch(Team const& team, Parts& from, Put const& put, Make const& make)
{
  SUMFAC_UNROLL
  for (int first = 0; first < warp_line; first += warp_planes) {
    team.each(warp_threads{}, [&](int a, int l) {
      SUMFAC_UNROLL
      for (int z = 0; z < warp_planes; ++z)
        for (int i = 0; i < 2; ++i) put(z, a, l + 4 * i, from(a, l).value[first + z][i]);
    });
    team.sync();
    team.each(warp_threads{}, [&](int a, int l) {
      SUMFAC_UNROLL
      for (int z = 0; z < warp_planes; ++z) make(first + z, z, a, l);
    });
    team.sync();
  }
}

// to(z, a, b) = sum over k of Table(b, k) from(z, a, k), or what is there and that; `to` may be `from`. Entries outside
// the table are 0.
// **Shapes** a table of at most 8 x 8, parts of Team::per_thread<warp_part<T>, 8, 4>. **Work** 4 products of a warp.
template <class Table, bool Adds = false, class Team, class Parts, class Scratch>
SUMFAC_INLINE void warp_lines(Team const& team, Parts& from, Parts& to, [[maybe_unused]] Scratch& scratch)
{
  using T = typename Team::scalar;
  static_assert(Table::rows <= warp_line && Table::cols <= warp_line);
  if constexpr (multiplies<Team>()) {
    team.each(warp_threads{}, [&](int a, int l) {
      T const table[2] = {entry_or_zero<Table>(warp_place(a), l), entry_or_zero<Table>(warp_place(a), l + 4)};
      auto const& in = from(a, l).value;
      auto& out = to(a, l).value;
      // Two planes are the 16 rows.
      SUMFAC_UNROLL
      for (int z = 0; z < warp_line; z += 2) {
        T const rows[4] = {in[z][0], in[z + 1][0], in[z][1], in[z + 1][1]};
        T sum[4] = {};
        if constexpr (Adds) sum[0] = out[z][0], sum[1] = out[z][1], sum[2] = out[z + 1][0], sum[3] = out[z + 1][1];
        team.multiply(sum, rows, table);
        out[z][0] = sum[0], out[z][1] = sum[1], out[z + 1][0] = sum[2], out[z + 1][1] = sum[3];
      }
    });
  } else {
    by_scratch(
        team, from, [&](int z, int a, int b, T number) { scratch(z, a, b) = number; },
        [&](int to_z, int z, int a, int l) {
          for (int i = 0; i < 2; ++i) {
            T sum = Adds ? to(a, l).value[to_z][i] : T(0);
            for (int k = 0; k < Table::cols; ++k)
              sum = fma(entry_or_zero<Table>(l + 4 * i, k), T(scratch(z, a, k)), sum);
            to(a, l).value[to_z][i] = sum;
          }
        });
  }
}

// first(z, r, b) = sum over k of First(r, k) from(z, a, k) at the a with warp_place(a) == b, and second likewise: what
// was along b then is along a. `first` may be `from`.
// **Work** 8 products of a warp.
template <class First, class Second, class Team, class Parts, class Scratch>
SUMFAC_INLINE void warp_columns(Team const& team, Parts& from, Parts& first, Parts& second,
                                [[maybe_unused]] Scratch& scratch)
{
  using T = typename Team::scalar;
  static_assert(First::rows <= warp_line && First::cols <= warp_line && Second::rows <= warp_line &&
                Second::cols <= warp_line);
  if constexpr (multiplies<Team>()) {
    team.each(warp_threads{}, [&](int a, int l) {
      // One table below the other are the 16 rows.
      T const tables[4] = {entry_or_zero<First>(a, l), entry_or_zero<Second>(a, l), entry_or_zero<First>(a, l + 4),
                           entry_or_zero<Second>(a, l + 4)};
      SUMFAC_UNROLL
      for (int z = 0; z < warp_line; ++z) {
        T const columns[2] = {from(a, l).value[z][0], from(a, l).value[z][1]};
        T sum[4] = {};
        team.multiply(sum, tables, columns);
        first(a, l).value[z][0] = sum[0], first(a, l).value[z][1] = sum[1];
        second(a, l).value[z][0] = sum[2], second(a, l).value[z][1] = sum[3];
      }
    });
  } else {
    by_scratch(
        team, from, [&](int z, int a, int b, T number) { scratch(z, warp_place(a), b) = number; },
        [&](int to_z, int z, int a, int l) {
          auto const entry = [&]<class Table>(Table, int b) {
            T sum = 0;
            for (int k = 0; k < Table::cols; ++k) sum = fma(entry_or_zero<Table>(a, k), T(scratch(z, b, k)), sum);
            return sum;
          };
          for (int i = 0; i < 2; ++i) {
            first(a, l).value[to_z][i] = entry(First{}, l + 4 * i);
            second(a, l).value[to_z][i] = entry(Second{}, l + 4 * i);
          }
        });
  }
}

// (z, a, b) becomes (z, b, a), through scratch. Ends with a barrier.
template <class Team, class Parts, class Scratch>
SUMFAC_INLINE void warp_transpose(Team const& team, Parts& parts, Scratch& scratch)
{
  using T = typename Team::scalar;
  by_scratch(
      team, parts, [&](int z, int a, int b, T number) { scratch(z, a, b) = number; },
      [&](int to_z, int z, int a, int l) {
        for (int i = 0; i < 2; ++i) parts(a, l).value[to_z][i] = scratch(z, l + 4 * i, a);
      });
}

}  // namespace sumfac::SUMFAC_TARGET::detail
