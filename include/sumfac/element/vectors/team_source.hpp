// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Where a device's team finds the nodal values of a field. Compilers of device code alone, as NVRTC, read it.
#pragma once

#include <sumfac/basis/space.hpp>
#include <sumfac/tensor/sweep.hpp>

namespace sumfac::SUMFAC_TARGET::detail {

// What a team of several threads reads, wherever its entries are: as Access says.
template <class Access, class Problem, int Elements>
struct team_source {
  using number = typename Problem::number;
  static constexpr int elements = Elements;
  Access access;

  template <class Team>
  struct scratch {};
  template <class Scratch, class Function>
  static void each_array(Scratch&, typename Problem::sizes_type const&, Function const&)
  {
  }

  template <class Team>
  SUMFAC_INLINE auto fetch(Team const&, scratch<Team>&, index_t group) const
  {
    return [this, group](int e, int c, int k, int j, int i) SUMFAC_LAMBDA {
      index_t const element = group * Elements + e, last = access.elements() - 1;
      auto const line = access.template line_from<axis::z>(element < last ? element : last, c, j, i);
      return static_cast<number>(line(k));
    };
  }
};

}  // namespace sumfac::SUMFAC_TARGET::detail
