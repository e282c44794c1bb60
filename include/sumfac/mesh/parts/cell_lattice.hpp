// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Nodes of elements of any shape by the vertices that they lie between, and the sides that they are on.
#pragma once

#include <sumfac/basis/detail/cell_basis.hpp>

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>

namespace sumfac::SUMFAC_TARGET::detail {

// Vertices of an element's sides in an order around them whose normal points outwards, -1 behind the last: side s of a
// simplex lies opposite vertex s; a prism has the lower and the upper triangle, then those along y = 0, x + y = 1, x =
// 0; a hexahedron and a quadrilateral have them as an element_side says, vertices in the order of nodes of degree 1.
struct cell_sides {
  int vertices, sides;
  int of_side[6][4];
};
constexpr cell_sides sides_of_cell(cell_shape shape, int directions)
{
  constexpr int none = -1;
  if (shape == cell_shape::lines && directions == 3)
    return {8, 6, {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}}};
  if (shape == cell_shape::lines && directions == 2)
    return {4, 4, {{2, 0, none, none}, {1, 3, none, none}, {0, 1, none, none}, {3, 2, none, none}, {}, {}}};
  if (shape == cell_shape::lines) return {2, 2, {{0, none, none, none}, {1, none, none, none}, {}, {}, {}, {}}};
  if (shape == cell_shape::prism)
    return {6, 5, {{0, 2, 1, -1}, {3, 4, 5, -1}, {0, 1, 4, 3}, {1, 2, 5, 4}, {2, 0, 3, 5}, {}}};
  if (directions == 3) return {4, 4, {{1, 2, 3, -1}, {0, 3, 2, -1}, {0, 1, 3, -1}, {0, 2, 1, -1}, {}, {}}};
  return {3, 3, {{1, 2, -1, -1}, {2, 0, -1, -1}, {0, 1, -1, -1}, {}, {}, {}}};
}

// A node of an element by the vertices of a side or an edge that it lies between, ascending, -1 behind the last, and
// their weights, which have no factor in common: elements of any two shapes have the node in common where they have
// one key for it.
struct node_key {
  index_t vertex[4] = {-1, -1, -1, -1};
  int weight[4] = {};

  friend auto operator<=>(node_key const&, node_key const&) = default;
};

// The nodes of a degree: each is a sum of vertices with whole numbers as weights, and elements that have the same
// vertices with the same weights have it in common.
template <int Directions, cell_shape Shape>
class cell_lattice {
public:
  static constexpr cell_sides sides = sides_of_cell(Shape, Directions);
  static constexpr int vertices = sides.vertices;

  explicit cell_lattice(int degree) : degree_(degree)
  {
    constexpr bool is_prism = Shape == cell_shape::prism;
    if constexpr (Shape == cell_shape::lines) {
      for (int p = 0; p < node_box(degree + 1, Directions).all(); ++p) {
        node w{};
        for (int v = 0; v < vertices; ++v) {
          w.weight[v] = 1;
          for (int d = 0, rest = p; d < Directions; ++d, rest /= degree + 1)
            w.weight[v] *= (v >> d & 1) != 0 ? rest % (degree + 1) : degree - rest % (degree + 1);
        }
        nodes_.push_back(w);
      }
    } else {
      for (int k = 0; k <= (is_prism ? degree : 0); ++k)
        for_each_lattice_index(is_prism ? 2 : Directions, degree, [&](int const* a) {
          node w{};
          for (int v = 0; v < (is_prism ? 3 : vertices); ++v) {
            w.weight[v] = is_prism ? a[v] * (degree - k) : a[v];
            if (is_prism) w.weight[v + 3] = a[v] * k;
          }
          nodes_.push_back(w);
        });
    }
  }

  int size() const { return static_cast<int>(nodes_.size()); }

