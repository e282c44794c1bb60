// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// An E-vector of hexahedra for an operator on quadrilaterals.
// expect: sumfac::element_operator: the rank of an E-vector is (E, j, i) on quadrilaterals
#include <sumfac/operator/bake_off.hpp>

#if defined(SUMFAC_FITS)
using e_vector = sumfac::view<double, sumfac::dextents<3>>;
#else
using e_vector = sumfac::view<double, sumfac::dextents<4>>;
#endif

void apply(sumfac::element_operator<sumfac::mass, sumfac::quadrilateral(2)> const& A, e_vector u, e_vector v)
{
  A.apply(u, v);
}
