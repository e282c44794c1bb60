// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The host's tables of a restriction: where each lane of a group of elements reads and adds, block by block.
#pragma once

#include <sumfac/backend/buffer.hpp>
#include <sumfac/backend/detail/own_vector.hpp>
#include <sumfac/backend/host.hpp>
#include <sumfac/geometry/restriction/block_count.hpp>
#include <sumfac/geometry/restriction/node_table.hpp>
#include <sumfac/geometry/restriction/options.hpp>
#include <sumfac/geometry/restriction/run_ahead.hpp>
#include <sumfac/geometry/restriction/slot_map.hpp>
#include <sumfac/math/detail/plain.hpp>

#include <cstdint>

namespace sumfac::inline SUMFAC_TARGET::detail {

// Ways to write down the nodes of W elements. Numbers below `nodes` are nodes of the global vector. Those from `nodes`
// on are slots: of each block, first those that read as 0 and are dropped, then one for each node of several blocks.
enum class lane_kind : std::uint8_t {
  own_pairs,  // (rows, 2, W): of each row the first node, and the second, from which all others follow; no slots
  pairs,      // the same with slots
  own_rows,   // (rows, parts, W): the first node, the second, from which the inner ones follow, and the last; no slots
  rows,       // the same with slots
  single,     // (C or 1, nodes of an element, W): each node by itself, or its slot
};

// Tables of one restriction, or of a subset of it, for groups of `Width` elements.
//
// Elements are worked in fixed blocks, each by one thread, in order; which blocks there are depends on the table and on
// the machine's processors, not on the number of threads, and so does the order of all additions. A block adds to nodes
// of its own right in the global vector, and to nodes that it shares in its slots; slots are added up when all blocks
// are done, in their order. Steps of a block are so many groups that what they read and write stays in a core's own
// cache; a node's first step is the first that has it.
template <int Width>
class lane_tables {
public:
  using number = node_table::number;
  static constexpr number nobody = ~number{0};
  static constexpr int width = Width;

  // active: elements that are worked on, ascending.
  lane_tables(host const& threads, node_table const& table, own_vector<index_t> const& active, index_t blocks);

  // Of each node its block, or no_owner, several_owners.
  static own_vector<std::int32_t> owners_of(node_table const& table, own_vector<index_t> const& some, index_t blocks)
  {
    lane_tables made;
    made.find_groups(table, some), made.find_blocks(blocks, table.nodes()), made.find_steps(table);
    made.find_owners(table);
    return made.owner;
  }

  // A node that several blocks have, and where its slots are listed.
  struct shared_node {
    number node;
    number first_slot;
  };
  static constexpr index_t shared_chunk = 512;  // shared nodes that are finished at once

  static constexpr int parts(int n) { return n > 2 ? 3 : 2; }

  index_t slot_count = 0;            // of all blocks
  index_t dropped_slots = 0;         // at a block's begin: n for each lane, or lanes would wait for one another
  bool by_component = false;         // whether kind single tells components apart
  buffer<number> entries;            // group after group
  own_vector<index_t> place;        // of a group's entries, by group of the operator
  own_vector<lane_kind> kind;       // by group of the operator
  own_vector<index_t> groups;       // that are worked on
  own_vector<index_t> block_group;  // (blocks + 1): groups[block_group[b]] is the first of block b
  own_vector<index_t> block_slot;   // (blocks + 1)
  own_vector<number> slot_node;     // of each slot, nobody for those that read as 0
  own_vector<shared_node> shared;   // and one behind the last
  own_vector<number> shared_slots;  // in order of blocks
  own_vector<index_t> block_step;   // (blocks + 1)
  own_vector<index_t> step_group;   // (steps + 1): groups[step_group[s]] is the first of step s
  own_vector<node_range> runs;           // nodes of one block alone, by their first step, and those of no element
  own_vector<index_t> step_run;     // (steps + 2): runs of a step, and behind them, as of one more, of no element
  own_vector<std::int32_t> owner;   // of each node its block, or no_owner, several_owners; to be dropped

  index_t blocks() const { return static_cast<index_t>(block_group.size()) - 1; }
  index_t steps() const { return static_cast<index_t>(step_group.size()) - 1; }
  index_t shared_count() const { return static_cast<index_t>(shared.size()) - 1; }
  index_t shared_chunks() const { return (shared_count() + shared_chunk - 1) / shared_chunk; }
  index_t pieces() const { return blocks() + shared_chunks() + 1; }  // and the nodes of no element