  // table (E, P), in which nodes have numbers in the order in which elements meet them, and how many there are;
  // vertex(e, v) is the number of an element's vertex.
  template <class Vertex>
  index_t number(index_t elements, Vertex const& vertex, own_vector<std::int32_t>& table) const
  {
    own_vector<key> keys;
    keys.reserve(static_cast<std::size_t>(elements) * nodes_.size());
    for (index_t e = 0; e < elements; ++e)
      for (node const& n : nodes_) {
        key k{};
        sort_vertices(
            n, [&](int v) { return vertex(e, v); }, k);
        k.place = keys.size();
        keys.push_back(k);
      }
    std::sort(keys.begin(), keys.end());
    own_vector<std::size_t> group(keys.size());
    std::size_t groups = 0;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (i > 0 && keys[i - 1] < keys[i]) ++groups;
      group[keys[i].place] = groups;
    }
    own_vector<std::int32_t> known(keys.empty() ? 0 : groups + 1, -1);
    std::int32_t count = 0;
    table.clear();
    table.reserve(keys.size());
    for (std::size_t const g : group) {
      if (known[g] < 0) known[g] = count++;
      table.push_back(known[g]);
    }
    return count;
  }

  // The key of a node that lies on a side, of an element whose vertices have these numbers.
  template <class Vertex>
  node_key key_of(int p, Vertex const& vertex) const
  {
    node_key made{};
    int const count = sort_vertices(nodes_[static_cast<std::size_t>(p)], vertex, made);
    int divisor = 0;
    for (int i = 0; i < count; ++i)
      for (int rest = made.weight[i], next = 0; rest != 0; rest = next) next = divisor % rest, divisor = rest;
    for (int i = 0; i < count; ++i) made.weight[i] /= divisor;
    return made;
  }
  // How many vertices it lies between.
  int vertices_around(int p) const
  {
    int count = 0;
    for (int const w : nodes_[static_cast<std::size_t>(p)].weight) count += w > 0 ? 1 : 0;
    return count;
  }

  int weight(int p, int v) const { return nodes_[static_cast<std::size_t>(p)].weight[v]; }
  // Whether a node lies between vertices that are all around another one.
  bool is_around(int p, int other) const
  {
    bool around = true;
    for (int v = 0; v < vertices; ++v)
      around = around && (nodes_[static_cast<std::size_t>(p)].weight[v] == 0 ||
                          nodes_[static_cast<std::size_t>(other)].weight[v] > 0);
    return around;
  }

  // The nodes on each side.
  own_vector<own_vector<int>> places_on_sides() const
  {
    own_vector<own_vector<int>> places(static_cast<std::size_t>(sides.sides));
    for (int side = 0; side < sides.sides; ++side)
      for (int p = 0; p < size(); ++p) {
        bool inside = true;
        for (int v = 0; v < vertices; ++v) {
          bool of_side = false;
          for (int const s : sides.of_side[side]) of_side = of_side || s == v;
          inside = inside && (of_side || nodes_[static_cast<std::size_t>(p)].weight[v] == 0);
        }
        if (inside) places[static_cast<std::size_t>(side)].push_back(p);
      }
    return places;
  }
  // The first node that lies between just these vertices, -1 behind the last.
  int place_between(int const (&of)[4]) const
  {
    for (int p = 0; p < size(); ++p) {
      bool between = true;
      for (int v = 0; v < vertices; ++v) {
        bool const wanted = std::find(of, of + 4, v) != of + 4;
        between = between && wanted == (nodes_[static_cast<std::size_t>(p)].weight[v] > 0);
      }
      if (between) return p;
    }
    return -1;
  }
  // Those of a side in the order that they have on it, as a triangle or a line whose vertices are the side's in their
  // order, or, of a prism, as a quadrilateral, whose x goes from the side's first vertex to its second one.
  own_vector<int> places_along(int side) const
  {
    own_vector<int> places;
    auto const& of = sides.of_side[side];
    auto const add = [&](node const& wanted) {
      int p = 0;
      while (!(nodes_[static_cast<std::size_t>(p)] == wanted)) ++p;
      places.push_back(p);
    };
    if (Shape == cell_shape::prism && of[3] >= 0) {
      for (int j = 0; j <= degree_; ++j)
        for (int i = 0; i <= degree_; ++i) {
          node wanted{};
          wanted.weight[of[0]] = (degree_ - i) * (degree_ - j), wanted.weight[of[1]] = i * (degree_ - j);
          wanted.weight[of[2]] = i * j, wanted.weight[of[3]] = (degree_ - i) * j;
          add(wanted);
        }
    } else {
      for_each_lattice_index(Directions - 1, degree_, [&](int const* a) {
        node wanted{};
        for (int v = 0; v < Directions; ++v) wanted.weight[of[v]] = Shape == cell_shape::prism ? a[v] * degree_ : a[v];
        add(wanted);
      });
    }
    return places;
  }

private:
  struct node {
    int weight[vertices];

    bool operator==(node const& other) const { return std::equal(weight, weight + vertices, other.weight); }
  };
  // The vertices that a node lies between by their numbers, ascending, and their weights; how many there are.
  template <class Vertex, class Key>
  static int sort_vertices(node const& of, Vertex const& vertex, Key& to)
  {
    int count = 0;
    for (int v = 0; v < vertices; ++v) {
      if (of.weight[v] == 0) continue;
      index_t const number = vertex(v);
      int at = count++;
      for (; at > 0 && to.vertex[at - 1] > number; --at)
        to.vertex[at] = to.vertex[at - 1], to.weight[at] = to.weight[at - 1];
      to.vertex[at] = number, to.weight[at] = of.weight[v];
    }
    return count;
  }
  // The vertices that a node lies between, in ascending order, and their weights, with the node's place in the table.
  struct key {
    index_t vertex[vertices];
    int weight[vertices];
    std::size_t place;

    bool operator<(key const& other) const
    {
      for (int v = 0; v < vertices; ++v) {
        if (vertex[v] != other.vertex[v]) return vertex[v] < other.vertex[v];
        if (weight[v] != other.weight[v]) return weight[v] < other.weight[v];
      }
      return false;
    }
  };

  int degree_;
  own_vector<node> nodes_;
};

}  // namespace sumfac::detail
