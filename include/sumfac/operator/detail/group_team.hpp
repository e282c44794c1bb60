// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A team made of threads that somebody else has started.
#pragma once

#include <sumfac/backend/detail/team_of_threads.hpp>

namespace sumfac::SUMFAC_TARGET::detail {

// Members as cooperative groups of CUDA and HIP have them.
template <class Group>
concept cooperative_group = requires(Group const& g) {
  static_cast<int>(g.thread_rank());
  static_cast<int>(g.size());
  g.sync();
};

// Those of a Kokkos::TeamPolicy's member.
template <class Group>
concept policy_member = requires(Group const& g) {
  static_cast<int>(g.team_rank());
  static_cast<int>(g.team_size());
  g.team_barrier();
};

// Whether a group says that it has as many threads as a kernel counts on, neither more nor fewer.
template <class Group, int Threads>
inline constexpr bool has_exactly = [] {
  if constexpr (requires { Group::threads; })
    return Group::threads == Threads;
  else
    return false;
}();

// The first Threads threads of a group work, all wait at barriers.
template <class Kernel, class Group, int Threads>
class group_team : public team_of_threads<Kernel, Threads> {
public:
  SUMFAC_INLINE explicit group_team(Group const& group) : group_(group), rank_(rank_in(group)) {}

  template <int... Extents, class Function>
  SUMFAC_INLINE void each(box<Extents...>, Function&& f) const
  {
    visit_own<Threads, has_exactly<Group, Threads>>(rank_, box<Extents...>{}, f);
  }

  SUMFAC_INLINE void sync() const
  {
    if constexpr (cooperative_group<Group>)
      group_.sync();
    else
      group_.team_barrier();
  }

  SUMFAC_INLINE int rank() const { return rank_; }

  SUMFAC_INLINE static int size_of(Group const& group)
  {
    if constexpr (cooperative_group<Group>)
      return static_cast<int>(group.size());
    else
      return static_cast<int>(group.team_size());
  }

private:
  SUMFAC_INLINE static int rank_in(Group const& group)
  {
    if constexpr (cooperative_group<Group>)
      return static_cast<int>(group.thread_rank());
    else
      return static_cast<int>(group.team_rank());
  }

  Group const& group_;
  int rank_;
};

}  // namespace sumfac::detail
