// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A function at the points of a group of elements: interpolated and differentiated in a team's memory.
#pragma once

#include <sumfac/element/geometry/table_sizes.hpp>
#include <sumfac/tensor/kept_table.hpp>
#include <sumfac/tensor/sweep.hpp>

#include <type_traits>

namespace sumfac::SUMFAC_TARGET::detail {

// Points that a team's threads have side by side, where the compiler does not know how many there are.
inline constexpr int points_of_team = 64;

// What Input names of a function on Problem's nodes, at its points, component by component. A team has Elements of
// them.
//
// **Shapes** numbers (count): values (C), where they are named, then gradients (C, directions).
template <class Problem, input Input, int Elements, bool OnHost>
struct field_values {
  using number = typename Problem::number;
  static constexpr bool on_host = OnHost;
  static constexpr int n = Problem::nodes_1d, g = Problem::points_1d, components = Input.components;
  static constexpr int directions = Problem::directions, gy = Problem::points_y, gz = Problem::points_z;
  static constexpr int nz = Problem::nodes_z, ny = Problem::nodes_y, points = Problem::points_of_element;
  static constexpr bool has_y = directions >= 2, has_z = directions >= 3;
  static constexpr bool collocated = Problem::collocated;
  static constexpr bool has_values = has(Input.evaluates, value), has_slopes = has(Input.evaluates, gradient);
  static constexpr int count = numbers_of(Input, directions), first_slope = has_values ? components : 0;

  // As an operator has them: its tables, where there are any, are `tables`, in which Sizes say what is where.
  template <class Sizes, int Index, class Tables>
  static field_values of(Tables const&)
  {
    return {};
  }

  // Tables that are needed; on devices they travel with the kernel.
  template <bool Needed, class Constants>
  using table = std::conditional_t<!Needed, no_table,
                                   std::conditional_t<OnHost, constant_table<Constants>, kept_table<Constants>>>;
  table<!collocated, interpolate<number, typename Problem::nodes, typename Problem::points>> to_points = {};
  table<!collocated && has_slopes && has_z, differentiate<number, typename Problem::nodes, typename Problem::points>>
      to_slopes = {};
  table<has_slopes, differentiate<number, typename Problem::points>> derivative = {};

  // Of one component at a time.
  template <class Team>
  struct scratch {
    struct none {};
    using array = typename Team::template shared<typename Team::scalar, Elements, 1, has_slopes ? gz : nz, gy,
                                                 g + (g % 2 == 0 ? 1 : 0)>;
    SUMFAC_NO_UNIQUE_ADDRESS std::conditional_t<collocated, none, array> cube;
  };

  // Calls of u(e, c, k, j, i) are what it is at the nodes; put(e, z, y, x, i, number) gets number i at a point.
  template <class Team, class Nodal, class Put>
  SUMFAC_INLINE void evaluate(Team const& team, scratch<Team>& s, Nodal const& u, Put const& put) const
  {
    for (int c = 0; c < components; ++c) {
      auto const nodes = [&](int e, int, int k, int j, int i) SUMFAC_LAMBDA { return u(e, c, k, j, i); };
      if constexpr (collocated) {
        at_points(team, s, c, nodes, put);
      } else {
        team.phase("interpolate an input in planes");
        in_planes<nz>(team, [&](auto planes, auto at) SUMFAC_LAMBDA {
          sweep<axis::x>(team, box<Elements, 1, planes.value, ny>{}, to_points.forward(), at(nodes), at(s.cube));
          team.sync();
          if constexpr (has_y) {
            sweep<axis::y>(team, box<Elements, 1, planes.value, g>{}, to_points.forward(), at(s.cube), at(s.cube));
            team.sync();
          }
        });
        at_points(team, s, c, s.cube, put);
      }
      team.sync();
    }
  }

private:
  // Values and derivatives, where points and nodes differ along z alone: of u (n, g, g).
  template <class Team, class Planes, class Put>
  SUMFAC_INLINE void at_points(Team const& team, [[maybe_unused]] scratch<Team>& s, int c, Planes& u,
                               Put const& put) const
  {
    using T = typename Team::scalar;
    auto const put_number = [&](int which) SUMFAC_LAMBDA {
      return [&put, which](int e, int, int z, int y, int x, T const& here)
                 SUMFAC_LAMBDA { put(e, z, y, x, which, here); };
    };
    int const slope = first_slope + directions * c;
    if constexpr (has_z) {
      team.phase("interpolate and differentiate an input along z");
      team.each(box<Elements, g, g>{}, [&](int e, int r, int q) { along_z<T>(s, e, c, r, q, u, put); });
      if constexpr (has_slopes) team.sync();
    } else if constexpr (has_values) {
      team.each(box<Elements, gy, g>{}, [&](int e, int y, int x) { put(e, 0, y, x, c, u(e, 0, 0, y, x)); });
    }
    if constexpr (has_slopes) {
      team.phase("differentiate an input in planes");
      sweep<axis::x>(team, box<Elements, 1, gz, gy>{}, derivative.forward(), u, put_number(slope));
      if constexpr (has_y)
        sweep<axis::y>(team, box<Elements, 1, gz, g>{}, derivative.forward(), u, put_number(slope + 1));
    }
  }

