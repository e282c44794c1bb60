// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// How the entries of a block's lanes are written: its slots, and the shortest kind of table for each group.
#pragma once

#include <sumfac/dofs/restriction/lane_tables.hpp>

namespace sumfac::SUMFAC_TARGET::detail {

template <int Width>
void lane_tables<Width>::block_builder::find_slots(index_t block)
{
  auto const first = static_cast<number>(tables.dropped_slots);
  tables.for_each_node(table, block, [&](number node, index_t) {
    if (!tables.owners.is_shared(node) || table.constrained_components(node) == table.components()) return;
    if (slot_of.insert(node, first + static_cast<number>(slot_nodes.size()))) slot_nodes.push_back(node);
  });
}

// Room for so many groups, as rows take it.
template <int Width>
void lane_tables<Width>::block_builder::reserve(index_t count)
{
  entries.reserve(static_cast<std::size_t>(count * table.box().rows() * parts(table.nodes_1d()) * tables.width));
  targets.resize(static_cast<std::size_t>(table.nodes_of_element() * tables.width));
}

template <int Width>
lane_kind lane_tables<Width>::block_builder::encode(index_t group, index_t first_slot)
{
  auto const begin = entries.size();
  bool const own = find_targets(group, first_slot);
  if (encode_rows(first_slot, 2)) return own ? lane_kind::own_pairs : lane_kind::pairs;
  entries.resize(begin);
  if (encode_rows(first_slot, parts(table.nodes_1d()))) return own ? lane_kind::own_rows : lane_kind::rows;
  entries.resize(begin);
  encode_single(group, first_slot);
  return lane_kind::single;
}

// Where each node of each lane is; whether nothing of a group is shared or constrained, or idle.
template <int Width>
bool lane_tables<Width>::block_builder::find_targets(index_t group, index_t first_slot)
{
  bool own = true;
  index_t const nodes = table.nodes_of_element();
  for (index_t lane = 0; lane < tables.width; ++lane) {
    index_t const e = group * tables.width + lane;
    number* to = targets.data() + lane;
    bool const idle = tables.active_[static_cast<std::size_t>(e)] == 0;
    own &= !idle;
    if (idle) {
      for (index_t p = 0; p < nodes; ++p, to += tables.width) *to = dropped_of(lane, first_slot);
      continue;
    }
    number const* const from = table.element(e);
    for (index_t p = 0; p < nodes; ++p, to += tables.width) {
      bool const plain =
          !tables.owners.is_shared(from[p]) && (!table.has_marks() || table.constrained_components(from[p]) == 0);
      *to = plain ? from[p] : target(e, p, -1, first_slot);
      own &= plain;
    }
  }
  return own;
}

template <int Width>
bool lane_tables<Width>::block_builder::encode_rows(index_t first_slot, int parts)
{
  int const n = table.nodes_1d(), rows = table.box().rows();
  for (index_t row = 0; row < rows; ++row) {
    if (!encode_part(first_slot, row * n, 1)) return false;
    if (!encode_part(first_slot, row * n + 1, n + 1 - parts)) return false;
    if (parts == 3 && !encode_part(first_slot, row * n + n - 1, 1)) return false;
  }
  return true;
}

// `count` nodes from p on, of all lanes; false where they do not follow one another.
template <int Width>
bool lane_tables<Width>::block_builder::encode_part(index_t first_slot, index_t p, int count)
{
  number const* const begin = targets.data() + p * tables.width;
  bool fits = true;
  for (index_t lane = 0; lane < tables.width; ++lane) fits &= begin[lane] != unfit;
  for (int i = 1; i < count; ++i)
    for (index_t lane = 0; lane < tables.width; ++lane) {
      number const next = begin[i * tables.width + lane], dropped = dropped_of(lane, first_slot);
      bool const drops = begin[lane] == dropped, follows = next == begin[lane] + static_cast<number>(i);
      fits &= (next == dropped) == drops && (drops || follows);
    }
  for (index_t lane = 0; fits && lane < tables.width; ++lane) entries.push_back(begin[lane]);
  return fits;
}

template <int Width>
void lane_tables<Width>::block_builder::encode_single(index_t group, index_t first_slot)
{
  if (!tables.by_component) return entries.append(targets);
  for (int c = 0; c < table.components(); ++c)
    for (index_t p = 0; p < table.nodes_of_element(); ++p)
      for (int lane = 0; lane < tables.width; ++lane)
        entries.push_back(target(group * tables.width + lane, p, c, first_slot));
}

// Where component c of a node of a lane is; with c = -1 all of them, `unfit` where they differ.
template <int Width>
node_table::number lane_tables<Width>::block_builder::target(index_t e, index_t p, int c, index_t first_slot) const
{
  number const dropped = dropped_of(e % tables.width, first_slot);
  if (tables.active_[static_cast<std::size_t>(e)] == 0) return dropped;
  number const node = table(e, p);
  if (table.has_marks()) {
    int const count = table.constrained_components(node);
    if (c < 0 && count > 0 && count < table.components()) return unfit;
    if (c < 0 ? count > 0 : table.constrained(node, c)) return dropped;
  }
  if (!tables.owners.is_shared(node)) return node;
  return static_cast<number>(table.nodes() + first_slot) + slot_of.at(node);
}

}  // namespace sumfac::detail
