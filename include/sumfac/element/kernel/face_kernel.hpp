// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The fused kernel on faces: values and gradients of the elements behind them, the form, and the transposes; and how
// factors of faces are read, of the boundary and between elements.
#pragma once

#include <sumfac/backend/policy.hpp>
#include <sumfac/basis/space.hpp>
#include <sumfac/config.hpp>
#include <sumfac/element/kernel/point_form.hpp>
#include <sumfac/math/detail/plain.hpp>
#include <sumfac/math/pack.hpp>
#include <sumfac/tensor/kept_table.hpp>
#include <sumfac/tensor/sweep.hpp>

#include <array>
#include <cstddef>
#include <cstring>
#include <type_traits>

namespace sumfac::SUMFAC_TARGET::detail {

// Where the reference coordinate across a face is 1; what nodes and points of a line's end are.
struct end_point {
  static constexpr int size = 1;
  static constexpr std::array<long double, 1> nodes{1.0L}, weights{1.0L};
};

// The sizes of a problem's faces: `rows` of points and of nodes, 1 where elements are quadrilaterals; what a row has,
// which is one of each where they are lines.
template <class Problem>
struct face_sizes {
  static constexpr int directions = Problem::directions, n = Problem::nodes_1d, g = Problem::points_1d;
  using row_nodes = std::conditional_t<directions == 1, end_point, typename Problem::nodes>;
  using row_points = std::conditional_t<directions == 1, end_point, typename Problem::points>;
  static constexpr int nodes_of_row = directions == 1 ? 1 : n, points_of_row = row_points::size;
  static constexpr int node_rows = node_box(n, directions - 1).y, point_rows = node_box(g, directions - 1).y;
  static constexpr int points_of_face = points_of_row * point_rows, components = Problem::components;
  static constexpr bool has_slopes = Problem::has_slopes, has_fluxes = Problem::has_fluxes;
  static constexpr bool has_y = directions == 3;
  // Whether the value on a face is that of the nodes there.
  static constexpr bool ends_at_node = Problem::nodes::nodes[n - 1] == 1;
  // Whether whole lines of nodes across a face are read, or only the last.
  static constexpr bool reads_lines = has_slopes || !ends_at_node;
};

// Component c of one side at the points, of an array (sides, components, 1, rows, g).
template <class Array>
struct plane_of_side {
  Array& array;
  int side, component;
  SUMFAC_INLINE decltype(auto) operator()(int, int, int k, int y, int x) const
  {
    return array(side, component, k, y, x);
  }
};
template <class Array>
SUMFAC_FUNCTION plane_of_side(Array&, int, int) -> plane_of_side<Array>;

// Factors of a group's faces: packs (groups, points, F), a lane for each face.
template <class Problem, class Pack>
struct face_factor_reader {
  static constexpr int count = Problem::factors_of_point;
  using point_factors = typename Problem::template factors_at_point<Pack>;

  Pack const* stored = nullptr;

  SUMFAC_INLINE point_factors operator()(index_t group, int point) const
  {
    point_factors f;
    std::memcpy(&f, stored + (group * face_sizes<Problem>::points_of_face + point) * count, sizeof f);
    return f;
  }
};

// The tables of a problem's faces: along them, and across, to the value and the slope at the end.
template <class Problem, template <class> class Table>
struct face_tables {
  using number = typename Problem::number;
  using nodes = typename Problem::nodes;
  using row_points = typename face_sizes<Problem>::row_points;
  Table<interpolate<number, typename face_sizes<Problem>::row_nodes, row_points>> to_points;
  Table<differentiate<number, row_points>> derivative;
  Table<interpolate<number, nodes, end_point>> end_value;
  Table<differentiate<number, nodes, end_point>> end_slope;
};

// Between the nodes of the elements on Sides sides of faces and the faces' points: of Functions functions, which have
// as many components each. Elements are turned so that the face lies at the end of the last direction, z of hexahedra,
// y of quadrilaterals and x of lines, along whose faces nothing is but a constant.
//
// Across the face each line of nodes becomes a value and a slope, of nodes at the ends the value there; the rest is
// what a quadrilateral's kernel does twice. An index (side, c, 0, r, q) is side, component and the point's y and x on
// the face.
// **Work** per side of hexahedra and component some 4 n^3 + 8 (n^2 g + n g^2) + 8 g^3 flops, and as many for the
// transposes.
template <class Problem, int Sides = 1, int Functions = 1, template <class> class Table = constant_table>
struct face_evaluation : face_sizes<Problem> {
  using scalar = typename Problem::number;
  using sizes = face_sizes<Problem>;
  using sizes::directions, sizes::n, sizes::g, sizes::node_rows, sizes::point_rows, sizes::components;
  using sizes::ends_at_node, sizes::reads_lines;
  using sizes::nodes_of_row, sizes::points_of_row, sizes::has_slopes, sizes::has_fluxes, sizes::has_y;
  static constexpr int face_directions = greater(directions - 1, 1);
  static constexpr int all_components = Functions * components, most = greater(nodes_of_row, points_of_row);

