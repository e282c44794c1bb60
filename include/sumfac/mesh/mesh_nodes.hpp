// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A mesh's nodes: where they lie in the reference element, for a number known at run time, and checks of views of them.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/basis/detail/placed_nodes.hpp>
#include <sumfac/error.hpp>
#include <sumfac/view/view.hpp>

#include <concepts>
#include <type_traits>

namespace sumfac::SUMFAC_TARGET {

namespace detail {
// The most nodes per direction of a mesh's elements; the fewest are 2, the vertices.
inline constexpr int max_mesh_nodes_1d = 16;
// So many lie alike in both sets below: at the ends of an edge, and in its middle.
inline constexpr int alike_mesh_nodes_1d = 3;

[[noreturn, gnu::cold, gnu::noinline]] inline void refuse_unsaid_nodes(char const* where, int m)
{
  failf(where,
        "it is not said where the %d mesh nodes of an edge lie (up to %d lie alike in every node set): pass a "
        "node set, gauss_lobatto_nodes{}, equispaced_nodes{} (Gmsh, VTK) or one of your own, or a "
        "mesh_view{nodes, equispaced_nodes{}} as the mesh nodes",
        m, alike_mesh_nodes_1d);
}
}  // namespace detail

// Called with m, writes the m nodes of one direction to nodes[0 .. m-1], ascending in [-1, 1]. A set of the user's own
// is a struct or a lambda that does so.
template <class Set>
concept mesh_node_set = std::invocable<Set const&, int, long double*>;

// The Gauss-Lobatto-Legendre points, 2 to 32, as spectral-element codes place the nodes of curved elements.
struct gauss_lobatto_nodes {
  constexpr void operator()(int m, long double* nodes) const
  {
    long double weights[max_points] = {};
    make_gauss_lobatto(m, nodes, weights);
  }
};

// Equal distances, as Gmsh and VTK place them. For m = 2 and m = 3 both sets are the same.
struct equispaced_nodes {
  constexpr void operator()(int m, long double* nodes) const { make_equispaced(m, nodes); }
};

// What a call that names no set has: 2 and 3 nodes, which lie alike in both.
//
// **Errors** argument_error from m = 4 on.
struct unsaid_nodes {
  constexpr void operator()(int m, long double* nodes) const
  {
    if (m > detail::alike_mesh_nodes_1d) detail::refuse_unsaid_nodes("mesh_node_set", m);
    gauss_lobatto_nodes{}(m, nodes);
  }
};

// Those of a set at one number of nodes, kept: one type for all sets, as meshes have them.
//
// **Errors** argument_error where it is asked for another number.
class kept_nodes {
public:
  kept_nodes() = default;
  template <mesh_node_set Set>
  kept_nodes(int m, Set const& set) : m_(m)
  {
    if (m < 2 || m > detail::max_mesh_nodes_1d)
      failf("kept_nodes", "an element cannot have %d nodes along an edge (2 to %d expected)", m,
            detail::max_mesh_nodes_1d);
    set(m, nodes_);
  }

  void operator()(int m, long double* nodes) const
  {
    check_equal("kept_nodes", "number of nodes along an edge", m_, m);
    for (int i = 0; i < m; ++i) nodes[i] = nodes_[i];
  }
  // Whether each node has its mirror image, to within rounding.
  bool is_symmetric() const
  {
    for (int i = 0; 2 * i < m_; ++i)
      if (long double const off = nodes_[i] + nodes_[m_ - 1 - i]; off > 1e-14L || off < -1e-14L) return false;
    return true;
  }

  friend bool operator==(kept_nodes const&, kept_nodes const&) = default;

private:
  int m_ = 0;
  long double nodes_[detail::max_mesh_nodes_1d] = {};
};

// A view of mesh nodes whose type says where they lie on edges: what readers of files return, and all that takes mesh
// nodes takes. Another set beside it does not compile.
template <class View, mesh_node_set Set>
class mesh_view : public View {
public:
  using view_type = View;
  using node_set_type = Set;

  constexpr mesh_view(View const& nodes, Set const& set) : View(nodes), set_(set) {}

