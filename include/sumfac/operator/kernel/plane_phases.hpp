// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The phases that device kernels share: between nodes and points within the planes of the nodes' layers.
#pragma once

#include <sumfac/backend/policy.hpp>
#include <sumfac/pencil/pencil.hpp>

namespace sumfac::inline SUMFAC_TARGET::detail {

// u from memory to the points along y, then x: -> planes (e, c, k, r, q), k = 0 .. n - 1. Ends with a barrier.
template <class Kernel, class Team, class Planes>
SUMFAC_INLINE void interpolate_planes(Kernel const& kernel, Team const& team, Planes& planes, index_t group)
{
  using T = typename Team::scalar;
  constexpr int n = Kernel::n, g = Kernel::g, elements = Kernel::elements, components = Kernel::components;
  team.phase("interpolate along y");
  team.each(box<elements, components, n, n>{}, [&](int e, int c, int k, int i) {
    auto const u = kernel.exchange.along_y(group, e, c, k, i);
    contract(kernel.to_points.forward(), u, [&](int r, T x) SUMFAC_LAMBDA { planes(e, c, k, r, i) = x; });
  });
  team.sync();
  team.phase("interpolate along x");
  team.each(box<elements, components, n, g>{}, [&](int e, int c, int k, int r) {
    auto const u = fetch<T, n>([&](int i) SUMFAC_LAMBDA { return planes(e, c, k, r, i); });
    contract(kernel.to_points.forward(), u, [&](int q, T x) SUMFAC_LAMBDA { planes(e, c, k, r, q) = x; });
  });
  team.sync();
}

// The transpose: planes (e, c, k, r, q) along x, then y, to v in memory. Begins behind a barrier.
template <class Kernel, class Team, class Planes>
SUMFAC_INLINE void project_planes(Kernel const& kernel, Team const& team, Planes& planes, index_t group)
{
  using T = typename Team::scalar;
  constexpr int n = Kernel::n, g = Kernel::g, elements = Kernel::elements, components = Kernel::components;
  team.phase("project along x");
  team.each(box<elements, components, n, g>{}, [&](int e, int c, int k, int r) {
    auto const v = fetch<T, g>([&](int q) SUMFAC_LAMBDA { return planes(e, c, k, r, q); });
    contract(kernel.to_points.backward(), v, [&](int i, T x) SUMFAC_LAMBDA { planes(e, c, k, r, i) = x; });
  });
  team.sync();
  team.phase("project along y");
  team.each(box<elements, components, n, n>{}, [&](int e, int c, int k, int i) {
    auto const v = fetch<T, g>([&](int r) SUMFAC_LAMBDA { return planes(e, c, k, r, i); });
    contract(kernel.to_points.backward(), v, kernel.exchange.to_y(group, e, c, k, i));
  });
}

}  // namespace sumfac::detail
