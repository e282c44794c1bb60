// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The host's tables of a restriction: where each lane of a group of elements reads and adds, block by block.
#pragma once

#include <sumfac/backend/buffer.hpp>
#include <sumfac/dofs/dof_map.hpp>
#include <sumfac/dofs/restriction/element_masks.hpp>
#include <sumfac/dofs/restriction/node_owners.hpp>
#include <sumfac/dofs/restriction/prefetch.hpp>
#include <sumfac/dofs/restriction/slot_map.hpp>

#include <cstdint>

namespace sumfac::SUMFAC_TARGET::detail {

// Into how many blocks so many groups of elements with so many nodes, of so many components each, are cut.
//
// What blocks share is gone through several times, so there are few of them: one for each processor, each of 4 groups
// and 4096 nodes at least (a second one pays from 4096 entries on: before that, two threads wait for one another longer
// than they save), and several for each only of 65536 nodes or more, so that processors that are done early have
// something to take over, and a block's vectors stay in the caches.
inline index_t blocks_for(index_t groups, index_t nodes, index_t processors, int components)
{
  constexpr index_t entries_of_two = 4096, least_nodes = 4096, several_nodes = 65536;
  index_t blocks = processors >= 2 && groups >= 2 && nodes * components >= entries_of_two ? 2 : 1;
  auto const fit = [&](index_t count, index_t least) { return groups >= 4 * count && nodes >= least * count; };
  while (blocks < processors && fit(lesser(2 * blocks, processors), least_nodes))
    blocks = lesser(2 * blocks, processors);
  while (blocks >= processors && fit(2 * blocks, several_nodes)) blocks *= 2;
  return blocks;
}

// Ways to write down the nodes of W elements. Numbers below `nodes` are nodes of the global vector. Those from `nodes`
// on are slots: of each block, first those that read as 0 and are dropped, then one for each node of several blocks,
// then one for each node that is a sum of others.
// With signs the highest bit says that the element has minus the entry.
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
  using number = node_owners::number;
  static constexpr number nobody = ~number{0}, minus = number{1} << 31;
  static constexpr int width = Width;

  // active: elements that are worked on, ascending.
  template <dof_map Map>
  lane_tables(host const& threads, Map const& table, own_vector<index_t> const& active, index_t wanted)
  {
    by_component = table.partly_constrained();
    dropped_slots = index_t{width} * table.box().x;
    share_out(threads, table, active, wanted);
    own_vector<number> shared_nodes;
    owners.list(threads, steps(), runs, step_run, shared_nodes);

    using builder_type = block_builder<Map>;
    own_vector<builder_type> builders(static_cast<std::size_t>(blocks()), {*this, table});
    auto const each_block = [&](auto const& f) {
      threads.balance(blocks(), [&](index_t first, index_t last) {
        for (index_t b = first; b < last; ++b)
          f(builders[static_cast<std::size_t>(b)], block_group[static_cast<std::size_t>(b)],
            block_group[static_cast<std::size_t>(b) + 1], b);
      });
    };
    each_block([&](builder_type& builder, index_t, index_t, index_t b) { builder.find_slots(b); });
    block_slot.assign(1, 0);
    for (auto const& b : builders) {
      sum_slot.push_back(block_slot.back() + dropped_slots + static_cast<index_t>(b.slot_nodes.size()));
      block_slot.push_back(sum_slot.back() + static_cast<index_t>(b.sum_nodes.size()));
    }
    slot_count = block_slot.back();
    constexpr index_t most = 0x7fffffff;
    if (table.nodes() + slot_count > most)
      failf("restriction",
            "there are too many nodes (got %lld with those that blocks share, at most %lld expected): split the mesh "
            "into parts",
            static_cast<long long>(table.nodes() + slot_count), static_cast<long long>(most));

    kind.resize(active_.size() / static_cast<std::size_t>(width));
    place.resize(kind.size());
    each_block([&](builder_type& builder, index_t first, index_t last, index_t b) {
      builder.begin(last - first, block_slot[static_cast<std::size_t>(b)]);
      for (index_t i = first; i < last; ++i) {
        auto const group = static_cast<std::size_t>(groups[static_cast<std::size_t>(i)]);
        place[group] = static_cast<index_t>(builder.entries.size());
        kind[group] = builder.encode(static_cast<index_t>(group));
      }
    });
    own_vector<index_t> begin(1, 0);
    for (auto const& b : builders) begin.push_back(begin.back() + static_cast<index_t>(b.entries.size()));
    entries = buffer<number>(threads, begin.back());
    slot_node.assign(static_cast<std::size_t>(slot_count), nobody);
    each_block([&](builder_type& builder, index_t first, index_t last, index_t b) {
      auto const at = static_cast<std::size_t>(b);
      copy(builder.entries, entries.begin() + begin[at]);
      for (index_t i = first; i < last; ++i)
        place[static_cast<std::size_t>(groups[static_cast<std::size_t>(i)])] += begin[at];
      copy(builder.slot_nodes, slot_node.begin() + block_slot[at] + dropped_slots);
    });
    list_slots(shared_nodes);
    if constexpr (Map::extras.rows)
      if (table.has_rows()) list_terms(table, builders);
    if constexpr (Map::extras.masks)
      if (table.masks().size() > 0) list_halves(table);
  }

