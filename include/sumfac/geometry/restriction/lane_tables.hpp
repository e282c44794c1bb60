// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The host's tables of a restriction: where each lane of a group of elements reads and adds, block by block.
#pragma once

#include <sumfac/backend/buffer.hpp>
#include <sumfac/backend/host.hpp>
#include <sumfac/geometry/restriction/node_table.hpp>
#include <sumfac/geometry/restriction/options.hpp>

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace sumfac::detail {

// An entry of a lane table: where a node is, and whether this is the first that a sweep adds there.
//
// Numbers below `nodes` are nodes of the global vector. Those from `nodes` on are slots: nodes that several blocks have
// get one for each block, and each block begins with n slots for what reads as 0 and is dropped.
struct lane_entry {
  static constexpr std::uint32_t first = 0x80000000u, number = 0x7fffffffu;
};

// Ways to write down the nodes of W elements.
enum class lane_kind : std::uint8_t {
  rows,    // (n^2, parts, W): of each row the first node, the second, from which the inner ones follow, and the last
  single,  // (C or 1, n^3, W): each node by itself
};

// Tables of one restriction, or of a subset of it, for groups of `width` elements.
//
// Elements are worked in fixed blocks, each by one thread, in order; which blocks there are depends on the table alone,
// so the order of all additions does too. A block adds to nodes of its own right in the global vector, the first time
// by writing, and to nodes that it shares in its slots; slots are added up when all blocks are done, in their order.
class lane_tables {
public:
  using number = node_table::number;
  static constexpr number nobody = ~number{0};

  // active: elements that are worked on, ascending.
  lane_tables(host const& threads, node_table const& table, std::vector<index_t> const& active, index_t blocks,
              int width);

  // A node that several blocks have, and where its slots are listed.
  struct shared_node {
    number node;
    number first_slot;
  };
  // Nodes first .. last - 1.
  struct range {
    index_t first, last;
  };
  static constexpr index_t shared_chunk = 512;  // shared nodes that are finished at once

  static constexpr int parts(int n) { return n > 2 ? 3 : 2; }

  int width = 0;
  index_t slots = 0;                 // of all blocks
  bool by_component = false;         // whether kind single tells components apart
  buffer<number> entries;            // group after group
  std::vector<index_t> place;        // of a group's entries, by group of the operator
  std::vector<lane_kind> kind;       // by group of the operator
  std::vector<index_t> groups;       // that are worked on
  std::vector<index_t> block_group;  // (blocks + 1): groups[block_group[b]] is the first of block b
  std::vector<index_t> block_slot;   // (blocks + 1)
  std::vector<number> slot_node;     // of each slot, nobody for those that read as 0
  std::vector<shared_node> shared;   // and one behind the last
  std::vector<number> shared_slots;  // in order of blocks
  std::vector<range> untouched;      // nodes that no active element has
  std::vector<range> runs;           // nodes of one block alone, block after block
  std::vector<index_t> block_run;    // (blocks + 1)
  std::vector<std::int32_t> owner;   // of each node its block, or no_owner, several_owners; to be dropped

  index_t blocks() const { return static_cast<index_t>(block_group.size()) - 1; }
  index_t shared_count() const { return static_cast<index_t>(shared.size()) - 1; }
  index_t shared_chunks() const { return (shared_count() + shared_chunk - 1) / shared_chunk; }

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
    return active == std::min<index_t>(width, elements - group * width);
  }

private:
  struct block_builder;

  void find_groups(node_table const& table, std::vector<index_t> const& active);
  void find_blocks(index_t wanted, index_t nodes);
  void find_owners(node_table const& table);
  void list_runs();
  void list_shared();

  std::vector<std::uint8_t> active_;  // by element, and zero for lanes behind the last
};

inline constexpr std::int32_t no_owner = -1, several_owners = -2;

