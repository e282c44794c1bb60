// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The diagonal of a form of two sides: what an element's own functions give to themselves through its sides.
#pragma once

#include <sumfac/config.hpp>
#include <sumfac/element/kernel/face_diagonal.hpp>
#include <sumfac/element/kernel/interior_kernel.hpp>
#include <sumfac/form/point_values.hpp>
#include <sumfac/math/functions.hpp>
#include <sumfac/mesh/faces/side_places.hpp>

#include <cstdint>
#include <type_traits>

namespace sumfac::SUMFAC_TARGET::detail {

// **Work** per side and component (1 + D)^2 multiply-adds of each point with each node, and 1 + D forms a point.
template <class Problem, class T>
struct interior_diagonal : side_diagonal<Problem, interior_kernel<Problem, T, no_ghosts, true>::may_hang> {
  using kernel = interior_kernel<Problem, T, no_ghosts, true>;
  using base = side_diagonal<Problem, kernel::may_hang>;
  using base::directions, base::n, base::node_rows, base::point_rows, base::components, base::has_y;
  using base::nodes_of_row, base::points_of_row;
  using typename base::form_type, typename base::scalar, typename base::turned_node;
  using values = typename kernel::values;
  static constexpr int nodes = Problem::nodes_of_element, sides = kernel::sides;
  static constexpr int threads = kernel::threads;

  kernel of;  // whose v is the diagonal's, to be written or added to

  template <class Team>
  struct scratch {
    typename base::template matrix_at_points<Team> matrix;
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
      base::template set_matrix<T>(s.matrix, r, q, [&](values const& unit) SUMFAC_LAMBDA {
        values own[1], other[1];
        (lane < 0 ? own[0] : other[0]) = unit;
        return of.at_point(at, own, other, beside);
      });
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
          T const sum = base::template sum_of<T>(s.matrix, c, here, there, where.is_part ? where.part : -1);
          s.sum(c, node) += select(lanes_where<T>([lanes](int l) { return (lanes >> l & 1) != 0; }), sum, T{});
        }
    });
    team.sync();
  }
};

}  // namespace sumfac::detail
