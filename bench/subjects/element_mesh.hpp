// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Any number of deformed hexahedra, made by all threads: the meshes of the benchmarks.
#pragma once

#include <support/mesh.hpp>

#include <sumfac/backend/buffer.hpp>
#include <sumfac/backend/host.hpp>
#include <sumfac/view/view.hpp>

#include <cmath>
#include <vector>

namespace sumfac::bench {

// The vertices of some elements, and a view of them as an operator takes them.
struct vertices {
  buffer<double> coordinates;
  index_t elements;

  using shape = extents<dynamic_extent, 2, 2, 2, 3>;
  view<double const, shape> nodes() const { return {coordinates.data(), shape(elements)}; }
  double const* element(index_t e) const { return coordinates.data() + 24 * e; }
};

// The first `elements` elements, x fastest, of the smallest cube of cubes that has so many. It is sheared and bent
// smoothly, so that the elements differ and none of the six metric factors vanishes; sheared alone where `parallel`.
inline vertices hexahedra(host const& backend, index_t elements, bool parallel = false)
{
  index_t per_side = static_cast<index_t>(std::cbrt(double(elements)));
  while (per_side * per_side * per_side < elements) ++per_side;
  mesh::smooth const bend;
  mesh::affine const shear{.scale = {1, 1.1, 0.9}, .shear_xy = 0.2, .shear_xz = 0.1, .shear_yz = 0.15};

  vertices result{buffer<double>(backend, 24 * elements), elements};
  backend.partition(elements, [&](index_t first, index_t last) {
    double* out = result.coordinates.data() + 24 * first;
    for (index_t e = first; e < last; ++e)
      for (int vertex = 0; vertex < 8; ++vertex, out += 3) {
        index_t const i = e % per_side + vertex % 2;
        index_t const j = e / per_side % per_side + vertex / 2 % 2;
        index_t const k = e / per_side / per_side + vertex / 4;
        double const h = 1.0 / double(per_side);
        mesh::position const straight{h * double(i), h * double(j), h * double(k)};
        mesh::position const x = shear(parallel ? straight : bend(straight));
        for (std::size_t r = 0; r < 3; ++r) out[r] = x[r];
      }
  });
  return result;
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
