// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A mesh in an array, whose shape nobody knows.
// expect: sumfac::element_order::like_by_like: the mesh must be a sumfac::view of nodes, of shape (E, m, m, m, 3), (E
// errors: 1
#include <sumfac/geometry/element_order.hpp>

#include <vector>

sumfac::element_order sorted(std::vector<double> const& nodes)
{
#if defined(SUMFAC_FITS)
  return sumfac::element_order::like_by_like(sumfac::view(nodes.data(), 1, 2, 2, 2, 3));
#else
  return sumfac::element_order::like_by_like(nodes);
#endif
}
