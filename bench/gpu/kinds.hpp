// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Kinds of numbers upon geometries, and tunings: the usual one, its neighbours, and as text.
#pragma once

#include "../subjects/problems.hpp"
#include "device.hpp"

#include <sumfac/operator/bake_off.hpp>

#include <cstdio>
#include <string>

namespace sumfac::bench {

// A tuning as its initializer reads.
inline std::string text_of(tuning const& t)
{
  char const* const ways[] = {"planes", "cubes", "slices", "dense", "rows", "warps", "matrices"};
  char const* const ahead[] = {"none", "cache", "registers", "scratch"};
  char text[200];
  std::snprintf(text, sizeof text,
                "{.way = variant::%s, .elements = %d, .planes = %d, .padding = %d, .resident_teams = %d, "
                ".ahead = prefetch::%s%s, .tables = %d, .points_ahead = %d}",
                ways[static_cast<int>(t.way)], t.elements, t.planes, t.padding, t.resident_teams,
                ahead[static_cast<int>(t.ahead)], t.reads == read_order::kept ? ", .reads = read_order::kept" : "",
                t.tables, t.points_ahead);
  return text;
}

// A kind of numbers upon the geometry of another.
template <class Kind, class Geometry>
struct upon : Kind {
  static constexpr char const* geometry = Geometry::geometry;
  using policy = typename Geometry::policy;
};

// The tuning that an operator takes where none is named.
template <class Problem, class Kind, int Order, int Directions = 3>
inline constexpr tuning usual =
    recommended_tuning<device, typename Problem::form, space_on<Order, Directions>,
                       typename Problem::template points<Order>, typename Kind::numbers, typename Kind::policy>;

}  // namespace sumfac::bench
