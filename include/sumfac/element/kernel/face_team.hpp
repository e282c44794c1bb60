// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What face_kernel.hpp does on the host, by a device's team: the sides of one element at once, with what lies behind.
#pragma once

#include <sumfac/backend/policy.hpp>
#include <sumfac/config.hpp>
#include <sumfac/element/kernel/face_kernel.hpp>
#include <sumfac/element/kernel/side_halves.hpp>
#include <sumfac/form/point_values.hpp>
#include <sumfac/math/detail/plain.hpp>
#include <sumfac/mesh/faces/side_places.hpp>
#include <sumfac/tensor/kept_table.hpp>
#include <sumfac/tensor/pencil.hpp>

#include <type_traits>
#include <utility>

namespace sumfac::SUMFAC_TARGET::detail {

// Where the lines of nodes across a side begin in memory, and how far their entries are apart.
template <class Scalar>
struct lines_on_side {
  Scalar const* first;
  index_t component, layer, beside, along;
};
// And which part of the side is seen, a half or a quarter, or -1.
template <class Scalar>
struct lines_on_part : lines_on_side<Scalar> {
  int part;
};

// Bytes of scratch for sides: any device has so many, and an H100's multiprocessor three times.
inline constexpr int usual_side_bytes = 60 * 1024;

// Where the team's own element is: in memory, as those behind its sides, or, with what terms within it gave, in
// scratch; see waiting_vectors.
struct own_in_memory {
  static constexpr bool in_scratch = false;
};

// Between the nodes of an element and of those behind its sides and the points of the sides, as many sides at once as
// scratch has room for. What is computed of one line is a thread's, so that all have work at each step.
//
// Of each side, element and component there is a plane for the value, and one for the slope across the side where the
// form has derivatives: first rows of nodes, then, line by line in their place, rows of points. With Parts an element
// may be seen in a part of a side: its points are those of the half of each line, or, with the line turned, of its
// other half.
template <class Problem, int Functions, bool Parts = false, int MostBytes = usual_side_bytes>
struct face_team_evaluation : face_sizes<Problem> {
  using scalar = typename Problem::number;
  using sizes = face_sizes<Problem>;
  using sizes::components, sizes::has_slopes, sizes::has_fluxes, sizes::has_y, sizes::ends_at_node, sizes::reads_lines;
  using sizes::directions, sizes::n, sizes::node_rows, sizes::point_rows, sizes::nodes_of_row, sizes::points_of_row;
  using sizes::points_of_face;
  static constexpr int sides = 2 * directions, all_components = Functions * components;
  static constexpr int factors_of_point = Problem::factors_of_point;
  static constexpr bool differentiates = has_slopes || has_fluxes;

  // Rows of planes, and the distance from one to the next, an odd number: rows side by side are in banks of their own.
  static constexpr int rows = greater(node_rows, point_rows), pitch = greater(nodes_of_row, points_of_row) | 1;
  static constexpr int kinds = differentiates ? 2 : 1;                  // value, slope across
  static constexpr int tangents = differentiates ? directions - 1 : 0;  // derivatives along rows, and beside them

  // Sides at once: as many as have room for their planes, and for their factors, which come while nodes are read.
  static constexpr int numbers_of_planes = (kinds + tangents) * 2 * all_components * rows * pitch;
  static constexpr int numbers_of_side = numbers_of_planes + factors_of_point * points_of_face;
  static constexpr int most_sides = MostBytes / (numbers_of_side * static_cast<int>(sizeof(scalar)));
  static constexpr int at_once = most_sides >= sides ? sides : most_sides >= 2 ? 2 : 1;
  static constexpr bool copies_factors = most_sides >= 1 && factors_of_point > 0;
  // A thread for each point, up to eight warps.
  static constexpr int threads =
      lesser(256, (at_once * greater(points_of_face, node_rows* nodes_of_row) + 31) / 32 * 32);
  static constexpr int resident_teams = lesser(16, 768 / threads);

  using half_table = kept_table<interpolate<scalar, typename sizes::row_nodes, lower_half<typename sizes::row_points>>>;
  using lines_type = std::conditional_t<Parts, lines_on_part<scalar>, lines_on_side<scalar>>;

  face_tables<Problem, kept_table> tables;
  SUMFAC_NO_UNIQUE_ADDRESS std::conditional_t<Parts, half_table, no_table> half{};

  // Number of a plane: of a kind, an element (0 the team's own, 1 the one behind the side), a side and a component.
  static constexpr int planes = kinds * 2 * at_once * all_components;
  SUMFAC_FUNCTION static constexpr int plane(int kind, int of, int side, int c)
  {
    return ((kind * 2 + of) * at_once + side) * all_components + c;
  }

