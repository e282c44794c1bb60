// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A function at the points of a group of elements: interpolated and differentiated in a team's memory.
#pragma once

#include <sumfac/backend/policy.hpp>
#include <sumfac/form/detail/point_inputs.hpp>
#include <sumfac/pencil/pencil.hpp>

#include <type_traits>

namespace sumfac::inline SUMFAC_TARGET::detail {

// What Input names of a function on Problem's nodes, at its points, component by component. A team has Elements of them.
//
// **Shapes** points (Elements, G^3, numbers), in the order in which lines in direction Direction read them: a, the
// slower other direction, b, and the line's own.
template <class Problem, input Input, int Elements>
struct field_values {
  using number = typename Problem::number;
  static constexpr int n = Problem::nodes_1d, g = Problem::quads_1d, components = Input.components;
  static constexpr bool collocated = Problem::collocated;
  static constexpr bool has_values = has(Input.evaluates, value), has_slopes = has(Input.evaluates, gradient);
  static constexpr int count = numbers_of(Input), first_slope = has_values ? components : 0;
  static constexpr int row = g + (g % 2 == 0 ? 1 : 0);

  template <class Team>
  struct scratch {
    struct none {};
    template <bool Needed, int... Extents>
    using array = std::conditional_t<Needed, typename Team::template shared<typename Team::scalar, Elements, Extents...>,
                                     none>;

    [[no_unique_address]] array<!collocated, n, row> plane;              // of one component
    [[no_unique_address]] array<!collocated, n, g, row> planes;          // likewise
    [[no_unique_address]] array<!collocated && has_slopes, g, g, row> values;
    array<true, g * g * g, count> points;
  };

  // The place of point (z, y, x) among an element's, for lines in a direction.
  template <int Direction>
  SUMFAC_FUNCTION static constexpr int place(int z, int y, int x)
  {
    return Direction == 0 ? (z * g + y) * g + x : Direction == 1 ? (z * g + x) * g + y : (y * g + x) * g + z;
  }

  // Calls of u(e, c, k, j, i) are what it is at the nodes.
  template <int Direction, class Team, class Scratch, class Nodal>
  SUMFAC_INLINE static void evaluate(Team const& team, Scratch& s, Nodal const& u)
  {
    for (int c = 0; c < components; ++c) {
      if constexpr (collocated) {
        auto const here = [&](int e, int z, int y, int x) SUMFAC_LAMBDA { return u(e, c, z, y, x); };
        along_z<Direction>(team, s, c, here);
        if constexpr (has_slopes) in_planes<Direction>(team, s, c, here);
      } else {
        interpolate_planes(team, s, c, u);
        along_z<Direction>(team, s, c, [&](int e, int k, int y, int x) SUMFAC_LAMBDA { return s.planes(e, k, y, x); });
        if constexpr (has_slopes)
          in_planes<Direction>(team, s, c,
                               [&](int e, int z, int y, int x) SUMFAC_LAMBDA { return s.values(e, z, y, x); });
      }
    }
  }

private:
  using to_points = interpolate<number, typename Problem::nodes, typename Problem::points>;
  using to_slopes = differentiate<number, typename Problem::nodes, typename Problem::points>;
  using derivative = differentiate<number, typename Problem::points>;

  // Nodes to points along x and y, a plane at a time: u (n, n, n) -> planes (n, g, g).
  template <class Team, class Scratch, class Nodal>
  SUMFAC_INLINE static void interpolate_planes(Team const& team, Scratch& s, int c, Nodal const& u)
  {
    using T = typename Team::scalar;
    team.phase("interpolate an input in planes");
    for (int k = 0; k < n; ++k) {
      team.each(box<Elements, n>{}, [&](int e, int j) {
        auto const line = fetch<T, n>([&](int i) SUMFAC_LAMBDA { return u(e, c, k, j, i); });
        contract(to_points{}, line, [&](int q, T x) SUMFAC_LAMBDA { s.plane(e, j, q) = x; });
      });
      team.sync();
      team.each(box<Elements, g>{}, [&](int e, int q) {
        auto const line = fetch<T, n>([&](int j) SUMFAC_LAMBDA { return s.plane(e, j, q); });
        contract(to_points{}, line, [&](int r, T x) SUMFAC_LAMBDA { s.planes(e, k, r, q) = x; });
      });
      team.sync();
    }
  }

  // Along z to the points, and the derivative there: u (n, g, g) -> points, and values (g, g, g) for what follows.
  template <int Direction, class Team, class Scratch, class Planes>
  SUMFAC_INLINE static void along_z(Team const& team, Scratch& s, int c, Planes const& u)
  {
    using T = typename Team::scalar;
    team.phase("interpolate and differentiate an input along z");
    team.each(box<Elements, g, g>{}, [&](int e, int r, int q) {
      auto const line = fetch<T, n>([&](int k) SUMFAC_LAMBDA { return u(e, k, r, q); });
      auto const put_value = [&](int z, T x) SUMFAC_LAMBDA {
        if constexpr (has_values) s.points(e, place<Direction>(z, r, q), c) = x;
        if constexpr (!collocated && has_slopes) s.values(e, z, r, q) = x;
      };
      auto const put_slope = [&](int z, T x) SUMFAC_LAMBDA {
        s.points(e, place<Direction>(z, r, q), first_slope + 3 * c + 2) = x;
      };
      if constexpr (collocated) {
        SUMFAC_UNROLL
        for (int z = 0; z < g; ++z) put_value(z, line[z]);
        if constexpr (has_slopes) contract(derivative{}, line, put_slope);
      } else if constexpr (has_slopes) {
        contract_both(to_points{}, to_slopes{}, line, put_value, put_slope);
      } else {
        contract(to_points{}, line, put_value);
      }
    });
    team.sync();
  }

  // The derivatives along x and y: u (g, g, g) -> points.
  template <int Direction, class Team, class Scratch, class Values>
  SUMFAC_INLINE static void in_planes(Team const& team, Scratch& s, int c, Values const& u)
  {
    using T = typename Team::scalar;
    team.phase("differentiate an input in planes");
    team.each(box<Elements, g, g>{}, [&](int e, int z, int a) {
      auto const along_x = fetch<T, g>([&](int q) SUMFAC_LAMBDA { return u(e, z, a, q); });
      contract(derivative{}, along_x, [&](int q, T x) SUMFAC_LAMBDA {
        s.points(e, place<Direction>(z, a, q), first_slope + 3 * c) = x;
      });
      auto const along_y = fetch<T, g>([&](int r) SUMFAC_LAMBDA { return u(e, z, r, a); });
      contract(derivative{}, along_y, [&](int r, T x) SUMFAC_LAMBDA {
        s.points(e, place<Direction>(z, r, a), first_slope + 3 * c + 1) = x;
      });
    });
    team.sync();
  }
};

}  // namespace sumfac::detail
