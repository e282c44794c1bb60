// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The mesh of subjects/element_mesh.hpp for sources of a device's compiler.
#pragma once

#include <sumfac/config.hpp>

#include <vector>

namespace sumfac::bench {

// Vertices (E, 2, 2, 2, 3); of parallelepipeds, or of hexahedra that are none.
std::vector<double> mesh_vertices(index_t elements, bool parallel = false);

}  // namespace sumfac::bench
