// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The diagonal of a form of two sides: what an element's own functions give to themselves through its sides.
#pragma once

#include <sumfac/config.hpp>
#include <sumfac/element/kernel/interior_kernel.hpp>
#include <sumfac/form/point_values.hpp>
#include <sumfac/math/functions.hpp>
#include <sumfac/mesh/faces/side_places.hpp>

#include <cstdint>
#include <type_traits>

namespace sumfac::SUMFAC_TARGET::detail {

// At a point the form is a matrix between a node's value and derivatives, in the order value, x, y, z, of which a
// node's tables along each direction make a number.
//
// **Work** per side and component (1 + D)^2 multiply-adds of each point with each node, and 1 + D forms a point.
template <class Problem, class T>
struct interior_diagonal : face_sizes<Problem> {
  using sizes = face_sizes<Problem>;
  using sizes::directions, sizes::n, sizes::node_rows, sizes::point_rows, sizes::components;
  using sizes::nodes_of_row, sizes::points_of_row;
  using kernel = interior_kernel<Problem, T, no_ghosts, true>;
  using form_type = typename Problem::form;
  using scalar = typename Problem::number;
  using values = typename kernel::values;
  static constexpr int nodes = Problem::nodes_of_element, sides = kernel::sides, entries = 1 + directions;
  static constexpr int threads = kernel::threads;
  static constexpr bool has_y = directions == 3;
  using node_set = typename Problem::nodes;
  using typename sizes::row_nodes, typename sizes::row_points;
  template <class Nodes, class Points>
  using table_of = std::remove_const_t<decltype(interpolation<scalar, Nodes, Points>())>;

  kernel of;  // whose v is the diagonal's, to be written or added to
  table_of<row_nodes, row_points> values_along = interpolation<scalar, row_nodes, row_points>();
  table_of<row_nodes, row_points> slopes_along = differentiation<scalar, row_nodes, row_points>();
  table_of<node_set, end_point> end_value = interpolation<scalar, node_set, end_point>();
  table_of<node_set, end_point> end_slope = differentiation<scalar, node_set, end_point>();
  // At the points of the lower half of a row, where elements may have parts of sides.
  struct half_tables {
    table_of<row_nodes, row_points> values = interpolation<scalar, row_nodes, lower_half<row_points>>();
    table_of<row_nodes, row_points> slopes = differentiation<scalar, row_nodes, lower_half<row_points>>();
  };
  struct no_tables {};
  SUMFAC_NO_UNIQUE_ADDRESS std::conditional_t<kernel::may_hang, half_tables, no_tables> half{};

  template <class Team>
  struct scratch {
    typename Team::template shared<typename Team::scalar, components, entries, entries, point_rows, points_of_row>
        matrix;
    typename Team::template shared<typename Team::scalar, components, nodes> sum;
  };

  template <class Team>
  SUMFAC_INLINE void operator()(Team const& team, scratch<Team>& s, index_t group) const
  {
    lane_entries<T, n> const lanes{group};
    team.each(box<components, nodes>{}, [&](int c, int p) { s.sum(c, p) = of.adds ? lanes.read(of.v, c, p) : T{}; });
    team.sync();
    for (int side = 0; side < sides; ++side)
      for (int part = 0, parts = 1; part < parts; ++part) {
        auto beside = of.behind_of(group, side, part);
        parts = beside.parts();
        if (!beside.any) continue;
        beside.choose();
        std::uint32_t large = 0;
        if constexpr (kernel::may_hang) large = beside.large.lanes;
        if (part == 0) add_side(team, s, group, {side, part}, beside, ~large);
        if (large != 0) add_side(team, s, group, {side, part, true}, beside, large);
        for (int l = 0; l < width_of<T>; ++l)
          if (beside.of[l].element == lanes.element(of.v, l))
            add_side(team, s, group, {side, part, false, l}, beside, std::uint32_t{1} << l);
      }
    team.each(box<components, nodes>{}, [&](int c, int p) { lanes.write(of.v, c, p, s.sum(c, p)); });
  }

private:
  struct turned_node {
    int k, j, i;
  };
  // Where a node of an element lies as `at` turns that.
  SUMFAC_INLINE static turned_node node_in(turned_axes const& at, int node)
  {
    int const x[3] = {node % n, node / n % n, node / (n * n)};
    int t[3] = {};
    for (int d = 0; d < directions; ++d)
      for (int a = 0; a < 3; ++a) t[d] += at.step[d][a] * (x[a] - at.first[a] * (n - 1));
    return {t[directions - 1], has_y ? t[1] : 0, directions > 1 ? t[0] : 0};
  }

