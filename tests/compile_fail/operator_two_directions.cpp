// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// An operator on a space of two directions.
// expect: sumfac::element_operator: Space has not the 3 directions of a hexahedron, the only element so far
// errors: 1
#include <sumfac/basis/space.hpp>
#include <sumfac/form/mass.hpp>
#include <sumfac/operator/element_operator.hpp>

#if defined(SUMFAC_FITS)
using mass = sumfac::element_operator<sumfac::mass, sumfac::space(2, 3)>;
#else
using mass = sumfac::element_operator<sumfac::mass, sumfac::space(2, 2)>;
#endif

int nodes()
{
  return mass::nodes_1d;
}