  constexpr View const& nodes() const { return *this; }
  constexpr Set const& node_set() const { return set_; }

private:
  Set set_;
};
template <class View, class Set>
inline constexpr bool is_view<mesh_view<View, Set>> = true;

namespace detail {

template <class Nodes>
inline constexpr bool says_node_set = false;
template <class View, class Set>
inline constexpr bool says_node_set<mesh_view<View, Set>> = true;

// The view itself of mesh nodes, whose type says no more than others'.
template <class Nodes>
constexpr auto plain_nodes(Nodes const& nodes)
{
  if constexpr (says_node_set<Nodes>)
    return static_cast<typename Nodes::view_type const&>(nodes);
  else
    return nodes;
}

// The set that mesh nodes lie at: that of their type, or the one given beside them; of 2 and 3 nodes any will do.
//
// **Errors** (compile time) two sets; (run time) argument_error that begins with `where`, from m = 4 on without a set.
template <class Nodes, class Set>
constexpr auto said_nodes(char const* where, Nodes const& nodes, Set const& set, index_t m)
{
  constexpr bool unsaid = std::is_same_v<Set, unsaid_nodes>;
  if constexpr (says_node_set<Nodes>) {
    static_assert(unsaid || std::is_same_v<Set, typename Nodes::node_set_type>,
                  "sumfac::mesh_view: the mesh nodes are of a type that says where they lie on edges, and another node "
                  "set is passed behind them: leave it out");
    return nodes.node_set();
  } else if constexpr (unsaid) {
    if (m > alike_mesh_nodes_1d && m <= max_mesh_nodes_1d) refuse_unsaid_nodes(where, static_cast<int>(m));
    return gauss_lobatto_nodes{};
  } else {
    return set;
  }
}
template <class Nodes, class Set>
constexpr auto said_nodes(char const* where, Nodes const& nodes, Set const& set)
{
  return said_nodes(where, nodes, set, nodes.extent(1));
}

// Coordinate c of node (k, j, i) of an element; k and j are 0 where elements have not so many directions.
template <class Nodes>
auto mesh_node(Nodes const& nodes, index_t e, [[maybe_unused]] int k, [[maybe_unused]] int j, int i, int c)
{
  if constexpr (Nodes::rank() == 5)
    return nodes(e, k, j, i, c);
  else if constexpr (Nodes::rank() == 4)
    return nodes(e, j, i, c);
  else
    return nodes(e, i, c);
}

// "(E, m, m, m, 3)", and so on for elements of fewer directions.
constexpr char const* mesh_shape(int directions, int coordinates)
{
  constexpr char const* shapes[3][3] = {
      {"(E, m, 1)", "(E, m, 2)", "(E, m, 3)"}, {"", "(E, m, m, 2)", "(E, m, m, 3)"}, {"", "", "(E, m, m, m, 3)"}};
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
    failf(where,
          "extent 1 (nodes per direction) of the mesh nodes does not fit (got %lld, 2 to %d expected): pass "
          "nodes of shape %s",
          static_cast<long long>(m), max_mesh_nodes_1d, mesh_shape(directions, coordinates));
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
// How many nodes an edge has of the elements of mesh nodes (E, M, C) that are no products of lines.
//
// **Errors** argument_error naming the operation, where no such element has M.
inline int checked_edge_nodes(char const* where, space const& of, index_t nodes)
{
  int const m = edge_nodes_of(of, nodes, max_mesh_nodes_1d);
  if (m == 0)
    failf(where, "extent 1 (nodes of an element) of the mesh nodes does not fit (got %lld; %s expected)",
          static_cast<long long>(nodes), numbers_of_nodes(of));
  return m;
}
inline void check_finite_nodes(char const* where, double const* nodes, index_t size, index_t elements)
{
  for (index_t i = 0; i < size; ++i)
    if (!(nodes[i] - nodes[i] == 0))
      failf(where, "a coordinate of element %lld is not finite (%g): pass nodes of moderate size",
            static_cast<long long>(i / (size / elements)), nodes[i]);
}

}  // namespace detail

}  // namespace sumfac