  // A line along z to the points, and its derivative there; to the cube, for what follows.
  template <class T, class Scratch, class Planes, class Put>
  SUMFAC_INLINE void along_z([[maybe_unused]] Scratch& s, int e, int c, int r, int q, Planes& u, Put const& put) const
  {
    auto const line = read_line<axis::z, T, n>(u, e, 0, r, q);
    auto const put_value = [&](int z, T x) SUMFAC_LAMBDA {
      if constexpr (has_values) put(e, z, r, q, c, x);
      if constexpr (!collocated && has_slopes) s.cube(e, 0, z, r, q) = x;
    };
    auto const put_slope = [&](int z, T x) SUMFAC_LAMBDA { put(e, z, r, q, first_slope + directions * c + 2, x); };
    if constexpr (collocated) {
      SUMFAC_UNROLL
      for (int z = 0; z < g; ++z) put_value(z, line[z]);
      if constexpr (has_slopes) contract(derivative.forward(), line, put_slope);
    } else if constexpr (has_slopes) {
      contract_both(to_points.forward(), to_slopes.forward(), line, put_value, put_slope);
    } else {
      contract(to_points.forward(), line, put_value);
    }
  }
};

// The same of what is no tensor, by a table of all functions at all points: on the host some points at a time; a
// thread of a team has one.
template <class Problem, input Input, int Elements, bool OnHost>
  requires(!Problem::is_tensor)
struct field_values<Problem, Input, Elements, OnHost> {
  using number = typename Problem::number;
  static constexpr bool on_host = OnHost;
  static constexpr int n = Problem::nodes_1d, g = Problem::points_1d, components = Input.components;
  static constexpr int gy = 1, points = g, directions = Problem::directions;
  static constexpr int fields = fields_of(Input.evaluates, directions), count = fields * components;

  number const* table = nullptr;
  SUMFAC_NO_UNIQUE_ADDRESS typename Problem::sizes_type sizes = {};

  // Of an operator's tables that of input Index.
  template <class Sizes, int Index, class Tables>
  static field_values of(Tables const& tables)
  {
    field_values own{tables.trial_table};
    if constexpr (Problem::at_run_time) own.sizes = tables.sizes;
    own.table += Sizes::first_of_input(own.sizes, Index);
    return own;
  }

  template <class Team>
  struct scratch {};

  template <class Team, class Nodal, class Put>
  SUMFAC_INLINE void evaluate(Team const& team, scratch<Team>&, Nodal const& u, Put const& put) const
  {
    using T = typename Team::scalar;
    team.phase("evaluate an input at the points");
    if constexpr (OnHost) {
      constexpr int block = points_at_once<T>(g, fields);
      for (int c = 0; c < components; ++c) {
        if constexpr (Problem::at_run_time) {
          in_blocks<block>(0, sizes.points,
                           [&]<int Points>(int q) SUMFAC_LAMBDA { at_some_points<T, Points>(c, q, u, put); });
        } else {
          constexpr int rest = g % block;
          for (int q = 0; q < g - rest; q += block) at_some_points<T, block>(c, q, u, put);
          if constexpr (rest > 0) at_some_points<T, rest>(c, g - rest, u, put);
        }
      }
    } else {
      if constexpr (Problem::at_run_time)
        team.each(box<Elements, components, points_of_team>{}, [&](int e, int c, int first) {
          for (int q = first; q < sizes.points; q += points_of_team) at_point<T>(e, c, q, u, put);
        });
      else
        team.each(box<Elements, components, g>{}, [&](int e, int c, int q) { at_point<T>(e, c, q, u, put); });
      team.sync();
    }
  }

private:
  // Where number f of component c is among a point's.
  SUMFAC_FUNCTION static constexpr int place(int c, int f)
  {
    constexpr int values = has(Input.evaluates, value) ? 1 : 0;
    return f < values ? c : values * components + directions * c + f - values;
  }

  template <class T, class Nodal, class Put>
  SUMFAC_INLINE void at_point(int e, int c, int q, Nodal const& u, Put const& put) const
  {
    int const points_of_table = known_or(g, sizes.points), functions = known_or(n, sizes.functions);
    T sum[fields];
    SUMFAC_UNROLL
    for (int f = 0; f < fields; ++f) sum[f] = T(0);
    for (int p = 0; p < functions; ++p) {
      T const x = u(e, c, 0, 0, p);
      SUMFAC_UNROLL
      for (int f = 0; f < fields; ++f) sum[f] = fma(table[(p * points_of_table + q) * fields + f], x, sum[f]);
    }
    SUMFAC_UNROLL
    for (int f = 0; f < fields; ++f) put(e, 0, 0, q, place(c, f), sum[f]);
  }

  template <class T, int Points, class Nodal, class Put>
  SUMFAC_INLINE void at_some_points(int c, int q, Nodal const& u, Put const& put) const
  {
    T seen[Points * fields];
    int const functions = known_or(n, sizes.functions);
    numbers_at_points<Points * fields, n>(
        table + q * (fields * functions), functions, [&](int p) SUMFAC_LAMBDA { return u(0, c, 0, 0, p); }, seen);
    for (int i = 0; i < Points; ++i)
      for (int f = 0; f < fields; ++f) put(0, 0, 0, q + i, place(c, f), seen[i * fields + f]);
  }
};

}  // namespace sumfac::detail
