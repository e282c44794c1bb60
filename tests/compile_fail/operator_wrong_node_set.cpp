// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A set of nodes by type, as rules are, where the nodes of a mesh's edges are asked for.
// expect: sumfac::element_operator: node_set must be sumfac::gauss_lobatto_nodes{}, equispaced_nodes{}, or an object of
#include <sumfac/operator/bake_off.hpp>

using nodes = sumfac::view<double const, sumfac::dextents<5>>;

#if defined(SUMFAC_FITS)
using set = sumfac::equispaced_nodes;
#else
using set = sumfac::equispaced<3>;
#endif

sumfac::bp1<1> made(nodes x)
{
  return {sumfac::host(), x, {}, set{}};
}
