// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The entries of a vector that the next groups of elements will gather, asked for while the present ones are worked.
#pragma once

#include <sumfac/config.hpp>

namespace sumfac::detail {

// Nodes first .. last - 1.
struct node_range {
  index_t first, last;
};

// Goes through the entries of x at runs of nodes, a cache line at a time.
//
// Elements gather from many places at once, of which processors guess few; of a mesh in a good order, what a step is
// the first to have lies in few runs.
template <class Scalar>
class run_ahead {
public:
  // The entries of node i are at i * step of x, of the `arrays` arrays of so many entries that x has, side by side.
  struct entries {
    Scalar const* x = nullptr;
    int step = 1, arrays = 1;
    index_t stride = 0;
  };

  run_ahead() = default;
  // Runs first .. last - 1, while `groups` groups are worked.
  run_ahead(entries const& e, node_range const* first, node_range const* last, index_t groups)
      : entries_(e), first_(first), run_(first), last_(last)
  {
    index_t nodes = 0;
    for (auto run = first; run != last; ++run) nodes += run->last - run->first;
    index_t const bytes = nodes * e.step * e.arrays * index_t{sizeof(Scalar)};
    lines_of_group_ = bytes / (line * groups) + 1;
    enter_run();
  }

  // Asks for all lines of a group, or for one of several parts of them.
  void ask_for_group() { ask_for_part(1); }
  __attribute__((noinline)) void ask_for_part(int parts)
  {
    for (owed_ += lines_of_group_; owed_ >= parts && run_ != last_; owed_ -= parts) {
      // Twice, as the exchange of a kernel does with factors.
      __builtin_prefetch(at_, 0, 2);
      __builtin_prefetch(at_ - 16 * line, 0, 3);
      at_ += line;
      if (at_ < end_) continue;
      ++run_;
      enter_run();
    }
  }

private:
  static constexpr index_t line = 64;

  void enter_run()
  {
    if (run_ == last_ && ++array_ < entries_.arrays) run_ = first_;
    if (run_ == last_) return;
    Scalar const* const x = entries_.x + array_ * entries_.stride;
    at_ = reinterpret_cast<char const*>(x + run_->first * entries_.step);
    end_ = reinterpret_cast<char const*>(x + run_->last * entries_.step);
  }

  entries entries_;
  node_range const *first_ = nullptr, *run_ = nullptr, *last_ = nullptr;
  char const *at_ = nullptr, *end_ = nullptr;
  index_t lines_of_group_ = 0, owed_ = 0;
  int array_ = 0;
};

}  // namespace sumfac::detail
