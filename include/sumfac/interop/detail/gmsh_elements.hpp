// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Gmsh's elements: their shapes by number, and where their nodes lie, in its order.
#pragma once

#include <sumfac/backend/detail/own_vector.hpp>
#include <sumfac/basis/detail/placed_nodes.hpp>

#include <cstddef>
#include <cstdint>

namespace sumfac::SUMFAC_TARGET::detail {

// An element by Gmsh's number: complete ones of any order, points of order 0, and those of order 2 that have no nodes
// within sides and elements. Points and lines are of shape `lines`.
struct gmsh_shape {
  int directions = -1, order = 0;
  cell_shape shape = cell_shape::lines;
  bool is_complete = true;

  int all_nodes() const
  {
    return shape == cell_shape::lines ? node_box(order + 1, directions).all()
                                      : functions_of_cell({order, directions, directions, node_placement::equispaced,
                                                           nullptr, function_family::nodal, shape});
  }
  int nodes() const  // that the file has
  {
    if (is_complete) return all_nodes();
    return shape == cell_shape::prism ? 15 : directions == 3 ? 20 : 8;
  }
};
constexpr gmsh_shape gmsh_shape_of(std::int64_t type)
{
  struct family {
    int directions;
    cell_shape shape;
    int types[10], incomplete;
  };
  constexpr auto lines = cell_shape::lines, simplex = cell_shape::simplex, prism = cell_shape::prism;
  constexpr family families[] = {{1, lines, {1, 8, 26, 27, 28, 62, 63, 64, 65, 66}, 0},
                                 {2, lines, {3, 10, 36, 37, 38, 47, 48, 49, 50, 51}, 16},
                                 {3, lines, {5, 12, 92, 93, 94, 95, 96, 97, 98}, 17},
                                 {2, simplex, {2, 9, 21, 23, 25, 42, 43, 44, 45, 46}, 0},
                                 {3, simplex, {4, 11, 29, 30, 31, 71, 72, 73, 74, 75}, 0},
                                 {3, prism, {6, 13, 90, 91, 106, 107, 108, 109, 110}, 18}};
  if (type == 15) return {0, 0};
  for (family const& of : families) {
    if (type > 0 && of.incomplete == type) return {of.directions, 2, of.shape, false};
    for (int i = 0; i < 10; ++i)
      if (of.types[i] == type && type > 0) return {of.directions, i + 1, of.shape};
  }
  return {};
}
template <class T>
constexpr T without_sign(T n)
{
  return n < 0 ? -n : n;
}

constexpr char const* gmsh_name_of(std::int64_t type)
{
  gmsh_shape const of = gmsh_shape_of(type);
  if (of.shape == cell_shape::prism) return "Prism";
  if (of.shape == cell_shape::simplex) return of.directions == 3 ? "Tetrahedron" : "Triangle";
  if (of.directions >= 0) return of.directions == 3 ? "Hexahedron" : of.directions == 2 ? "Quadrangle" : "Line";
  if (type == 7 || type == 14 || type == 19) return "Pyramid";
  return "a type that is unknown";
}

// Places (x, y, z) in an element of the nodes in Gmsh's order: vertices, edges, faces, and what is within, which is an
// element in the same order.
class gmsh_order {
public:
  struct place {
    int at[3];
  };