  // Calls f(lane, element) for the active lanes of a group.
  template <class Function>
  void for_each_lane(index_t group, Function const& f) const
  {
    for (int lane = 0; lane < width; ++lane)
      if (active_[static_cast<std::size_t>(group * width + lane)] != 0) f(lane, group * width + lane);
  }

  // Whether all lanes of a group that have an element are active.
  bool whole(index_t group, index_t elements) const
  {
    index_t active = 0;
    for_each_lane(group, [&](int, index_t) { ++active; });
    return active == lesser<index_t>(width, elements - group * width);
  }

private:
  struct block_builder;
  lane_tables() = default;
  void find_groups(node_table const& table, own_vector<index_t> const& active);
  void find_blocks(index_t wanted, index_t nodes);
  void find_steps(node_table const& table);
  void find_owners(node_table const& table);
  void list_runs();
  void list_shared();

  own_vector<std::uint8_t> active_;      // by element, and zero for lanes behind the last
  own_vector<std::int32_t> first_step_;  // of each node; to be dropped
};

inline constexpr std::int32_t no_owner = -1, several_owners = -2;

// Writes the entries of one block.
template <int Width>
struct lane_tables<Width>::block_builder {
  lane_tables const& tables;
  node_table const& table;
  own_vector<number> slot_nodes = {};  // shared nodes of the block, in order of their slots
  slot_map slot_of = {};
  own_vector<number> entries = {};

  void find_slots(index_t first_group, index_t last_group);
  lane_kind encode(index_t group, index_t first_slot);

private:
  bool has_slots(index_t group) const;
  bool encode_rows(index_t group, index_t first_slot, int parts);
  void encode_single(index_t group, index_t first_slot);
  bool encode_part(index_t group, index_t first_slot, index_t p, int count);

  static constexpr number unfit = nobody;

