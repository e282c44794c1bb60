// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Counts the scratch accesses of a team warp by warp, and what each costs in the 32 banks of a GPU's shared memory.
#pragma once

#include <sumfac/backend/checked/finding.hpp>
#include <sumfac/backend/detail/own_vector.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace sumfac::SUMFAC_TARGET::detail {

inline constexpr int warp_size = 32;
inline constexpr int bank_count = 32;
inline constexpr std::uint32_t bank_bytes = 4;

// How an entry travels: in `pieces` words of `piece` bytes, 1 to 16, as its alignment lets a thread load it.
struct transfer {
  std::uint32_t piece;
  std::uint32_t pieces;
};

constexpr transfer transfer_of(std::size_t bytes, std::size_t alignment)
{
  std::size_t piece = 16;
  while (bytes % piece != 0 || piece > alignment) piece /= 2;
  return {static_cast<std::uint32_t>(piece), static_cast<std::uint32_t>(bytes / piece)};
}

// Byte offsets that the lanes of a warp touch at once; a lane without one takes no part.
struct warp_access {
  std::uint32_t offset[warp_size];
  std::uint32_t active = 0;  // bit l: lane l takes part

  void add(int lane, std::uint32_t bytes)
  {
    offset[lane] = bytes;
    active |= std::uint32_t{1} << lane;
  }
};

// The different words that one request asks of each bank.
class bank_load {
public:
  void ask_for(std::uint32_t word)
  {
    std::uint32_t const bank = word % bank_count;
    for (int i = 0; i < used_[bank]; ++i)
      if (words_[bank][i] == word) return;
    words_[bank][used_[bank]++] = word;
    busiest_ = used_[bank] > busiest_ ? used_[bank] : busiest_;
  }

  int transactions() const { return busiest_; }

private:
  std::uint32_t words_[bank_count][warp_size];
  int used_[bank_count] = {};
  int busiest_ = 0;
};

// Adds what one access of a warp costs. A request is what one transaction can serve: 128 bytes, so a whole warp of
// floats or half a warp of doubles. It takes as many transactions as its busiest bank holds different words.
inline void add_transactions(warp_access const& access, transfer how, checked_traffic& sum)
{
  std::uint32_t const words = how.piece < bank_bytes ? 1 : how.piece / bank_bytes;  // of a lane
  int const lanes = warp_size / static_cast<int>(words);                            // of a request
  std::uint32_t const all = ~std::uint32_t{0} >> (warp_size - lanes);
  for (std::uint32_t piece = 0; piece < how.pieces; ++piece)
    for (int first = 0; first < warp_size; first += lanes) {
      std::uint32_t active = access.active & (all << first);
      if (active == 0) continue;
      bank_load load;
      for (; active != 0; active &= active - 1) {
        std::uint32_t const base = (access.offset[std::countr_zero(active)] + piece * how.piece) / bank_bytes;
        for (std::uint32_t word = base; word < base + words; ++word) load.ask_for(word);
      }
      sum.transactions += load.transactions();
      sum.conflicts += load.transactions() - 1;
    }
}

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
