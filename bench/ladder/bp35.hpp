// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The ladder of BP3.5, stiffness and mass where points are nodes: ten kernels, one element a team, a thread a column.
#pragma once

#include "common.hpp"
#include "slice_phases.hpp"

#include <type_traits>

namespace sumfac::ladder {

// 1 to 3: each derivative a pass over all layers, to three cubes in global memory; then the form; then each transpose.
//   1  direct      2  inputs are const and restrict      3  all loops unrolled
template <int Order, int Rung>
struct bp35_passes {
  static_assert(1 <= Rung && Rung <= 3);
  static constexpr int n = Order + 1, g = n, threads = n * n, cube = n * n * n, work = 3 * cube;
  static constexpr loops how = Rung >= 3 ? loops::unrolled : loops::as_written;

  element_memory<n, n, 7, Rung >= 2 ? reading::constant : reading::plain> memory;

  template <class Team>
  struct scratch {
    shared_table<Team, n, n, 0> D;

    template <class Name>
    void names(Name const& name)
    {
      name("D", D.entries);
    }
  };

  template <class Team>
  SUMFAC_FUNCTION void operator()(Team const& team, scratch<Team>& s, index_t e) const
  {
    double* const slope = memory.given.work + e * work;  // (direction, k, j, i)
    team.phase("load the table");
    s.D.load(team, memory.given.derivative);
    team.sync();
    team.phase("differentiate");
    for_all(team, [&](int k, int j, int i) SUMFAC_LAMBDA {
      slope[place(0, k, j, i)] = sum<n, how>([&](int m) SUMFAC_LAMBDA { return s.D(i, m) * memory.u(e, k, j, m); });
    });
    for_all(team, [&](int k, int j, int i) SUMFAC_LAMBDA {
      slope[place(1, k, j, i)] = sum<n, how>([&](int m) SUMFAC_LAMBDA { return s.D(j, m) * memory.u(e, k, m, i); });
    });
    for_all(team, [&](int k, int j, int i) SUMFAC_LAMBDA {
      slope[place(2, k, j, i)] = sum<n, how>([&](int m) SUMFAC_LAMBDA { return s.D(k, m) * memory.u(e, m, j, i); });
    });
    team.phase("apply the form");
    for_all(team, [&](int k, int j, int i) SUMFAC_LAMBDA { apply(e, slope, k, j, i); });
    team.sync();
    team.phase("transpose");
    for_all(team, [&](int k, int j, int i) SUMFAC_LAMBDA {
      memory.v(e, k, j, i) += sum<n, how>([&](int m) SUMFAC_LAMBDA { return s.D(m, i) * slope[place(0, k, j, m)]; });
    });
    for_all(team, [&](int k, int j, int i) SUMFAC_LAMBDA {
      memory.v(e, k, j, i) += sum<n, how>([&](int m) SUMFAC_LAMBDA { return s.D(m, j) * slope[place(1, k, m, i)]; });
    });
    for_all(team, [&](int k, int j, int i) SUMFAC_LAMBDA {
      memory.v(e, k, j, i) += sum<n, how>([&](int m) SUMFAC_LAMBDA { return s.D(m, k) * slope[place(2, m, j, i)]; });
    });
  }

private:
  SUMFAC_INLINE static int place(int direction, int k, int j, int i) { return direction * cube + (k * n + j) * n + i; }

  // f at every node, by the thread of its column.
  template <class Team, class Function>
  SUMFAC_INLINE static void for_all(Team const& team, Function const& f)
  {
    team.each(box<n, n>{}, [&](int j, int i) { repeat<n, how>([&](int k) SUMFAC_LAMBDA { f(k, j, i); }); });
  }

  // Fluxes take the derivatives' place, and v begins with the mass term.
  SUMFAC_INLINE void apply(index_t e, double* slope, int k, int j, int i) const
  {
    point_values<double> u;
    u.value = memory.u(e, k, j, i);
    for (int d = 0; d < 3; ++d) u.gradient[d] = slope[place(d, k, j, i)];
    auto const flux = stiffness{memory.given.lambda}.apply(memory.metric(e, k, j, i), u);
    memory.v(e, k, j, i) = flux.value;
    for (int d = 0; d < 3; ++d) slope[place(d, k, j, i)] = flux.gradient[d];
  }
};

// 4: layer by layer instead of pass by pass: at a node all three derivatives, then the form; fluxes in global cubes.
template <int Order>
struct bp35_fused {
  static constexpr int n = Order + 1, g = n, threads = n * n, cube = n * n * n, work = 3 * cube;
  static constexpr loops how = loops::unrolled;

