// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The phases that device kernels share: between nodes and points within the planes of the nodes' layers.
#pragma once

#include <sumfac/tensor/sweep.hpp>

namespace sumfac::SUMFAC_TARGET::detail {

// u from memory to the points along y, then x: -> planes (e, c, k, r, q), k = 0 .. n - 1; then(), when u has been read.
// Ends with a barrier.
template <int Elements, int Components, class Team, class Table, class Memory, class Planes, class Then>
SUMFAC_INLINE void interpolate_planes(Team const& team, Table const& to_points, Memory const& u, Planes& planes,
                                      Then const& then)
{
  constexpr int n = Table::cols, g = Table::rows;
  team.phase("interpolate along y");
  sweep<axis::y>(team, box<Elements, Components, n, n>{}, to_points, u, planes);
  then();
  team.sync();
  team.phase("interpolate along x");
  sweep<axis::x>(team, box<Elements, Components, n, g>{}, to_points, planes, planes);
  team.sync();
}

// The transpose: planes (e, c, k, r, q) along x, then y, to v in memory. Begins behind a barrier.
template <int Elements, int Components, class Team, class Table, class Planes, class Memory>
SUMFAC_INLINE void project_planes(Team const& team, Table const& to_nodes, Planes& planes, Memory const& v)
{
  constexpr int n = Table::rows, g = Table::cols;
  team.phase("project along x");
  sweep<axis::x>(team, box<Elements, Components, n, g>{}, to_nodes, planes, planes);
  team.sync();
  team.phase("project along y");
  sweep<axis::y>(team, box<Elements, Components, n, n>{}, to_nodes, planes, v);
}

}  // namespace sumfac::detail
