// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A space of polynomials on an element, as a plain value: what an operator's functions are made of.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/basis/quadrature.hpp>

#include <concepts>
#include <cstddef>
#include <type_traits>

namespace sumfac::SUMFAC_TARGET {

// Where the nodes of a space lie along each direction of its element.
enum class node_placement {
  gauss_lobatto,
  gauss,       // no node at the ends: for functions that are not continuous
  equispaced,  // to degree 8: beyond it interpolation magnifies rounding
};

// Stands for a number of functions or points that is known when the program runs, and not to the compiler, as
// std::dynamic_extent does for an extent: tabulated(dynamic, dynamic, 3).
inline constexpr int dynamic = 0;

namespace detail {
// The nodes of a set of the user's: as many as the degree of their space and one, the rest is 0. A space has where they
// are, since it is an argument of templates: clang++ 14 takes no floating-point numbers there, g++ 12 no function, and
// nvcc 13 no variable but a member.
struct node_list {
  long double nodes[max_points];
};

template <class Nodes>
struct listed_nodes {
  static constexpr node_list list = [] {
    node_list all{};
    for (int i = 0; i < Nodes::size && i < max_points; ++i) all.nodes[i] = Nodes::nodes[static_cast<std::size_t>(i)];
    return all;
  }();
};
}  // namespace detail

// Which polynomials the components of a space's functions are.
enum class function_family {
  nodal,  // all components alike, of one degree along all directions, by their values at nodes
  edge,   // a vector field whose component d has one degree less along direction d, where its nodes are those of Gauss:
          // Nedelec's first family, whose tangents are continuous from element to element
};

// What elements are products of.
enum class cell_shape {
  lines,    // a line, a quadrilateral, a hexahedron
  simplex,  // nothing: a triangle, a tetrahedron
  prism,    // a triangle and a line
  tables,   // nothing that the library knows: functions of a basis of the user's, as numbers at points
  mixed,    // lines, simplices and prisms side by side: of meshes and function spaces, not of an element
};

// Polynomials of degree `degree` in each direction of a line, a quadrilateral or a hexahedron, or of that degree in all
// on a triangle or a tetrahedron, by their values at its nodes.
struct space {
  int degree;
  int directions;   // of the reference element
  int coordinates;  // of the mesh: as many, or more where lines or quadrilaterals lie in a space of more dimensions
  node_placement nodes;
  detail::node_list const* own_nodes;  // in place of `nodes`, where it is not null: a node set of the user's
  function_family family;
  cell_shape shape;
  int functions;  // of a basis given as tables, and its points, both may be `dynamic`; else 0
  int points;

  // A number stands for the hexahedron's space of that degree.
  SUMFAC_FUNCTION constexpr space(int of_degree, int of_directions = 3, int of_coordinates = 0,
                                  node_placement of_nodes = node_placement::gauss_lobatto,
                                  detail::node_list const* of_own_nodes = nullptr,
                                  function_family of_family = function_family::nodal,
                                  cell_shape of_shape = cell_shape::lines, int of_functions = 0, int of_points = 0)
      : degree(of_degree),
        directions(of_directions),
        coordinates(of_coordinates == 0 ? of_directions : of_coordinates),
        nodes(of_nodes),
        own_nodes(of_own_nodes),
        family(of_family),
        shape(of_shape),
        functions(of_functions),
        points(of_points)
  {
  }

  friend constexpr bool operator==(space const&, space const&) = default;
};

// Functions that are of a space on each of the 2^D parts into which refined() cuts an element, and continuous from one
// to the other: what the functions of a mesh are on the elements of the mesh that it was refined from.
struct children_space {
  space of;

  friend constexpr bool operator==(children_space const&, children_space const&) = default;
};
SUMFAC_FUNCTION constexpr children_space children(space const& of) { return {of}; }

// The space of the functions that an operator is applied to, and that of those which it tests against, on the elements
// of one mesh: element_operator<divergence, spaces{.trial = hexahedron(2), .test = hexahedron(1)}>.
struct spaces {
  space trial, test;

