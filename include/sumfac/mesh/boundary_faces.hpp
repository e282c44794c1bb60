// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The faces of a mesh that belong to one element: their nodes, for terms on the boundary.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/dofs/restriction/node_table.hpp>
#include <sumfac/mesh/faces/side_places.hpp>

#include <compare>
#include <cstddef>
#include <vector>

namespace sumfac::SUMFAC_TARGET {

// A side of an element: the one where the reference coordinate x is -1 or 1 has number 0 or 1, y 2 or 3, z 4 or 5.
struct element_side {
  index_t element;
  int side;

  friend auto operator<=>(element_side const&, element_side const&) = default;
};

namespace detail {

// The vertices of a side, ascending: what tells that two elements have it in common.
struct side_vertices {
  node_table::number numbers[4] = {};
  int count = 0;

  void add(node_table::number vertex)
  {
    int at = count++;
    for (; at > 0 && numbers[at - 1] > vertex; --at) numbers[at] = numbers[at - 1];
    numbers[at] = vertex;
  }
  node_table::number least() const { return numbers[0]; }

  friend bool operator==(side_vertices const&, side_vertices const&) = default;
};

// Lists of things by a number from 0 to `count` - 1 that each has: entries of list k are at[first[k]] .. at[first[k +
// 1] - 1].
struct lists_by_number {
  own_vector<index_t> first, at;

