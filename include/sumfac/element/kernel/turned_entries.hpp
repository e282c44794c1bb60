// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Entries of an element that is turned so that one of its sides is the last; and those that other processes have sent.
#pragma once

#include <sumfac/config.hpp>
#include <sumfac/mesh/faces/side_places.hpp>

namespace sumfac::SUMFAC_TARGET::detail {

// How sides of elements are turned, for all sides and turns.
template <int Directions>
struct turned_sides {
  static constexpr int turns = turns_of_side(Directions);
  turned_axes axes[2 * Directions * turns];

  SUMFAC_FUNCTION constexpr turned_axes const& operator()(int side, int turn) const
  {
    return axes[side * turns + turn];
  }
};
template <int Directions>
constexpr turned_sides<Directions> make_turned_sides()
{
  turned_sides<Directions> all{};
  for (int side = 0; side < 2 * Directions; ++side)
    for (int turn = 0; turn < turned_sides<Directions>::turns; ++turn)
      all.axes[side * turned_sides<Directions>::turns + turn] = turned_axes(Directions, side, turn);
  return all;
}

// Entries of one element turned onto a side, by their distance from each other.
struct turned_steps {
  index_t first = 0, along = 0, beside = 0, layer = 0;

  turned_steps() = default;
  // Of n nodes along each edge, which are that far apart along x, y, z.
  SUMFAC_FUNCTION turned_steps(turned_axes const& at, int directions, int n, index_t const (&apart)[3])
  {
    index_t step[3] = {};
    for (int a = 0; a < 3; ++a) {
      first += at.first[a] * (n - 1) * apart[a];
      for (int d = 0; d < directions; ++d) step[d] += at.step[d][a] * apart[a];
    }
    along = step[0], beside = directions == 3 ? step[1] : 0, layer = step[directions - 1];
  }
  SUMFAC_INLINE index_t operator()(int k, int j, int i) const { return first + k * layer + j * beside + i * along; }
};

// Entries of elements turned onto a side: packs of a group's elements, or the numbers of one where it lies.
template <class T>
struct turned_entries {
  T const* first = nullptr;
  index_t component = 0;
  turned_steps steps{};

  SUMFAC_INLINE T operator()(int c, int k, int j, int i) const { return first[c * component + steps(k, j, i)]; }
};

// What other processes have sent of the elements behind sides: nothing, where one process has the mesh; or items, of
// each component after component, an element or the nodes on one side of it, in its own order. Elements from number
// `first` on are items.
struct no_ghosts {};
template <class Scalar, int Functions>
struct ghost_items {
  index_t first = 0;
  Scalar const* data[Functions] = {};
};

}  // namespace sumfac::SUMFAC_TARGET::detail
