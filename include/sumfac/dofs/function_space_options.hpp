// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What may be said of a function space beside its mesh and its degree.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/dofs/restriction.hpp>

namespace sumfac::SUMFAC_TARGET {

struct function_space_options {
  int components = 1;
  interleaving components_lie = interleaving::fastest;
  node_placement nodes = node_placement::gauss_lobatto;  // or equispaced
  int points = 0;                                        // Gauss points of integrals along an edge; 0: degree + 2
  bool continuous = true;                                // false: E-vectors, of nodes at Gauss points, too
};

}  // namespace sumfac::SUMFAC_TARGET
