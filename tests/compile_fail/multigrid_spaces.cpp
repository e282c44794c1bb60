// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Spaces where degrees are wanted.
// expect: sumfac::p_levels: degrees are enough, as in p_levels<4, 2, 1>(A, nodes, R)
// errors: 1
#include <sumfac/form/stiffness.hpp>
#include <sumfac/operator/element_operator.hpp>
#include <sumfac/solver/p_levels.hpp>

using sumfac::quadrilateral;
using made = sumfac::element_operator<sumfac::laplace, quadrilateral(2)>;
using nodes = sumfac::view<double const, sumfac::dextents<4>>;

void make(made const& A, nodes mesh, sumfac::restriction<> const& R)
{
#if defined(SUMFAC_FITS)
  static_cast<void>(sumfac::p_levels<2, 1>(A, mesh, R));
#else
  sumfac::p_levels<quadrilateral(2), quadrilateral(1)>(A, mesh, R);
#endif
}