// Writes the entries of one block.
struct lane_tables::block_builder {
  lane_tables const& tables;
  node_table const& table;
  std::vector<std::uint8_t>& touched;   // (C or 1, nodes)
  std::vector<number> slot_nodes = {};  // shared nodes of the block, in order of their slots
  std::unordered_map<number, number> slot_of = {};
  std::vector<std::uint8_t> slot_touched = {};  // (C or 1, slots of the block)
  std::vector<number> entries = {};
  std::vector<std::uint8_t*> undo = {};

  void find_slots(index_t first_group, index_t last_group);
  lane_kind encode(index_t group, index_t first_slot);

private:
  bool encode_rows(index_t group, index_t first_slot);
  void encode_single(index_t group, index_t first_slot);
  bool encode_part(index_t group, index_t first_slot, index_t p, int count);

  static constexpr number unfit = nobody;

  // Where component c of a node of a lane is; with c = -1 all of them, `unfit` where they differ.
  number target(index_t e, index_t p, int c, index_t first_slot) const;
  // Whether it is the first to be added there; it is not from now on.
  bool touch(number target, int c, index_t first_slot);
  std::uint8_t& flag(number target, int c, index_t first_slot);
};

inline lane_tables::lane_tables(host const& threads, node_table const& table, std::vector<index_t> const& active,
                                index_t wanted, int lanes)
    : width(lanes)
{
  for (index_t node = 0; node < table.nodes() && table.has_marks() && !by_component; ++node) {
    int const count = table.constrained_components(node);
    by_component = count > 0 && count < table.components();
  }
  find_groups(table, active);
  find_blocks(wanted, table.nodes());
  find_owners(table);
  list_runs();

  auto const tracked = static_cast<std::size_t>(by_component ? table.components() : 1);
  std::vector<std::uint8_t> touched(static_cast<std::size_t>(table.nodes()) * tracked);
  std::vector<block_builder> builders(static_cast<std::size_t>(blocks()), {*this, table, touched});
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
    block_slot.push_back(block_slot.back() + table.nodes_1d() + static_cast<index_t>(b.slot_nodes.size()));
  slots = block_slot.back();
  if (table.nodes() + slots > static_cast<index_t>(lane_entry::number))
    failf("restriction",
          "there are too many nodes (got %lld with those that blocks share, at most %lld expected): "
          "split the mesh into parts",
          static_cast<long long>(table.nodes() + slots), static_cast<long long>(lane_entry::number));

  kind.resize(active_.size() / static_cast<std::size_t>(width));
  place.resize(kind.size());
  each_block([&](block_builder& builder, index_t first, index_t last, index_t b) {
    for (index_t i = first; i < last; ++i) {
      auto const group = static_cast<std::size_t>(groups[static_cast<std::size_t>(i)]);
      place[group] = static_cast<index_t>(builder.entries.size());
      kind[group] = builder.encode(static_cast<index_t>(group), block_slot[static_cast<std::size_t>(b)]);
    }
  });
  std::vector<index_t> begin(1, 0);
  for (auto const& b : builders) begin.push_back(begin.back() + static_cast<index_t>(b.entries.size()));
  entries = buffer<number>(threads, begin.back());
  slot_node.assign(static_cast<std::size_t>(slots), nobody);
  each_block([&](block_builder& builder, index_t first, index_t last, index_t b) {
    auto const at = static_cast<std::size_t>(b);
    std::copy(builder.entries.begin(), builder.entries.end(), entries.begin() + begin[at]);
    for (index_t i = first; i < last; ++i)
      place[static_cast<std::size_t>(groups[static_cast<std::size_t>(i)])] += begin[at];
    std::copy(builder.slot_nodes.begin(), builder.slot_nodes.end(),
              slot_node.begin() + block_slot[at] + table.nodes_1d());
  });
  list_shared();
}

inline void lane_tables::find_groups(node_table const& table, std::vector<index_t> const& active)
{
  active_.assign(static_cast<std::size_t>((table.elements() + width - 1) / width * width), 0);
  for (index_t const e : active) {
    active_[static_cast<std::size_t>(e)] = 1;
    if (groups.empty() || groups.back() != e / width) groups.push_back(e / width);
  }
}

