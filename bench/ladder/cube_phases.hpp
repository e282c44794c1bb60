// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Phases that keep all points of an element in one cube of scratch, in place: lines to registers, contracted, back.
#pragma once

#include "common.hpp"

namespace sumfac::ladder {

// Whether a contraction knows that I(g-1-q, n-1-i) = I(q, i).
enum class mirror {
  ignored,  // every product reads its entry
  shared,   // an entry is read once for two products
};

// out(r, sum over c of a(r, c) x[c]) for r = 0 .. Rows - 1; with a symmetric table the rows r and Rows-1-r together.
template <mirror Use, int Rows, int Cols, class Table, class Sink>
SUMFAC_INLINE void contract_line(Table const& a, pencil<double, Cols> const& x, Sink const& out)
{
  if constexpr (Use == mirror::ignored) {
    repeat<Rows, loops::unrolled>([&](int r) SUMFAC_LAMBDA {
      out(r, sum<Cols, loops::unrolled>([&](int c) SUMFAC_LAMBDA { return a(r, c) * x[c]; }));
    });
  } else {
    repeat<Rows / 2, loops::unrolled>([&](int r) SUMFAC_LAMBDA {
      double low = 0, high = 0;
      repeat<Cols, loops::unrolled>([&](int c) SUMFAC_LAMBDA {
        double const entry = a(r, c);
        low += entry * x[c];
        high += entry * x[Cols - 1 - c];
      });
      out(r, low);
      out(Rows - 1 - r, high);
    });
    if constexpr (Rows % 2 == 1) {
      double middle = Cols % 2 == 1 ? a(Rows / 2, Cols / 2) * x[Cols / 2] : 0;
      repeat<Cols / 2, loops::unrolled>([&](int c)
                                            SUMFAC_LAMBDA { middle += a(Rows / 2, c) * (x[c] + x[Cols - 1 - c]); });
      out(Rows / 2, middle);
    }
  }
}

// I times a line of nodes.
template <mirror Use, int N, int G, class Table, class Sink>
SUMFAC_INLINE void to_points(Table& I, pencil<double, N> const& u, Sink const& out)
{
  contract_line<Use, G, N>([&](int q, int i) SUMFAC_LAMBDA { return I(q, i); }, u, out);
}

// The transpose of I times a line of points.
template <mirror Use, int N, int G, class Table, class Sink>
SUMFAC_INLINE void to_nodes(Table& I, pencil<double, G> const& v, Sink const& out)
{
  contract_line<Use, N, G>([&](int i, int q) SUMFAC_LAMBDA { return I(q, i); }, v, out);
}

// u from memory to the points along z and y: the cube then holds (z, r, i). Three barriers, the first after the tables.
template <class Kernel, class Team, class Scratch>
SUMFAC_INLINE void interpolate_zy(Kernel const& kernel, Team const& team, Scratch& s, index_t e)
{
  constexpr int n = Kernel::n, g = Kernel::g;
  constexpr mirror use = Kernel::use;
  typename Team::template per_thread<pencil<double, n>, n, n> early;
  team.each(box<n, n>{}, [&](int j, int i) { early(j, i) = kernel.memory.column(e, j, i); });
  kernel.load_tables(team, s);
  team.sync();
  team.phase("interpolate along z");
  team.each(box<n, n>{}, [&](int j, int i) {
    to_points<use, n, g>(s.I, early(j, i), [&](int z, double x) SUMFAC_LAMBDA { s.cube(z, j, i) = x; });
  });
  team.sync();
  team.phase("interpolate along y");
  team.each(box<g, n>{}, [&](int z, int i) {
    auto const u = fetch<double, n>([&](int j) SUMFAC_LAMBDA { return s.cube(z, j, i); });
    to_points<use, n, g>(s.I, u, [&](int r, double x) SUMFAC_LAMBDA { s.cube(z, r, i) = x; });
  });
  team.sync();
}

// The cube's (z, r, i) to the points along x: (z, r, q). One barrier.
template <class Kernel, class Team, class Scratch>
SUMFAC_INLINE void interpolate_x(Kernel const&, Team const& team, Scratch& s)
{
  constexpr int n = Kernel::n, g = Kernel::g;
  team.phase("interpolate along x");
  team.each(box<g, g>{}, [&](int z, int r) {
    auto const u = fetch<double, n>([&](int i) SUMFAC_LAMBDA { return s.cube(z, r, i); });
    to_points<Kernel::use, n, g>(s.I, u, [&](int q, double x) SUMFAC_LAMBDA { s.cube(z, r, q) = x; });
  });
  team.sync();
}

// The transpose, from columns (r, q) of points to the cube's (z, r, i). Two barriers.
template <class Kernel, class Team, class Scratch, class Columns>
SUMFAC_INLINE void project_x(Kernel const&, Team const& team, Scratch& s, Columns& columns)
{
  constexpr int n = Kernel::n, g = Kernel::g;
  team.phase("project along x");
  team.each(box<g, g>{}, [&](int r, int q) {
    repeat<g, loops::unrolled>([&](int z) SUMFAC_LAMBDA { s.cube(z, r, q) = columns(r, q)[z]; });
  });
  team.sync();
  team.each(box<g, g>{}, [&](int z, int r) {
    auto const v = fetch<double, g>([&](int q) SUMFAC_LAMBDA { return s.cube(z, r, q); });
    to_nodes<Kernel::use, n, g>(s.I, v, [&](int i, double x) SUMFAC_LAMBDA { s.cube(z, r, i) = x; });
  });
  team.sync();
}

// The transpose: the cube's (z, r, i) to the nodes along y and z, and to v. One barrier.
template <class Kernel, class Team, class Scratch>
SUMFAC_INLINE void project_yz(Kernel const& kernel, Team const& team, Scratch& s, index_t e)
{
  constexpr int n = Kernel::n, g = Kernel::g;
  constexpr mirror use = Kernel::use;
  team.phase("project along y");
  team.each(box<g, n>{}, [&](int z, int i) {
    auto const v = fetch<double, g>([&](int r) SUMFAC_LAMBDA { return s.cube(z, r, i); });
    to_nodes<use, n, g>(s.I, v, [&](int j, double x) SUMFAC_LAMBDA { s.cube(z, j, i) = x; });
  });
  team.sync();
  team.phase("project along z");
  team.each(box<n, n>{}, [&](int j, int i) {
    auto const v = fetch<double, g>([&](int z) SUMFAC_LAMBDA { return s.cube(z, j, i); });
    to_nodes<use, n, g>(s.I, v, [&](int k, double x) SUMFAC_LAMBDA { kernel.memory.v(e, k, j, i) = x; });
  });
}

}  // namespace sumfac::ladder
