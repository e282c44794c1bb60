// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// An operator on elements that there are none of: of three directions in the plane.
// expect: sumfac::element_operator: Space has no element of lines, quadrilaterals or hexahedra in at most 3
// errors: 1
#include <sumfac/basis/space.hpp>
#include <sumfac/form/mass.hpp>
#include <sumfac/operator/element_operator.hpp>

#if defined(SUMFAC_FITS)
using mass = sumfac::element_operator<sumfac::mass, sumfac::space(2, 3)>;
#else
using mass = sumfac::element_operator<sumfac::mass, sumfac::space(2, 3, 2)>;
#endif

int nodes()
{
  return mass::nodes_1d;
}
