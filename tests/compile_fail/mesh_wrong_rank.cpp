// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Mesh nodes that are no hexahedra.
// expect: sumfac::element_operator: the mesh nodes have not the rank of the space's elements: (E, m, m, m, 3)
#include <sumfac/operator/bake_off.hpp>

#if defined(SUMFAC_FITS)
using mesh = sumfac::view<double const, sumfac::dextents<5>>;
#else
using mesh = sumfac::view<double const, sumfac::dextents<4>>;
#endif

sumfac::bp1<1> make(mesh nodes)
{
  return {sumfac::host{}, nodes};
}
