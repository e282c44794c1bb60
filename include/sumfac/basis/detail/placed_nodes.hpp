// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The nodes of a space along a direction, as a type.
#pragma once

#include <sumfac/basis/quadrature.hpp>
#include <sumfac/basis/space.hpp>
#include <sumfac/config.hpp>

namespace sumfac::inline SUMFAC_TARGET::detail {

// The nodes of a space along a direction. Of a degree that operators refuse they are those of the nearest that they
// take, so that nothing else is said of it.
constexpr int nodes_of_degree(int degree)
{
  return degree < 1 ? 2 : degree > 31 ? 32 : degree + 1;
}
template <int Degree, node_placement Placement>
struct placed_nodes {
  using type = gauss_lobatto<nodes_of_degree(Degree)>;
};
template <int Degree>
struct placed_nodes<Degree, node_placement::gauss> {
  using type = gauss<nodes_of_degree(Degree)>;
};
template <int Degree>
struct placed_nodes<Degree, node_placement::equispaced> {
  using type = equispaced<nodes_of_degree(Degree)>;
};

}  // namespace sumfac::detail