  friend constexpr bool operator==(spaces const&, spaces const&) = default;
};

// A space, the number that stands for one, or two spaces: what element_operator takes.
template <class T>
concept space_like = std::same_as<std::remove_cvref_t<T>, space> || std::same_as<std::remove_cvref_t<T>, spaces> ||
                     std::integral<std::remove_cvref_t<T>>;

// The number itself, so that element_operator<mass, 3> and element_operator<mass, hexahedron(3)> are one type.
SUMFAC_FUNCTION constexpr int hexahedron(int degree) { return degree; }
SUMFAC_FUNCTION constexpr space hexahedron(int degree, node_placement nodes) { return {degree, 3, 3, nodes}; }

// Edge elements of degree N from 1 on: three blocks of functions, N x (N+1) x (N+1) and its turns, of signed degrees of
// freedom (dof_map). A space for kernels of your own: element_operator has none for it yet.
// **Source** J. C. Nedelec, Mixed finite elements in R^3, Numer. Math. 35 (1980).
SUMFAC_FUNCTION constexpr space edge_hexahedron(int degree)
{
  return {degree, 3, 3, node_placement::gauss_lobatto, nullptr, function_family::edge};
}

// Quadrilaterals in the plane, mesh nodes (E, m, m, 2); lines, mesh nodes (E, m, 1).
SUMFAC_FUNCTION constexpr space quadrilateral(int degree, node_placement nodes = node_placement::gauss_lobatto)
{
  return {degree, 2, 2, nodes};
}
SUMFAC_FUNCTION constexpr space line(int degree, node_placement nodes = node_placement::gauss_lobatto)
{
  return {degree, 1, 1, nodes};
}

// Quadrilaterals in space, mesh nodes (F, m, m, 3); lines in the plane or in space, mesh nodes (F, m, 2) or (F, m, 3).
SUMFAC_FUNCTION constexpr space surface(int degree, node_placement nodes = node_placement::gauss_lobatto)
{
  return {degree, 2, 3, nodes};
}
SUMFAC_FUNCTION constexpr space curve(int degree, int coordinates, node_placement nodes = node_placement::gauss_lobatto)
{
  return {degree, 1, coordinates, nodes};
}

// Triangles in the plane, mesh nodes (E, M, 2), and tetrahedra, mesh nodes (E, M, 3): polynomials of degree N in all,
// by their values at P nodes. E-vectors are (E, P), or (E, C, P), nodes along x fastest, then y, then z, as those of an
// element's mesh nodes, M of them for a map of any degree: vertices at (0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1) of
// the reference element are the nodes of degree 1. Edges have the nodes of lines, so that functions are continuous
// across them and quadrilaterals' edges.
// **Source** T. Isaac, Recursive, parameter-free, explicitly defined interpolation nodes for simplices, SIAM J. Sci.
// Comput. 42 (2020).
SUMFAC_FUNCTION constexpr space triangle(int degree, node_placement nodes = node_placement::gauss_lobatto)
{
  return {degree, 2, 2, nodes, nullptr, function_family::nodal, cell_shape::simplex};
}
SUMFAC_FUNCTION constexpr space tetrahedron(int degree, node_placement nodes = node_placement::gauss_lobatto)
{
  return {degree, 3, 3, nodes, nullptr, function_family::nodal, cell_shape::simplex};
}
// Prisms, a triangle times [-1, 1] along z: products of the triangle's functions and a line's, the triangle's fastest.
SUMFAC_FUNCTION constexpr space prism(int degree, node_placement nodes = node_placement::gauss_lobatto)
{
  return {degree, 3, 3, nodes, nullptr, function_family::nodal, cell_shape::prism};
}
// Triangles in space, mesh nodes (E, M, 3).
SUMFAC_FUNCTION constexpr space surface_triangle(int degree, node_placement nodes = node_placement::gauss_lobatto)
{
  return {degree, 2, 3, nodes, nullptr, function_family::nodal, cell_shape::simplex};
}

namespace detail {

// The first node that is outside of [-1, 1], less than the one before it, or the same; Nodes::size where none is.
template <class Nodes>
constexpr int first_outside()
{
  int i = 0;
  while (i < Nodes::size && Nodes::nodes[static_cast<std::size_t>(i)] >= -1 &&
         Nodes::nodes[static_cast<std::size_t>(i)] <= 1)
    ++i;
  return i;
}
template <class Nodes>
constexpr int first_descending()
{
  int i = 1;
  while (i < Nodes::size && Nodes::nodes[static_cast<std::size_t>(i - 1)] <= Nodes::nodes[static_cast<std::size_t>(i)])
    ++i;
  return i;
}
template <class Nodes>
constexpr int first_repeated()
{
  int i = 1;
  while (i < Nodes::size && Nodes::nodes[static_cast<std::size_t>(i - 1)] != Nodes::nodes[static_cast<std::size_t>(i)])
    ++i;
  return i;
}

// The space of a node set of the user's, or a diagnostic.
template <class Nodes>
SUMFAC_FUNCTION constexpr space space_on_nodes(int directions, int coordinates)
{
  static_assert(node_set<Nodes>,
                "sumfac::space: this is no node set: it needs `static constexpr int size` and `static constexpr "
                "std::array<long double, size> nodes`");
  if constexpr (node_set<Nodes>) {
    static_assert(Nodes::size >= 2, "sumfac::space: a node set has at least 2 nodes, those of degree 1");
    static_assert(Nodes::size <= max_points, "sumfac::space: a node set has at most 32 nodes, those of degree 31");
    static_assert(first_outside<Nodes>() == Nodes::size, "sumfac::space: a node of the set is not in [-1, 1]");
    static_assert(first_repeated<Nodes>() == Nodes::size, "sumfac::space: a node of the set is there twice");
    static_assert(first_descending<Nodes>() == Nodes::size, "sumfac::space: the nodes of a set must ascend");
    return {Nodes::size - 1, directions, coordinates, node_placement::gauss_lobatto, &listed_nodes<Nodes>::list};
  } else {
    return 1;
  }
}

}  // namespace detail

// The same spaces by values at a node set of your own, a type as sumfac::gauss_lobatto<4> is one, of the degree that
// its size says: quadrilateral<my_nodes>(). Functions are continuous from element to element where both ends are nodes
// and each node has its mirror image.
//
// **Errors** at compile time, for what is no node set, fewer nodes than 2 or more than 32, and for nodes outside of
// [-1, 1], repeated, or not ascending.
template <class Nodes>
SUMFAC_FUNCTION constexpr space hexahedron()
{
  return detail::space_on_nodes<Nodes>(3, 3);
}
template <class Nodes>
SUMFAC_FUNCTION constexpr space quadrilateral()
{
  return detail::space_on_nodes<Nodes>(2, 2);
}
template <class Nodes>
SUMFAC_FUNCTION constexpr space line()
{
  return detail::space_on_nodes<Nodes>(1, 1);
}
template <class Nodes>
SUMFAC_FUNCTION constexpr space surface()
{
  return detail::space_on_nodes<Nodes>(2, 3);
}
template <class Nodes>
SUMFAC_FUNCTION constexpr space curve(int coordinates)
{
  return detail::space_on_nodes<Nodes>(1, coordinates);
}

namespace detail {

// The space of an operator's trial functions, and that of its test functions. What is no space stands aside as degree
// 1, so that nothing else is said of it.
SUMFAC_FUNCTION constexpr space trial_of(spaces const& of) { return of.trial; }
SUMFAC_FUNCTION constexpr space trial_of(space const& of) { return of; }
SUMFAC_FUNCTION constexpr space test_of(spaces const& of) { return of.test; }
SUMFAC_FUNCTION constexpr space test_of(space const& of) { return of; }
SUMFAC_FUNCTION constexpr space trial_of(children_space const& parts) { return parts.of; }

template <auto Space>
inline constexpr bool is_children_space = std::same_as<std::remove_cvref_t<decltype(Space)>, children_space>;
template <auto Space>
inline constexpr space space_of = 1;
template <auto Space>
  requires(space_like<decltype(Space)> || is_children_space<Space>)
inline constexpr space space_of<Space> = trial_of(Space);
template <auto Space>
inline constexpr space test_space_of = 1;
template <auto Space>
  requires space_like<decltype(Space)>
inline constexpr space test_space_of<Space> = test_of(Space);

template <auto Space>
inline constexpr int degree_of = space_of<Space>.degree;
template <auto Space>
inline constexpr int directions_of = space_of<Space>.directions;
template <auto Space>
inline constexpr int coordinates_of = space_of<Space>.coordinates;

// Whether functions are products of functions along lines. Others are a table of all functions at all points, and their
// nodes, as their points, are one row.
SUMFAC_FUNCTION constexpr bool is_tensor(space const& of) { return of.shape == cell_shape::lines; }
// Directions in which nodes and points are counted.
SUMFAC_FUNCTION constexpr int axes_of(space const& of) { return is_tensor(of) ? of.directions : 1; }

// Whether they are of the same elements, whatever their degrees and nodes.
constexpr bool on_same_elements(space const& a, space const& b)
{
  return a.directions == b.directions && a.coordinates == b.coordinates && a.shape == b.shape;
}

// The space of degree 1 on them.
SUMFAC_FUNCTION constexpr space cell_of(space const& of)
{
  return {1, of.directions, of.coordinates, node_placement::gauss_lobatto, nullptr, function_family::nodal, of.shape};
}

// Functions and points of an element where they are known at run time alone; else there is nothing to know.
template <bool AtRunTime>
struct cell_sizes {
  static constexpr int functions = dynamic, points = dynamic;
};
template <>
struct cell_sizes<true> {
  int functions, points;
};
// A size as the compiler knows it; where it is `dynamic`, what it is at run time.
SUMFAC_FUNCTION constexpr int known_or(int size, int at_run_time) { return size == dynamic ? at_run_time : size; }

// What `size` per direction is along x, y, z of an element: 1 along directions that it has not.
struct node_box {
  int x, y, z;

  SUMFAC_FUNCTION constexpr node_box(int size, int directions)
      : x(size), y(directions >= 2 ? size : 1), z(directions >= 3 ? size : 1)
  {
  }
  SUMFAC_FUNCTION constexpr node_box(int along_x, int along_y, int along_z) : x(along_x), y(along_y), z(along_z) {}
  SUMFAC_FUNCTION constexpr int rows() const { return y * z; }
  SUMFAC_FUNCTION constexpr int all() const { return x * y * z; }
};

}  // namespace detail

}  // namespace sumfac
