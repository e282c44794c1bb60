// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What a restriction may be told: components and their order, how sums are made, what constrained rows do.
#pragma once

#include <sumfac/config.hpp>

namespace sumfac::SUMFAC_TARGET {

// How the contributions of elements to a node are added up.
enum class scatter {
  deterministic,  // in an order fixed by table and blocks: the same bits for any number of threads
  atomic,         // as they come, by atomic additions
};

// Where component c of node k lies in a global vector.
enum class interleaving {
  fastest,  // x[k * components + c]
  slowest,  // x[c * nodes + k]
};

// What the rows of constrained entries have on their diagonal, and nothing beside it: y = value x there. A number as
// large as the other rows' is for those who look at the whole spectrum; mean_free_diagonal() has one.
struct constrained_rows {
  enum named { zero, identity };

  constexpr constrained_rows(double number) : value(number) {}
  friend constexpr bool operator==(constrained_rows const&, constrained_rows const&) = default;

  double value;
};

namespace detail {

// Where component c of a node lies in vectors of so many nodes, and what lies at an entry.
struct entry_order {
  index_t nodes = 0;
  int components = 1;
  interleaving lie = interleaving::fastest;

  SUMFAC_INLINE index_t entry(index_t node, int c) const
  {
    return lie == interleaving::fastest ? node * components + c : c * nodes + node;
  }
  SUMFAC_INLINE index_t node(index_t entry) const
  {
    return lie == interleaving::fastest ? entry / components : entry % nodes;
  }
  SUMFAC_INLINE int component(index_t entry) const
  {
    return static_cast<int>(lie == interleaving::fastest ? entry % components : entry / nodes);
  }
  index_t size() const { return nodes * components; }
};

}  // namespace detail

struct restriction_options {
  int components = 1;
  interleaving components_lie = interleaving::fastest;
  scatter policy = scatter::deterministic;
  constrained_rows rows = constrained_rows::identity;  // zero, or a number
  index_t blocks = 0;  // host: blocks of elements, each worked on by one thread; 0: by size and this machine
  int patch = 0;       // devices: neighbouring elements whose sums a team makes where it can; a power of 2, or 0: none
  bool every_node = false;  // whether a node that no element has is refused, as it shall be where the mesh is whole
};

}  // namespace sumfac
