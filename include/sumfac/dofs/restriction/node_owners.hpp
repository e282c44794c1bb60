// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Which block of elements each node of a table is of, and what that says node by node: by all threads.
#pragma once

#include <sumfac/backend/detail/own_vector.hpp>
#include <sumfac/backend/host.hpp>
#include <sumfac/dofs/restriction/prefetch.hpp>

#include <cstdint>

namespace sumfac::SUMFAC_TARGET::detail {

inline constexpr std::int32_t no_owner = -1, several_owners = -2;

// Of each node its block, or no_owner, several_owners, and which step of its block is the first that has it.
//
// Threads take blocks. Each writes its number to the nodes it meets, over that of others; a second pass finds the nodes
// that have another block's number. So both come out the same for any number of threads.
class node_owners {
public:
  using number = std::uint32_t;

  node_owners() = default;
  // for_each_node(block, f) calls f(node, step) for the nodes of the block's elements, in order.
  template <class ForEachNode>
  node_owners(host const& threads, index_t nodes, index_t blocks, ForEachNode const& for_each_node)
      : block_(own_vector<std::int32_t>::unwritten(static_cast<std::size_t>(nodes))),
        step_(own_vector<std::int32_t>::unwritten(static_cast<std::size_t>(nodes)))
  {
    threads.partition(
        nodes, [&](index_t first, index_t last) { fill(block_.data() + first, block_.data() + last, no_owner); });
    bool const one_by_one = threads.threads() == 1 || blocks == 1;  // no second pass then
    std::int32_t *const block = block_.data(), *const first_step = step_.data();
    auto const each_block = [&](auto const& f) {
      threads.balance(blocks, [&](index_t first, index_t last) {
        for (index_t b = first; b < last; ++b) for_each_node(b, [&](number node, index_t step) { f(b, node, step); });
      });
    };
    each_block([=](index_t b, number node, index_t step) {
      auto const now = read(block[node]);
      if (now == static_cast<std::int32_t>(b)) return;
      bool const shared = one_by_one && now != no_owner;
      write(shared ? several_owners : static_cast<std::int32_t>(b), block[node]);
      write(static_cast<std::int32_t>(step), first_step[node]);
    });
    if (one_by_one) return;
    each_block([=](index_t b, number node, index_t) {
      if (read(block[node]) != static_cast<std::int32_t>(b)) write(several_owners, block[node]);
    });
  }

  index_t size() const { return static_cast<index_t>(block_.size()); }
  std::int32_t of(index_t node) const { return block_[static_cast<std::size_t>(node)]; }
  bool is_shared(index_t node) const { return of(node) == several_owners; }
  // As if several blocks had it, before `list`.
  void share(index_t node) { block_[static_cast<std::size_t>(node)] = several_owners; }
  // Of a node of several blocks its place among these, once `list` has made it.
  index_t shared_place(index_t node) const { return step_[static_cast<std::size_t>(node)]; }

  // runs: nodes of one block alone by their first step, those of no element behind the last, each step's ascending, as
  // they lie side by side; run_of_step (steps + 2): where a step's begin. shared: nodes of several blocks, ascending.
  void list(host const& threads, index_t steps, own_vector<node_range>& runs, own_vector<index_t>& run_of_step,
            own_vector<number>& shared)
  {
    constexpr index_t piece = 1 << 14;
    index_t const pieces = (size() + piece - 1) / piece;
    own_vector<found> of_piece(static_cast<std::size_t>(pieces));
    threads.balance(pieces, [&](index_t first, index_t last) {
      for (index_t i = first; i < last; ++i)
        of_piece[static_cast<std::size_t>(i)] = look_at(i * piece, lesser((i + 1) * piece, size()), steps);
    });
    own_vector<run_of> all;
    for (auto const& here : of_piece) {
      for (run_of const& run : here.runs)
        if (!all.empty() && all.back().step == run.step && all.back().nodes.last == run.nodes.first)
          all.back().nodes.last = run.nodes.last;
        else
          all.push_back(run);
      for (number const node : here.shared) {
        step_[node] = static_cast<std::int32_t>(shared.size());
        shared.push_back(node);
      }
    }
    run_of_step.assign(static_cast<std::size_t>(steps) + 2, 0);
    for (run_of const& run : all) ++run_of_step[static_cast<std::size_t>(run.step) + 1];
    for (std::size_t i = 1; i < run_of_step.size(); ++i) run_of_step[i] += run_of_step[i - 1];
    own_vector<index_t> next = run_of_step;
    runs.resize(all.size());
    for (run_of const& run : all)
      runs[static_cast<std::size_t>(next[static_cast<std::size_t>(run.step)]++)] = run.nodes;
  }

private:
  struct run_of {
    index_t step;
    node_range nodes;
  };
  struct found {
    own_vector<run_of> runs;
    own_vector<number> shared;
  };
  // Of nodes first .. last - 1.
  found look_at(index_t first, index_t last, index_t steps) const
  {
    found here;
    for (index_t node = first; node < last; ++node) {
      if (is_shared(node)) {
        here.shared.push_back(static_cast<number>(node));
        continue;
      }
      index_t const step = of(node) == no_owner ? steps : index_t{step_[static_cast<std::size_t>(node)]};
      if (here.runs.empty() || here.runs.back().step != step || here.runs.back().nodes.last != node)
        here.runs.push_back({step, {node, node}});
      here.runs.back().nodes.last = node + 1;
    }
    return here;
  }

  static std::int32_t read(std::int32_t const& from) { return __atomic_load_n(&from, __ATOMIC_RELAXED); }
  static void write(std::int32_t value, std::int32_t& to) { __atomic_store_n(&to, value, __ATOMIC_RELAXED); }

  own_vector<std::int32_t> block_, step_;
};

}  // namespace sumfac::detail
