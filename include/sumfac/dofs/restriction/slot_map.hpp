// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The slots of the nodes that a block of elements shares, found by node.
#pragma once

#include <sumfac/backend/detail/own_vector.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace sumfac::SUMFAC_TARGET::detail {

// From node to slot: an open hash table, at most half full. Where a node would lie is found by Fibonacci hashing.
class slot_map {
public:
  using number = std::uint32_t;

  // False, and nothing new, where the node has a slot already.
  bool insert(number node, number slot)
  {
    if (2 * (size_ + 1) > entries_.size()) grow();
    entry& found = entries_[place_of(node)];
    if (found.node == node) return false;
    found = {node, slot};
    ++size_;
    return true;
  }

  // The slot of a node that has one.
  number at(number node) const { return entries_[place_of(node)].slot; }

private:
  static constexpr number nobody = ~number{0};

  struct entry {
    number node = nobody, slot = 0;
  };

  // Of the node's entry, or of the free one where it would be.
  std::size_t place_of(number node) const
  {
    std::size_t place = node * 0x9e3779b97f4a7c15u >> (64 - bits_);
    while (entries_[place].node != node && entries_[place].node != nobody) place = (place + 1) & (entries_.size() - 1);
    return place;
  }

  void grow()
  {
    ++bits_;
    own_vector<entry> const before = std::exchange(entries_, own_vector<entry>(std::size_t{1} << bits_));
    for (entry const& e : before)
      if (e.node != nobody) entries_[place_of(e.node)] = e;
  }

  int bits_ = 3;
  std::size_t size_ = 0;
  own_vector<entry> entries_ = own_vector<entry>(std::size_t{1} << bits_);
};

}  // namespace sumfac::detail
