// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Where mesh nodes lie along edges.
#pragma once

#include <sumfac/mesh/mesh_nodes.hpp>

#include <algorithm>
#include <vector>

namespace sumfac_python {

// One of sumfac's two sets, or those of a mesh, chosen at run time.
struct node_set {
  bool equispaced = false;
  std::vector<long double> places = {};

  void operator()(int m, long double* nodes) const
  {
    if (!places.empty())
      std::copy(places.begin(), places.end(), nodes);
    else if (equispaced)
      sumfac::equispaced_nodes{}(m, nodes);
    else
      sumfac::gauss_lobatto_nodes{}(m, nodes);
  }
};

}  // namespace sumfac_python