  // Blocks, steps and owners alone.
  template <dof_map Map>
  static lane_tables owners_of(host const& threads, Map const& table, own_vector<index_t> const& some, index_t blocks)
  {
    lane_tables made;
    made.share_out(threads, table, some, blocks);
    return made;
  }
  // Calls f(node, step) for the nodes of a block's elements as they are met.
  template <dof_map Map, class Function>
  void for_each_node(Map const& table, index_t block, Function const& f) const
  {
    index_t const nodes = table.box().all();
    for (index_t step = block_step[static_cast<std::size_t>(block)];
         step < block_step[static_cast<std::size_t>(block) + 1]; ++step)
      for (index_t i = step_group[static_cast<std::size_t>(step)]; i < step_group[static_cast<std::size_t>(step) + 1];
           ++i)
        for_each_lane(groups[static_cast<std::size_t>(i)], [&](int, index_t e) {
          auto const of_element = read_indices(table, e);
          for (index_t p = 0; p < nodes; ++p) f(static_cast<number>(of_element[p]), step);
        });
  }

  // A node that several blocks have, and where its slots are listed.
  struct shared_node {
    number node;
    number first_slot;
  };
  static constexpr index_t shared_chunk = 512;  // shared nodes that are finished at once
  // A term of what stands in a block's slot for a node that is a sum: a component of a shared node.
  struct slot_term {
    number slot, node;
    int component, of_node;
    double weight;
  };

  static constexpr int parts(int n) { return n > 2 ? 3 : 2; }