  face_tables<Problem, Table> tables;

  template <class Team>
  struct scratch {
    template <int... Extents>
    using array = typename Team::template shared<typename Team::scalar, Extents...>;
    using at_points = array<Sides, all_components, 1, point_rows, points_of_row>;
    at_points value;                                // then what is tested against values
    at_points along, beside;                        // derivatives along x and y of the face, then fluxes
    at_points across;                               // the derivative along the last direction, then its flux
    array<1, 1, 2, node_rows, nodes_of_row> trace;  // of a component: value and slope at the face's nodes
    array<1, 1, 1, most, most> between;
  };

  // Values and derivatives at the points, where element(side, c, layer, j, i) is an entry of the turned element. A
  // barrier follows.
  template <class Team, class Element>
  SUMFAC_INLINE void to_points(Team const& team, scratch<Team>& s, Element const& element) const
  {
    using T = typename Team::scalar;
    for (int side = 0; side < Sides; ++side)
      for (int c = 0; c < all_components; ++c) {
        team.each(box<node_rows, nodes_of_row>{}, [&](int j, int i) {
          auto const node = [&](int k) SUMFAC_LAMBDA { return element(side, c, k, j, i); };
          if constexpr (reads_lines) {
            auto const line = fetch<T, n>(node);
            s.trace(0, 0, 0, j, i) = ends_at_node ? line[n - 1] : contract(tables.end_value.forward(), line)[0];
            if constexpr (has_slopes) s.trace(0, 0, 1, j, i) = contract(tables.end_slope.forward(), line)[0];
          } else {
            s.trace(0, 0, 0, j, i) = node(n - 1);
          }
        });
        team.sync();
        sweep_all<face_directions>(team, tables.to_points.forward(), s.trace, s.between,
                                   plane_of_side{s.value, side, c});
        if constexpr (has_slopes) {
          team.sync();
          sweep_all<face_directions>(team, tables.to_points.forward(), plane_of{s.trace, 0, 1}, s.between,
                                     plane_of_side{s.across, side, c});
        }
        team.sync();
      }
    if constexpr (has_slopes) {
      sweep<axis::x>(team, box<Sides, all_components, 1, point_rows>{}, tables.derivative.forward(), s.value, s.along);
      if constexpr (has_y)
        sweep<axis::y>(team, box<Sides, all_components, 1, points_of_row>{}, tables.derivative.forward(), s.value,
                       s.beside);
      team.sync();
    }
  }

  // What a form of two sides reads at a point, of one of its functions; and what is tested there, in side 0's place.
  template <class Values, class Scratch>
  SUMFAC_INLINE static Values values_at(Scratch const& s, int side, int function, int r, int q)
  {
    constexpr auto trial = Problem::form::trial;
    Values u;
    SUMFAC_UNROLL
    for (int c = 0; c < components; ++c) {
      int const at = function * components + c;
      if constexpr (has(trial, value)) value_of(u, c) = s.value(side, at, 0, r, q);
      if constexpr (has(trial, gradient)) {
        gradient_of(u, c, 0) = s.along(side, at, 0, r, q);
        if constexpr (has_y) gradient_of(u, c, 1) = s.beside(side, at, 0, r, q);
        gradient_of(u, c, directions - 1) = s.across(side, at, 0, r, q);
      }
    }
    return u;
  }
  template <class Values, class Scratch>
  SUMFAC_INLINE static void put_tested(Scratch& s, int r, int q, Values v)
  {
    constexpr auto test = Problem::form::test;
    SUMFAC_UNROLL
    for (int c = 0; c < components; ++c) {
      if constexpr (has(test, value))
        s.value(0, c, 0, r, q) = value_of(v, c);
      else
        s.value(0, c, 0, r, q) = std::remove_cvref_t<decltype(value_of(v, c))>(scalar(0));
      if constexpr (has(test, gradient)) {
        s.along(0, c, 0, r, q) = gradient_of(v, c, 0);
        if constexpr (has_y) s.beside(0, c, 0, r, q) = gradient_of(v, c, 1);
        s.across(0, c, 0, r, q) = gradient_of(v, c, directions - 1);
      }
    }
  }