  // The first of n slots for what the lane of an element drops.
  number dropped_of(index_t e, index_t first_slot) const
  {
    return static_cast<number>(table.nodes() + first_slot + e % tables.width * table.nodes_1d());
  }
  // Where component c of a node of a lane is; with c = -1 all of them, `unfit` where they differ.
  number target(index_t e, index_t p, int c, index_t first_slot) const;
};

template <int Width>
lane_tables<Width>::lane_tables(host const& threads, node_table const& table, own_vector<index_t> const& active,
                                index_t wanted)
{
  for (index_t node = 0; node < table.nodes() && table.has_marks() && !by_component; ++node) {
    int const count = table.constrained_components(node);
    by_component = count > 0 && count < table.components();
  }
  dropped_slots = index_t{width} * table.nodes_1d();
  find_groups(table, active);
  find_blocks(wanted, table.nodes());
  find_steps(table);
  find_owners(table);
  list_runs();

  own_vector<block_builder> builders(static_cast<std::size_t>(blocks()), {*this, table});
  auto const each_block = [&](auto const& f) {
    threads.partition(blocks(), [&](index_t first, index_t last) {
      for (index_t b = first; b < last; ++b)
        f(builders[static_cast<std::size_t>(b)], block_group[static_cast<std::size_t>(b)],
          block_group[static_cast<std::size_t>(b) + 1], b);
    });
  };
  each_block([&](block_builder& b, index_t first, index_t last, index_t) { b.find_slots(first, last); });
  block_slot.assign(1, 0);
  for (auto const& b : builders)
    block_slot.push_back(block_slot.back() + dropped_slots + static_cast<index_t>(b.slot_nodes.size()));
  slot_count = block_slot.back();
  constexpr index_t most = 0x7fffffff;
  if (table.nodes() + slot_count > most)
    failf("restriction",
          "there are too many nodes (got %lld with those that blocks share, at most %lld expected): split the mesh "
          "into parts", static_cast<long long>(table.nodes() + slot_count), static_cast<long long>(most));

  kind.resize(active_.size() / static_cast<std::size_t>(width));
  place.resize(kind.size());
  each_block([&](block_builder& builder, index_t first, index_t last, index_t b) {
    for (index_t i = first; i < last; ++i) {
      auto const group = static_cast<std::size_t>(groups[static_cast<std::size_t>(i)]);
      place[group] = static_cast<index_t>(builder.entries.size());
      kind[group] = builder.encode(static_cast<index_t>(group), block_slot[static_cast<std::size_t>(b)]);
    }
  });
  own_vector<index_t> begin(1, 0);
  for (auto const& b : builders) begin.push_back(begin.back() + static_cast<index_t>(b.entries.size()));
  entries = buffer<number>(threads, begin.back());
  slot_node.assign(static_cast<std::size_t>(slot_count), nobody);
  each_block([&](block_builder& builder, index_t first, index_t last, index_t b) {
    auto const at = static_cast<std::size_t>(b);
    copy(builder.entries, entries.begin() + begin[at]);
    for (index_t i = first; i < last; ++i)
      place[static_cast<std::size_t>(groups[static_cast<std::size_t>(i)])] += begin[at];
    copy(builder.slot_nodes, slot_node.begin() + block_slot[at] + dropped_slots);
  });
  list_shared();
}

template <int Width>
void lane_tables<Width>::find_groups(node_table const& table, own_vector<index_t> const& active)
{
  active_.assign(static_cast<std::size_t>((table.elements() + width - 1) / width * width), 0);
  for (index_t const e : active) {
    active_[static_cast<std::size_t>(e)] = 1;
    if (groups.empty() || groups.back() != e / width) groups.push_back(e / width);
  }
}

template <int Width>
void lane_tables<Width>::find_blocks(index_t wanted, index_t nodes)
{
  auto const count = static_cast<index_t>(groups.size());
  index_t const blocks =
      wanted > 0 ? greater<index_t>(1, lesser(wanted, count)) : blocks_for(count, nodes, processors());
  for (index_t b = 0; b <= blocks; ++b) block_group.push_back(count * b / blocks);
}

template <int Width>
void lane_tables<Width>::find_steps(node_table const& table)
{
  constexpr index_t nodes_of_step = 4096;
  index_t new_nodes = width;  // of a group, about
  for (int d = 0; d < table.directions(); ++d) new_nodes *= table.nodes_1d() - 1;
  index_t const size = greater<index_t>(1, nodes_of_step / new_nodes);
  block_step.assign(1, 0);
  for (std::size_t b = 0; b + 1 < block_group.size(); ++b) {
    for (index_t group = block_group[b]; group < block_group[b + 1]; group += size) step_group.push_back(group);
    block_step.push_back(static_cast<index_t>(step_group.size()));
  }
  step_group.push_back(block_group.back());
}

template <int Width>
void lane_tables<Width>::find_owners(node_table const& table)
{
  owner.assign(static_cast<std::size_t>(table.nodes()), no_owner);
  first_step_.assign(owner.size(), static_cast<std::int32_t>(steps()));
  for (std::size_t b = 0; b + 1 < block_step.size(); ++b)
    for (index_t step = block_step[b]; step < block_step[b + 1]; ++step)
      for (index_t i = step_group[static_cast<std::size_t>(step)]; i < step_group[static_cast<std::size_t>(step) + 1];
           ++i)
        for_each_lane(groups[static_cast<std::size_t>(i)], [&](int, index_t e) {
          for (index_t p = 0; p < table.nodes_of_element(); ++p) {
            number const node = table(e, p);
            auto& now = owner[node];
            if (now == no_owner)
              now = static_cast<std::int32_t>(b), first_step_[node] = static_cast<std::int32_t>(step);
            else if (now != static_cast<std::int32_t>(b))
              now = several_owners;
          }
        });
}

template <int Width>
void lane_tables<Width>::list_runs()
{
  own_vector<own_vector<node_range>> of_step(static_cast<std::size_t>(steps()) + 1);
  for (std::size_t node = 0; node < owner.size(); ++node) {
    if (owner[node] == several_owners) continue;
    auto& list = of_step[static_cast<std::size_t>(first_step_[node])];
    auto const at = static_cast<index_t>(node);
    if (list.empty() || list.back().last != at) list.push_back({at, at});
    list.back().last = at + 1;
  }
  first_step_ = {};
  step_run.assign(1, 0);
  for (auto const& list : of_step) {
    runs.append(list);
    step_run.push_back(static_cast<index_t>(runs.size()));
  }
}

// Shared nodes, also those that have no slots because they are constrained.
template <int Width>
void lane_tables<Width>::list_shared()
{
  own_vector<number> next(owner.size(), 0);  // slots of a node, then where its next slot is listed
  for (number const node : slot_node)
    if (node != nobody) ++next[node];
  number total = 0;
  for (std::size_t node = 0; node < owner.size(); ++node) {
    if (owner[node] != several_owners) continue;
    shared.push_back({static_cast<number>(node), total});
    total += next[node];
    next[node] = shared.back().first_slot;
  }
  shared.push_back({nobody, total});
  shared_slots.resize(total);
  for (std::size_t slot = 0; slot < slot_node.size(); ++slot)
    if (slot_node[slot] != nobody) shared_slots[next[slot_node[slot]]++] = static_cast<number>(slot);
}

template <int Width>
void lane_tables<Width>::block_builder::find_slots(index_t first_group, index_t last_group)
{
  auto const first = static_cast<number>(tables.dropped_slots);
  for (index_t i = first_group; i < last_group; ++i)
    tables.for_each_lane(tables.groups[static_cast<std::size_t>(i)], [&](int, index_t e) {
      for (index_t p = 0; p < table.nodes_of_element(); ++p) {
        number const node = table(e, p);
        if (tables.owner[node] != several_owners || table.constrained_components(node) == table.components()) continue;
        if (slot_of.insert(node, first + static_cast<number>(slot_nodes.size()))) slot_nodes.push_back(node);
      }
    });
}

template <int Width>
lane_kind lane_tables<Width>::block_builder::encode(index_t group, index_t first_slot)
{
  auto const begin = entries.size();
  bool const own = !has_slots(group);
  if (encode_rows(group, first_slot, 2)) return own ? lane_kind::own_pairs : lane_kind::pairs;
  entries.resize(begin);
  if (encode_rows(group, first_slot, parts(table.nodes_1d()))) return own ? lane_kind::own_rows : lane_kind::rows;
  entries.resize(begin);
  encode_single(group, first_slot);
  return lane_kind::single;
}

// Whether something of a group is shared or constrained, or idle.
template <int Width>
bool lane_tables<Width>::block_builder::has_slots(index_t group) const
{
  for (index_t e = group * tables.width; e < (group + 1) * tables.width; ++e) {
    if (tables.active_[static_cast<std::size_t>(e)] == 0) return true;
    for (index_t p = 0; p < table.nodes_of_element(); ++p)
      if (number const node = table(e, p);
          tables.owner[node] == several_owners || (table.has_marks() && table.constrained_components(node) > 0))
        return true;
  }
  return false;
}

template <int Width>
bool lane_tables<Width>::block_builder::encode_rows(index_t group, index_t first_slot, int parts)
{
  int const n = table.nodes_1d(), rows = table.box().rows();
  for (index_t row = 0; row < rows; ++row) {
    if (!encode_part(group, first_slot, row * n, 1)) return false;
    if (!encode_part(group, first_slot, row * n + 1, n + 1 - parts)) return false;
    if (parts == 3 && !encode_part(group, first_slot, row * n + n - 1, 1)) return false;
  }
  return true;
}

// `count` nodes from p on, of all lanes; false where they do not follow one another.
template <int Width>
bool lane_tables<Width>::block_builder::encode_part(index_t group, index_t first_slot, index_t p, int count)
{
  for (index_t e = group * tables.width; e < (group + 1) * tables.width; ++e) {
    number const dropped = dropped_of(e, first_slot);
    number const begin = target(e, p, -1, first_slot);
    if (begin == unfit) return false;
    for (int i = 1; i < count; ++i) {
      number const next = target(e, p + i, -1, first_slot);
      if ((next == dropped) != (begin == dropped) || (next != dropped && next != begin + static_cast<number>(i)))
        return false;
    }
    entries.push_back(begin);
  }
  return true;
}

template <int Width>
void lane_tables<Width>::block_builder::encode_single(index_t group, index_t first_slot)
{
  for (int c = 0; c < (tables.by_component ? table.components() : 1); ++c)
    for (index_t p = 0; p < table.nodes_of_element(); ++p)
      for (int lane = 0; lane < tables.width; ++lane)
        entries.push_back(target(group * tables.width + lane, p, tables.by_component ? c : -1, first_slot));
}

template <int Width>
node_table::number lane_tables<Width>::block_builder::target(index_t e, index_t p, int c, index_t first_slot) const
{
  number const dropped = dropped_of(e, first_slot);
  if (tables.active_[static_cast<std::size_t>(e)] == 0) return dropped;
  number const node = table(e, p);
  if (table.has_marks()) {
    int const count = table.constrained_components(node);
    if (c < 0 && count > 0 && count < table.components()) return unfit;
    if (c < 0 ? count > 0 : table.constrained(node, c)) return dropped;
  }
  if (tables.owner[node] != several_owners) return node;
  return static_cast<number>(table.nodes() + first_slot) + slot_of.at(node);
}

}  // namespace sumfac::detail
