// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Counts the scratch accesses of a team warp by warp.
#pragma once

#include <sumfac/backend/checked/banks.hpp>
#include <sumfac/backend/checked/finding.hpp>
#include <sumfac/backend/detail/own_vector.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace sumfac::SUMFAC_TARGET::detail {

// One scratch access of one thread. `step` tells which item of which each() it was for: it is the same in all threads.
struct access {
  std::int32_t step;
  std::int32_t phase;
  std::uint32_t offset;  // in bytes from the start of scratch
  std::uint32_t bytes;
  transfer how;
};

// What the threads of a team read, or wrote, since the last barrier.
template <class Index>
class access_log {
public:
  explicit access_log(int threads) : lanes_(static_cast<std::size_t>(threads)) {}

  void add(int thread, access const& a) { lanes_[static_cast<std::size_t>(thread)].push_back(a); }

  // Hands the traffic to `count(phase)` and forgets it. The k-th accesses of a warp's threads within one step are
  // taken as simultaneous.
  template <class Count>
  void settle(Count&& count)
  {
    for (std::size_t first = 0; first < lanes_.size(); first += warp_size)
      settle_warp(lanes_.data() + first, lanes_.size() - first < warp_size ? lanes_.size() - first : warp_size, count);
    clear();
  }

  void clear()
  {
    for (auto& lane : lanes_) lane.clear();
  }

private:
  template <class Count>
  static void settle_warp(own_vector<access> const* lanes, std::size_t active, Count& count)
  {
    constexpr std::int32_t none = (std::numeric_limits<std::int32_t>::max)();
    std::size_t next[warp_size] = {};
    auto const step = [&](std::size_t lane) {
      return next[lane] < lanes[lane].size() ? lanes[lane][next[lane]].step : none;
    };
    for (;;) {
      std::int32_t earliest = none;
      for (std::size_t lane = 0; lane < active; ++lane) earliest = step(lane) < earliest ? step(lane) : earliest;
      if (earliest == none) return;
      warp_access together;
      access const* any = nullptr;
      for (std::size_t lane = 0; lane < active; ++lane)
        if (step(lane) == earliest) {
          any = &lanes[lane][next[lane]++];
          together.add(static_cast<int>(lane), any->offset);
        }
      checked_traffic& sum = count(any->phase);
      sum.entries += std::popcount(together.active);
      sum.bytes += std::popcount(together.active) * static_cast<Index>(any->bytes);
      add_transactions(together, any->how, sum);
    }
  }

  own_vector<own_vector<access>> lanes_;
};

}  // namespace sumfac::detail