  // The transposes, of side 0: values and fluxes at the points become the nodes' lines, put(c, j, i, line), of which
  // those before the first layer that a form reaches are 0.
  static constexpr int first_layer = has_fluxes || !ends_at_node ? 0 : n - 1;
  template <class Team, class Put>
  SUMFAC_INLINE void from_points(Team const& team, scratch<Team>& s, Put const& put) const
  {
    using T = typename Team::scalar;
    if constexpr (has_fluxes) {
      sweep<axis::x>(team, box<1, components, 1, point_rows>{}, tables.derivative.backward(), s.along,
                     added_to(s.value));
      team.sync();
      if constexpr (has_y) {
        sweep<axis::y>(team, box<1, components, 1, points_of_row>{}, tables.derivative.backward(), s.beside,
                       added_to(s.value));
        team.sync();
      }
    }
    for (int c = 0; c < components; ++c) {
      sweep_all<face_directions>(team, tables.to_points.backward(), plane_of_side{s.value, 0, c}, s.between,
                                 plane_of{s.trace, 0, 0});
      team.sync();
      if constexpr (has_fluxes) {
        sweep_all<face_directions>(team, tables.to_points.backward(), plane_of_side{s.across, 0, c}, s.between,
                                   plane_of{s.trace, 0, 1});
        team.sync();
      }
      team.each(box<node_rows, nodes_of_row>{}, [&](int j, int i) {
        auto line = contract(tables.end_value.backward(), pencil<T, 1>{{s.trace(0, 0, 0, j, i)}});
        if constexpr (has_fluxes)
          contract_add(tables.end_slope.backward(), pencil<T, 1>{{s.trace(0, 0, 1, j, i)}}, line);
        put(c, j, i, line);
      });
      team.sync();
    }
  }
};

// y = A x on the faces of one group, on the host, of the elements on one side of them: lanes are faces.
template <class Problem, class Vectors>
struct face_kernel : face_evaluation<Problem> {
  using form_type = typename Problem::form;
  using evaluation = face_evaluation<Problem>;
  using evaluation::directions, evaluation::n, evaluation::g, evaluation::point_rows, evaluation::has_y;
  using typename evaluation::scalar;
  using packed = pack<scalar, native_width<scalar>>;
  static constexpr int threads = 1;

  form_type form;
  Vectors vectors;
  face_factor_reader<Problem, packed> factors;

  template <class Team>
  struct scratch : evaluation::template scratch<Team> {
    typename Vectors::template scratch<Team> exchanged;
  };

  template <class Team>
  SUMFAC_INLINE void operator()(Team const& team, scratch<Team>& s, index_t group) const
  {
    to_points(team, s, group);
    for (int r = 0; r < point_rows; ++r)
      for (int q = 0; q < g; ++q)
        at_point<typename Team::scalar>(s, group, r, q,
                                        [&](int c, auto const& x) SUMFAC_LAMBDA { s.value(0, c, 0, r, q) = x; });
    auto const out = vectors.result(team, s.exchanged, group);
    evaluation::from_points(team, s, [&](int c, int j, int i, auto const& line) SUMFAC_LAMBDA {
      SUMFAC_UNROLL
      for (int k = 0; k < n; ++k) node(out, c, k, j, i) = line[k];
    });
    vectors.finish(team, s.exchanged, group);
  }

  // Values and derivatives at the points of a group.
  template <class Team>
  SUMFAC_INLINE void to_points(Team const& team, scratch<Team>& s, index_t group) const
  {
    auto const in = vectors.fetch(team, s.exchanged, group);
    evaluation::to_points(team, s, [&](int, int c, int k, int j, int i) SUMFAC_LAMBDA { return node(in, c, k, j, i); });
  }

