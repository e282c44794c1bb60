// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// How far behind its own the group lies whose factors a device's team prefetches.
#pragma once

#include <sumfac/config.hpp>

namespace sumfac::SUMFAC_TARGET::detail {

// A team prefetches `bytes` of the factors of the group that lies `groups_behind` behind its own: that of the team
// which takes its place on the device. At 0, where nobody knows how many teams run at once: for its own.
struct prefetch_distance {
  index_t groups_behind = 0, groups = index_t{1} << 62;  // that the launch has
  int bytes = 0;
};

// For a launch of `groups` of which a device runs `wave` at once. What all these teams prefetch takes half of the
// device's cache at most: the rest of a group comes when it is read.
constexpr prefetch_distance prefetch_distance_of(index_t groups, index_t wave, index_t cache_bytes, int group_bytes)
{
  constexpr index_t line = 128;
  index_t const running = wave < groups ? wave : groups;
  if (running < 1) return {.bytes = group_bytes};
  index_t const share = cache_bytes / 2 / running / line * line;
  return {wave, groups, share < group_bytes ? static_cast<int>(share) : group_bytes};
}

}  // namespace sumfac::detail
