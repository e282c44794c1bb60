// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The entries of a vector that the next groups of elements will gather, prefetched while the present ones are worked.
#pragma once

#include <sumfac/backend/detail/host_tuning.hpp>

#include <cstdint>

namespace sumfac::SUMFAC_TARGET::detail {

// Nodes first .. last - 1.
struct node_range {
  index_t first, last;
};

// Goes through the entries of x at runs of nodes, a cache line at a time.
//
// Elements gather from many places at once, of which processors guess few; of a mesh in a good order, what a step is
// the first to have lies in few runs.
template <class Scalar>
class entry_prefetch {
public:
  // Node i has `step` entries from i * step on in each of `arrays` arrays, which begin `stride` entries apart.
  struct entries {
    Scalar const* x = nullptr;
    int step = 1, arrays = 1;
    index_t stride = 0;
  };

  entry_prefetch() = default;
  // Of runs first .. last - 1.
  entry_prefetch(entries const& e, node_range const* first, node_range const* last)
      : entries_(e), first_(first), run_(first), last_(last)
  {
    enter_run();
  }

  // Spreads all lines over so many groups of elements, or all that are left.
  void spread(index_t groups)
  {
    index_t lines = 0;
    for (auto run = first_; run != last_; ++run)
      lines += (run->last - run->first) * entries_.step * index_t{sizeof(Scalar)} / line + 1;
    lines_of_group_ = (lines * entries_.arrays + groups - 1) / groups;
  }

  // Prefetches all lines of a group, or one of several parts of them.
  void prefetch_group() { prefetch_part(1); }
  __attribute__((noinline)) void prefetch_part(int parts)
  {
    for (owed_ += lines_of_group_; owed_ >= parts && run_ != last_; owed_ -= parts) {
      __builtin_prefetch(at_, 0, 2);
      if (tuned_host.prefetches_twice && at_ - begin_ >= again) __builtin_prefetch(at_ - again, 0, 3);
      at_ += line;
      if (at_ < end_) continue;
      ++run_;
      enter_run();
    }
  }

private:
  static constexpr index_t line = 64, again = 16 * line;

  void enter_run()
  {
    if (run_ == last_ && ++array_ < entries_.arrays) run_ = first_;
    if (run_ == last_) return;
    Scalar const* const x = entries_.x + array_ * entries_.stride;
    auto const* const first = reinterpret_cast<char const*>(x + run_->first * entries_.step);
    begin_ = at_ = first - reinterpret_cast<std::uintptr_t>(first) % line;
    end_ = reinterpret_cast<char const*>(x + run_->last * entries_.step);
  }

  entries entries_;
  node_range const *first_ = nullptr, *run_ = nullptr, *last_ = nullptr;
  char const *begin_ = nullptr, *at_ = nullptr, *end_ = nullptr;
  index_t lines_of_group_ = 0, owed_ = 0;
  int array_ = 0;
};

}  // namespace sumfac::detail
