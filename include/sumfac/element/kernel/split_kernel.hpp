// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A kernel that works each group of elements with the cheapest geometry that fits it.
#pragma once

#include <sumfac/backend/policy.hpp>
#include <sumfac/config.hpp>
#include <sumfac/element/geometry/split_geometry.hpp>
#include <sumfac/mesh/classify.hpp>

namespace sumfac::SUMFAC_TARGET::detail {

// The kernels of the three kinds, each with its reader; they share their scratch.
template <class Affine, class Trilinear, class General>
struct split_kernel {
  using form_type = typename General::form_type;
  using scalar = typename General::scalar;
  static constexpr int threads = General::threads;
  static constexpr int elements = kernel_elements<General>;
  static constexpr int resident_teams = kernel_resident_teams<General>;
  static constexpr int directions = General::directions;
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