  template <class Team>
  struct scratch {
    template <class T, int... Extents>
    using array = typename Team::template shared<T, Extents...>;
    using number = typename Team::scalar;
    array<number, planes, rows, pitch> at;
    array<number, greater(1, tangents), tangents == 0 ? 1 : 2 * at_once * all_components, rows, pitch> tangent;
    array<number, 2, n> ends;  // what a node gives to the value and to the slope at the end of its line
    array<number, copies_factors ? factors_of_point : 1, copies_factors ? at_once : 1, points_of_face> factors;
    array<lines_type, Functions, 2, at_once> lines;

    template <class Name>
    void names(Name const& name)
    {
      name("planes", at), name("derivatives", tangent), name("ends", ends), name("factors", factors);
      name("lines", lines);
    }
  };

  // The tables at the end of a line, for threads that want different nodes'.
  template <class Team>
  SUMFAC_INLINE void keep_ends(Team const& team, scratch<Team>& s) const
  {
    team.each(box<n>{}, [&](int k) {
      s.ends(0, k) = tables.end_value.forward().full(0, k);
      s.ends(1, k) = tables.end_slope.forward().full(0, k);
    });
  }

  // Values and derivatives at the points, of lines that s.lines tells. Begins and ends with a barrier.
  template <class Team, class Own>
  SUMFAC_INLINE void to_points(Team const& team, scratch<Team>& s, [[maybe_unused]] Own const& own) const
  {
    using T = typename Team::scalar;
    team.sync();
    team.phase("read lines across the sides");
    team.each(box<2, at_once, all_components, node_rows, nodes_of_row>{}, [&](int of, int side, int c, int j, int i) {
      lines_on_side<scalar> const from = s.lines(c / components, of, side);
      auto const read = [&](auto const& node) SUMFAC_LAMBDA {
        if constexpr (reads_lines) {
          auto const line = fetch<T, n>(node);
          s.at(plane(0, of, side, c), j, i) =
              ends_at_node ? line[n - 1] : contract(tables.end_value.forward(), line)[0];
          if constexpr (has_slopes) s.at(plane(1, of, side, c), j, i) = contract(tables.end_slope.forward(), line)[0];
        } else {
          s.at(plane(0, of, side, c), j, i) = node(n - 1);
        }
      };
      if constexpr (Own::in_scratch)
        if (of == 0) {
          auto const at = static_cast<int>(from.component + j * from.beside + i * from.along);
          return read([&](int k) SUMFAC_LAMBDA { return own.u(c, at + k * static_cast<int>(from.layer)); });
        }
      scalar const* const first = from.first + c % components * from.component + j * from.beside + i * from.along;
      read([&](int k) SUMFAC_LAMBDA { return T(load_constant(first + k * from.layer)); });
    });
    team.sync();
    team.phase("from nodes to points");
    constexpr int all = (has_slopes ? 2 : 1) * 2 * at_once * all_components, values = 2 * at_once * all_components;
    if constexpr (has_y) {
      team.each(box<all, node_rows>{}, [&](int p, int j) {
        auto const row = fetch<T, nodes_of_row>([&](int i) { return T(s.at(p, j, i)); });
        contract_along<0, false>(part_of_plane(s, p), row, [&](int q, T x) SUMFAC_LAMBDA { s.at(p, j, q) = x; });
      });
      team.sync();
      team.each(box<all, points_of_row>{}, [&](int p, int q) {
        auto const column = fetch<T, node_rows>([&](int j) { return T(s.at(p, j, q)); });
        pencil<T, point_rows> points;
        contract_along<1, false>(part_of_plane(s, p), column, [&](int r, T x) SUMFAC_LAMBDA { points[r] = x; });
        SUMFAC_UNROLL
        for (int r = 0; r < point_rows; ++r) s.at(p, r, q) = points[r];
        if constexpr (has_slopes)
          if (p < values)
            contract(tables.derivative.forward(), points,
                     [&](int r, T x) SUMFAC_LAMBDA { s.tangent(tangents - 1, p, r, q) = x; });
      });
      team.sync();
      if constexpr (has_slopes) {
        team.each(box<values, point_rows>{}, [&](int p, int r) {
          auto const row = fetch<T, points_of_row>([&](int q) { return T(s.at(p, r, q)); });
          contract(tables.derivative.forward(), row, [&](int q, T x) SUMFAC_LAMBDA { s.tangent(0, p, r, q) = x; });
        });
        team.sync();
      }
    } else {
      team.each(box<all>{}, [&](int p) {
        auto const row = fetch<T, nodes_of_row>([&](int i) { return T(s.at(p, 0, i)); });
        pencil<T, points_of_row> points;
        contract_along<0, false>(part_of_plane(s, p), row, [&](int q, T x) SUMFAC_LAMBDA { points[q] = x; });
        SUMFAC_UNROLL
        for (int q = 0; q < points_of_row; ++q) s.at(p, 0, q) = points[q];
        if constexpr (has_slopes && directions == 2)
          if (p < values)
            contract(tables.derivative.forward(), points, [&](int q, T x) SUMFAC_LAMBDA { s.tangent(0, p, 0, q) = x; });
      });
      team.sync();
    }
  }