  index_t slot_count = 0;           // of all blocks
  index_t dropped_slots = 0;        // at a block's begin: n for each lane, or lanes would wait for one another
  bool by_component = false;        // whether kind single tells components apart
  buffer<number> entries;           // group after group
  own_vector<index_t> place;        // of a group's entries, by group of the operator
  own_vector<lane_kind> kind;       // by group of the operator
  own_vector<index_t> groups;       // that are worked on
  own_vector<index_t> block_group;  // (blocks + 1): groups[block_group[b]] is the first of block b
  own_vector<index_t> block_slot;   // (blocks + 1)
  own_vector<index_t> sum_slot;     // (blocks): the first of those that stand for sums
  own_vector<number> slot_node;     // of each slot, nobody for those that read as 0
  own_vector<shared_node> shared;   // and one behind the last
  own_vector<number> shared_slots;  // in order of blocks
  own_vector<index_t> block_step;   // (blocks + 1)
  own_vector<index_t> step_group;   // (steps + 1): groups[step_group[s]] is the first of step s
  own_vector<node_range> runs;      // nodes of one block alone, by their first step, and those of no element
  own_vector<index_t> step_run;     // (steps + 2): runs of a step, and behind them, as of one more, of no element
  own_vector<slot_term> terms;      // of sums, block after block; nothing where there are none
  own_vector<index_t> block_term;   // (blocks + 1)
  own_vector<index_t> shared_term;  // (shared + 1): where in of_shared those of a shared node begin
  own_vector<index_t> of_shared;    // in order of shared nodes, of each in order of blocks
  own_vector<half_lines> halves;    // group after group; nothing where no element has a mask
  own_vector<index_t> first_half;   // (groups of the operator + 1), or nothing
  node_owners owners;               // to be dropped

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
  template <dof_map Map>
  struct block_builder;
  lane_tables() = default;
  // Groups, blocks of them, steps of blocks and the nodes' owners.
  template <dof_map Map>
  void share_out(host const& threads, Map const& table, own_vector<index_t> const& active, index_t wanted)
  {
    active_.assign(static_cast<std::size_t>((table.elements() + width - 1) / width * width), 0);
    for (index_t const e : active) {
      active_[static_cast<std::size_t>(e)] = 1;
      if (groups.empty() || groups.back() != e / width) groups.push_back(e / width);
    }
    auto const count = static_cast<index_t>(groups.size());
    index_t const blocks = wanted > 0 ? greater<index_t>(1, lesser(wanted, count))
                                      : blocks_for(count, table.nodes(), processors(), table.components());
    for (index_t b = 0; b <= blocks; ++b) block_group.push_back(count * b / blocks);

    constexpr index_t nodes_of_step = 4096;
    index_t new_nodes = width;  // of a group, about
    node_box const box = table.box();
    for (int const n : {box.x, box.y, box.z}) new_nodes *= greater(n - 1, 1);
    index_t const size = greater<index_t>(1, nodes_of_step / new_nodes);
    block_step.assign(1, 0);
    for (std::size_t b = 0; b + 1 < block_group.size(); ++b) {
      for (index_t group = block_group[b]; group < block_group[b + 1]; group += size) step_group.push_back(group);
      block_step.push_back(static_cast<index_t>(step_group.size()));
    }
    step_group.push_back(block_group.back());
    owners = node_owners(threads, table.nodes(), blocks,
                         [&](index_t block, auto const& f) { for_each_node(table, block, f); });
    // Terms are read and added to by blocks that may not have them.
    if constexpr (Map::extras.rows)
      for (index_t i = 0; table.has_rows() && i < table.nodes(); ++i)
        for (int c = 0; c < table.components(); ++c)
          if (owners.of(i) != no_owner && has_terms(table, i, c))
            for (row_term const& t : table.row(i, c)) owners.share(t.index);
  }