  template <class NumberOf>
  lists_by_number(index_t count, index_t things, NumberOf const& number_of)
      : first(static_cast<std::size_t>(count + 2), 0), at(static_cast<std::size_t>(things))
  {
    for (index_t i = 0; i < things; ++i) ++first[static_cast<std::size_t>(number_of(i)) + 2];
    for (std::size_t k = 2; k < first.size(); ++k) first[k] += first[k - 1];
    for (index_t i = 0; i < things; ++i)
      at[static_cast<std::size_t>(first[static_cast<std::size_t>(number_of(i)) + 1]++)] = i;
  }
  index_t const* begin(index_t k) const { return at.data() + first[static_cast<std::size_t>(k)]; }
  index_t const* end(index_t k) const { return at.data() + first[static_cast<std::size_t>(k) + 1]; }
};

inline side_vertices vertices_of(node_table const& table, element_side const& at)
{
  node_box const box = table.box();
  int const n = box.x;
  side_box const side(table.directions(), n);
  side_vertices v;
  for (int j = 0; j < side.rows; j += n - 1)
    for (int i = 0; i < side.columns; i += n - 1) {
      side_place const p = place_on_side(table.directions(), at.side, n, j, i);
      v.add(table(at.element, (p.k * box.y + p.j) * box.x + p.i));
    }
  return v;
}

// The least number inside a side, of the nodes diagonally next to its vertices: what tells two sides apart that have
// the same vertices, as in a mesh that is periodic over two elements. 0 where there are vertices alone, as of lines.
inline node_table::number inner_node_of(node_table const& table, element_side const& at)
{
  node_box const box = table.box();
  int const n = box.x, step = n > 3 ? n - 3 : 1;  // 1 and n - 2 alone
  int const first = table.directions() == 3 ? 1 : 0, last = table.directions() == 3 ? n - 2 : 0;
  if (table.directions() == 1) return 0;
  node_table::number least = 0;
  bool any = false;
  for (int j = first; j <= last; j += step)
    for (int i = 1; i <= n - 2; i += step) {
      side_place const p = place_on_side(table.directions(), at.side, n, j, i);
      auto const number = table(at.element, (p.k * box.y + p.j) * box.x + p.i);
      if (!any || number < least) least = number;
      any = true;
    }
  return least;
}

// Whether an element has a node from inside another one, which no other has in a mesh.
inline bool has_inner_node_of(node_table const& table, index_t e, index_t other)
{
  node_box const box = table.box();
  auto const inner =
      table(other, table.directions() == 1 ? 1 : ((table.directions() == 3 ? box.y : 0) + 1) * box.x + 1);
  for (index_t p = 0; p < table.nodes_of_element(); ++p)
    if (table(e, p) == inner) return true;
  return false;
}

// Elements of the same vertices, by which alone sides of degree 1 are told apart; of higher degrees, of the same nodes.
[[noreturn, gnu::cold, gnu::noinline]] inline void refuse_twins(index_t e, index_t other, int n)
{
  if (n > 2)
    failf("boundary_faces", "elements %lld and %lld have the same nodes: leave one of them out",
          static_cast<long long>(e), static_cast<long long>(other));
  failf("boundary_faces",
        "elements %lld and %lld have the same vertices, so that it is not known which of their sides are one (around a "
        "mesh of degree 1 that is periodic 3 elements or more expected, got 2): pass a table of degree 2 of these "
        "elements, which have the same sides",
        static_cast<long long>(e), static_cast<long long>(other));
}

[[noreturn, gnu::cold, gnu::noinline]] inline void refuse_third_owner(element_side const (&at)[3])
{
  failf("boundary_faces",
        "a face belongs to more than two elements (side %d of element %lld, %d of %lld, %d of %lld; 1 or 2 elements "
        "expected): number the nodes so that only those that coincide have the same number; of a mesh that is periodic "
        "over one or two elements pass a table of degree 2",
        at[0].side, static_cast<long long>(at[0].element), at[1].side, static_cast<long long>(at[1].element),
        at[2].side, static_cast<long long>(at[2].element));
}

// No vertex of an element may be among the other nodes of a side.
inline void check_vertices(node_table const& table, index_t nodes, std::vector<element_side> const& sides)
{
  node_box const box = table.box();
  int const n = box.x;
  side_box const side(table.directions(), n);
  auto const is_end = [n](int i) { return i == 0 || i == n - 1; };
  own_vector<bool> vertex(static_cast<std::size_t>(n > 2 ? nodes : 0), false);
  for (index_t e = 0; n > 2 && e < table.elements(); ++e)
    for (int p = 0; p < table.nodes_of_element(); ++p)
      if (is_end(p % n) && is_end(p / n % n) && is_end(p / n / n)) vertex[static_cast<std::size_t>(table(e, p))] = true;
  for (element_side const& at : sides)
    for (int j = 0; n > 2 && j < side.rows; ++j)
      for (int i = 0; i < side.columns; ++i) {
        side_place const p = place_on_side(table.directions(), at.side, n, j, i);
        auto const node = table(at.element, (p.k * box.y + p.j) * box.x + p.i);
        if (!(is_end(i) && (side.rows == 1 || is_end(j))) && vertex[static_cast<std::size_t>(node)])
          failf("boundary_faces",
                "node %lld is a vertex of one element and lies inside side %d of element %lld (0 such nodes expected): "
                "the mesh hangs there; make it conform",
                static_cast<long long>(node), at.side, static_cast<long long>(at.element));
      }
}

// Calls visit(side, nullptr) for the sides that one element alone has, visit(side, &other) for the first of two that
// are one: in the order of the elements, of each in the order of its sides.
template <class Visit>
void for_each_side(node_table const& numbers, index_t nodes, Visit const& visit)
{
  int const sides = 2 * numbers.directions();
  auto const total = numbers.elements() * sides;
  auto const side_at = [&](index_t i) { return element_side{i / sides, static_cast<int>(i % sides)}; };
  own_vector<side_vertices> vertices(static_cast<std::size_t>(total));
  for (index_t i = 0; i < total; ++i) vertices[static_cast<std::size_t>(i)] = vertices_of(numbers, side_at(i));
  auto const of = [&](index_t i) -> auto const& { return vertices[static_cast<std::size_t>(i)]; };
  auto const inner = [&](index_t i) { return inner_node_of(numbers, side_at(i)); };
  // Whether two elements that have a side in common have the opposite one, too, and what is inside; lines' sides are
  // told apart by their vertices, whatever is inside.
  int const n = numbers.nodes_1d();
  auto const are_twins = [&](index_t i, index_t j) {
    index_t const e = i / sides, other = j / sides;
    return e != other && of(i ^ 1) == of(j ^ 1) &&
           (n == 2 ? numbers.directions() > 1 : has_inner_node_of(numbers, e, other));
  };
  lists_by_number const around(nodes, total, [&](index_t i) { return of(i).least(); });
  for (index_t i = 0; i < total; ++i) {
    index_t const vertex = of(i).least();
    index_t owners[3] = {};
    int count = 0;
    for (index_t const* other = around.begin(vertex); other != around.end(vertex) && count < 3; ++other)
      if (of(*other) == of(i) && (*other == i || inner(*other) == inner(i))) owners[count++] = *other;
    for (int k = 1; k < count; ++k)
      for (int before = 0; before < k; ++before)
        if (are_twins(owners[before], owners[k])) refuse_twins(owners[before] / sides, owners[k] / sides, n);
    if (count == 3) refuse_third_owner({side_at(owners[0]), side_at(owners[1]), side_at(owners[2])});
    if (count == 1) visit(side_at(i), nullptr);
    if (count == 2 && owners[0] == i) {
      element_side const other = side_at(owners[1]);
      visit(side_at(i), &other);
    }
  }
}

// Polygons of several tags, or faces that differ, at the same vertices.
[[noreturn, gnu::cold, gnu::noinline]] inline void refuse_tags(char const* what, index_t one, index_t other)
{
  failf("face_tags",
        "%s %lld and %lld have the same vertices (1 expected to have them, got 2, as where a mesh is periodic over two "
        "elements): tell faces apart by where they lie",
        what, static_cast<long long>(one), static_cast<long long>(other));
}

template <class Table, int Least = 3>
constexpr bool check_face_table()
{
  constexpr bool fits = is_view_of_integers<Table, Least, 4>;
  static_assert(fits,
                "sumfac::boundary_faces: the table must be a sumfac::view of integers, of shape (E, n, n, n), or "
                "(E, n, n) on quadrilaterals");
  return fits;
}

inline void check_side(char const* where, element_side const& at, index_t elements, int sides)
{
  if (at.element < 0 || at.element >= elements)
    failf(where, "the element of a face does not exist (got %lld, 0 to %lld expected)",
          static_cast<long long>(at.element), static_cast<long long>(elements - 1));
  if (at.side < 0 || at.side >= sides)
    failf(where, "an element has no such side (got %d, 0 to %d expected)", at.side, sides - 1);
}

// Of a view (E, m, m, m), or (E, m, m), of nodes, with an index of components behind where it has one.
template <class Taken, class T, int Directions, class View>
std::vector<T> taken_of_faces(char const* where, View const& view, std::vector<element_side> const& faces)
{
  constexpr bool has_components = int{View::rank()} == Directions + 2;
  int const m = static_cast<int>(view.extent(1));
  int const count = has_components ? static_cast<int>(view.extent(int{View::rank()} - 1)) : 1;
  auto const size = static_cast<std::size_t>(node_box(m, Directions - Taken::fewer_directions).all() * count);
  std::vector<T> taken(faces.size() * size);
  for (std::size_t f = 0; f < faces.size(); ++f) {
    check_side(where, faces[f], view.extent(0), 2 * Directions);
    index_t const e = faces[f].element;
    Taken::template copy<Directions>(faces[f].side, m, count, taken.data() + f * size,
                                     [&]([[maybe_unused]] int k, int j, int i, [[maybe_unused]] int c) {
                                       if constexpr (Directions == 3 && has_components)
                                         return view(e, k, j, i, c);
                                       else if constexpr (Directions == 3)
                                         return view(e, k, j, i);
                                       else if constexpr (has_components)
                                         return view(e, j, i, c);
                                       else
                                         return view(e, j, i);
                                     });
  }
  return taken;
}
// Of a table of nodes, and of mesh nodes, with a diagnostic where they are none.
template <class Taken, class Table>
std::vector<index_t> table_of_faces(char const* where, Table const& table, std::vector<element_side> const& faces)
{
  if constexpr (check_face_table<Table>())
    return taken_of_faces<Taken, index_t, int{Table::rank()} - 1>(where, table, faces);
  else
    return {};
}
template <class Taken, class Nodes>
std::vector<double> nodes_of_faces(char const* where, Nodes const& nodes, std::vector<element_side> const& faces)
{
  constexpr bool fits = is_view<Nodes> && (Nodes::rank() == 5 || Nodes::rank() == 4);
  static_assert(fits,
                "sumfac::face_nodes, owner_nodes: mesh nodes are a sumfac::view of shape (E, m, m, m, 3), or "
                "(E, m, m, C) of quadrilaterals");
  if constexpr (fits)
    return taken_of_faces<Taken, double, int{Nodes::rank()} - 2>(where, nodes, faces);
  else
    return {};
}

}  // namespace detail

// The sides that belong to one element alone, in the order of the elements, of each in the order of its sides: the
// boundary of the mesh.
//
// Sides are the same where their vertices are, and beyond degree 1 the nodes inside. A mesh that is periodic has none
// there; of degree 1 it must have three elements or more along a direction in which it is. Which sides these are does
// not depend on the degree, so that those found in a table of degree 2 serve with one of degree 1.
// Sides that lie on each other and share no nodes, as where a mesh hangs or is cracked, are boundary to a table; with
// mesh nodes behind it they are refused: hanging_sides.hpp.
// **Shapes** table (E, n, n, n), or (E, n, n) of quadrilaterals, as a restriction's, of `nodes` nodes.
// **Work** compares each of 6 E sides with those at its first vertex.
// **Errors** those of a restriction's table; a side of three elements; two elements of the same nodes; a node that is a
// vertex of one element and lies between those of a side of another one.
template <class Table>
std::vector<element_side> boundary_faces(Table const& table, index_t nodes)
{
  std::vector<element_side> alone;
  if constexpr (detail::check_face_table<Table>()) {
    auto const numbers = detail::make_node_table(host{}, table, nodes, {});
    detail::for_each_side(numbers, nodes, [&](element_side const& at, element_side const* other) {
      if (other == nullptr) alone.push_back(at);
    });
    detail::check_vertices(numbers, nodes, alone);
  }
  return alone;
}

// The numbers of the nodes on some sides, a table for a restriction of an operator on surface(N), or on curve(N, 2)
// where elements are quadrilaterals.
//
// **Shapes** table (E, n, n, n) -> (F, n, n); (E, n, n) -> (F, n).
// **Errors** an element or a side that does not exist.
template <class Table>
std::vector<index_t> face_table(Table const& table, std::vector<element_side> const& faces)
{
  return detail::table_of_faces<detail::the_side>("face_table", table, faces);
}

// The mesh nodes on some sides, in the elements' own order of nodes, which must lie symmetrically on edges, as
// Gauss-Lobatto and equispaced nodes do. Normals of surfaces and curves made of them point out of the mesh.
//
// **Shapes** nodes (E, m, m, m, 3) -> (F, m, m, 3); (E, m, m, 2) -> (F, m, 2).
// **Errors** an element or a side that does not exist.
template <class Nodes>
std::vector<double> face_nodes(Nodes const& nodes, std::vector<element_side> const& faces)
{
  return detail::nodes_of_faces<detail::the_side>("face_nodes", nodes, faces);
}

// The numbers of the nodes of the elements that own some sides, an element for each, turned so that the side is its
// last one: a table for a restriction of a face_operator.
//
// Beyond the layer of the side itself, which is that of face_table(), they are the nodes behind it.
// **Shapes** table (E, n, n, n) -> (F, n, n, n); (E, n, n) -> (F, n, n).
// **Errors** an element or a side that does not exist.
template <class Table>
std::vector<index_t> owner_table(Table const& table, std::vector<element_side> const& faces)
{
  return detail::table_of_faces<detail::the_owner>("owner_table", table, faces);
}

// The mesh nodes of these elements, turned in the same way; they must lie symmetrically on edges.
//
// **Shapes** nodes (E, m, m, m, 3) -> (F, m, m, m, 3); (E, m, m, 2) -> (F, m, m, 2).
// **Errors** an element or a side that does not exist.
template <class Nodes>
std::vector<double> owner_nodes(Nodes const& nodes, std::vector<element_side> const& faces)
{
  return detail::nodes_of_faces<detail::the_owner>("owner_nodes", nodes, faces);
}

// The tag of each face: that of the polygon of a mesh file that has the same vertices, or `otherwise`.
//
// **Shapes** polygons (Q, 4), numbers of nodes of quadrilaterals on the boundary of hexahedra; (Q, 2), lines on that of
// quadrilaterals; tags (Q).
// **Errors** those of a restriction's table; extents; nodes that do not exist; vertices that do not tell which of two
// polygons, or of two faces, is meant, as where a mesh is periodic over two elements.
template <class Table, class Polygons, class Tags>
std::vector<int> face_tags(Table const& table, index_t nodes, std::vector<element_side> const& faces,
                           Polygons const& polygons, Tags const& tags, int otherwise = 0)
{
  std::vector<int> found(faces.size(), otherwise);
  constexpr bool lists = detail::is_view_of_integers<Polygons, 2, 2> && detail::is_view_of_integers<Tags, 1, 1>;
  static_assert(lists, "sumfac::face_tags: polygons must be a sumfac::view (Q, 4) or (Q, 2) of integers, tags (Q)");
  if constexpr (lists && detail::check_face_table<Table>()) {
    auto const numbers = detail::make_node_table(host{}, table, nodes, {});
    index_t const corners = numbers.directions() == 3 ? 4 : 2;
    check_equal("face_tags", "extent 1 (vertices) of the polygons", corners, polygons.extent(1));
    check_equal("face_tags", "extent 0 (polygons) of the tags", polygons.extent(0), tags.extent(0));
    detail::own_vector<detail::side_vertices> known(static_cast<std::size_t>(polygons.extent(0)));
    for (index_t q = 0; q < polygons.extent(0); ++q)
      for (index_t i = 0; i < corners; ++i) {
        auto const node = static_cast<index_t>(polygons(q, i));
        if (node < 0 || node >= nodes)
          failf("face_tags", "node number is out of range (polygon %lld, vertex %lld: got %lld, 0 to %lld expected)",
                static_cast<long long>(q), static_cast<long long>(i), static_cast<long long>(node),
                static_cast<long long>(nodes - 1));
        known[static_cast<std::size_t>(q)].add(static_cast<detail::node_table::number>(node));
      }
    detail::lists_by_number const around(nodes, polygons.extent(0),
                                         [&](index_t q) { return known[static_cast<std::size_t>(q)].least(); });
    detail::own_vector<index_t> first_face(known.size(), -1);
    for (std::size_t f = 0; f < faces.size(); ++f) {
      detail::check_side("face_tags", faces[f], numbers.elements(), 2 * numbers.directions());
      auto const wanted = detail::vertices_of(numbers, faces[f]);
      index_t polygon = -1;
      bool only = true;
      for (index_t const* q = around.begin(wanted.least()); q != around.end(wanted.least()); ++q) {
        if (!(known[static_cast<std::size_t>(*q)] == wanted)) continue;
        only = polygon < 0;
        if (!only && tags(*q) != tags(polygon)) detail::refuse_tags("polygons", polygon, *q);
        polygon = *q;
        found[f] = static_cast<int>(tags(polygon));
      }
      if (polygon < 0 || !only) continue;
      index_t& first = first_face[static_cast<std::size_t>(polygon)];
      if (first < 0) first = static_cast<index_t>(f);
      auto const inner = [&](auto i) { return detail::inner_node_of(numbers, faces[static_cast<std::size_t>(i)]); };
      if (inner(first) != inner(f)) detail::refuse_tags("faces", first, static_cast<index_t>(f));
    }
  }
  return found;
}

}  // namespace sumfac