  // A side, or a part of it; whether elements have it as a part; and where an element lies behind itself its lane.
  struct place_of_side {
    int side, part;
    bool is_part = false;
    int lane = -1;
  };
  // What a side gives to the elements of some lanes by what they are there; with a lane, to the element of that, which
  // lies behind itself, by what it is behind the side.
  template <class Team>
  SUMFAC_INLINE void add_side(Team const& team, scratch<Team>& s, index_t group, place_of_side const& where,
                              typename kernel::neighbours const& beside, std::uint32_t lanes) const
  {
    int const side = where.side, lane = where.lane;
    auto const of_point = of.factors.of_side(group, side, where.part);
    team.each(box<point_rows, points_of_row>{}, [&](int r, int q) {
      auto const at = of_point(r * points_of_row + q);
      for (int c = 0; c < components; ++c)
        for (int b = 0; b < entries; ++b) {
          if (!has(form_type::trial, b == 0 ? value : gradient)) continue;
          values own[1], other[1];
          point_entry(lane < 0 ? own[0] : other[0], c, b) = T(scalar(1));
          auto column = of.at_point(at, own, other, beside);
          for (int a = 0; a < entries; ++a)
            s.matrix(c, a, b, r, q) = has(form_type::test, a == 0 ? value : gradient) ? point_entry(column, c, a) : T{};
        }
    });
    team.sync();
    turned_steps const steps(of.turned(side, 0), directions, n, {1, n, n * n});
    team.each(box<node_rows, nodes_of_row>{}, [&](int j, int i) {
      for (int c = 0; c < components; ++c)
        for (int k = 0; k < n; ++k) {
          int const node = static_cast<int>(steps(k, j, i));
          turned_node const here{k, j, i};
          turned_node there = here;
          if (lane >= 0) there = node_in(of.turned(beside.of[lane].side, beside.of[lane].turn), node);
          T const sum = sum_of(s, c, here, there, where.is_part ? where.part : -1);
          s.sum(c, node) += select(lanes_where<T>([lanes](int l) { return (lanes >> l & 1) != 0; }), sum, T{});
        }
    });
    team.sync();
  }

  // What entry `a` of a node's function is along a direction of the side, or of a part of it, and across it.
  SUMFAC_INLINE scalar on_side(int a, int direction, int point, int at, [[maybe_unused]] int part) const
  {
    bool const is_slope = a == direction + 1 && a < directions;
    if constexpr (kernel::may_hang)
      if (part >= 0) {
        bool const upper = (part >> direction & 1) != 0;  // the lower one backwards
        if (upper) point = points_of_row - 1 - point, at = nodes_of_row - 1 - at;
        return is_slope ? half.slopes(point, at) * scalar(upper ? -0.5 : 0.5) : half.values(point, at);
      }
    return is_slope ? slopes_along(point, at) : values_along(point, at);
  }
  SUMFAC_INLINE scalar across(int a, int at) const { return a == directions ? end_slope(0, at) : end_value(0, at); }

  template <class Scratch>
  SUMFAC_INLINE T sum_of(Scratch const& s, int c, turned_node const& test, turned_node const& trial, int part) const
  {
    T sum{};
    for (int a = 0; a < entries; ++a)
      for (int b = 0; b < entries; ++b) {
        if (!has(form_type::trial, b == 0 ? value : gradient)) continue;
        scalar const z = across(a, test.k) * across(b, trial.k);
        if (z == 0) continue;
        for (int r = 0; r < point_rows; ++r) {
          scalar const y = has_y ? z * on_side(a, 1, r, test.j, part) * on_side(b, 1, r, trial.j, part) : z;
          for (int q = 0; q < points_of_row; ++q)
            sum += s.matrix(c, a, b, r, q) * (y * on_side(a, 0, q, test.i, part) * on_side(b, 0, q, trial.i, part));
        }
      }
    return sum;
  }
};

}  // namespace sumfac::detail