// A power of two, so that it suits most numbers of threads: of 4 groups and 4096 nodes at least; 64, or so many that
// the vectors of a block stay in the caches while it is worked on.
inline void lane_tables::find_blocks(index_t wanted, index_t nodes)
{
  constexpr index_t enough = 64, least_nodes = 4096, most_nodes = 65536;
  auto const count = static_cast<index_t>(groups.size());
  index_t number_of_blocks = 1;
  if (wanted > 0)
    number_of_blocks = std::max<index_t>(1, std::min(wanted, count));
  else
    while (count >= 8 * number_of_blocks && nodes >= 2 * least_nodes * number_of_blocks &&
           (number_of_blocks < enough || nodes > most_nodes * number_of_blocks))
      number_of_blocks *= 2;
  for (index_t b = 0; b <= number_of_blocks; ++b) block_group.push_back(count * b / number_of_blocks);
}

inline void lane_tables::find_owners(node_table const& table)
{
  owner.assign(static_cast<std::size_t>(table.nodes()), no_owner);
  for (index_t b = 0; b < blocks(); ++b)
    for (index_t i = block_group[static_cast<std::size_t>(b)]; i < block_group[static_cast<std::size_t>(b) + 1]; ++i)
      for_each_lane(groups[static_cast<std::size_t>(i)], [&](int, index_t e) {
        for (index_t p = 0; p < table.nodes_of_element(); ++p) {
          auto& now = owner[table(e, p)];
          if (now == no_owner)
            now = static_cast<std::int32_t>(b);
          else if (now != b)
            now = several_owners;
        }
      });
}

inline void lane_tables::list_runs()
{
  std::vector<std::vector<range>> of_block(static_cast<std::size_t>(blocks()));
  for (index_t node = 0; node < static_cast<index_t>(owner.size()); ++node) {
    std::int32_t const b = owner[static_cast<std::size_t>(node)];
    if (b == several_owners) continue;
    auto& list = b == no_owner ? untouched : of_block[static_cast<std::size_t>(b)];
    if (list.empty() || list.back().last != node) list.push_back({node, node});
    list.back().last = node + 1;
  }
  block_run.assign(1, 0);
  for (auto const& list : of_block) {
    runs.insert(runs.end(), list.begin(), list.end());
    block_run.push_back(static_cast<index_t>(runs.size()));
  }
}

