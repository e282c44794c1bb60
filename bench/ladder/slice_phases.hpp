// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Phases that go through an element slice by slice: threads (r, q) own the points of a column, slices lie in scratch.
#pragma once

#include "common.hpp"

namespace sumfac::ladder {

// u at the points of every column, from slices of nodes that slice(k, j, i) reads: three barriers a slice.
//
// s.first and s.second are slices, s.I the table. What is known of a column grows slice by slice.
template <class Kernel, class Team, class Scratch, class Slice, class Columns>
SUMFAC_INLINE void interpolate_slices(Team const& team, Scratch& s, Slice const& slice, Columns& columns)
{
  constexpr int n = Kernel::n, g = Kernel::g;
  constexpr loops how = Kernel::how;
  team.phase("interpolate slices");
  team.each(box<g, g>{}, [&](int r, int q) { repeat<g, how>([&](int z) SUMFAC_LAMBDA { columns(r, q)[z] = 0; }); });
  repeat<n, how>([&](int k) SUMFAC_LAMBDA {
    team.each(box<n, n>{}, [&](int j, int i) { s.first(j, i) = slice(k, j, i); });
    team.sync();
    team.each(box<n, g>{}, [&](int j, int q) {
      s.second(j, q) = sum<n, how>([&](int i) SUMFAC_LAMBDA { return s.I(q, i) * s.first(j, i); });
    });
    team.sync();
    team.each(box<g, g>{}, [&](int r, int q) {
      double const u = sum<n, how>([&](int j) SUMFAC_LAMBDA { return s.I(r, j) * s.second(j, q); });
      repeat<g, how>([&](int z) SUMFAC_LAMBDA { columns(r, q)[z] += s.I(z, k) * u; });
    });
    team.sync();
  });
}

// The transpose: from the points of every column to slices of nodes, each written once: three barriers a slice.
template <class Kernel, class Team, class Scratch, class Columns>
SUMFAC_INLINE void project_slices(Kernel const& kernel, Team const& team, Scratch& s, index_t e, Columns& columns)
{
  constexpr int n = Kernel::n, g = Kernel::g;
  constexpr loops how = Kernel::how;
  team.phase("project slices");
  repeat<n, how>([&](int k) SUMFAC_LAMBDA {
    team.each(box<g, g>{}, [&](int r, int q) {
      s.first(r, q) = sum<g, how>([&](int z) SUMFAC_LAMBDA { return s.I(z, k) * columns(r, q)[z]; });
    });
    team.sync();
    team.each(box<n, g>{}, [&](int j, int q) {
      s.second(j, q) = sum<g, how>([&](int r) SUMFAC_LAMBDA { return s.I(r, j) * s.first(r, q); });
    });
    team.sync();
    team.each(box<n, n>{}, [&](int j, int i) {
      kernel.memory.v(e, k, j, i) = sum<g, how>([&](int q) SUMFAC_LAMBDA { return s.I(q, i) * s.second(j, q); });
    });
    team.sync();
  });
}

// The stiffness form at the points, slice by slice, and its transpose: two barriers a slice.
//
// value(z, r, q) reads u at a point, column(r, q, z) the same from where the owner of the column has it, and
// add(z, r, q, x) adds x to the owner's result. Fluxes along x and y go to the slices s.first and s.second.
template <class Kernel, class Team, class Scratch, class Value, class Column, class Add>
SUMFAC_INLINE void differentiate_slices(Kernel const& kernel, Team const& team, Scratch& s, index_t e,
                                        Value const& value, Column const& column, Add const& add)
{
  constexpr int g = Kernel::g;
  constexpr loops how = Kernel::how;
  stiffness const form{kernel.memory.given.lambda};
  typename Team::template per_thread<stiffness::factors<double>, g, g> early;
  team.phase("differentiate slices");
  if constexpr (Kernel::factors_early)
    team.each(box<g, g>{}, [&](int r, int q) { early(r, q) = kernel.memory.metric(e, 0, r, q); });
  repeat<g, how>([&](int z) SUMFAC_LAMBDA {
    team.each(box<g, g>{}, [&](int r, int q) {
      point_values<double> u;
      u.value = column(r, q, z);
      u.gradient[0] = sum<g, how>([&](int p) SUMFAC_LAMBDA { return s.D(q, p) * value(z, r, p); });
      u.gradient[1] = sum<g, how>([&](int p) SUMFAC_LAMBDA { return s.D(r, p) * value(z, p, q); });
      u.gradient[2] = sum<g, how>([&](int p) SUMFAC_LAMBDA { return s.D(z, p) * column(r, q, p); });
      if constexpr (!Kernel::factors_early) early(r, q) = kernel.memory.metric(e, z, r, q);
      auto const flux = form.apply(early(r, q), u);
      s.first(r, q) = flux.gradient[0];
      s.second(r, q) = flux.gradient[1];
      add(z, r, q, flux.value);
      repeat<g, how>([&](int p) SUMFAC_LAMBDA { add(p, r, q, s.D(z, p) * flux.gradient[2]); });
      if constexpr (Kernel::factors_early)
        if (z + 1 < g) early(r, q) = kernel.memory.metric(e, z + 1, r, q);
    });
    team.sync();
    team.each(box<g, g>{}, [&](int r, int q) {
      add(z, r, q,
          sum<g, how>([&](int p) SUMFAC_LAMBDA { return s.D(p, q) * s.first(r, p) + s.D(p, r) * s.second(p, q); }));
    });
    team.sync();
  });
}

}  // namespace sumfac::ladder
