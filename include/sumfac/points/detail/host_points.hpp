// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Values, gradients and sources at points of one element on the host: points of an element are the lanes of packs.
#pragma once

#include <sumfac/basis/detail/point_basis.hpp>
#include <sumfac/config.hpp>
#include <sumfac/dofs/restriction/node_table.hpp>
#include <sumfac/math/pack.hpp>
#include <sumfac/points/detail/point_kernels.hpp>
#include <sumfac/points/detail/point_list.hpp>

namespace sumfac::SUMFAC_TARGET::detail {

// A restriction's vector as host sweeps read it.
template <class Scalar>
struct host_entries {
  node_table const& table;
  index_t step, stride;  // component c of a node is x[node * step + c * stride]

  // (C, nodes): R x of an element.
  void gather(Scalar const* SUMFAC_RESTRICT x, index_t e, Scalar* SUMFAC_RESTRICT to) const
  {
    auto const nodes = table.nodes_of_element();
    auto const* const numbers = table.element(e);
    bool const marked = table.has_marks(), sums = table.has_rows();
    for (int c = 0; c < table.components(); ++c)
      for (index_t p = 0; p < nodes; ++p) {
        bool const reads = !marked || !table.constrained(numbers[p], c);
        to[c * nodes + p] =
            reads   ? x[numbers[p] * step + c * stride]
            : !sums ? Scalar(0)
                    : table.value(numbers[p], c, [&](index_t i, int k) { return x[i * step + k * stride]; });
      }
  }
};

template <class Space, class Scalar>
struct host_points {
  static constexpr int width = native_width<Scalar>;
  static constexpr int directions = Space::directions, coordinates = Space::coordinates;
  static constexpr int nodes_1d = Space::nodes_1d, nodes = Space::nodes_of_element;
  static_assert(width <= point_list<Scalar, directions>::idle_lanes);
  using packed = pack<Scalar, width>;
  using basis_type = basis_at<packed, directions, nodes_1d>;
  static constexpr basis_constants<Scalar, typename Space::nodes> constants{};

  point_places_of<Scalar> points;
  host_entries<Scalar> entries;

  int components() const { return entries.table.components(); }

  // u at the points of a segment, through memory for (C, nodes) numbers.
  template <point_quantity Asked>
  void evaluate(point_segment const& segment, Scalar const* x, point_numbers<Scalar> const& u, Scalar* memory) const
  {
    entries.gather(x, segment.element, memory);
    for (int done = 0; done < segment.count; done += width) {
      index_t const first = segment.first + done;
      int const lanes = segment.count - done < width ? segment.count - done : width;
      basis_type basis;
      auto const xi = points.template place<directions, packed>(first);
      if constexpr (Asked == point_quantity::value)
        basis.set_values(constants, nodes_1d, xi);
      else
        basis.set_slopes(constants, nodes_1d, xi);
      for (int c = 0; c < components(); ++c)
        evaluate_pack<Asked>(basis, memory + c * nodes, first, [&](int d, packed const& value) SUMFAC_LAMBDA {
          for (int lane = 0; lane < lanes; ++lane) u(points.order[first + lane], c, d) = value[lane];
        });
    }
  }

  // work (C, nodes) = what the sources at a segment's points are at the nodes, through memory for as many packs.
  void add_up(point_segment const& segment, point_numbers<Scalar const> const& f, Scalar* work, packed* memory) const
  {
    for (int i = 0; i < components() * nodes; ++i) memory[i] = packed{};
    for (int done = 0; done < segment.count; done += width) {
      index_t const first = segment.first + done;
      int const lanes = segment.count - done < width ? segment.count - done : width;
      basis_type basis;
      basis.set_values(constants, nodes_1d, points.template place<directions, packed>(first));
      for (int c = 0; c < components(); ++c) {
        packed sources{};  // those of idle lanes are 0
        for (int lane = 0; lane < lanes; ++lane) sources.set(lane, f(points.order[first + lane], c));
        spread<directions - 1>(basis, sources, memory + c * nodes);
      }
    }
    for (int i = 0; i < components() * nodes; ++i) {
      Scalar sum = 0;
      for (int lane = 0; lane < width; ++lane) sum += memory[i][lane];
      work[i] = sum;
    }
  }

private:
  template <point_quantity Asked, class Store>
  SUMFAC_HOST_INLINE void evaluate_pack(basis_type const& basis, Scalar const* values, index_t first,
                                        Store const& store) const
  {
    node_row<Scalar> const node{values};
    if constexpr (Asked == point_quantity::value) {
      store(0, value_at<directions - 1>(basis, nodes_1d, node));
    } else {
      auto const g = gradient_at<directions - 1>(basis, nodes_1d, node);
      if constexpr (Asked == point_quantity::gradient)
        for (int r = 0; r < coordinates; ++r)
          store(r, points.template coordinate_slope<directions, coordinates>(first, g, r));
      else
        for (int d = 0; d < directions; ++d) store(d, g[d + 1]);
    }
  }

  // to[p] += f times the polynomial of node p, for the nodes of directions 0 .. Direction.
  template <int Direction>
  SUMFAC_HOST_INLINE static void spread(basis_type const& basis, packed const& f, packed* to)
  {
    constexpr int step = power(nodes_1d, Direction);
    for (int i = 0; i < nodes_1d; ++i) {
      packed const part = f * basis.values[Direction][i];
      if constexpr (Direction == 0)
        to[i] += part;
      else
        spread<Direction - 1>(basis, part, to + i * step);
    }
  }
};

}  // namespace sumfac::detail