// Shared nodes, also those that have no slots because they are constrained.
inline void lane_tables::list_shared()
{
  std::vector<number> next(owner.size(), 0);  // slots of a node, then where its next slot is listed
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

inline void lane_tables::block_builder::find_slots(index_t first_group, index_t last_group)
{
  auto const n = static_cast<number>(table.nodes_1d());
  for (index_t i = first_group; i < last_group; ++i)
    tables.for_each_lane(tables.groups[static_cast<std::size_t>(i)], [&](int, index_t e) {
      for (index_t p = 0; p < table.nodes_of_element(); ++p) {
        number const node = table(e, p);
        if (tables.owner[node] != several_owners || table.constrained_components(node) == table.components()) continue;
        if (slot_of.try_emplace(node, n + static_cast<number>(slot_nodes.size())).second) slot_nodes.push_back(node);
      }
    });
  auto const tracked = static_cast<std::size_t>(tables.by_component ? table.components() : 1);
  slot_touched.assign((n + slot_nodes.size()) * tracked, 0);
}

inline lane_kind lane_tables::block_builder::encode(index_t group, index_t first_slot)
{
  auto const begin = entries.size();
  if (encode_rows(group, first_slot)) return lane_kind::rows;
  entries.resize(begin);
  for (auto* flag : undo) *flag = 0;
  encode_single(group, first_slot);
  return lane_kind::single;
}

inline bool lane_tables::block_builder::encode_rows(index_t group, index_t first_slot)
{
  index_t const n = table.nodes_1d();
  undo.clear();
  for (index_t row = 0; row < n * n; ++row) {
    if (!encode_part(group, first_slot, row * n, 1)) return false;
    if (n > 2 && !encode_part(group, first_slot, row * n + 1, static_cast<int>(n) - 2)) return false;
    if (!encode_part(group, first_slot, row * n + n - 1, 1)) return false;
  }
  return true;
}

// `count` nodes from p on, of all lanes; false where they do not follow one another, or where lanes are added in
// another order than they are written down here, because they have the same nodes at different places.
inline bool lane_tables::block_builder::encode_part(index_t group, index_t first_slot, index_t p, int count)
{
  int const components = tables.by_component ? table.components() : 1;
  auto const begin_of = [&, at = entries.size()](int lane) {
    return static_cast<index_t>(entries[at + static_cast<std::size_t>(lane)] & lane_entry::number);
  };
  for (int lane = 0; lane < tables.width; ++lane) {
    index_t const e = group * tables.width + lane;
    number const begin = target(e, p, -1, first_slot);
    if (begin == unfit) return false;
    bool const dropped = begin == table.nodes() + first_slot;
    for (int other = 0; other < lane && !dropped; ++other)
      if (index_t const apart = begin - begin_of(other); apart != 0 && apart < count && -apart < count) return false;
    bool const first = dropped || touch(begin, 0, first_slot);
    for (int i = 0; i < count; ++i) {
      number const next = i == 0 ? begin : target(e, p + i, -1, first_slot);
      bool const dropped_too = next == table.nodes() + first_slot;
      if (dropped_too != dropped || (!dropped && next != begin + static_cast<number>(i))) return false;
      if (dropped) continue;
      for (int c = i == 0 ? 1 : 0; c < components; ++c)
        if (touch(next, c, first_slot) != first) return false;
    }
    entries.push_back(begin | (first ? lane_entry::first : 0));
  }
  return true;
}

inline void lane_tables::block_builder::encode_single(index_t group, index_t first_slot)
{
  undo.clear();
  for (int c = 0; c < (tables.by_component ? table.components() : 1); ++c)
    for (index_t p = 0; p < table.nodes_of_element(); ++p)
      for (int lane = 0; lane < tables.width; ++lane) {
        number const at = target(group * tables.width + lane, p, tables.by_component ? c : -1, first_slot);
        bool const dropped = at == table.nodes() + first_slot;
        entries.push_back(at | (dropped || touch(at, c, first_slot) ? lane_entry::first : 0));
      }
}

inline node_table::number lane_tables::block_builder::target(index_t e, index_t p, int c, index_t first_slot) const
{
  auto const dropped = static_cast<number>(table.nodes() + first_slot);
  if (tables.active_[static_cast<std::size_t>(e)] == 0) return dropped;
  number const node = table(e, p);
  if (table.has_marks()) {
    int const count = table.constrained_components(node);
    if (c < 0 && count > 0 && count < table.components()) return unfit;
    if (c < 0 ? count > 0 : table.constrained(node, c)) return dropped;
  }
  if (tables.owner[node] != several_owners) return node;
  return dropped + slot_of.at(node);
}

inline std::uint8_t& lane_tables::block_builder::flag(number at, int c, index_t first_slot)
{
  auto const nodes = static_cast<std::size_t>(table.nodes());
  if (at < nodes) return touched[static_cast<std::size_t>(c) * nodes + at];
  std::size_t const own = static_cast<std::size_t>(table.nodes_1d()) + slot_nodes.size();
  return slot_touched[static_cast<std::size_t>(c) * own + (at - nodes - static_cast<std::size_t>(first_slot))];
}

inline bool lane_tables::block_builder::touch(number at, int c, index_t first_slot)
{
  auto& known = flag(at, c, first_slot);
  if (known != 0) return false;
  known = 1;
  undo.push_back(&known);
  return true;
}

}  // namespace sumfac::detail
