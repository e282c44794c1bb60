// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A node set, which has no weights, where a quadrature rule is needed.
// expect: sumfac::element_operator: Points is no quadrature rule: it needs size, nodes and weights
#include <sumfac/operator/bake_off.hpp>

#if defined(SUMFAC_FITS)
using bad = sumfac::element_operator<sumfac::mass, 2, sumfac::gauss_lobatto<3>>;
#else
using bad = sumfac::element_operator<sumfac::mass, 2, sumfac::equispaced<3>>;
#endif

int nodes()
{
  return bad::nodes_1d;
}
