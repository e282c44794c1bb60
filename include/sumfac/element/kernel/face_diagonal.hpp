// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The diagonal of a form on faces, and what a node's function gives to one through a side.
#pragma once

#include <sumfac/config.hpp>
#include <sumfac/element/kernel/face_kernel.hpp>
#include <sumfac/element/kernel/side_halves.hpp>
#include <sumfac/form/point_values.hpp>

#include <type_traits>

namespace sumfac::SUMFAC_TARGET::detail {

// At a point the form is a matrix between a node's value and derivatives, in the order value, x, y, z, of which a
// node's tables along each direction make a number. With Parts a side may be a half or a quarter of an element's.
template <class Problem, bool Parts = false>
struct side_diagonal : face_sizes<Problem> {
  using sizes = face_sizes<Problem>;
  using sizes::directions, sizes::n, sizes::node_rows, sizes::point_rows, sizes::components, sizes::has_y;
  using sizes::nodes_of_row, sizes::points_of_row;
  using form_type = typename Problem::form;
  using scalar = typename Problem::number;
  using node_set = typename Problem::nodes;
  using typename sizes::row_nodes, typename sizes::row_points;
  static constexpr int entries = 1 + directions;
  template <class Nodes, class Points>
  using table_of = std::remove_const_t<decltype(interpolation<scalar, Nodes, Points>())>;

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
  SUMFAC_NO_UNIQUE_ADDRESS std::conditional_t<Parts, half_tables, no_tables> half{};

  template <class Team>
  using matrix_at_points =
      typename Team::template shared<typename Team::scalar, components, entries, entries, point_rows, points_of_row>;

  struct turned_node {
    int k, j, i;
  };

  // The matrix at a point, of columns that of(values of a unit) returns.
  template <class T, class Matrix, class Column>
  SUMFAC_INLINE static void set_matrix(Matrix& matrix, int r, int q, Column const& of)
  {
    for (int c = 0; c < components; ++c)
      for (int b = 0; b < entries; ++b) {
        if (!has(form_type::trial, b == 0 ? value : gradient)) continue;
        point_values<T, components, directions> unit{};
        point_entry(unit, c, b) = T(scalar(1));
        auto column = of(unit);
        for (int a = 0; a < entries; ++a)
          matrix(c, a, b, r, q) = has(form_type::test, a == 0 ? value : gradient) ? point_entry(column, c, a) : T{};
      }
  }

  // The sum over the points of such a matrix, tested by one node's function and of another's.
  template <class T, class Matrix>
  SUMFAC_INLINE T sum_of(Matrix const& matrix, int c, turned_node const& test, turned_node const& trial,
                         int part = -1) const
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
            sum += matrix(c, a, b, r, q) * (y * on_side(a, 0, q, test.i, part) * on_side(b, 0, q, trial.i, part));
        }
      }
    return sum;
  }

private:
  // What entry `a` of a node's function is along a direction of the side, or of a part of it, and across it.
  SUMFAC_INLINE scalar on_side(int a, int direction, int point, int at, [[maybe_unused]] int part) const
  {
    bool const is_slope = a == direction + 1 && a < directions;
    if constexpr (Parts)
      if (part >= 0) {
        bool const upper = (part >> direction & 1) != 0;  // the lower one backwards
        if (upper) point = points_of_row - 1 - point, at = nodes_of_row - 1 - at;
        return is_slope ? half.slopes(point, at) * scalar(upper ? -0.5 : 0.5) : half.values(point, at);
      }
    return is_slope ? slopes_along(point, at) : values_along(point, at);
  }
  SUMFAC_INLINE scalar across(int a, int at) const { return a == directions ? end_slope(0, at) : end_value(0, at); }
};

// d = the diagonal of a form on the faces of a group, one after the other.
//
// **Work** per face and component (1 + D)^2 multiply-adds of each point with each node, and 1 + D forms a point.
template <class Problem, class Vectors, class T>
struct face_diagonal : side_diagonal<Problem> {
  using base = side_diagonal<Problem>;
  using base::components, base::n, base::node_rows, base::nodes_of_row, base::point_rows, base::points_of_row;
  using typename base::form_type, typename base::scalar;
  using kernel = face_kernel<Problem, Vectors, T>;
  static constexpr int elements = kernel::elements, threads = kernel::threads;

  form_type form;
  face_lines<Problem, Vectors, T> lines;
  face_factor_reader<Problem, T> factors;

  template <class Team>
  struct scratch {
    typename base::template matrix_at_points<Team> matrix;
    SUMFAC_NO_UNIQUE_ADDRESS typename Vectors::template scratch<Team> exchanged;
  };

  template <class Team>
  SUMFAC_INLINE void operator()(Team const& team, scratch<Team>& s, index_t group) const
  {
    auto const put = lines.v(team, s, group);
    for (int face = 0; face < elements && lines.exists(group, face); ++face) {
      team.each(box<point_rows, points_of_row>{}, [&](int r, int q) {
        auto const at = factors(lines.factors_of(group, face), r * points_of_row + q);
        base::template set_matrix<T>(s.matrix, r, q,
                                     [&](auto const& unit) SUMFAC_LAMBDA { return apply_form(form, at, unit); });
      });
      team.sync();
      team.each(box<components, node_rows, nodes_of_row>{}, [&](int c, int j, int i) {
        put(face, c, j, i, fetch<T, n>([&](int k) SUMFAC_LAMBDA {
              return base::template sum_of<T>(s.matrix, c, {k, j, i}, {k, j, i});
            }));
      });
      team.sync();
    }
    lines.finish(team, s, group);
  }
};

}  // namespace sumfac::detail
