// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Values, gradients and sources at points of one element on the host: points of an element are the lanes of packs; of a
// triangle, tetrahedron or prism one after the other.
#pragma once

#include <sumfac/basis/detail/cell_basis.hpp>
#include <sumfac/points/detail/point_kernels.hpp>
#include <sumfac/points/detail/point_list.hpp>

#include <cstddef>

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

// (points, 1 + D, P): at each sorted point the values of all functions, and their derivatives along each direction.
template <class Scalar, int Directions>
own_vector<Scalar> rows_of_points(host const& threads, space const& of, point_list<Scalar, Directions> const& list)
{
  cell_basis const basis = basis_of(of);
  auto const size = static_cast<std::size_t>(basis.size()), row = (1 + Directions) * size;
  auto rows = own_vector<Scalar>::unwritten(static_cast<std::size_t>(list.size()) * row);
  threads.partition(list.size(), [&](index_t first, index_t last) {
    own_vector<long double> values(size), gradients(Directions * size);
    for (index_t i = first; i < last; ++i) {
      long double xi[Directions];
      for (int d = 0; d < Directions; ++d) xi[d] = list.places[static_cast<std::size_t>(d * list.stride + i)];
      basis.evaluate(xi, values.data(), gradients.data());
      Scalar* to = rows.data() + static_cast<std::size_t>(i) * row;
      for (std::size_t p = 0; p < size; ++p) *to++ = static_cast<Scalar>(values[p]);
      for (std::size_t d = 0; d < Directions; ++d)
        for (std::size_t p = 0; p < size; ++p) *to++ = static_cast<Scalar>(gradients[p * Directions + d]);
    }
  });
  return rows;
}

// As host_points, from those rows: functions are the lanes of packs.
template <class Space, class Scalar>
struct cell_points {
  static constexpr int directions = Space::directions, coordinates = Space::coordinates;
  static constexpr int nodes = Space::nodes_of_element;
  using packed = Scalar;  // of memory that add_up() is given

  point_places_of<Scalar> points;
  host_entries<Scalar> entries;
  Scalar const* rows;

  int components() const { return entries.table.components(); }

  template <point_quantity Asked>
  void evaluate(point_segment const& segment, Scalar const* x, point_numbers<Scalar> const& u, Scalar* memory) const
  {
    entries.gather(x, segment.element, memory);
    for (index_t i = segment.first; i < segment.first + segment.count; ++i) {
      index_t const to = points.order[i];
      for (int c = 0; c < components(); ++c) {
        Scalar const* const values = memory + c * nodes;
        if constexpr (Asked == point_quantity::value) {
          u(to, c) = product(row(i, 0), values);
        } else {
          vector<Scalar, directions + 1> g{};
          for (int d = 0; d < directions; ++d) g[d + 1] = product(row(i, d + 1), values);
          if constexpr (Asked == point_quantity::gradient)
            for (int r = 0; r < coordinates; ++r)
              u(to, c, r) = points.template coordinate_slope<directions, coordinates>(i, g, r);
          else
            for (int d = 0; d < directions; ++d) u(to, c, d) = g[d + 1];
        }
      }
    }
  }

  void add_up(point_segment const& segment, point_numbers<Scalar const> const& f, Scalar* work, packed*) const
  {
    for (int c = 0; c < components(); ++c) {
      Scalar* const to = work + c * nodes;
      for (int p = 0; p < nodes; ++p) to[p] = 0;
      for (index_t i = segment.first; i < segment.first + segment.count; ++i) {
        Scalar const source = f(points.order[i], c);
        Scalar const* const values = row(i, 0);
        for (int p = 0; p < nodes; ++p) to[p] = fma(source, values[p], to[p]);
      }
    }
  }

private:
  Scalar const* row(index_t i, int number) const { return rows + (i * (1 + directions) + number) * nodes; }

  static Scalar product(Scalar const* a, Scalar const* b)
  {
    constexpr int width = native_width<Scalar>;
    using lanes = pack<Scalar, width>;
    lanes sums{};
    int p = 0;
    for (; p + width <= nodes; p += width) sums = fma(load_as<lanes>(a + p), load_as<lanes>(b + p), sums);
    Scalar sum = 0;
    for (; p < nodes; ++p) sum = fma(a[p], b[p], sum);
    for (int lane = 0; lane < width; ++lane) sum += sums[lane];
    return sum;
  }
};

}  // namespace sumfac::detail
