// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Into how many blocks the host cuts the elements of a restriction where nobody asks for a number.
#pragma once

#include <sumfac/config.hpp>
#include <sumfac/math/detail/plain.hpp>

namespace sumfac::SUMFAC_TARGET::detail {

// For so many groups of elements with so many nodes, of so many components each.
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

}  // namespace sumfac::detail
