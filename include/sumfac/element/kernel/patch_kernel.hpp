// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A kernel of a device's team on a patch of elements: it reads the patch, works its groups one after the other, adds
// up.
#pragma once

#include <sumfac/backend/policy.hpp>
#include <sumfac/config.hpp>
#include <sumfac/element/kernel/concepts.hpp>

namespace sumfac::SUMFAC_TARGET::detail {

// Kernel is one on patch_vectors. The sums of a node that one patch has are made here, and need no second kernel.
template <class Kernel>
struct patch_kernel {
  using scalar = typename Kernel::scalar;
  static constexpr int threads = Kernel::threads, resident_teams = Kernel::resident_teams;

  Kernel kernel;

  template <class Team>
  using scratch = typename Kernel::template scratch<Team>;

  template <class Team>
  SUMFAC_FUNCTION void operator()(Team const& team, scratch<Team>& s, index_t patch) const
  {
    auto const& vectors = kernel.exchange;
    int const passes = vectors.table.passes;
    index_t const* const groups = vectors.table.groups + patch * passes;
    prefetch(team, groups[0]);
    vectors.gather(team, s.exchanged, patch);
    team.sync();
    // (As many passes as the table says, not the type: a compiler would unroll them.)
    for (int pass = 0; pass < passes; ++pass) {
      index_t const group = groups[pass];
      if (group < 0) break;
      if (pass + 1 < passes) prefetch(team, groups[pass + 1]);
      kernel(team, s, vectors.of_pass(group, pass));
      team.sync();
    }
    vectors.scatter(team, s.exchanged, patch);
  }

private:
  // Asks for a group's factors a pass before they are read: a team reads no factors while it reads and adds up nodes,
  // and the memory would idle.
  template <class Team>
  SUMFAC_INLINE void prefetch(Team const& team, index_t group) const
  {
    if constexpr (has_prefetch_distance<decltype(Kernel::exchange)>)
      if (group >= 0) kernel.exchange.prefetch_factors(team, group);
  }
};

// Whether a choice of kernels has one for patches.
template <class Choice>
inline constexpr bool has_patches = false;
template <class Choice>
  requires(Choice::patch > 0 && !Choice::storage::reader::is_split)
inline constexpr bool has_patches<Choice> = true;

}  // namespace sumfac::detail
