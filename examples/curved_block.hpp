// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A unit cube with curved sides, for examples whose problems have terms on the boundary.
#pragma once

#include <sumfac/sumfac.hpp>

#include <cmath>

// So many cells along each edge, of an order.
inline sumfac::mesh<3> curved_block(int cells, int order)
{
  return sumfac::box_mesh({cells, cells, cells}, [](sumfac::vector<double, 3> const& x) {
    double const bent = 0.08 * std::sin(2 * x[1]) * x[2];
    return sumfac::vector<double, 3>{x[0] + bent, x[1] * (1 + 0.1 * x[0]), x[2] + 0.06 * x[0] * x[1]};
  }, order);
}
