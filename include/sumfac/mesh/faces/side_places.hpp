// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Where the nodes of an element's side lie in the element, and where its nodes do when it is turned onto that side.
#pragma once

#include <sumfac/config.hpp>

#include <cstdint>

namespace sumfac::SUMFAC_TARGET::detail {

// Place (k, j, i) in an element of the node (j, i) of a side, whose normal, as a surface or a curve has it, points out
// of the element: hexahedra's sides take two of the element's directions in such an order, quadrilaterals' sides the
// other direction, forwards or backwards; lines' sides have one node.
struct side_place {
  int k, j, i;
};
// Nodes (rows, columns) of a side, of n along each edge.
struct side_box {
  int rows, columns;
  constexpr side_box(int directions, int n) : rows(directions == 3 ? n : 1), columns(directions == 1 ? 1 : n) {}
};
constexpr side_place place_on_side(int directions, int side, int n, int j, int i)
{
  int const end = side % 2 == 0 ? 0 : n - 1;
  if (directions == 1) return {0, 0, end};
  if (directions == 3) switch (side) {
      case 0: return {i, j, end};
      case 1: return {j, i, end};
      case 2: return {j, end, i};
      case 3: return {i, end, j};
      case 4: return {end, i, j};
      default: return {end, j, i};
    }
  switch (side) {
    case 0: return {0, n - 1 - i, 0};
    case 1: return {0, i, end};
    case 2: return {0, 0, i};
    default: return {0, end, n - 1 - i};
  }
}

// Place in an element of the node in layer `layer`, row j and place i of the element turned so that the side is its
// last one, that of layer n - 1: with nodes on it as place_on_side() has them, of quadrilaterals backwards, so that
// what was right-handed stays so.
//
// `turn` is one of the 8 of a quadrilateral, or 2 of an edge, about the middle of the side: bit 0 goes through its rows
// backwards, bit 1 through its columns, and before them bit 2 changes rows for columns.
constexpr side_place place_in_turned(int directions, int side, int n, int layer, int j, int i, int turn = 0)
{
  int const column = (turn & 4) != 0 ? j : i, row = (turn & 4) != 0 ? i : j;
  i = (turn & 1) != 0 ? n - 1 - column : column, j = (turn & 2) != 0 ? n - 1 - row : row;
  side_place p = place_on_side(directions, side, n, j, directions == 3 ? i : n - 1 - i);
  int const at = side % 2 == 0 ? n - 1 - layer : layer;
  (side / 2 == 0 ? p.i : side / 2 == 1 ? p.j : p.k) = at;
  return p;
}

// The turn that undoes another: of those that change rows for columns two are each other's.
constexpr int inverse_turn(int turn) { return turn == 5 ? 6 : turn == 6 ? 5 : turn; }

// Which part of a side, a half of an edge or a quarter, `part` of the side is in the element turned onto it: bit 0 is
// 1 in the upper half along its columns, bit 1 along its rows.
constexpr int turned_part(int part, int turn)
{
  int const i = part & 1, j = part >> 1, column = (turn & 4) != 0 ? j : i, row = (turn & 4) != 0 ? i : j;
  return ((turn & 1) != 0 ? 1 - column : column) + 2 * ((turn & 2) != 0 ? 1 - row : row);
}

// Turns that a side of an element can have.
constexpr int turns_of_side(int directions) { return directions == 3 ? 8 : directions; }

// The same for all n: along axis a of the element (x, y, z) a node of the turned one is at first[a] (n - 1) +
// step[d][a] (its index along d), where d is x, y or the layer of the turned element; of quadrilaterals x or the layer,
// of lines the layer.
struct turned_axes {
  std::int8_t first[3] = {}, step[3][3] = {};

  constexpr turned_axes() = default;
  constexpr turned_axes(int directions, int side, int turn)
  {
    int origin[3] = {}, next[3] = {};
    place(directions, side, turn, {}, origin);
    for (int a = 0; a < 3; ++a) first[a] = static_cast<std::int8_t>(origin[a]);
    for (int d = 0; d < directions; ++d) {
      place(directions, side, turn, {d == 0, directions == 3 && d == 1, d == directions - 1}, next);
      for (int a = 0; a < 3; ++a) step[d][a] = static_cast<std::int8_t>(next[a] - origin[a]);
    }
  }

private:
  static constexpr void place(int directions, int side, int turn, bool const (&at)[3], int (&to)[3])
  {
    side_place const p = place_in_turned(directions, side, 2, at[2] ? 1 : 0, at[1] ? 1 : 0, at[0] ? 1 : 0, turn);
    to[0] = p.i, to[1] = p.j, to[2] = p.k;
  }
};

// The numbers of a table's nodes on a side, or coordinates of a mesh's nodes: from(k, j, i, c) to (side, j, i, c).
template <int Directions, class To, class From>
void copy_side(int side, int n, int components, To* to, From const& from)
{
  for (int j = 0; j < (Directions == 3 ? n : 1); ++j)
    for (int i = 0; i < n; ++i) {
      side_place const p = place_on_side(Directions, side, n, j, i);
      for (int c = 0; c < components; ++c) *to++ = static_cast<To>(from(p.k, p.j, p.i, c));
    }
}

// The same of a whole element, turned: to (layer, j, i, c).
template <int Directions, class To, class From>
void copy_turned(int side, int n, int components, To* to, From const& from)
{
  for (int layer = 0; layer < n; ++layer)
    for (int j = 0; j < (Directions == 3 ? n : 1); ++j)
      for (int i = 0; i < n; ++i) {
        side_place const p = place_in_turned(Directions, side, n, layer, j, i);
        for (int c = 0; c < components; ++c) *to++ = static_cast<To>(from(p.k, p.j, p.i, c));
      }
}

// What is taken of an element for each face: the side, or the whole element, turned.
struct the_side {
  static constexpr int fewer_directions = 1;
  template <int Directions, class To, class From>
  static void copy(int side, int n, int components, To* to, From const& from)
  {
    copy_side<Directions>(side, n, components, to, from);
  }
};
struct the_owner {
  static constexpr int fewer_directions = 0;
  template <int Directions, class To, class From>
  static void copy(int side, int n, int components, To* to, From const& from)
  {
    copy_turned<Directions>(side, n, components, to, from);
  }
};

}  // namespace sumfac::detail
