// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// How kernels read the geometry of a split mesh: of each group what it is, and its place among those of its kind.
#pragma once

#include <sumfac/mesh/policy.hpp>

namespace sumfac::SUMFAC_TARGET::detail {

// What a group of a split mesh is, and its place among the groups of its kind.
struct group_place {
  index_t packed;

  static constexpr group_place of(geometry_class c, index_t place) { return {4 * place + static_cast<index_t>(c)}; }
  SUMFAC_INLINE geometry_class kind() const { return static_cast<geometry_class>(packed & 3); }
  SUMFAC_INLINE index_t place() const { return packed >> 2; }
};

// A reader of factors or maps which are kept for some groups only.
template <class Reader>
struct placed_reader : Reader {
  group_place const* group_places = nullptr;

  template <class T, int Direction>
  SUMFAC_INLINE auto line(index_t group, int e, int a, int b) const
  {
    if constexpr (Reader::reads_factors)
      return Reader::template line<T, Direction>(group_places[group].place(), e, a, b);
    else
      return Reader::template line_of<T, Direction>(group_places[group].place(), group, e, a, b);
  }
  template <class T, int Direction>
    requires(Reader::template makes_planes<Direction>)
  SUMFAC_INLINE auto plane(index_t group, int e, int a) const
  {
    return Reader::template plane_of<T, Direction>(group_places[group].place(), group, e, a);
  }
  SUMFAC_INLINE char const* prefetch_from(index_t group) const
  {
    return Reader::prefetch_from(group_places[group].place());
  }
  SUMFAC_INLINE char const* prefetch_from(index_t group, int distance) const
    requires(Reader::group_bytes > 0)
  {
    return Reader::prefetch_from(group_places[group].place(), distance);
  }
  template <class Team>
  SUMFAC_INLINE void prefetch_factors(Team const& team, index_t group) const
  {
    Reader::prefetch_factors(team, group_places[group].place());
  }
};

// Where the kernels of a split mesh read from.
template <class Affine, class Trilinear, class General>
struct split_reader {
  static constexpr bool is_split = true, reads_factors = false;

  placed_reader<Affine> affine;
  placed_reader<Trilinear> trilinear;
  placed_reader<General> general;
};

}  // namespace sumfac::detail
