// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Terms within elements and on their sides in one sweep: vectors of the first, with the second at their end.
#pragma once

#include <sumfac/config.hpp>
#include <sumfac/element/vectors/host_vectors.hpp>

namespace sumfac::SUMFAC_TARGET::detail {

// The vectors of an element kernel, whose result what `Faces`, an interior_kernel, gives is added to before it leaves
// for memory. So u of an element is read once for both, and v is written once.
template <class Problem, class Faces>
struct swept_vectors : host_vectors<Problem> {
  using base = host_vectors<Problem>;
  using base::width, base::test_entries;
  using typename base::packed, typename base::test;

  Faces faces;

  template <class Team>
  struct scratch : base::template scratch<Team> {
    packed const* own;                                         // u, until its element is done
    typename Team::template shared<packed, test_entries> sum;  // v
    typename Faces::template side_scratch<Team> sides;
  };

  template <class Team>
  SUMFAC_INLINE auto fetch(Team const& team, scratch<Team>& s, index_t group) const
  {
    auto const in = base::fetch(team, s, group);
    s.own = in.packs;
    return in;
  }
  template <class Team>
  SUMFAC_INLINE auto result(Team const&, scratch<Team>& s, index_t) const
  {
    return pack_cube<packed, test>{s.sum.entries};
  }
  template <class Team>
  SUMFAC_INLINE void finish_row(Team const&, scratch<Team>&, index_t, int, int, int) const
  {
  }
  template <class Team>
  SUMFAC_INLINE void finish(Team const& team, scratch<Team>& s, index_t group) const
  {
    packed* const sum = s.sum.entries;
    faces.add_sides(team, s.sides, group, s.own,
                    [sum](int c, int p) SUMFAC_LAMBDA -> packed& { return sum[c * Faces::nodes + p]; });
    lane_transfer<typename base::number, width>(this->v, group * width, test::components,
                                                node_box(test::nodes_1d, Problem::axes))
        .scatter(sum, s.rows.entries, this->streaming());
  }
};

}  // namespace sumfac::SUMFAC_TARGET::detail
