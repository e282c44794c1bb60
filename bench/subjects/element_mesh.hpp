// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Any number of deformed hexahedra or quadrilaterals, made by all threads: the meshes of the benchmarks.
#pragma once

#include <support/mesh.hpp>

#include <sumfac/backend/buffer.hpp>
#include <sumfac/backend/host.hpp>
#include <sumfac/view/view.hpp>

#include <cmath>
#include <cstddef>
#include <type_traits>
#include <vector>

namespace sumfac::bench {

// Where a place of the unit cube, or of the unit square, its middle plane, lies in the meshes: sheared, and bent
// smoothly where they are not `parallel`, so that elements differ and none of the metric factors vanishes.
template <int Directions>
mesh::position placed(mesh::position x, bool parallel)
{
  mesh::smooth const bend;
  mesh::affine const shear{.scale = {1, 1.1, 0.9}, .shear_xy = 0.2, .shear_xz = 0.1, .shear_yz = 0.15};
  if constexpr (Directions == 2) x[2] = 0.5;
  return shear(parallel ? x : bend(x));
}

// Vertices of an element, and their coordinates.
template <int Directions>
inline constexpr index_t vertices_of = index_t{1} << Directions;
template <int Directions>
inline constexpr index_t coordinates_of_vertices = Directions * vertices_of<Directions>;

// The vertices of some elements, and a view of them as an operator takes them: (E, 2, 2, 2, 3) or (E, 2, 2, 2).
template <int Directions = 3>
struct vertices {
  buffer<double> coordinates;
  index_t elements;

  using shape =
      std::conditional_t<Directions == 3, extents<dynamic_extent, 2, 2, 2, 3>, extents<dynamic_extent, 2, 2, 2>>;
  view<double const, shape> nodes() const { return {coordinates.data(), shape(elements)}; }
  double const* element(index_t e) const { return coordinates.data() + coordinates_of_vertices<Directions> * e; }
};

// The first `elements` elements, x fastest, of the smallest cube of cubes, or square of squares, that has so many.
template <int Directions = 3>
vertices<Directions> elements_of_box(host const& backend, index_t elements, bool parallel = false)
{
  auto const in_box = [](index_t per_side) {
    return Directions == 2 ? per_side * per_side : per_side * per_side * per_side;
  };
  auto per_side = static_cast<index_t>(std::pow(double(elements), 1.0 / Directions));
  while (in_box(per_side) < elements) ++per_side;

  constexpr index_t of_element = coordinates_of_vertices<Directions>;
  vertices<Directions> result{buffer<double>(backend, of_element * elements), elements};
  backend.partition(elements, [&](index_t first, index_t last) {
    double* out = result.coordinates.data() + of_element * first;
    for (index_t e = first; e < last; ++e)
      for (int vertex = 0; vertex < vertices_of<Directions>; ++vertex, out += Directions) {
        index_t const i = e % per_side + vertex % 2;
        index_t const j = e / per_side % per_side + vertex / 2 % 2;
        index_t const k = e / per_side / per_side + vertex / 4;
        double const h = 1.0 / double(per_side);
        auto const x = placed<Directions>({h * double(i), h * double(j), h * double(k)}, parallel);
        for (std::size_t r = 0; r < Directions; ++r) out[r] = x[r];
      }
  });
  return result;
}

// Of hexahedra.
inline vertices<3> hexahedra(host const& backend, index_t elements, bool parallel = false)
{
  return elements_of_box<3>(backend, elements, parallel);
}

// Vertices of two elements, the second bent.
inline std::vector<double> two_elements()
{
  std::vector<double> vertices;
  for (int e = 0; e < 2; ++e)
    for (int vertex = 0; vertex < 8; ++vertex)
      for (int c = 0; c < 3; ++c) vertices.push_back((vertex >> c & 1) + (e == 1 && vertex == 7 ? 0.2 : 0.0));
  return vertices;
}

}  // namespace sumfac::bench
