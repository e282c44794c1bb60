// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The ladder of BP1.0, the mass operator: eight kernels, one element a team, a thread for each (r, q).
#pragma once

#include "common.hpp"
#include "cube_phases.hpp"
#include "slice_phases.hpp"

namespace sumfac::ladder {

// 1: slice by slice, as one would write it down; what is known of slices and points lies in global memory.
template <int Order>
struct bp1_direct {
  static constexpr int n = Order + 1, g = Order + 2, threads = g * g, work = n * g + g * g + g * g * g;
  static constexpr loops how = loops::as_written;

  element_memory<n, g, 1, reading::plain> memory;

  template <class Team>
  struct scratch {
    shared_table<Team, g, n, 0> I;

    template <class Name>
    void names(Name const& name)
    {
      name("I", I.entries);
    }
  };

  template <class Team>
  SUMFAC_FUNCTION void operator()(Team const& team, scratch<Team>& s, index_t e) const
  {
    double* const along_x = memory.given.work + e * work;  // (j, q)
    double* const along_xy = along_x + n * g;              // (r, q)
    double* const points = along_xy + g * g;               // (z, r, q)
    team.phase("load the table");
    s.I.load(team, memory.given.interpolation);
    team.sync();
    interpolate(team, s, e, along_x, along_xy, points);
    team.phase("scale");
    team.each(box<g, g>{}, [&](int r, int q) {
      for (int z = 0; z < g; ++z) points[(z * g + r) * g + q] *= memory.factor(e, 0, z, r, q);
    });
    project(team, s, e, along_x, along_xy, points);
  }

private:
  template <class Team>
  SUMFAC_INLINE void interpolate(Team const& team, scratch<Team>& s, index_t e, double* along_x, double* along_xy,
                                 double* points) const
  {
    team.phase("interpolate slices");
    for (int k = 0; k < n; ++k) {
      team.each(box<n, g>{}, [&](int j, int q) {
        along_x[j * g + q] = sum<n, how>([&](int i) SUMFAC_LAMBDA { return s.I(q, i) * memory.u(e, k, j, i); });
      });
      team.sync();
      team.each(box<g, g>{}, [&](int r, int q) {
        along_xy[r * g + q] = sum<n, how>([&](int j) SUMFAC_LAMBDA { return s.I(r, j) * along_x[j * g + q]; });
      });
      team.sync();
      team.each(box<g, g>{}, [&](int r, int q) {
        for (int z = 0; z < g; ++z) {
          double const share = s.I(z, k) * along_xy[r * g + q];
          double& point = points[(z * g + r) * g + q];
          point = k == 0 ? share : point + share;
        }
      });
      team.sync();
    }
  }

  template <class Team>
  SUMFAC_INLINE void project(Team const& team, scratch<Team>& s, index_t e, double* along_x, double* along_xy,
                             double* points) const
  {
    team.phase("project slices");
    for (int k = 0; k < n; ++k) {
      team.each(box<g, g>{}, [&](int r, int q) {
        along_xy[r * g + q] = sum<g, how>([&](int z) SUMFAC_LAMBDA { return s.I(z, k) * points[(z * g + r) * g + q]; });
      });
      team.sync();
      team.each(box<n, g>{}, [&](int j, int q) {
        along_x[j * g + q] = sum<g, how>([&](int r) SUMFAC_LAMBDA { return s.I(r, j) * along_xy[r * g + q]; });
      });
      team.sync();
      team.each(box<n, n>{}, [&](int j, int i) {
        memory.v(e, k, j, i) = sum<g, how>([&](int q) SUMFAC_LAMBDA { return s.I(q, i) * along_x[j * g + q]; });
      });
      team.sync();
    }
  }
};

// 2 to 6: two slices in scratch, the points of a column in registers.
//   2  no global temporaries          5  rows padded where n or g is 8 or 16
//   3  u's column read at the start   6  all loops unrolled, that over slices too
//   4  inputs are const and restrict
template <int Order, int Rung>
struct bp1_slices {
  static_assert(2 <= Rung && Rung <= 6);
  static constexpr int n = Order + 1, g = Order + 2, threads = g * g, work = 0;
  static constexpr int pad = Rung >= 5 ? padding(n, g) : 0;
  static constexpr loops how = Rung >= 6 ? loops::unrolled : loops::as_written;

