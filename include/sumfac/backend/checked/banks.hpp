// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The 32 banks of a GPU's shared memory, and what one access of a warp costs there.
#pragma once

#include <sumfac/backend/checked/finding.hpp>
#include <sumfac/config.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>

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

}  // namespace sumfac::detail
