// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A function at the points of a group of elements: interpolated and differentiated in a team's memory.
#pragma once

#include <sumfac/backend/policy.hpp>
#include <sumfac/form/detail/point_inputs.hpp>
#include <sumfac/tensor/kept_table.hpp>
#include <sumfac/tensor/pencil.hpp>

#include <type_traits>

namespace sumfac::SUMFAC_TARGET::detail {

// A table whose entries are constants of the program, as the host has them.
template <class Constants>
struct constant_table {
  SUMFAC_INLINE Constants forward() const { return {}; }
};

// What Input names of a function on Problem's nodes, at its points, component by component. A team has Elements of
// them.
//
// **Shapes** numbers (count): values (C), where they are named, then gradients (C, directions).
template <class Problem, input Input, int Elements, bool OnHost>
struct field_values {
  using number = typename Problem::number;
  static constexpr int n = Problem::nodes_1d, g = Problem::points_1d, components = Input.components;
  static constexpr int directions = Problem::directions, gy = Problem::points_y, gz = Problem::points_z;
  static constexpr int nz = Problem::nodes_z, ny = Problem::nodes_y, points = Problem::points_of_element;
  static constexpr bool has_y = directions >= 2, has_z = directions >= 3;
  static constexpr bool collocated = Problem::collocated;
  static constexpr bool has_values = has(Input.evaluates, value), has_slopes = has(Input.evaluates, gradient);
  static constexpr int count = numbers_of(Input, directions), first_slope = has_values ? components : 0;
  static constexpr int row = g + (g % 2 == 0 ? 1 : 0);

  template <class Constants>
  using table = std::conditional_t<OnHost, constant_table<Constants>, kept_table<Constants>>;
  table<interpolate<number, typename Problem::nodes, typename Problem::points>> to_points = {};
  table<differentiate<number, typename Problem::nodes, typename Problem::points>> to_slopes = {};
  table<differentiate<number, typename Problem::points>> derivative = {};

  // Of one component at a time.
  template <class Team>
  struct scratch {
    template <int... Extents>
    struct none {};
    template <int... Extents>
    using array =
        std::conditional_t<!collocated, typename Team::template shared<typename Team::scalar, Elements, Extents...>,
                           none<Extents...>>;

    SUMFAC_NO_UNIQUE_ADDRESS array<n, row> plane;
    SUMFAC_NO_UNIQUE_ADDRESS array<has_slopes ? gz : nz, gy, row> cube;
  };

  // Calls of u(e, c, k, j, i) are what it is at the nodes; put(e, z, y, x, i, number) gets number i at a point.
  template <class Team, class Nodal, class Put>
  SUMFAC_INLINE void evaluate(Team const& team, scratch<Team>& s, Nodal const& u, Put const& put) const
  {
    for (int c = 0; c < components; ++c) {
      if constexpr (collocated) {
        auto const here = [&](int e, int z, int y, int x) SUMFAC_LAMBDA { return u(e, c, z, y, x); };
        if constexpr (has_z)
          along_z(team, s, c, here, put);
        else
          values_in_planes(team, c, here, put);
        if constexpr (has_slopes) in_planes(team, c, here, put);
      } else {
        auto const here = [&](int e, int z, int y, int x) SUMFAC_LAMBDA { return s.cube(e, z, y, x); };
        interpolate_planes(team, s, c, u);
        if constexpr (has_z)
          along_z(team, s, c, here, put);
        else
          values_in_planes(team, c, here, put);
        if constexpr (has_slopes) in_planes(team, c, here, put);
      }
      team.sync();
    }
  }

private:
  // Nodes to points along x and y, a plane at a time: u (n, n, n) -> cube (n, g, g).
  template <class Team, class Scratch, class Nodal>
  SUMFAC_INLINE void interpolate_planes(Team const& team, Scratch& s, int c, Nodal const& u) const
  {
    using T = typename Team::scalar;
    team.phase("interpolate an input in planes");
    for (int k = 0; k < nz; ++k) {
      team.each(box<Elements, ny>{}, [&](int e, int j) {
        auto const line = fetch<T, n>([&](int i) SUMFAC_LAMBDA { return u(e, c, k, j, i); });
        contract(to_points.forward(), line, [&](int q, T x) SUMFAC_LAMBDA {
          if constexpr (has_y)
            s.plane(e, j, q) = x;
          else
            s.cube(e, k, j, q) = x;
        });
      });
      team.sync();
      if constexpr (has_y) {
        team.each(box<Elements, g>{}, [&](int e, int q) {
          auto const line = fetch<T, n>([&](int j) SUMFAC_LAMBDA { return s.plane(e, j, q); });
          contract(to_points.forward(), line, [&](int r, T x) SUMFAC_LAMBDA { s.cube(e, k, r, q) = x; });
        });
        team.sync();
      }
    }
  }

  // Where there is no z: the values at the points, from u (g, g).
  template <class Team, class Values, class Put>
  SUMFAC_INLINE void values_in_planes(Team const& team, int c, Values const& u, Put const& put) const
  {
    if constexpr (has_values)
      team.each(box<Elements, gy>{}, [&](int e, int y) {
        SUMFAC_UNROLL
        for (int x = 0; x < g; ++x) put(e, 0, y, x, c, u(e, 0, y, x));
      });
  }

  // Along z to the points, and the derivative there: u (n, g, g) -> cube (g, g, g), in place, for what follows.
  template <class Team, class Planes, class Put>
  SUMFAC_INLINE void along_z(Team const& team, [[maybe_unused]] scratch<Team>& s, int c, Planes const& u,
                             Put const& put) const
  {
    using T = typename Team::scalar;
    team.phase("interpolate and differentiate an input along z");
    team.each(box<Elements, g, g>{}, [&](int e, int r, int q) {
      auto const line = fetch<T, n>([&](int k) SUMFAC_LAMBDA { return u(e, k, r, q); });
      auto const put_value = [&](int z, T x) SUMFAC_LAMBDA {
        if constexpr (has_values) put(e, z, r, q, c, x);
        if constexpr (!collocated && has_slopes) s.cube(e, z, r, q) = x;
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
    });
    if constexpr (has_slopes) team.sync();
  }

  // The derivatives along x and y: of u (g, g, g).
  template <class Team, class Values, class Put>
  SUMFAC_INLINE void in_planes(Team const& team, int c, Values const& u, Put const& put) const
  {
    using T = typename Team::scalar;
    team.phase("differentiate an input in planes");
    int const slope = first_slope + directions * c;
    team.each(box<Elements, gz, gy>{}, [&](int e, int z, int a) {
      auto const along_x = fetch<T, g>([&](int q) SUMFAC_LAMBDA { return u(e, z, a, q); });
      contract(derivative.forward(), along_x, [&](int q, T x) SUMFAC_LAMBDA { put(e, z, a, q, slope, x); });
      if constexpr (has_y) {
        auto const along_y = fetch<T, g>([&](int r) SUMFAC_LAMBDA { return u(e, z, r, a); });
        contract(derivative.forward(), along_y, [&](int r, T x) SUMFAC_LAMBDA { put(e, z, r, a, slope + 1, x); });
      }
    });
  }
};

}  // namespace sumfac::detail
