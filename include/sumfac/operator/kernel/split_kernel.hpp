// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A kernel that works each group of elements with the cheapest geometry that fits it.
#pragma once

#include <sumfac/backend/policy.hpp>
#include <sumfac/config.hpp>
#include <sumfac/geometry/classify.hpp>

namespace sumfac::inline SUMFAC_TARGET::detail {

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
    return Reader::template line<T, Direction>(group_places[group].place(), e, a, b);
  }
  template <class T, int Direction>
    requires(Reader::template makes_planes<Direction>)
  SUMFAC_INLINE auto plane(index_t group, int e, int a) const
  {
    return Reader::template plane<T, Direction>(group_places[group].place(), e, a);
  }
  SUMFAC_INLINE char const* ahead_of(index_t group) const { return Reader::ahead_of(group_places[group].place()); }
  SUMFAC_INLINE char const* ahead_of(index_t group, int lead) const
    requires(Reader::group_bytes > 0)
  {
    return Reader::ahead_of(group_places[group].place(), lead);
  }
  template <class Team>
  SUMFAC_INLINE void prefetch_factors(Team const& team, index_t group) const
  {
    Reader::prefetch_factors(team, group_places[group].place());
  }
};

// The kernels of the three kinds, each with its reader; they share their scratch.
template <class Affine, class Trilinear, class General>
struct split_kernel {
  using form_type = typename General::form_type;
  using scalar = typename General::scalar;
  static constexpr int threads = General::threads;
  static constexpr int elements = kernel_elements<General>;
  static constexpr int resident_teams = kernel_resident_teams<General>;
  static constexpr bool collocated = General::collocated;

  Affine affine;
  Trilinear trilinear;
  General general;
  group_place const* places;

  template <class Team>
  using scratch = typename General::template scratch<Team>;

  SUMFAC_FUNCTION static constexpr int point(int z, int r, int q) { return General::point(z, r, q); }

  template <class Team>
  SUMFAC_FUNCTION void operator()(Team const& team, scratch<Team>& s, index_t group) const
  {
    switch (places[group].kind()) {
      case geometry_class::affine: return affine(team, s, group);
      case geometry_class::trilinear: return trilinear(team, s, group);
      default: return general(team, s, group);
    }
  }
};

}  // namespace sumfac::detail
