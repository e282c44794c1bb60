// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A mesh's nodes: where they lie in the reference element, for a number known at run time, and checks of views of them.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/basis/quadrature.hpp>
#include <sumfac/config.hpp>
#include <sumfac/error.hpp>

#include <concepts>

namespace sumfac::inline SUMFAC_TARGET {

namespace detail {
// The most nodes per direction of a mesh's elements; the fewest are 2, the vertices.
inline constexpr int max_mesh_nodes_1d = 16;
}  // namespace detail

// Called with m, writes the m nodes of one direction to nodes[0 .. m-1], ascending in [-1, 1]. A set of the user's own
// is a struct or a lambda that does so.
template <class Set>
concept mesh_node_set = std::invocable<Set const&, int, long double*>;

// The Gauss-Lobatto-Legendre points, as spectral-element codes place the nodes of curved elements.
struct gauss_lobatto_nodes {
  constexpr void operator()(int m, long double* nodes) const
  {
    long double weights[detail::max_mesh_nodes_1d] = {};
    make_gauss_lobatto(m, nodes, weights);
  }
};

// Equal distances, as Gmsh and VTK place them. For m = 2 and m = 3 both sets are the same.
struct equispaced_nodes {
  constexpr void operator()(int m, long double* nodes) const { make_equispaced(m, nodes); }
};

namespace detail {

// "(E, m, m, m, 3)", and so on for elements of fewer directions.
constexpr char const* mesh_shape(int directions, int coordinates)
{
  constexpr char const* shapes[3][3] = {{"(E, m, 1)", "(E, m, 2)", "(E, m, 3)"},
                                        {"", "(E, m, m, 2)", "(E, m, m, 3)"},
                                        {"", "", "(E, m, m, m, 3)"}};
  return shapes[directions - 1][coordinates - 1];
}

// Checks a view of mesh nodes, (E, m, m, m, 3), or (E, m, m, C), (E, m, C) of elements in C coordinates.
//
// **Errors** argument_error naming the operation, for extents that do not fit and for null data.
template <class Nodes>
void check_mesh_nodes(char const* where, Nodes const& nodes, int coordinates = static_cast<int>(Nodes::rank()) - 2)
{
  constexpr int directions = static_cast<int>(Nodes::rank()) - 2;
  index_t const m = nodes.extent(1);
  if (nodes.extent(0) < 0)
    failf(where, "extent 0 (elements) of the mesh nodes is negative (got %lld, at least 0 expected)",
          static_cast<long long>(nodes.extent(0)));
  constexpr index_t most_elements = index_t{1} << 40;  // and far fewer fit into any memory
  if (nodes.extent(0) > most_elements)
    failf(where, "extent 0 (elements) of the mesh nodes is too large (got %lld, at most %lld expected)",
          static_cast<long long>(nodes.extent(0)), static_cast<long long>(most_elements));
  if (m < 2 || m > max_mesh_nodes_1d)
    failf(where, "extent 1 (nodes per direction) of the mesh nodes does not fit (got %lld, 2 to %d expected): pass "
          "nodes of shape %s", static_cast<long long>(m), max_mesh_nodes_1d, mesh_shape(directions, coordinates));
  if constexpr (directions == 3) {
    check_equal(where, "extent 2 (nodes along y) of the mesh nodes", m, nodes.extent(2));
    check_equal(where, "extent 3 (nodes along x) of the mesh nodes", m, nodes.extent(3));
    check_equal(where, "extent 4 (coordinates) of the mesh nodes", coordinates, nodes.extent(4));
  } else if constexpr (directions == 2) {
    check_equal(where, "extent 2 (nodes along x) of the mesh nodes", m, nodes.extent(2));
    check_equal(where, "extent 3 (coordinates) of the mesh nodes", coordinates, nodes.extent(3));
  } else {
    check_equal(where, "extent 2 (coordinates) of the mesh nodes", coordinates, nodes.extent(2));
  }
  index_t size = nodes.extent(0);
  for (int r = 1; r < directions + 2; ++r) size *= nodes.extent(static_cast<typename Nodes::rank_type>(r));
  check_data(where, "view of the mesh nodes", nodes.data(), size);
}

}  // namespace detail

}  // namespace sumfac
