// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The 32 banks of a GPU's shared memory, and what one access of a warp costs there.
#pragma once

#include <sumfac/backend/checked/finding.hpp>
#include <sumfac/config.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace sumfac::detail {

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
  std::size_t const piece = std::min({alignment, bytes & (~bytes + 1), std::size_t{16}});
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

// A request is what one transaction can serve: 128 bytes, so a whole warp of floats or half a warp of doubles. It
// takes as many transactions as its busiest bank holds different words. Adds one warp's access to `sum`.
inline void add_transactions(warp_access const& access, transfer how, checked_traffic& sum)
{
  int const lanes = static_cast<int>(bank_count * bank_bytes / std::max(how.piece, bank_bytes));  // of a request
  std::uint32_t const span = how.piece < bank_bytes ? 1 : how.piece / bank_bytes;                 // words of a lane
  std::uint32_t const all = lanes == warp_size ? ~std::uint32_t{0} : (std::uint32_t{1} << lanes) - 1;
  for (std::uint32_t piece = 0; piece < how.pieces; ++piece)
    for (int first = 0; first < warp_size; first += lanes) {
      std::uint32_t active = access.active & (all << first);
      if (active == 0)
        continue;
      std::uint32_t words[bank_count][warp_size];
      std::uint8_t used[bank_count] = {};
      std::uint8_t busiest = 1;
      for (; active != 0; active &= active - 1) {
        std::uint32_t const base = (access.offset[std::countr_zero(active)] + piece * how.piece) / bank_bytes;
        for (std::uint32_t word = base; word < base + span; ++word) {
          auto const bank = word % bank_count;
          auto const end = words[bank] + used[bank];
          if (std::find(words[bank], end, word) == end) {
            *end = word;
            busiest = std::max(busiest, ++used[bank]);
          }
        }
      }
      sum.transactions += busiest;
      sum.conflicts += busiest - 1;
    }
}

}  // namespace sumfac::detail
