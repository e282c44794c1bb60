// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What a diagonal is contracted with, and the sums that are kept on the way.
#pragma once

#include <sumfac/element/kernel/concepts.hpp>
#include <sumfac/form/form.hpp>

#include <type_traits>

namespace sumfac::SUMFAC_TARGET::detail {

// To node i from point q, what a pair of functions multiplies along a direction: two values of a basis function, a
// value and a slope, or two slopes. It is not split by its symmetry: sums of terms of one sign stay precise.
template <class T, class Nodes, class Points, int Slopes>
struct products_along {
  static constexpr int rows = Nodes::size, cols = Points::size, parity = 0;
  static constexpr auto full = [] {
    constexpr auto values = interpolation<double, Nodes, Points>(), slopes = differentiation<double, Nodes, Points>();
    table<T, rows, cols> entries{};
    for (int i = 0; i < rows; ++i)
      for (int q = 0; q < cols; ++q)
        entries.value[i][q] =
            static_cast<T>((Slopes > 0 ? slopes : values)(q, i) * (Slopes > 1 ? slopes : values)(q, i));
    return entries;
  }();
  static constexpr no_halves halves{};
};

// Pairs (a, b) of a function and its derivatives, which a component's matrix at a point is of, and what is left to
// contract of them behind lines of points in direction Along: `places` sums, by the slopes that the slower and the
// faster other direction multiply, which are `turns` by those of the slower.
template <class Problem, int Along>
struct diagonal_sums {
  using form = typename Problem::form;
  static constexpr int along = Along, faster = along == 0 ? 1 : 0, slower = along == 2 ? 1 : 2;
  static constexpr bool has_y = Problem::directions >= 2, has_z = Problem::directions >= 3;
  static constexpr int most = Problem::differentiates ? 2 : 0;  // slopes of a pair
  static constexpr int turns = has_z ? most + 1 : 1, slots_of_turn = has_y ? most + 1 : 1;
  static constexpr int places = turns * (slots_of_turn + (turns > 1 ? 1 : slots_of_turn)) / 2;
  static constexpr int units = 1 + Problem::directions;  // a value and derivatives
  static constexpr int pairs = units * (units + 1) / 2;  // (a, b) with a >= b, in this order

  SUMFAC_FUNCTION static constexpr int pair_of(int a, int b)
  {
    return a < b ? pair_of(b, a) : b * (2 * units - 1 - b) / 2 + a;
  }
  SUMFAC_FUNCTION static constexpr bool in_test(int a) { return has(form::test, a == 0 ? value : gradient); }
  SUMFAC_FUNCTION static constexpr bool in_trial(int b) { return has(form::trial, b == 0 ? value : gradient); }
  // Whether a pair is in the form.
  SUMFAC_FUNCTION static constexpr bool has_pair(int a, int b)
  {
    return (in_test(a) && in_trial(b)) || (in_test(b) && in_trial(a));
  }

  // 0, 1 or 2 slopes that a pair multiplies along a direction.
  SUMFAC_FUNCTION static constexpr int slopes(int a, int b, int direction)
  {
    return int{a == direction + 1} + int{b == direction + 1};
  }

  // Place of the sum that so many slopes are left to multiply in the slower and the faster direction.
  SUMFAC_FUNCTION static constexpr int slot_of(int in_slower, int in_faster)
  {
    return in_slower * (7 - in_slower) / 2 + in_faster;
  }
  SUMFAC_FUNCTION static constexpr bool goes_to(int a, int b, int in_slower, int in_faster)
  {
    return has_pair(a, b) && slopes(a, b, slower) == in_slower && slopes(a, b, faster) == in_faster;
  }
  SUMFAC_FUNCTION static constexpr bool has_slot(int in_slower, int in_faster)
  {
    for (int b = 0; b < units; ++b)
      for (int a = b; a < units; ++a)
        if (goes_to(a, b, in_slower, in_faster)) return true;
    return false;
  }

  // Turn -1 is all of them.
  template <int Turn>
  SUMFAC_FUNCTION static constexpr bool in_turn(int a, int b)
  {
    return Turn < 0 || slopes(a, b, slower) == Turn;
  }
  template <int Turn>
  SUMFAC_FUNCTION static constexpr bool asks_for(int b)
  {
    for (int a = 0; a < units; ++a)
      if (in_test(a) && in_trial(b) && in_turn<Turn>(a, b)) return true;
    return false;
  }
};

// Of a pack of elements.
template <class Problem, class Sums, class Exchanged, class Geometry, class Team>
struct diagonal_of_pack {
  using sums = Sums;
  static constexpr int n = Problem::nodes_1d, components = Problem::components;
  struct none {};
  template <bool Needed, int... Extents>
  using array = std::conditional_t<Needed, typename Team::template shared<typename Team::scalar, Extents...>, none>;

  array<true, components, sums::pairs, Problem::points_1d> matrix;  // M_ab + M_ba on a line of points, or M_aa
  SUMFAC_NO_UNIQUE_ADDRESS array<sums::has_y, components, sums::places, Problem::points_y, n> plane;
  SUMFAC_NO_UNIQUE_ADDRESS array<sums::has_z, components, sums::turns, Problem::points_z, n, n> cube;
  SUMFAC_NO_UNIQUE_ADDRESS Exchanged exchanged;
  SUMFAC_NO_UNIQUE_ADDRESS Geometry geometry;
};

// Of a team's elements.
template <class Problem, class Sums, int Elements, class Geometry, class Team>
struct diagonal_of_team {
  typename Team::template shared<typename Team::scalar, Elements, Sums::slots_of_turn, Problem::points_z,
                                 Problem::points_y, Problem::nodes_1d>
      sums;
  SUMFAC_NO_UNIQUE_ADDRESS Geometry geometry;

  void names(auto const& name) { name("sums", sums); }
};

template <class Problem, class Sums, int Elements, class Exchange, class Team>
struct diagonal_scratch {
  using type = diagonal_of_pack<Problem, Sums, typename Exchange::vectors_type::template scratch<Team>,
                                typename Exchange::template geometry_scratch<Team>, Team>;
};
template <class Problem, class Sums, int Elements, class Exchange, class Team>
  requires line_vectors<typename Exchange::vectors_type>
struct diagonal_scratch<Problem, Sums, Elements, Exchange, Team> {
  using type = diagonal_of_team<Problem, Sums, Elements, typename Exchange::template geometry_scratch<Team>, Team>;
};

}  // namespace sumfac::detail
