// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Where a mesh's nodes lie in the reference element, per direction, for a number of nodes known at run time.
#pragma once

#include <sumfac/basis/quadrature.hpp>

#include <concepts>

namespace sumfac {

// The most nodes per direction of a mesh's elements; the fewest are 2, the vertices.
inline constexpr int max_mesh_nodes_1d = 16;

// Called with m, writes the m nodes of one direction to nodes[0 .. m-1], ascending in [-1, 1]. A set of the user's own
// is a struct or a lambda that does so.
template <class Set>
concept mesh_node_set = std::invocable<Set const&, int, long double*>;

// The Gauss-Lobatto-Legendre points, as spectral-element codes place the nodes of curved elements.
struct gauss_lobatto_nodes {
  constexpr void operator()(int m, long double* nodes) const
  {
    long double weights[max_mesh_nodes_1d] = {};
    make_gauss_lobatto(m, nodes, weights);
  }
};

// Equal distances, as Gmsh and VTK place them. For m = 2 and m = 3 both sets are the same.
struct equispaced_nodes {
  constexpr void operator()(int m, long double* nodes) const { make_equispaced(m, nodes); }
};

}  // namespace sumfac