  // The transposes, of what is tested at the points of the team's own element: values and fluxes across become numbers
  // of the sides' nodes. Begins and ends with a barrier.
  template <class Team>
  SUMFAC_INLINE void from_points(Team const& team, scratch<Team>& s) const
  {
    using T = typename Team::scalar;
    constexpr int all = has_fluxes ? 2 : 1;
    team.sync();
    team.phase("from points to nodes");
    if constexpr (has_y) {
      if constexpr (has_fluxes) {
        team.each(box<at_once, components, point_rows>{}, [&](int side, int c, int r) {
          int const p = plane(0, 0, side, c);
          auto row = fetch<T, points_of_row>([&](int q) { return T(s.at(p, r, q)); });
          contract_add(tables.derivative.backward(),
                       fetch<T, points_of_row>([&](int q) { return T(s.tangent(0, p, r, q)); }), row);
          SUMFAC_UNROLL
          for (int q = 0; q < points_of_row; ++q) s.at(p, r, q) = row[q];
        });
        team.sync();
      }
      team.each(box<all, at_once, components, points_of_row>{}, [&](int kind, int side, int c, int q) {
        int const p = plane(kind, 0, side, c);
        auto column = fetch<T, point_rows>([&](int r) { return T(s.at(p, r, q)); });
        if constexpr (has_fluxes)
          if (kind == 0)
            contract_add(tables.derivative.backward(),
                         fetch<T, point_rows>([&](int r) { return T(s.tangent(tangents - 1, p, r, q)); }), column);
        contract_along<1, true>(part_of_plane(s, p), column, [&](int j, T x) SUMFAC_LAMBDA { s.at(p, j, q) = x; });
      });
      team.sync();
    }
    team.each(box<all, at_once, components, node_rows>{}, [&](int kind, int side, int c, int j) {
      int const p = plane(kind, 0, side, c);
      auto row = fetch<T, points_of_row>([&](int q) { return T(s.at(p, j, q)); });
      if constexpr (has_fluxes && directions == 2)
        if (kind == 0)
          contract_add(tables.derivative.backward(),
                       fetch<T, points_of_row>([&](int q) { return T(s.tangent(0, p, 0, q)); }), row);
      contract_along<0, true>(part_of_plane(s, p), row, [&](int i, T x) SUMFAC_LAMBDA { s.at(p, j, i) = x; });
    });
    team.sync();
  }

  // Adds to the nodes of a line in the last direction what sides First to First + at_once - 1 give; the line meets node
  // i of the first direction, and of hexahedra j of the second.
  template <int First, class Scratch, class T>
  SUMFAC_INLINE void add_to_line(Scratch& s, int c, int j, int i, pencil<T, n>& line) const
  {
    [&]<int... Sides>(std::integer_sequence<int, Sides...>) SUMFAC_LAMBDA {
      (add_side_to_line<First + Sides, Sides>(s, c, j, i, line), ...);
    }(std::make_integer_sequence<int, at_once>{});
  }

