// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Elements behind sides: turned so that the side is the last, in lanes; and large ones as a part of their side has
// them, a half or a quarter, which lies before a small element.
#pragma once

#include <sumfac/basis/detail/tables.hpp>
#include <sumfac/dofs/restriction/half_sweep.hpp>
#include <sumfac/form/detail/lift.hpp>
#include <sumfac/mesh/faces/side_places.hpp>

#include <array>
#include <cstdint>

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

struct every_lane {
  SUMFAC_INLINE bool operator()(int) const { return true; }
};
// A truth for each lane of T.
template <class T, class Function>
SUMFAC_INLINE auto lanes_where(Function const& is)
{
  if constexpr (width_of<T> == 1) {
    return static_cast<bool>(is(0));
  } else {
    T x;
    for (int l = 0; l < width_of<T>; ++l) x.set(l, is(l) ? scalar_of<T>(1) : scalar_of<T>(0));
    return x > scalar_of<T>(0);
  }
}

// x where the condition holds, else y, of the entries that Reads names.
template <evaluation Reads, class Condition, class T, int Components, int Dim>
SUMFAC_INLINE point_values<T, Components, Dim> chosen_values(Condition const& where,
                                                             point_values<T, Components, Dim> const& x,
                                                             point_values<T, Components, Dim> const& y)
{
  point_values<T, Components, Dim> result;
  for_each_entry<Reads, Components, Dim>(
      [&](int, T& to, T const& a, T const& b) SUMFAC_LAMBDA { to = select(where, a, b); }, result, x, y);
  return result;
}

// Nodes, or points, in the lower half of a line.
template <class Nodes>
struct lower_half {
  static constexpr int size = Nodes::size;
  static constexpr std::array<long double, size> nodes = [] {
    std::array<long double, size> x{};
    for (unsigned i = 0; i < size; ++i) x[i] = (Nodes::nodes[i] - 1) / 2;
    return x;
  }();
};

// Lanes whose elements are seen in a part of a side, and which of them in the upper half along each of its directions.
struct part_lanes {
  std::uint32_t lanes = 0, upper[2] = {};

  SUMFAC_INLINE void add(int lane, int part)
  {
    lanes |= std::uint32_t{1} << lane;
    for (int d = 0; d < 2; ++d)
      if ((part >> d & 1) != 0) upper[d] |= std::uint32_t{1} << lane;
  }
};

// In some lanes elements, turned onto a side, become those whose functions are the same on a part of it: along the
// directions of the side as small as that, across it as large as they were. By the tables of hanging nodes.
//
// **Shapes** u (C, n, n, n), of quadrilaterals (C, n, n), the last layer at the side; of layers before `first` nothing
// is read or written.
template <class Nodes, class Packed, int Directions>
struct side_halves {
  static constexpr int n = Nodes::size, rows = Directions == 3 ? n : 1, row = Directions == 1 ? 1 : n;
  static constexpr int layer = row * rows;
  using scalar = scalar_of<Packed>;

  // Of an element in this order.
  SUMFAC_INLINE static turned_steps in_order()
  {
    turned_steps steps;
    steps.layer = layer, steps.beside = row, steps.along = 1;
    return steps;
  }
  // Elements as they are but in some lanes, where they are what they are on their part.
  [[gnu::noinline]] static turned_entries<Packed> part_of(Packed* u, part_lanes const& in,
                                                          turned_entries<Packed> const& own, int components, int first)
  {
    turned_steps const steps = in_order();
    for_each(components, first,
             [&](int c, int k, int j, int i) { u[c * n * layer + steps(k, j, i)] = own(c, k, j, i); });
    apply(in, u, components, first);
    return {u, n * layer, steps};
  }
  // Adds to a sum, which is turned so, what their parts give them, and, with the first part, others the whole.
  [[gnu::noinline]] static void add_part(Packed* u, part_lanes const& in, int part, turned_steps const& steps,
                                         Packed* sum, int components, int first)
  {
    apply_transposed(in, u, components, first);
    turned_steps const from = in_order();
    auto const added = lanes_where<Packed>([&](int l) { return part == 0 || (in.lanes >> l & 1) != 0; });
    for_each(components, first, [&](int c, int k, int j, int i) {
      sum[c * n * layer + steps(k, j, i)] += select(added, u[c * n * layer + from(k, j, i)], Packed{});
    });
  }

  static void apply(part_lanes const& in, Packed* u, int components, int first)
  {
    static constexpr auto half = interpolation<scalar, Nodes, lower_half<Nodes>>();
    along_side(half.value[0], in, u, components, first);
  }
  static void apply_transposed(part_lanes const& in, Packed* u, int components, int first)
  {
    static constexpr auto half = transpose(interpolation<scalar, Nodes, lower_half<Nodes>>());
    along_side(half.value[0], in, u, components, first);
  }

private:
  template <class Function>
  static void for_each(int components, int first, Function const& f)
  {
    for (int c = 0; c < components; ++c)
      for (int k = first; k < n; ++k)
        for (int j = 0; j < rows; ++j)
          for (int i = 0; i < row; ++i) f(c, k, j, i);
  }
  [[gnu::noinline]] static void along_side(scalar const* table, part_lanes const& in, Packed* u, int components,
                                           int first)
  {
    half_sweep<n, scalar, width_of<Packed>> const sweep(table, n);
    auto const lines = [&](int begin, int step, int count, int stride, int direction) {
      sweep.apply({begin, step, count, stride, in.lanes, in.upper[direction]}, u, components, n * layer);
    };
    lines(first * layer, n, (n - first) * rows, 1, 0);
    if constexpr (Directions == 3)
      for (int k = first; k < n; ++k) lines(k * layer, 1, n, n, 1);
  }
};

}  // namespace sumfac::SUMFAC_TARGET::detail