  // Shared nodes, also those that have no slots because they are constrained.
  void list_slots(own_vector<number> const& shared_nodes)
  {
    own_vector<number> next(shared_nodes.size(), 0);  // slots of a node, then where its next slot is listed
    for (number const node : slot_node)
      if (node != nobody) ++next[static_cast<std::size_t>(owners.shared_place(node))];
    number total = 0;
    shared.reserve(shared_nodes.size() + 1);
    for (std::size_t i = 0; i < shared_nodes.size(); ++i) {
      shared.push_back({shared_nodes[i], total});
      total += next[i];
      next[i] = shared.back().first_slot;
    }
    shared.push_back({nobody, total});
    shared_slots.resize(total);
    for (std::size_t slot = 0; slot < slot_node.size(); ++slot)
      if (number const node = slot_node[slot]; node != nobody)
        shared_slots[next[static_cast<std::size_t>(owners.shared_place(node))]++] = static_cast<number>(slot);
  }
  template <dof_map Map, class Builders>
  void list_terms(Map const& table, Builders const& builders)
  {
    shared_term.assign(static_cast<std::size_t>(shared_count()) + 1, 0);
    block_term.assign(1, 0);
    for (std::size_t b = 0; b < builders.size(); ++b) {
      for (std::size_t i = 0; i < builders[b].sum_nodes.size(); ++i) {
        number const node = builders[b].sum_nodes[i], slot = static_cast<number>(sum_slot[b]) + static_cast<number>(i);
        for (int c = 0; c < table.components(); ++c)
          if (has_terms(table, node, c))
            for (row_term const& t : table.row(node, c))
              terms.push_back({slot, static_cast<number>(t.index), c, t.component, t.weight});
      }
      block_term.push_back(static_cast<index_t>(terms.size()));
    }
    auto const target = [&](slot_term const& t) { return static_cast<std::size_t>(owners.shared_place(t.node)); };
    for (slot_term const& t : terms) ++shared_term[target(t) + 1];
    for (std::size_t i = 1; i < shared_term.size(); ++i) shared_term[i] += shared_term[i - 1];
    own_vector<index_t> next = shared_term;
    of_shared.resize(terms.size());
    for (std::size_t i = 0; i < terms.size(); ++i)
      of_shared[static_cast<std::size_t>(next[target(terms[i])]++)] = static_cast<index_t>(i);
  }

  template <dof_map Map>
  void list_halves(Map const& table)
  {
    first_half.assign(1, 0);
    for (index_t group = 0; group < static_cast<index_t>(kind.size()); ++group) {
      element_mask::bits of_lane[Width] = {};
      for_each_lane(group, [&](int lane, index_t e) { of_lane[lane] = table.masks().mask(e); });
      add_half_lines(table.box(), table.directions(), of_lane, Width, halves);
      first_half.push_back(static_cast<index_t>(halves.size()));
    }
  }

  own_vector<std::uint8_t> active_;  // by element, and zero for lanes behind the last
};

// Writes the entries of one block: its slots, and the shortest kind of table for each group.
template <int Width>
template <dof_map Map>
struct lane_tables<Width>::block_builder {
  lane_tables const& tables;
  Map const& table;
  node_box box = table.box();
  own_vector<number> slot_nodes = {};  // shared nodes of the block, in order of their slots
  own_vector<number> sum_nodes = {};   // and those that are sums, behind them
  slot_map slot_of = {}, sum_of = {};
  own_vector<number> entries = {};
  own_vector<number> targets = {};  // (nodes of an element, W): of a group
  index_t first_slot = 0;

  void find_slots(index_t block)
  {
    auto const first = static_cast<number>(tables.dropped_slots);
    tables.for_each_node(table, block, [&](number node, index_t) {
      if constexpr (Map::extras.rows)
        if (has_terms(table, node) && sum_of.insert(node, static_cast<number>(sum_nodes.size())))
          sum_nodes.push_back(node);
      if (!tables.owners.is_shared(node) || constrained_components(table, node) == table.components()) return;
      if (slot_of.insert(node, first + static_cast<number>(slot_nodes.size()))) slot_nodes.push_back(node);
    });
  }

  // For so many groups, as rows take it; and the first of the block's slots.
  void begin(index_t count, index_t slot)
  {
    first_slot = slot;
    entries.reserve(static_cast<std::size_t>(count * box.rows() * parts(box.x) * width));
    targets.resize(static_cast<std::size_t>(box.all() * width));
  }

  lane_kind encode(index_t group)
  {
    auto const begin = entries.size();
    bool const own = find_targets(group);
    if (encode_rows(2)) return own ? lane_kind::own_pairs : lane_kind::pairs;
    entries.resize(begin);
    if (encode_rows(parts(box.x))) return own ? lane_kind::own_rows : lane_kind::rows;
    entries.resize(begin);
    encode_single(group);
    return lane_kind::single;
  }

private:
  static constexpr number unfit = nobody;

