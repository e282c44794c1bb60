// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Values, gradients and sources at points of one triangle, tetrahedron or prism on the host.
#pragma once

#include <sumfac/backend/detail/own_vector.hpp>
#include <sumfac/backend/host.hpp>
#include <sumfac/basis/detail/cell_basis.hpp>
#include <sumfac/basis/space.hpp>
#include <sumfac/config.hpp>
#include <sumfac/math/pack.hpp>
#include <sumfac/math/small.hpp>
#include <sumfac/points/detail/host_points.hpp>
#include <sumfac/points/detail/point_kernels.hpp>
#include <sumfac/points/detail/point_list.hpp>

#include <cstddef>

namespace sumfac::SUMFAC_TARGET::detail {

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

}  // namespace sumfac::SUMFAC_TARGET::detail