  // What a form reads at a point of a side, of one of its functions; and what is tested there, in its place.
  template <class Values, class Scratch>
  SUMFAC_INLINE static Values values_at(Scratch& s, int of, int side, int function, int r, int q)
  {
    constexpr auto trial = Problem::form::trial;
    Values u;
    SUMFAC_UNROLL
    for (int c = 0; c < components; ++c) {
      int const p = plane(0, of, side, function * components + c);
      if constexpr (has(trial, value)) value_of(u, c) = s.at(p, r, q);
      if constexpr (has(trial, gradient)) {
        if constexpr (directions > 1) gradient_of(u, c, 0) = s.tangent(0, p, r, q);
        if constexpr (has_y) gradient_of(u, c, 1) = s.tangent(1, p, r, q);
        gradient_of(u, c, directions - 1) = s.at(plane(1, of, side, function * components + c), r, q);
      }
    }
    return u;
  }
  template <class Values, class Scratch>
  SUMFAC_INLINE static void put_tested(Scratch& s, int side, int r, int q, Values v)
  {
    constexpr auto test = Problem::form::test;
    SUMFAC_UNROLL
    for (int c = 0; c < components; ++c) {
      int const p = plane(0, 0, side, c);
      if constexpr (has(test, value))
        s.at(p, r, q) = value_of(v, c);
      else
        s.at(p, r, q) = scalar(0);
      if constexpr (has(test, gradient)) {
        if constexpr (directions > 1) s.tangent(0, p, r, q) = gradient_of(v, c, 0);
        if constexpr (has_y) s.tangent(1, p, r, q) = gradient_of(v, c, 1);
        s.at(plane(1, 0, side, c), r, q) = gradient_of(v, c, directions - 1);
      }
    }
  }

private:
  // In which part of its side the element of a plane is seen, or -1.
  template <class Scratch>
  SUMFAC_INLINE static int part_of_plane([[maybe_unused]] Scratch& s, [[maybe_unused]] int p)
  {
    if constexpr (Parts) {
      lines_type const lines = s.lines(0, p / (at_once * all_components) % 2, p / all_components % at_once);
      return lines.part;
    } else {
      return -1;
    }
  }
  // A line of nodes along a direction of the side as points, or by the transpose a line of points as nodes, to put(i,
  // x).
  template <int Direction, bool Back, class T, int Size, class Put>
  SUMFAC_INLINE void contract_along([[maybe_unused]] int part, pencil<T, Size> const& line, Put const& put) const
  {
    auto const way = [](auto const& table) SUMFAC_LAMBDA {
      if constexpr (Back)
        return table.backward();
      else
        return table.forward();
    };
    if constexpr (Parts)
      if (part >= 0) {
        bool const upper = (part >> Direction & 1) != 0;
        auto const result = turned_line(upper, contract(way(half), turned_line(upper, line)));
        SUMFAC_UNROLL
        for (int i = 0; i < (Back ? nodes_of_row : points_of_row); ++i) put(i, result[i]);
        return;
      }
    contract(way(tables.to_points), line, put);
  }
  template <class T, int Size>
  SUMFAC_INLINE static pencil<T, Size> turned_line(bool turned, pencil<T, Size> const& line)
  {
    return fetch<T, Size>([&](int i) SUMFAC_LAMBDA { return turned ? line[Size - 1 - i] : line[i]; });
  }
  template <int Side>
  static constexpr turned_axes axes_of = turned_axes(directions, Side, 0);  // which the host's constructor makes

  template <int Side, int Place, class Scratch, class T>
  SUMFAC_INLINE void add_side_to_line(Scratch& s, int c, int j, int i, pencil<T, n>& line) const
  {
    constexpr turned_axes axes = axes_of<Side>;
    constexpr bool last = Side / 2 == directions - 1;
    int const value = plane(0, 0, Place, c), slope = plane(kinds - 1, 0, Place, c);
    // Node k of the line, as the side's turned element has it.
    auto const turned = [&](int d, int k) SUMFAC_LAMBDA {
      int const x[3] = {directions == 1 ? k : i, directions == 2 ? k : j, k};
      int at = 0;
      for (int a = 0; a < directions; ++a) at += axes.step[d][a] * (x[a] - axes.first[a] * (n - 1));
      return at;
    };
    auto const along = [&](int k) SUMFAC_LAMBDA { return directions == 1 ? 0 : turned(0, k); };
    auto const beside = [&](int k) SUMFAC_LAMBDA { return has_y ? turned(1, k) : 0; };
    if constexpr (last) {
      auto sum = contract(tables.end_value.backward(), pencil<T, 1>{{T(s.at(value, beside(0), along(0)))}});
      if constexpr (has_fluxes)
        contract_add(tables.end_slope.backward(), pencil<T, 1>{{T(s.at(slope, beside(0), along(0)))}}, sum);
      SUMFAC_UNROLL
      for (int k = 0; k < n; ++k) line[k] += sum[turned(directions - 1, k)];
    } else {
      int const layer = turned(directions - 1, 0);
      if (!ends_at_node || layer == n - 1) {
        T const of_node = s.ends(0, layer);
        SUMFAC_UNROLL
        for (int k = 0; k < n; ++k) line[k] = fma(of_node, T(s.at(value, beside(k), along(k))), line[k]);
      }
      if constexpr (has_fluxes) {
        T const of_node = s.ends(1, layer);
        SUMFAC_UNROLL
        for (int k = 0; k < n; ++k) line[k] = fma(of_node, T(s.at(slope, beside(k), along(k))), line[k]);
      }
    }
  }
};

}  // namespace sumfac::SUMFAC_TARGET::detail
