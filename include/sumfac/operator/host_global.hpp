// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// How a host team reads and adds to global vectors, and how the blocks of a restriction are worked.
#pragma once

#include <sumfac/backend/host.hpp>
#include <sumfac/geometry/restriction/host_restriction.hpp>
#include <sumfac/math/pack.hpp>
#include <sumfac/operator/host_vectors.hpp>

#include <new>

namespace sumfac {

// u and v of the elements of one group, gathered from x and added to y.
template <int Components, int N, class Scalar>
struct host_global_vectors {
  static constexpr int width = native_width<Scalar>;
  static constexpr int nodes = Components * N * N * N;
  using packed = pack<Scalar, width>;

  detail::lane_sweep<Scalar, width> lanes;

  template <class Team>
  struct scratch {
    typename Team::template shared<packed, nodes> nodal;  // u, then v of the group
  };

  template <class Team>
  SUMFAC_INLINE auto fetch(Team const&, scratch<Team>& s, index_t group) const
  {
    lanes.template gather<N, Components>(group, s.nodal.entries);
    return pack_cube<packed const, N>{s.nodal.entries};
  }

  template <class Team>
  SUMFAC_INLINE auto result(Team const&, scratch<Team>& s, index_t) const
  {
    return pack_cube<packed, N>{s.nodal.entries};
  }

  template <class Team>
  SUMFAC_INLINE void finish_row(Team const&, scratch<Team>&, index_t, int, int, int) const
  {
  }

  template <class Team>
  SUMFAC_INLINE void finish(Team const&, scratch<Team>& s, index_t group) const
  {
    lanes.template add<N, Components>(group, s.nodal.entries);
  }

  // The tables' entries of the next group.
  static constexpr int lines_ahead = detail::lane_tables<width>::parts(N) * N * N * width * 4 / 64;
  SUMFAC_INLINE char const* ahead_of(index_t group) const
  {
    return reinterpret_cast<char const*>(lanes.entries_of(group)) + lines_ahead * 64;
  }
};

namespace detail {

// Runs the kernel on a list of groups, first .. last - 1.
template <class Kernel>
void run_groups(Kernel const& kernel, index_t const* first, index_t const* last)
{
  using team = host::team<Kernel>;
  using scratch = typename Kernel::template scratch<team>;
  auto* const memory = ::new (thread_scratch(sizeof(scratch))) scratch;
  for (; first != last; ++first) kernel(team{}, *memory, *first);
}

// The kernel that `make` builds upon the vectors, on all groups of a restriction.
template <class Vectors, class Scalar, class Make, class Hooks = no_hooks>
void sweep_kernel(host const&, restriction_storage<Scalar, host> const& r, Scalar const* x, Scalar* y, sweep_mode mode,
                  row_action rows, Make const& make, Hooks const& hooks = {})
{
  auto const kernel = make(Vectors{r.lanes(x, y)});
  r.sweep(x, y, mode, rows, [&](index_t const* first, index_t const* last) { run_groups(kernel, first, last); }, hooks);
}

}  // namespace detail

}  // namespace sumfac