  // The form at a point: put(c, value) gets what is tested against values; fluxes take the derivatives' places.
  template <class T, class Scratch, class Put>
  SUMFAC_INLINE void at_point(Scratch& s, index_t group, int r, int q, Put const& put) const
  {
    auto const at = factors(group, r * g + q);
    auto const value = [&](int c) SUMFAC_LAMBDA { return s.value(0, c, 0, r, q); };
    auto const along = [&](int c) SUMFAC_LAMBDA -> decltype(auto) { return s.along(0, c, 0, r, q); };
    auto const beside = [&](int c) SUMFAC_LAMBDA -> decltype(auto) { return s.beside(0, c, 0, r, q); };
    auto const across = [&](int c) SUMFAC_LAMBDA -> decltype(auto) { return s.across(0, c, 0, r, q); };
    if constexpr (has_y)
      apply_at_point<T, directions>(form, at, value, put, along, beside, across);
    else
      apply_at_point<T, directions>(form, at, value, put, along, across);
  }

private:
  // Node (layer, j, i) of an element's component.
  template <class Cube>
  SUMFAC_INLINE static auto& node(Cube const& u, int c, int layer, int j, int i)
  {
    if constexpr (has_y)
      return u(c, layer, j, i);
    else
      return u(c, 0, layer + j, i);
  }
};

struct no_places {};

// Factors (groups, sides, points, F), of numbers on devices (groups, sides, F, points). On the host sides are one
// behind the other, and those that `places` says have F numbers for all points, to be multiplied by their weights;
// behind those of all groups come those of parts 1, 2, .. of sides that small elements lie behind, from more[side] on.
template <class Problem, class T, bool Parts = (width_of<T> > 1)>
struct interior_factor_reader {
  static constexpr int count = Problem::factors_of_point, points = face_sizes<Problem>::points_of_face;
  static constexpr int sides = 2 * Problem::directions, g = face_sizes<Problem>::points_of_row;
  using rule = typename face_sizes<Problem>::row_points;
  using scalar = typename Problem::number;
  using point_factors = typename Problem::template factors_at_point<T>;
  static constexpr std::array<scalar, points> weights = [] {
    std::array<scalar, points> of_points{};
    for (std::size_t p = 0; p < points; ++p)
      of_points[p] = static_cast<scalar>(rule::weights[p % g] * (Problem::directions == 3 ? rule::weights[p / g] : 1));
    return of_points;
  }();

  T const* stored = nullptr;
  std::conditional_t<(width_of<T> > 1), index_t const*, no_places> places{};
  std::conditional_t<Parts, index_t const*, no_places> more{};

  SUMFAC_FUNCTION static index_t place(index_t group, index_t side, int point, int factor)
  {
    index_t const of_side = (group * sides + side) * (points * count);
    return of_side + (width_of<T> > 1 ? point * count + factor : factor * points + point);
  }
  // The side of those of a side, or of a part of it.
  SUMFAC_INLINE index_t side_of(index_t group, int side, [[maybe_unused]] int part) const
  {
    index_t const all = group * sides + side;
    if constexpr (Parts)
      if (part > 0 && more[all] >= 0) return more[all] + part - 1;
    return all;
  }
  // Called with a point: those of one side, or of a part of it.
  SUMFAC_INLINE auto of_side(index_t group, int side, [[maybe_unused]] int part = 0) const
  {
    if constexpr (width_of<T> > 1) {
      index_t const place = places[side_of(group, side, part)];
      return [first = stored + place / 2, once = place % 2 != 0](int point) SUMFAC_LAMBDA {
        point_factors f;
        if (once) {
          T numbers[count];
          SUMFAC_UNROLL
          for (int i = 0; i < count; ++i) numbers[i] = first[i] * weights[static_cast<std::size_t>(point)];
          std::memcpy(&f, numbers, sizeof f);
        } else {
          std::memcpy(&f, first + point * count, sizeof f);
        }
        return f;
      };
    } else {
      return [this, at = side_of(group, side, part)](int point) SUMFAC_LAMBDA {
        T numbers[count];
        SUMFAC_UNROLL
        for (int i = 0; i < count; ++i) numbers[i] = stored[place(0, at, point, i)];
        point_factors f;
        std::memcpy(&f, numbers, sizeof f);
        return f;
      };
    }
  }
};

}  // namespace sumfac::detail
