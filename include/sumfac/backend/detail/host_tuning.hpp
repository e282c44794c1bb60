// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What measurements told the host's kernels: a row for each width of register.
#pragma once

#include <sumfac/math/pack.hpp>

namespace sumfac::SUMFAC_TARGET::detail {

// Sizes in KiB, from .. to, for which something is done; none by default.
struct size_range {
  index_t from = 1, to = 0;

  constexpr bool has(index_t bytes) const { return bytes >= from << 10 && bytes <= to << 10; }
};

struct host_tuning {
  int register_bytes;

  // Operators whose data are in memory prefetch a group's factors. Processors fetch more behind what is asked for, and
  // of several streams more than of one: factors of a group of such a size are prefetched as four.
  size_range streams_of_values;          // where nothing is differentiated
  size_range streams_at_nodes;           // where the points are the nodes
  size_range streams_between_nodes;      // where they are not, on E-vectors
  bool prefetches_values_a_group_early;  // without derivatives, however many streams
  bool prefetches_twice;                 // and again shortly before the use: too much under way is dropped

  // Contractions.
  bool rows_prefetch_in_caches;  // whether rows that fill the first cache are prefetched even where arrays fit the last
  int lines_a_step;              // that a step prefetches at most
  int level_of_panels;           // __builtin_prefetch's, for turned rows
  int left_rows;                 // of a block of sums in registers
};

inline constexpr index_t any_size = index_t{1} << 40;

// By registers: Zen 3 and Zen 4 with 32 bytes, Zen 4 and Zen 5 with 64. Zen 3 gains by streams where a group does
// little but read factors and leaves room in the second cache. Zen 5 computes a group in half the time that memory
// takes for it, and several streams help it where factors are read in a part of a group's work alone, the shorter the
// more.
// **Source** docs/results/2026-11-22-amd-epyc-zen3, 2026-11-23-amd-epyc-zen5, 2026-11-24-amd-epyc-zen4.
inline constexpr host_tuning host_tunings[] = {
    {.register_bytes = 32,
     .streams_of_values = {},
     .streams_at_nodes = {0, 128},
     .streams_between_nodes = {},
     .prefetches_values_a_group_early = false,
     .prefetches_twice = false,
     .rows_prefetch_in_caches = true,
     .lines_a_step = 1,
     .level_of_panels = 2,
     .left_rows = 3},
    {.register_bytes = 64,
     .streams_of_values = {32, any_size},
     .streams_at_nodes = {},
     .streams_between_nodes = {32, 192},
     .prefetches_values_a_group_early = true,
     .prefetches_twice = true,
     .rows_prefetch_in_caches = false,
     .lines_a_step = 4,
     .level_of_panels = 3,
     .left_rows = 4},
};

// The row of kernels whose packs have so many bytes; narrower ones than the first row's do as it does.
constexpr host_tuning host_tuning_of(index_t pack_bytes)
{
  return host_tunings[pack_bytes >= host_tunings[1].register_bytes ? 1 : 0];
}
inline constexpr host_tuning tuned_host = host_tuning_of(register_bytes);

}  // namespace sumfac::detail
