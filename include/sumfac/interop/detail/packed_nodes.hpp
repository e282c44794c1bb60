// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Entries of the nodes that a process shares with others, side by side, as messages have them.
#pragma once

#include <sumfac/dofs/parts/part_cut.hpp>
#include <sumfac/interop/detail/shared_nodes.hpp>

#include <cstddef>
#include <vector>

namespace sumfac::SUMFAC_TARGET::detail {

// Entries of listed nodes, neighbour after neighbour, in the backend's memory; and, where `staged`, a place for them in
// the host's.
template <class Scalar, class Backend>
class packed_nodes {
public:
  packed_nodes(Backend const& backend, nodes_by_rank const& nodes, index_t count, int components, interleaving lie,
               bool staged)
      : first_(nodes.first), components_(components)
  {
    own_vector<index_t> all;
    for (index_t const node : nodes.nodes) all.push_back(node);
    auto const entries = entries_of_nodes(all, {count, components, lie});
    list_ = upload<index_t>(backend, entries);
    memory_ = make_memory<Scalar>(backend, static_cast<index_t>(entries.size()));
    if (staged) staged_.resize(entries.size());
  }

  index_t size() const { return list_.size(); }
  index_t const* list() const { return list_.data(); }
  Scalar* data() { return memory_.data(); }
  Scalar* staged() { return staged_.data(); }

  // From and to a vector's entries; what is put is added neighbour after neighbour.
  void take(Backend const& backend, Scalar const* entries)
  {
    each_entry(backend, size(), take_body<Scalar>{entries, list(), data()});
  }
  void put(Backend const& backend, Scalar* entries)
  {
    each_entry(backend, size(), put_body<Scalar>{data(), list(), entries});
  }
  void add(Backend const& backend, Scalar* entries)
  {
    for (std::size_t k = 0; k + 1 < first_.size(); ++k) {
      index_t const from = first_[k] * components_, count = first_[k + 1] * components_ - from;
      each_entry(backend, count, add_body<Scalar>{data() + from, list() + from, entries});
    }
  }

private:
  std::vector<index_t> first_;  // of each neighbour's nodes
  int components_;
  memory_of<index_t, Backend> list_;
  memory_of<Scalar, Backend> memory_;
  std::vector<Scalar> staged_;
};

// Calls f(rank, first entry, entries) for each neighbour.
template <class Function>
void for_each_neighbor(nodes_by_rank const& nodes, int components, Function const& f)
{
  for (std::size_t k = 0; k < nodes.ranks.size(); ++k)
    f(nodes.ranks[k], nodes.first[k] * components,
      static_cast<int>((nodes.first[k + 1] - nodes.first[k]) * components));
}

}  // namespace sumfac::detail
