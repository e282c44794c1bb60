// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The nodes of a lower degree on a part of a mesh: numbers, marks, and a halo that follow those of a higher degree.
#pragma once

#include <sumfac/backend/detail/own_pointer.hpp>
#include <sumfac/backend/host.hpp>
#include <sumfac/config.hpp>
#include <sumfac/geometry/restriction/node_table.hpp>
#include <sumfac/geometry/restriction/options.hpp>
#include <sumfac/solver/detail/coarse_nodes.hpp>
#include <sumfac/view/view.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sumfac::inline SUMFAC_TARGET::detail {

// Of `flags` (nodes, each) those of owned nodes become true that are on another process.
template <class Halo>
void agree_on_flags(Halo const& halo, int each, coarse_nodes::node_flags& flags)
{
  auto const own = static_cast<std::size_t>(halo.owned() * each);
  std::vector<double> sums(flags.begin(), flags.end());
  typename Halo::template exchange<double, host> exchange(halo, host{1}, each, interleaving::fastest);
  exchange.begin_add(sums.data() + own, sums.data());
  exchange.end_add(sums.data() + own, sums.data());
  for (std::size_t i = 0; i < own; ++i) flags[i] = sums[i] > 0 ? 1 : 0;
}

// Processes agree on keys by the nodes' numbers in the whole mesh; a node of the lower degree is its key's owner's.
template <class Halo>
struct coarse_part {
  coarse_part(host const& threads, node_table const& fine, int nodes_1d, Halo const& of)
      : nodes(
            threads, fine, nodes_1d, [&of](node_table::number node) { return of.number(node); },
            [&](coarse_nodes::node_flags& flags) { agree_on_flags(of, 1 + fine.components(), flags); }),
        halo(new Halo(of.subset(view<std::uint8_t const, dextents<1>>(nodes.keys.data(), fine.nodes()))))
  {
  }

  coarse_nodes nodes;
  own_pointer<Halo const> halo;
};

}  // namespace sumfac::detail