  // The first of n slots for what a lane drops.
  number dropped_of(index_t lane) const { return static_cast<number>(table.nodes() + first_slot + lane * box.x); }

  // Where each node of each lane is; whether nothing of a group is shared or constrained, or idle.
  bool find_targets(index_t group)
  {
    bool own = true;
    index_t const nodes = box.all();
    for (int lane = 0; lane < width; ++lane) {
      index_t const e = group * width + lane;
      bool const idle = tables.active_[static_cast<std::size_t>(e)] == 0;
      auto const of_element = read_indices(table, idle ? 0 : e);
      number* to = targets.data() + lane;
      for (index_t p = 0; p < nodes; ++p, to += width) {
        auto const node = static_cast<number>(of_element[p]);
        bool const plain =
            !idle && !tables.owners.is_shared(node) && (!table.has_marks() || constrained_components(table, node) == 0);
        *to = plain ? signed_index(table, e, p, node, minus) : target(group, lane, p, -1);
        own &= plain;
      }
    }
    return own;
  }

  bool encode_rows(int parts)
  {
    int const n = box.x, rows = box.rows();
    for (index_t row = 0; row < rows; ++row) {
      if (!encode_part(row * n, 1)) return false;
      if (!encode_part(row * n + 1, n + 1 - parts)) return false;
      if (parts == 3 && !encode_part(row * n + n - 1, 1)) return false;
    }
    return true;
  }

  // `count` nodes from p on, of all lanes; false where they do not follow one another.
  bool encode_part(index_t p, int count)
  {
    number const* const begin = targets.data() + p * width;
    bool fits = true;
    for (index_t lane = 0; lane < width; ++lane) fits &= begin[lane] != unfit;
    for (int i = 1; i < count; ++i)
      for (index_t lane = 0; lane < width; ++lane) {
        number const next = begin[i * width + lane], dropped = dropped_of(lane);
        bool const drops = begin[lane] == dropped, follows = next == begin[lane] + static_cast<number>(i);
        fits &= (next == dropped) == drops && (drops || follows);
      }
    for (index_t lane = 0; fits && lane < width; ++lane) entries.push_back(begin[lane]);
    return fits;
  }

  void encode_single(index_t group)
  {
    if (!tables.by_component) return entries.append(targets);
    for (int c = 0; c < table.components(); ++c)
      for (index_t p = 0; p < box.all(); ++p)
        for (int lane = 0; lane < width; ++lane) entries.push_back(target(group, lane, p, c));
  }

  // Where component c of a node of a lane is; with c = -1 all of them, `unfit` where they differ.
  number target(index_t group, int lane, index_t p, int c) const
  {
    index_t const e = group * width + lane;
    number const dropped = dropped_of(lane);
    if (tables.active_[static_cast<std::size_t>(e)] == 0) return dropped;
    auto const node = static_cast<number>(read_indices(table, e)[p]);
    if (table.has_marks()) {
      int const count = constrained_components(table, node);
      if (c < 0 && count > 0 && count < table.components()) return unfit;
      if (c < 0 ? count > 0 : table.constrained(node, c))
        return (c < 0 ? has_terms(table, node) : has_terms(table, node, c)) ? sum_at(e, p, node) : dropped;
    }
    bool const has_slot = tables.owners.is_shared(node);
    number const at = has_slot ? static_cast<number>(table.nodes() + first_slot) + slot_of.at(node) : node;
    return signed_index(table, e, p, at, minus);
  }
  number sum_at(index_t e, index_t p, number node) const
  {
    index_t const first = table.nodes() + first_slot + tables.dropped_slots + static_cast<index_t>(slot_nodes.size());
    return signed_index(table, e, p, static_cast<number>(first) + sum_of.at(node), minus);
  }
};

}  // namespace sumfac::detail
