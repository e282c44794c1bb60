// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The constrained entries of a vector on the host, in lists by the piece of a sweep that sets them.
#pragma once

#include <sumfac/backend/detail/own_vector.hpp>
#include <sumfac/dofs/restriction/lane_tables.hpp>

#include <cstddef>

namespace sumfac::SUMFAC_TARGET::detail {

// Pieces are the blocks, the chunks of nodes that blocks share, and the nodes of no element.
class constrained_lists {
public:
  constrained_lists() = default;

  // node_of(entry) is the node that an entry is of; the tables still have their owners.
  template <int Width, class NodeOf>
  constrained_lists(lane_tables<Width> const& tables, own_vector<index_t> const& entries, NodeOf const& node_of)
  {
    own_vector<own_vector<index_t>> of_piece(static_cast<std::size_t>(tables.pieces()));
    for (index_t const at : entries) {
      index_t const node = node_of(at);
      index_t piece = tables.owners.of(node);
      if (piece == no_owner)
        piece = tables.pieces() - 1;
      else if (piece == several_owners)
        piece = tables.blocks() + tables.owners.shared_place(node) / lane_tables<Width>::shared_chunk;
      of_piece[static_cast<std::size_t>(piece)].push_back(at);
    }
    for (auto const& list : of_piece) {
      entries_.append(list);
      first_.push_back(static_cast<index_t>(entries_.size()));
    }
  }

  index_t size() const { return static_cast<index_t>(entries_.size()); }
  index_t const* all() const { return entries_.data(); }
  // Of a piece.
  index_t const* begin(index_t piece) const { return entries_.data() + first_[static_cast<std::size_t>(piece)]; }
  index_t const* end(index_t piece) const { return begin(piece + 1); }

private:
  own_vector<index_t> entries_;
  own_vector<index_t> first_ = {0};  // of pieces, and the end
};

}  // namespace sumfac::detail