  element_memory<n, g, 1, Rung >= 4 ? reading::constant : reading::plain> memory;

  template <class Team>
  struct scratch {
    shared_table<Team, g, n, pad> I;
    typename Team::template shared<double, g, g + pad> first, second;

    template <class Name>
    void names(Name const& name)
    {
      name("I", I.entries), name("first", first), name("second", second);
    }
  };

  template <class Team>
  SUMFAC_FUNCTION void operator()(Team const& team, scratch<Team>& s, index_t e) const
  {
    typename Team::template per_thread<pencil<double, n>, n, n> early;
    typename Team::template per_thread<pencil<double, g>, g, g> columns;
    if constexpr (Rung >= 3) team.each(box<n, n>{}, [&](int j, int i) { early(j, i) = memory.column(e, j, i); });
    team.phase("load the table");
    s.I.load(team, memory.given.interpolation);
    team.sync();
    if constexpr (Rung >= 3)
      interpolate_slices<bp1_slices>(
          team, s, [&](int k, int j, int i) { return early(j, i)[k]; }, columns);
    else
      interpolate_slices<bp1_slices>(
          team, s, [&](int k, int j, int i) { return memory.u(e, k, j, i); }, columns);
    team.phase("scale");
    team.each(box<g, g>{}, [&](int r, int q) {
      repeat<g, how>([&](int z) SUMFAC_LAMBDA { columns(r, q)[z] *= memory.factor(e, 0, z, r, q); });
    });
    project_slices(*this, team, s, e, columns);
  }
};

// 7 and 8: all points in one cube, in place; a thread takes a line of it to registers, contracts it, stores it back.
//   7  five barriers in all
//   8  each entry of I is read once for the two outputs that mirror each other
template <int Order, int Rung>
struct bp1_cube {
  static_assert(7 <= Rung && Rung <= 8);
  static constexpr int n = Order + 1, g = Order + 2, threads = g * g, work = 0, pad = padding(n, g);
  static constexpr mirror use = Rung >= 8 ? mirror::shared : mirror::ignored;

  element_memory<n, g, 1, reading::constant> memory;

  template <class Team>
  struct scratch {
    shared_table<Team, g, n, pad> I;
    typename Team::template shared<double, g, g, g + pad> cube;

    template <class Name>
    void names(Name const& name)
    {
      name("I", I.entries), name("cube", cube);
    }
  };

  template <class Team>
  SUMFAC_FUNCTION void operator()(Team const& team, scratch<Team>& s, index_t e) const
  {
    interpolate_zy(*this, team, s, e);
    team.phase("along x");
    team.each(box<g, g>{}, [&](int z, int r) {
      auto const u = fetch<double, n>([&](int i) SUMFAC_LAMBDA { return s.cube(z, r, i); });
      pencil<double, g> line;
      to_points<use, n, g>(s.I, u, [&](int q, double x) SUMFAC_LAMBDA { line[q] = x; });
      repeat<g, loops::unrolled>([&](int q) SUMFAC_LAMBDA { line[q] *= memory.factor(e, 0, z, r, q); });
      to_nodes<use, n, g>(s.I, line, [&](int i, double x) SUMFAC_LAMBDA { s.cube(z, r, i) = x; });
    });
    team.sync();
    project_yz(*this, team, s, e);
  }

  template <class Team>
  SUMFAC_INLINE void load_tables(Team const& team, scratch<Team>& s) const
  {
    team.phase("load the table");
    s.I.load(team, memory.given.interpolation);
  }
};

}  // namespace sumfac::ladder
