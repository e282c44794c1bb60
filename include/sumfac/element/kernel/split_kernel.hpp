// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A kernel that works each group of elements with the cheapest geometry that fits it.
#pragma once

#include <sumfac/backend/policy.hpp>
#include <sumfac/element/geometry/split_reader.hpp>

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

// The kernel upon factors, or the kernels of a split mesh: Kernel<Vectors, Factors> is one of them.
template <template <class, class> class Kernel, class Vectors, class Factors>
struct kernel_upon {
  using type = Kernel<Vectors, Factors>;
};
template <template <class, class> class Kernel, class Vectors, class Factors>
  requires(Factors::is_split)
struct kernel_upon<Kernel, Vectors, Factors> {
  using type = split_kernel<Kernel<Vectors, decltype(Factors::affine)>, Kernel<Vectors, decltype(Factors::trilinear)>,
                            Kernel<Vectors, decltype(Factors::general)>>;
};

}  // namespace sumfac::detail
