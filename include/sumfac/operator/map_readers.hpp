// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// How kernels come by the geometry of points which is not stored: from a few numbers an element.
#pragma once

#include <sumfac/backend/global_memory.hpp>
#include <sumfac/config.hpp>
#include <sumfac/form/form.hpp>
#include <sumfac/form/element_lines.hpp>
#include <sumfac/geometry/point_places.hpp>
#include <sumfac/math/pack.hpp>

#include <cstring>

namespace sumfac {

// A line of an element's points: operator()(i) is what apply_form takes at point i of the rule.
template <class Line, class Places>
struct line_of_points {
  Line line;
  Places const& places;

  SUMFAC_INLINE auto operator()(int i) const { return line.at(places.node(i), places.weight(i)); }
};

// Maps of the elements of a group: on the host a pack of elements, on a device `Elements` side by side.
//
// **Shapes** (groups, Elements), each the `count` numbers of a map.
template <class Policy, class Form, class Points, class Scalar, class Number, int Elements>
struct map_reader {
  using lines = element_lines<Policy, need_of<Form>>;
  using map = typename lines::template map<Number>;

  static constexpr bool reads_factors = false;

  map const* maps = nullptr;
  point_places<Scalar, Points> places = {};

  // The line of points in direction Direction which meets point a of the slower, b of the faster other direction.
  template <class T, int Direction>
  SUMFAC_INLINE auto line(index_t group, int e, int a, int b) const
  {
    constexpr bool slower_is_next = (Direction + 1) % 3 > (Direction + 2) % 3;
    Scalar const p = places.nodes[slower_is_next ? a : b], r = places.nodes[slower_is_next ? b : a];
    Scalar const weight = places.weights[a] * places.weights[b];
    auto make = [&](auto const& x) SUMFAC_LAMBDA { return lines::template line<Direction, T>(x, p, r, weight); };
    using line_type = decltype(make(maps[0]));
    return line_of_points<line_type, point_places<Scalar, Points>>{make(load(group * Elements + e)), places};
  }

  // The maps of a group come with its vectors.
  static constexpr int lines_ahead = width_of<Number> > 1 ? static_cast<int>((sizeof(map) + 63) / 64) : 0;
  SUMFAC_INLINE char const* ahead_of(index_t group) const { return reinterpret_cast<char const*>(maps + group + 1); }

  template <class Team>
  SUMFAC_INLINE void prefetch_factors(Team const&, index_t) const
  {
  }

private:
  SUMFAC_INLINE decltype(auto) load(index_t i) const
  {
    if constexpr (width_of<Number> > 1) {
      return (maps[i]);
    } else {
      Number numbers[map::count];
      SUMFAC_UNROLL
      for (int k = 0; k < map::count; ++k) numbers[k] = load_constant(reinterpret_cast<Number const*>(maps + i) + k);
      map x;
      std::memcpy(&x, numbers, sizeof x);
      return x;
    }
  }
};

}  // namespace sumfac
