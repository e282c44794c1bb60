// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Vertices of tetrahedra.
#pragma once

#include <sumfac/config.hpp>

#include <vector>

namespace sumfac::bench {

// Some copies of the reference element: an operator's time does not depend on where its elements lie.
inline std::vector<double> some_tetrahedra(sumfac::index_t elements)
{
  std::vector<double> vertices;
  for (sumfac::index_t e = 0; e < elements; ++e)
    for (double const x : {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}) vertices.push_back(x);
  return vertices;
}

}  // namespace sumfac::bench
