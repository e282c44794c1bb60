// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The next cell's rows of a contraction, prefetched while the present cell is worked on.
#pragma once

#include <sumfac/backend/detail/host_tuning.hpp>
#include <sumfac/backend/detail/machine.hpp>
#include <sumfac/intrepid/products/contraction.hpp>

namespace sumfac::SUMFAC_TARGET::detail {

// Whether all arrays together are larger than the last cache, so that what is read comes from memory, and what is
// written is gone from the cache anyway.
template <class Sum>
bool exceeds_caches(Sum const& s)
{
  index_t const left = s.left_rows * s.length() * index_t{sizeof(typename Sum::left_type)};
  index_t const right = s.right_rows * s.length() * index_t{sizeof(typename Sum::right_type)};
  index_t const out = s.left_rows * s.right_rows * index_t{sizeof(typename Sum::out_type)};
  return s.cells * (left + right + out) > cache_bytes();
}

// Whether to prefetch the next cell's rows: from memory, or where they fill the first cache. Smaller ones of cached
// arrays come in time, and prefetching 8 x 8 x 32 cost a fifth of the time there (Zen 4).
template <class Sum>
bool gains_by_prefetch(Sum const& s)
{
  constexpr index_t least_bytes = 32 << 10;
  index_t const left = s.left_rows * index_t{sizeof(typename Sum::left_type)};
  index_t const right = s.right_rows * index_t{sizeof(typename Sum::right_type)};
  return (left + right) * s.length() >= least_bytes || exceeds_caches(s);
}

// The same of rows that are not turned. Those of AVX-512 come in time from any cache: prefetching cost them a tenth
// to a fifth of the time (Zen 5).
template <class Sum>
bool rows_gain_by_prefetch(Sum const& s)
{
  return tuned_host.rows_prefetch_in_caches ? gains_by_prefetch(s) : exceeds_caches(s);
}

// The next cell's rows, which are prefetched line by line while this cell is worked on, as evenly as its steps allow: a
// burst would hold up what this cell reads.
class row_prefetch {
  // In each step; those of AVX-512 are long and few, so that one line would leave much to be waited for.
  static constexpr index_t most_lines = tuned_host.lines_a_step;
  // Into all caches (3) or all but the first (2), whose places for what is under way are few: of long rows, which ask
  // much at once, a core of Zen 4 had 1.3 to 2 times as much by the second. Turned rows ask less, and want it near.
  static constexpr int of_rows = 2, of_panels = tuned_host.level_of_panels;
  static constexpr index_t again = 2048;

public:
  static constexpr bool prefetches = true;

  // Where a kernel shall prefetch in each of its steps.
  struct request {
    char const* first;
    index_t step, piece;
    bool twice;
    SUMFAC_INLINE void advance(index_t steps) { first += steps * step; }
    SUMFAC_INLINE void of_panel(index_t k) const { prefetch<of_panels>(first + k * step); }
    SUMFAC_INLINE void operator()(index_t k) const
    {
      prefetch<of_rows>(first + k * step);
      if (most_lines > 1 && twice) prefetch<of_rows>(first - again + k * step);
    }

  private:
    template <int Where>
    SUMFAC_INLINE void prefetch([[maybe_unused]] char const* at) const
    {
      __builtin_prefetch(at, 0, Where);
      if constexpr (most_lines > 1)
        for (index_t more = piece; more < step; more += piece) __builtin_prefetch(at + more, 0, Where);
    }
  };

  // Up to two pieces of memory, one after the other.
  void add(void const* data, index_t bytes)
  {
    next_[pieces_] = static_cast<char const*>(data);
    end_[pieces_++] = static_cast<char const*>(data) + bytes;
    bytes_ += bytes;
  }

  // And again when it is near: of long rows from memory Zen 5 drops many prefetches.
  void prefetch_twice(bool twice) { twice_ = most_lines > 1 && twice; }

  // Spreads them over so many steps; where these are too few for all lines, the first lines one after the other.
  void spread(index_t steps)
  {
    index_t const even = (bytes_ + steps - 1) / (steps > 0 ? steps : 1), most = 64 * most_lines;
    step_ = even < most ? even : most;
    index_t const lines = (step_ + 63) / 64;
    piece_ = lines > 1 ? (step_ + lines - 1) / lines : 64;
  }

  // For a kernel of `steps` steps, beside what it reads anyway.
  SUMFAC_INLINE request take(index_t steps, void const* own)
  {
    for (int i = 0; i < pieces_; ++i)
      if (next_[i] < end_[i]) {
        request const r{next_[i], step_, piece_, twice_};
        next_[i] += step_ * steps;
        return r;
      }
    return {static_cast<char const*>(own), 0, 64, false};
  }

private:
  char const* next_[2] = {};
  char const* end_[2] = {};
  index_t bytes_ = 0, step_ = 64, piece_ = 64;
  int pieces_ = 0;
  bool twice_ = false;
};

// Nothing to prefetch: rows that come in time without, from the caches.
struct no_row_prefetch {
  static constexpr bool prefetches = false;

  struct request {
    SUMFAC_INLINE void advance(index_t) const {}
    SUMFAC_INLINE void of_panel(index_t) const {}
    SUMFAC_INLINE void operator()(index_t) const {}
  };
  SUMFAC_INLINE request take(index_t, void const*) const { return {}; }
};

// What the next cell's dense rows of both factors are.
template <class Sum>
row_prefetch next_cell_of(Sum const& sum, index_t cell, bool left_is_run, bool right_is_run, index_t steps)
{
  row_prefetch prefetch;
  index_t const k = sum.length();
  if (left_is_run && sum.left.row == k)
    prefetch.add(sum.left.at(cell), sum.left_rows * k * index_t{sizeof(typename Sum::left_type)});
  if (right_is_run && sum.right.row == k)
    prefetch.add(sum.right.at(cell), sum.right_rows * k * index_t{sizeof(typename Sum::right_type)});
  prefetch.spread(steps);
  return prefetch;
}

}  // namespace sumfac::detail
