// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The benchmarks' mesh for sources of a device's compiler, made by the host's.
#include "mesh_vertices.hpp"

#include "../subjects/element_mesh.hpp"

namespace sumfac::bench {

std::vector<double> mesh_vertices(index_t elements, bool parallel)
{
  auto const mesh = hexahedra(host{}, elements, parallel);
  return {mesh.coordinates.begin(), mesh.coordinates.end()};
}

}  // namespace sumfac::bench