  gmsh_order(int directions, int order, cell_shape shape = cell_shape::lines)
  {
    if (directions == 1) {
      line({{0, 0, 0}}, {{1, 0, 0}}, order);
    } else if (shape == cell_shape::prism) {
      wedge(order);
    } else if (directions == 2) {
      auto const fill = shape == cell_shape::simplex ? &gmsh_order::triangle : &gmsh_order::square;
      (this->*fill)({{0, 0, 0}}, {{1, 0, 0}}, {{0, 1, 0}}, order);
    } else if (shape == cell_shape::simplex) {
      tetrahedron(order, 0);
    } else {
      cube(order, 0);
    }
  }
  std::size_t size() const { return places_.size(); }
  place const& operator[](std::size_t i) const { return places_[i]; }
  // The number of a node among those of a space.
  std::size_t number(std::size_t i, int directions, int order, cell_shape shape) const
  {
    auto const& [x, y, z] = places_[i].at;
    int const n = order + 1;
    int found = (z * n + y) * n + x;
    if (shape == cell_shape::prism || (shape == cell_shape::simplex && directions == 2)) {
      found = z * (n * (n + 1) / 2) + x;
      for (int row = 0; row < y; ++row) found += n - row;
    } else if (shape == cell_shape::simplex) {
      found = x;
      for (int layer = 0; layer < z; ++layer) found += (n - layer) * (n - layer + 1) / 2;
      for (int row = 0; row < y; ++row) found += n - z - row;
    }
    return static_cast<std::size_t>(found);
  }

private:
  void add(place const& p) { places_.push_back(p); }
  static place moved(place p, place const& along, int steps)
  {
    for (int d = 0; d < 3; ++d) p.at[d] += steps * along.at[d];
    return p;
  }
  // The nodes between two places, `order` steps apart.
  void edge(place const& from, place const& to, int order)
  {
    place const along = step(from, to, order);
    for (int i = 1; i < order; ++i) add(moved(from, along, i));
  }
  void line(place const& first, place const& x, int order)
  {
    add(first);
    if (order > 0) add(moved(first, x, order)), edge(first, moved(first, x, order), order);
  }
  void triangle(place const& first, place const& x, place const& y, int order)
  {
    if (order < 0) return;
    if (order == 0) return add(first);
    place const corner[] = {first, moved(first, x, order), moved(first, y, order)};
    for (place const& p : corner) add(p);
    for (int i = 0; i < 3; ++i) edge(corner[i], corner[(i + 1) % 3], order);
    triangle(moved(moved(first, x, 1), y, 1), x, y, order - 3);
  }
  static place step(place const& from, place const& to, int order)
  {
    place made{};
    for (int d = 0; d < 3; ++d) made.at[d] = (to.at[d] - from.at[d]) / order;
    return made;
  }
  // What lies within a side of three or four vertices, the last -1 of three.
  void side(place const* corner, int const (&of)[4], int order)
  {
    place const &first = corner[of[0]], x = step(first, corner[of[1]], order);
    place const y = step(first, corner[of[3] < 0 ? of[2] : of[3]], order);
    place const inner = moved(moved(first, x, 1), y, 1);
    of[3] < 0 ? triangle(inner, x, y, order - 3) : square(inner, x, y, order - 2);
  }
  void tetrahedron(int order, int layer)
  {
    constexpr int edges[6][2] = {{0, 1}, {1, 2}, {2, 0}, {3, 0}, {3, 2}, {3, 1}};
    constexpr int faces[4][4] = {{0, 2, 1, -1}, {0, 1, 3, -1}, {0, 3, 2, -1}, {3, 1, 2, -1}};
    if (order < 0) return;
    if (order == 0) return add({{layer, layer, layer}});
    place corner[4];
    for (int v = 0; v < 4; ++v)
      for (int d = 0; d < 3; ++d) corner[v].at[d] = layer + (v == d + 1 ? order : 0);
    for (place const& p : corner) add(p);
    for (auto const& [from, to] : edges) edge(corner[from], corner[to], order);
    for (auto const& of : faces) side(corner, of, order);
    tetrahedron(order - 4, layer + 1);
  }
  void wedge(int order)
  {
    constexpr int edges[9][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 4}, {2, 5}, {3, 4}, {3, 5}, {4, 5}};
    constexpr int faces[5][4] = {{0, 2, 1, -1}, {3, 4, 5, -1}, {0, 1, 4, 3}, {0, 3, 5, 2}, {1, 2, 5, 4}};
    if (order == 0) return add({{0, 0, 0}});
    place corner[6];
    for (int v = 0; v < 6; ++v) corner[v] = {{v % 3 == 1 ? order : 0, v % 3 == 2 ? order : 0, v / 3 * order}};
    for (place const& p : corner) add(p);
    for (auto const& [from, to] : edges) edge(corner[from], corner[to], order);
    for (auto const& of : faces) side(corner, of, order);
    if (order < 3) return;
    gmsh_order const within(2, order - 3, cell_shape::simplex), along(1, order - 2);
    for (place const& p : within.places_)
      for (place const& q : along.places_) add({{1 + p.at[0], 1 + p.at[1], 1 + q.at[0]}});
  }
  void square(place const& first, place const& x, place const& y, int order)
  {
    if (order < 0) return;
    if (order == 0) return add(first);
    place const corner[] = {first, moved(first, x, order), moved(moved(first, x, order), y, order),
                            moved(first, y, order)};
    for (place const& p : corner) add(p);
    for (int i = 0; i < 4; ++i) edge(corner[i], corner[(i + 1) % 4], order);
    square(moved(moved(first, x, 1), y, 1), x, y, order - 2);
  }
  void cube(int order, int layer)
  {
    constexpr int edges[12][2] = {{0, 1}, {0, 3}, {0, 4}, {1, 2}, {1, 5}, {2, 3},
                                  {2, 6}, {3, 7}, {4, 5}, {4, 7}, {5, 6}, {6, 7}};
    constexpr int faces[6][4] = {{0, 3, 2, 1}, {0, 1, 5, 4}, {0, 4, 7, 3}, {1, 2, 6, 5}, {2, 3, 7, 6}, {4, 5, 6, 7}};
    if (order < 0) return;
    int const low = layer, high = layer + order;
    if (order == 0) return add({{low, low, low}});
    place corner[8];
    for (int v = 0; v < 8; ++v)
      corner[v] = {{(v + 1) % 4 < 2 ? low : high, v % 4 < 2 ? low : high, v < 4 ? low : high}};
    for (place const& p : corner) add(p);
    for (auto const& [from, to] : edges) edge(corner[from], corner[to], order);
    for (auto const& of : faces) side(corner, of, order);
    cube(order - 2, layer + 1);
  }

  own_vector<place> places_;
};

}  // namespace sumfac::detail
