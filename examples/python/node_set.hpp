// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Where mesh nodes lie along edges.
#pragma once

#include <sumfac/mesh/mesh_nodes.hpp>

namespace sumfac_python {

// One of sumfac's two sets, chosen at run time.
struct node_set {
  bool equispaced = false;

  void operator()(int m, long double* nodes) const
  {
    if (equispaced)
      sumfac::equispaced_nodes{}(m, nodes);
    else
      sumfac::gauss_lobatto_nodes{}(m, nodes);
  }
};

}  // namespace sumfac_python