  element_memory<n, n, 7, reading::constant> memory;

  template <class Team>
  using scratch = typename bp35_passes<Order, 1>::template scratch<Team>;

  template <class Team>
  SUMFAC_FUNCTION void operator()(Team const& team, scratch<Team>& s, index_t e) const
  {
    double* const flux = memory.given.work + e * work;  // (direction, k, j, i)
    team.phase("load the table");
    s.D.load(team, memory.given.derivative);
    team.sync();
    team.phase("differentiate and apply the form");
    team.each(box<n, n>{}, [&](int j, int i) {
      repeat<n, how>([&](int k) SUMFAC_LAMBDA { apply(s, e, flux + (k * n + j) * n + i, k, j, i); });
    });
    team.sync();
    team.phase("transpose");
    team.each(box<n, n>{}, [&](int j, int i) {
      repeat<n, how>([&](int k) SUMFAC_LAMBDA {
        memory.v(e, k, j, i) += sum<n, how>([&](int m) SUMFAC_LAMBDA {
          return s.D(m, i) * flux[(k * n + j) * n + m] + s.D(m, j) * flux[cube + (k * n + m) * n + i] +
                 s.D(m, k) * flux[2 * cube + (m * n + j) * n + i];
        });
      });
    });
  }

private:
  // flux points at this node's own along x.
  template <class Scratch>
  SUMFAC_INLINE void apply(Scratch& s, index_t e, double* flux, int k, int j, int i) const
  {
    point_values<double> u;
    u.value = memory.u(e, k, j, i);
    u.gradient[0] = sum<n, how>([&](int m) SUMFAC_LAMBDA { return s.D(i, m) * memory.u(e, k, j, m); });
    u.gradient[1] = sum<n, how>([&](int m) SUMFAC_LAMBDA { return s.D(j, m) * memory.u(e, k, m, i); });
    u.gradient[2] = sum<n, how>([&](int m) SUMFAC_LAMBDA { return s.D(k, m) * memory.u(e, m, j, i); });
    auto const result = stiffness{memory.given.lambda}.apply(memory.metric(e, k, j, i), u);
    memory.v(e, k, j, i) = result.value;
    for (int d = 0; d < 3; ++d) flux[d * cube] = result.gradient[d];
  }
};

// 5 to 9: the fluxes of a layer along x and y in two slices of scratch; those along z are spread over the column.
//   5  no global cubes; v is added to in global memory      8  rows padded where n is 8 or 16
//   6  u in a cube of scratch                               9  u's column and the next layer's factors in registers
//   7  v's column in registers, written once
template <int Order, int Rung>
struct bp35_slices {
  static_assert(5 <= Rung && Rung <= 9);
  static constexpr int n = Order + 1, g = n, threads = n * n, work = 0, pad = Rung >= 8 ? padding(n, n) : 0;
  static constexpr loops how = loops::unrolled;
  static constexpr bool factors_early = Rung >= 9;

  element_memory<n, n, 7, reading::constant> memory;

  template <class Team>
  struct scratch {
    struct none {};
    template <int... Extents>
    using array = typename Team::template shared<double, Extents...>;

    shared_table<Team, n, n, pad> D;
    array<n, n + pad> first, second;
    SUMFAC_NO_UNIQUE_ADDRESS std::conditional_t<Rung >= 6, array<n, n, n + pad>, none> cube;

    template <class Name>
    void names(Name const& name)
    {
      name("D", D.entries), name("first", first), name("second", second), name("cube", cube);
    }
  };

