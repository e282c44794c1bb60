// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The ladder of BP3.0, stiffness and mass at Gauss points: nine kernels, one element a team, a thread for each (r, q).
#pragma once

#include "bp3_pairs.hpp"
#include "common.hpp"
#include "cube_phases.hpp"
#include "slice_phases.hpp"

#include <type_traits>

namespace sumfac::ladder {

// 1 to 4: to the points and back slice by slice as in BP1.0, there differentiated from a cube of scratch.
//   1  direct      2  inputs const and restrict, u's column in registers      3  all loops unrolled
//   4  rows padded where n or g is 8 or 16
template <int Order, int Rung>
struct bp3_slices {
  static_assert(1 <= Rung && Rung <= 4);
  static constexpr int n = Order + 1, g = Order + 2, threads = g * g, work = 0;
  static constexpr int pad = Rung >= 4 ? padding(n, g) : 0;
  static constexpr loops how = Rung >= 3 ? loops::unrolled : loops::as_written;
  static constexpr bool factors_early = false;

  element_memory<n, g, 7, Rung >= 2 ? reading::constant : reading::plain> memory;

  template <class Team>
  struct scratch {
    shared_table<Team, g, n, pad> I;
    shared_table<Team, g, g, pad> D;
    typename Team::template shared<double, g, g + pad> first, second;
    typename Team::template shared<double, g, g, g + pad> cube;

    template <class Name>
    void names(Name const& name)
    {
      name("I", I.entries), name("D", D.entries), name("first", first), name("second", second), name("cube", cube);
    }
  };

  template <class Team>
  SUMFAC_FUNCTION void operator()(Team const& team, scratch<Team>& s, index_t e) const
  {
    typename Team::template per_thread<pencil<double, n>, n, n> early;
    typename Team::template per_thread<pencil<double, g>, g, g> columns;
    if constexpr (Rung >= 2) team.each(box<n, n>{}, [&](int j, int i) { early(j, i) = memory.column(e, j, i); });
    team.phase("load the tables");
    s.I.load(team, memory.given.interpolation);
    s.D.load(team, memory.given.derivative);
    team.sync();
    if constexpr (Rung >= 2)
      interpolate_slices<bp3_slices>(
          team, s, [&](int k, int j, int i) { return early(j, i)[k]; }, columns);
    else
      interpolate_slices<bp3_slices>(
          team, s, [&](int k, int j, int i) { return memory.u(e, k, j, i); }, columns);
    team.phase("columns to the cube");
    team.each(box<g, g>{}, [&](int r, int q) {
      repeat<g, how>([&](int z) SUMFAC_LAMBDA {
        s.cube(z, r, q) = columns(r, q)[z];
        columns(r, q)[z] = 0;
      });
    });
    team.sync();
    differentiate_slices(
        *this, team, s, e, [&](int z, int r, int q) -> double { return s.cube(z, r, q); },
        [&](int r, int q, int z) -> double { return s.cube(z, r, q); },
        [&](int z, int r, int q, double x) { columns(r, q)[z] += x; });
    project_slices(*this, team, s, e, columns);
  }
};

// 5 to 8: to the points and back in a cube, in place, as in BP1.0's seventh.
//   5  that             7  the fluxes along y take the place of u in the cube: a slice less, a barrier a slice more
//   6  u's column and the next slice's factors in registers      8  the transpose of D beside D, read row by row
template <int Order, int Rung>
struct bp3_cube {
  static_assert(5 <= Rung && Rung <= 8);
  static constexpr int n = Order + 1, g = Order + 2, threads = g * g, work = 0, pad = padding(n, g);
  static constexpr loops how = loops::unrolled;
  static constexpr mirror use = mirror::ignored;
  static constexpr bool factors_early = Rung >= 6;

  element_memory<n, g, 7, reading::constant> memory;

  template <class Team>
  struct scratch {
    struct none {};
    using slice = typename Team::template shared<double, g, g + pad>;

    shared_table<Team, g, n, pad> I;
    shared_table<Team, g, g, pad> D;
    SUMFAC_NO_UNIQUE_ADDRESS std::conditional_t<Rung >= 8, shared_table<Team, g, g, pad>, none> transposed_D;
    slice first;
    SUMFAC_NO_UNIQUE_ADDRESS std::conditional_t<Rung <= 6, slice, none> second;
    typename Team::template shared<double, g, g, g + pad> cube;

