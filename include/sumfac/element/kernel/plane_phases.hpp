// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The phases that device kernels share: between nodes and points within the planes of the nodes' layers.
#pragma once

#include <sumfac/backend/policy.hpp>
#include <sumfac/tensor/contract_lines.hpp>
#include <sumfac/tensor/pencil.hpp>

namespace sumfac::SUMFAC_TARGET::detail {

// u and v of a group's elements in memory, as lines along an axis.
template <axis Along, class Exchange>
struct memory_lines {
  Exchange const& exchange;
  index_t group;

  template <class T, int Size>
  SUMFAC_INLINE pencil<T, Size> read(int e, int c, int a, int b) const
  {
    if constexpr (Along == axis::z)
      return exchange.along_z(group, e, c, a, b);
    else
      return exchange.along_y(group, e, c, a, b);
  }
  template <class T>
  SUMFAC_INLINE auto write(int e, int c, int a, int b) const
  {
    if constexpr (Along == axis::z)
      return exchange.to_z(group, e, c, a, b);
    else
      return exchange.to_y(group, e, c, a, b);
  }
};

template <axis Along, class Exchange>
SUMFAC_INLINE memory_lines<Along, Exchange> memory_along(Exchange const& exchange, index_t group)
{
  return {exchange, group};
}

// u from memory to the points along y, then x: -> planes (e, c, k, r, q), k = 0 .. n - 1. Ends with a barrier.
template <class Kernel, class Team, class Planes>
SUMFAC_INLINE void interpolate_planes(Kernel const& kernel, Team const& team, Planes& planes, index_t group)
{
  constexpr int n = Kernel::n, g = Kernel::g, elements = Kernel::elements, components = Kernel::components;
  auto const to_points = kernel.to_points.forward();
  team.phase("interpolate along y");
  contract_lines(team, box<elements, components, n, n>{}, to_points, memory_along<axis::y>(kernel.exchange, group),
                 lines_along<axis::y>(planes));
  kernel.prefetch_factors(team, group);
  team.sync();
  team.phase("interpolate along x");
  auto const rows = lines_along<axis::x>(planes);
  contract_lines(team, box<elements, components, n, g>{}, to_points, rows, rows);
  team.sync();
}

// The transpose: planes (e, c, k, r, q) along x, then y, to v in memory. Begins behind a barrier.
template <class Kernel, class Team, class Planes>
SUMFAC_INLINE void project_planes(Kernel const& kernel, Team const& team, Planes& planes, index_t group)
{
  constexpr int n = Kernel::n, g = Kernel::g, elements = Kernel::elements, components = Kernel::components;
  auto const to_nodes = kernel.to_points.backward();
  team.phase("project along x");
  auto const rows = lines_along<axis::x>(planes);
  contract_lines(team, box<elements, components, n, g>{}, to_nodes, rows, rows);
  team.sync();
  team.phase("project along y");
  contract_lines(team, box<elements, components, n, n>{}, to_nodes, lines_along<axis::y>(planes),
                 memory_along<axis::y>(kernel.exchange, group));
}

}  // namespace sumfac::detail
