// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The ninth rung of BP3.0: two slices that mirror each other at once, so that every entry of a table serves twice.
#pragma once

#include "common.hpp"
#include "cube_phases.hpp"

namespace sumfac::ladder {

// 9: I as in BP1.0's eighth. Of D, an entry D(z, p) serves slice z and, as -D(g-1-z, g-1-p), slice g-1-z; entries along
// x and y are the same for both. Three barriers for a pair of slices.
template <int Order>
struct bp3_pairs {
  static constexpr int n = Order + 1, g = Order + 2, threads = g * g, work = 0, pad = padding(n, g);
  static constexpr loops how = loops::unrolled;
  static constexpr mirror use = mirror::shared;

  element_memory<n, g, 7, reading::constant> memory;

  template <class Team>
  struct scratch {
    shared_table<Team, g, n, pad> I;
    shared_table<Team, g, g, pad> D, transposed_D;
    typename Team::template shared<double, 2, g, g + pad> first;  // fluxes along x of both slices
    typename Team::template shared<double, g, g, g + pad> cube;   // u, then the fluxes along y

    template <class Name>
    void names(Name const& name)
    {
      name("I", I.entries), name("D", D.entries), name("D transposed", transposed_D.entries);
      name("first", first), name("cube", cube);
    }
  };

  template <class Team>
  SUMFAC_FUNCTION void operator()(Team const& team, scratch<Team>& s, index_t e) const
  {
    typename Team::template per_thread<pencil<double, g>, g, g> u, v;
    typename Team::template per_thread<slices, g, g> own;
    interpolate_zy(*this, team, s, e);
    interpolate_x(*this, team, s);
    team.each(box<g, g>{}, [&](int r, int q) {
      u(r, q) = fetch<double, g>([&](int z) SUMFAC_LAMBDA { return s.cube(z, r, q); });
      v(r, q) = {};
      load_factors(own(r, q), e, 0, r, q);
    });
    team.phase("differentiate pairs of slices");
    repeat<g / 2, how>([&](int z) SUMFAC_LAMBDA { apply<2>(team, s, e, z, u, v, own); });
    if constexpr (g % 2 == 1) apply<1>(team, s, e, g / 2, u, v, own);
    project_x(*this, team, s, v);
    project_yz(*this, team, s, e);
  }

  template <class Team>
  SUMFAC_INLINE void load_tables(Team const& team, scratch<Team>& s) const
  {
    team.phase("load the tables");
    s.I.load(team, memory.given.interpolation);
    s.D.load(team, memory.given.derivative);
    s.transposed_D.load_transpose(team, memory.given.derivative);
  }

private:
  // What a thread keeps of a pair: u and its derivatives, which become v and the fluxes, and factors read early.
  struct slices {
    point_values<double> at[2];
    stiffness::factors<double> metric[2];
  };

  SUMFAC_INLINE void load_factors(slices& own, index_t e, int z, int r, int q) const
  {
    own.metric[0] = memory.metric(e, z, r, q);
    if (z != g - 1 - z) own.metric[1] = memory.metric(e, g - 1 - z, r, q);
  }

  // The form on slice z and, where Count is 2, its mirror image.
  template <int Count, class Team, class Columns, class Own>
  SUMFAC_INLINE void apply(Team const& team, scratch<Team>& s, index_t e, int z, Columns& u, Columns& v, Own& own) const
  {
    auto const slice = [&](int i) SUMFAC_LAMBDA { return i == 0 ? z : g - 1 - z; };
    team.each(box<g, g>{}, [&](int r, int q) {
      differentiate_in_plane<Count>(s, own(r, q), z, r, q);
      differentiate_along_z<Count>(s, own(r, q), u(r, q), z);
      repeat<Count, how>([&](int i) SUMFAC_LAMBDA {
        own(r, q).at[i].value = u(r, q)[slice(i)];
        own(r, q).at[i] = stiffness{memory.given.lambda}.apply(own(r, q).metric[i], own(r, q).at[i]);
        v(r, q)[slice(i)] += own(r, q).at[i].value;
      });
      if (z + 1 < (g + 1) / 2) load_factors(own(r, q), e, z + 1, r, q);
      transpose_along_z<Count>(s, own(r, q), v(r, q), z);
    });
    team.sync();
    team.each(box<g, g>{}, [&](int r, int q) {
      repeat<Count, how>([&](int i) SUMFAC_LAMBDA {
        s.first(i, r, q) = own(r, q).at[i].gradient[0];
        s.cube(slice(i), r, q) = own(r, q).at[i].gradient[1];
      });
    });
    team.sync();
    team.each(box<g, g>{}, [&](int r, int q) {
      repeat<g, how>([&](int p) SUMFAC_LAMBDA {
        double const along_x = s.D(p, q), along_y = s.D(p, r);
        repeat<Count, how>([&](int i) SUMFAC_LAMBDA {
          v(r, q)[slice(i)] += along_x * s.first(i, r, p) + along_y * s.cube(slice(i), p, q);
        });
      });
    });
    team.sync();
  }

  template <int Count, class Scratch>
  SUMFAC_INLINE static void differentiate_in_plane(Scratch& s, slices& own, int z, int r, int q)
  {
    double x[2] = {}, y[2] = {};
    repeat<g, how>([&](int p) SUMFAC_LAMBDA {
      double const along_x = s.transposed_D(p, q), along_y = s.D(r, p);
      repeat<Count, how>([&](int i) SUMFAC_LAMBDA {
        x[i] += along_x * s.cube(i == 0 ? z : g - 1 - z, r, p);
        y[i] += along_y * s.cube(i == 0 ? z : g - 1 - z, p, q);
      });
    });
    repeat<Count, how>([&](int i) SUMFAC_LAMBDA {
      own.at[i].gradient[0] = x[i];
      own.at[i].gradient[1] = y[i];
    });
  }

  // In the middle slice, which mirrors itself, D(z, p) = -D(z, g-1-p).
  template <int Count, class Scratch>
  SUMFAC_INLINE static void differentiate_along_z(Scratch& s, slices& own, pencil<double, g> const& u, int z)
  {
    double slope[2] = {};
    repeat<(Count == 2 ? g : g / 2), how>([&](int p) SUMFAC_LAMBDA {
      double const entry = s.D(z, p);
      slope[0] += entry * (Count == 2 ? u[p] : u[p] - u[g - 1 - p]);
      if (Count == 2) slope[1] -= entry * u[g - 1 - p];
    });
    repeat<Count, how>([&](int i) SUMFAC_LAMBDA { own.at[i].gradient[2] = slope[i]; });
  }

  template <int Count, class Scratch>
  SUMFAC_INLINE static void transpose_along_z(Scratch& s, slices const& own, pencil<double, g>& v, int z)
  {
    repeat<(Count == 2 ? g : g / 2), how>([&](int p) SUMFAC_LAMBDA {
      double const entry = s.D(z, p);
      v[p] += entry * own.at[0].gradient[2];
      v[g - 1 - p] -= entry * own.at[Count - 1].gradient[2];
    });
  }
};

}  // namespace sumfac::ladder