    template <class Name>
    void names(Name const& name)
    {
      name("I", I.entries), name("D", D.entries), name("first", first), name("second", second), name("cube", cube);
      if constexpr (Rung >= 8) name("D transposed", transposed_D.entries);
    }
  };

  template <class Team>
  SUMFAC_FUNCTION void operator()(Team const& team, scratch<Team>& s, index_t e) const
  {
    typename Team::template per_thread<pencil<double, g>, g, g> u, v;
    interpolate_zy(*this, team, s, e);
    interpolate_x(*this, team, s);
    team.each(box<g, g>{}, [&](int r, int q) {
      if constexpr (Rung >= 6) u(r, q) = fetch<double, g>([&](int z) SUMFAC_LAMBDA { return s.cube(z, r, q); });
      v(r, q) = {};
    });
    if constexpr (Rung >= 7)
      differentiate_in_place(team, s, e, u, v);
    else
      differentiate_slices(
          *this, team, s, e, [&](int z, int r, int q) -> double { return s.cube(z, r, q); },
          [&](int r, int q, int z) -> double {
            if constexpr (Rung >= 6)
              return u(r, q)[z];
            else
              return s.cube(z, r, q);
          },
          [&](int z, int r, int q, double x) { v(r, q)[z] += x; });
    project_x(*this, team, s, v);
    project_yz(*this, team, s, e);
  }

  template <class Team>
  SUMFAC_INLINE void load_tables(Team const& team, scratch<Team>& s) const
  {
    team.phase("load the tables");
    s.I.load(team, memory.given.interpolation);
    s.D.load(team, memory.given.derivative);
    if constexpr (Rung >= 8) s.transposed_D.load_transpose(team, memory.given.derivative);
  }

private:
  // D(q, p), where neighbouring threads have neighbouring q.
  template <class Scratch>
  SUMFAC_INLINE static double lane_entry(Scratch& s, int q, int p)
  {
    if constexpr (Rung >= 8)
      return s.transposed_D(p, q);
    else
      return s.D(q, p);
  }

  // Three barriers a slice: all have read the slice of u; the fluxes are stored; all have read them.
  template <class Team, class Columns>
  SUMFAC_INLINE void differentiate_in_place(Team const& team, scratch<Team>& s, index_t e, Columns& u, Columns& v) const
  {
    typename Team::template per_thread<stiffness::factors<double>, g, g> early;
    typename Team::template per_thread<point_values<double>, g, g> flux;
    team.phase("differentiate slices in place");
    team.each(box<g, g>{}, [&](int r, int q) { early(r, q) = memory.metric(e, 0, r, q); });
    repeat<g, how>([&](int z) SUMFAC_LAMBDA {
      team.each(box<g, g>{}, [&](int r, int q) {
        point_values<double> at;
        at.value = u(r, q)[z];
        at.gradient[0] = sum<g, how>([&](int p) SUMFAC_LAMBDA { return lane_entry(s, q, p) * s.cube(z, r, p); });
        at.gradient[1] = sum<g, how>([&](int p) SUMFAC_LAMBDA { return s.D(r, p) * s.cube(z, p, q); });
        at.gradient[2] = sum<g, how>([&](int p) SUMFAC_LAMBDA { return s.D(z, p) * u(r, q)[p]; });
        flux(r, q) = stiffness{memory.given.lambda}.apply(early(r, q), at);
        if (z + 1 < g) early(r, q) = memory.metric(e, z + 1, r, q);
        v(r, q)[z] += flux(r, q).value;
        repeat<g, how>([&](int p) SUMFAC_LAMBDA { v(r, q)[p] += s.D(z, p) * flux(r, q).gradient[2]; });
      });
      team.sync();
      team.each(box<g, g>{}, [&](int r, int q) {
        s.first(r, q) = flux(r, q).gradient[0];
        s.cube(z, r, q) = flux(r, q).gradient[1];
      });
      team.sync();
      team.each(box<g, g>{}, [&](int r, int q) {
        v(r, q)[z] +=
            sum<g, how>([&](int p) SUMFAC_LAMBDA { return s.D(p, q) * s.first(r, p) + s.D(p, r) * s.cube(z, p, q); });
      });
      team.sync();
    });
  }
};

}  // namespace sumfac::ladder