  template <class Team>
  SUMFAC_FUNCTION void operator()(Team const& team, scratch<Team>& s, index_t e) const
  {
    typename Team::template per_thread<pencil<double, n>, n, n> u, v;
    team.phase("load the table and u");
    s.D.load(team, memory.given.derivative);
    team.each(box<n, n>{}, [&](int j, int i) {
      if constexpr (Rung >= 9) u(j, i) = memory.column(e, j, i);
      repeat<n, how>([&](int k) SUMFAC_LAMBDA {
        if constexpr (Rung >= 9)
          s.cube(k, j, i) = u(j, i)[k];
        else if constexpr (Rung >= 6)
          s.cube(k, j, i) = memory.u(e, k, j, i);
        if constexpr (Rung >= 7)
          v(j, i)[k] = 0;
        else
          memory.v(e, k, j, i) = 0;
      });
    });
    team.sync();
    auto const value = [&](int k, int j, int i) -> double {
      if constexpr (Rung >= 6)
        return s.cube(k, j, i);
      else
        return memory.u(e, k, j, i);
    };
    auto const column = [&](int j, int i, int k) -> double {
      if constexpr (Rung >= 9)
        return u(j, i)[k];
      else
        return value(k, j, i);
    };
    auto const add = [&](int k, int j, int i, double x) {
      if constexpr (Rung >= 7)
        v(j, i)[k] += x;
      else
        memory.v(e, k, j, i) += x;
    };
    differentiate_slices(*this, team, s, e, value, column, add);
    if constexpr (Rung >= 7) {
      team.phase("write v");
      team.each(box<n, n>{},
                [&](int j, int i) { repeat<n, how>([&](int k) SUMFAC_LAMBDA { memory.v(e, k, j, i) = v(j, i)[k]; }); });
    }
  }
};

// 10: columns of u and v in registers; in scratch one slice of u and two of fluxes, and no cube.
template <int Order>
struct bp35_columns {
  static constexpr int n = Order + 1, g = n, threads = n * n, work = 0, pad = padding(n, n);

  element_memory<n, n, 7, reading::constant> memory;

  template <class Team>
  struct scratch {
    shared_table<Team, n, n, pad> D;
    typename Team::template shared<double, n, n + pad> slice, first, second;

    template <class Name>
    void names(Name const& name)
    {
      name("D", D.entries), name("slice", slice), name("first", first), name("second", second);
    }
  };

  template <class Team>
  SUMFAC_FUNCTION void operator()(Team const& team, scratch<Team>& s, index_t e) const
  {
    typename Team::template per_thread<columns, n, n> own;
    team.phase("load the table and u");
    s.D.load(team, memory.given.derivative);
    team.each(box<n, n>{}, [&](int j, int i) {
      own(j, i).u = memory.column(e, j, i);
      own(j, i).v = {};
      own(j, i).metric = memory.metric(e, 0, j, i);
    });
    team.phase("differentiate layers");
    repeat<n, loops::unrolled>([&](int k) SUMFAC_LAMBDA {
      team.each(box<n, n>{}, [&](int j, int i) { s.slice(j, i) = own(j, i).u[k]; });
      team.sync();
      team.each(box<n, n>{}, [&](int j, int i) { apply(s, own(j, i), e, k, j, i); });
      team.sync();
      team.each(box<n, n>{}, [&](int j, int i) {
        own(j, i).v[k] += sum<n, loops::unrolled>(
            [&](int m) SUMFAC_LAMBDA { return s.D(m, i) * s.first(j, m) + s.D(m, j) * s.second(m, i); });
      });
      team.sync();
    });
    team.phase("write v");
    team.each(box<n, n>{}, [&](int j, int i) {
      repeat<n, loops::unrolled>([&](int k) SUMFAC_LAMBDA { memory.v(e, k, j, i) = own(j, i).v[k]; });
    });
  }

private:
  // What a thread keeps: its columns, and the factors of the layer to come.
  struct columns {
    pencil<double, n> u, v;
    stiffness::factors<double> metric;
  };

  template <class Scratch>
  SUMFAC_INLINE void apply(Scratch& s, columns& own, index_t e, int k, int j, int i) const
  {
    constexpr loops how = loops::unrolled;
    point_values<double> u;
    u.value = own.u[k];
    u.gradient[0] = sum<n, how>([&](int m) SUMFAC_LAMBDA { return s.D(i, m) * s.slice(j, m); });
    u.gradient[1] = sum<n, how>([&](int m) SUMFAC_LAMBDA { return s.D(j, m) * s.slice(m, i); });
    u.gradient[2] = sum<n, how>([&](int m) SUMFAC_LAMBDA { return s.D(k, m) * own.u[m]; });
    auto const flux = stiffness{memory.given.lambda}.apply(own.metric, u);
    if (k + 1 < n) own.metric = memory.metric(e, k + 1, j, i);
    s.first(j, i) = flux.gradient[0];
    s.second(j, i) = flux.gradient[1];
    own.v[k] += flux.value;
    repeat<n, how>([&](int m) SUMFAC_LAMBDA { own.v[m] += s.D(k, m) * flux.gradient[2]; });
  }
};

}  // namespace sumfac::ladder
