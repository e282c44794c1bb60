// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Fewer points than nodes per direction where the tuning is asked for by number of points, before all else.
// expect: sumfac::element_operator: too few points per direction for this degree
// errors: 1
#include <sumfac/backend/checked.hpp>
#include <sumfac/form/stiffness.hpp>
#include <sumfac/operator/element_operator.hpp>

#if defined(SUMFAC_FITS)
using bad = sumfac::element_operator<sumfac::laplace, 2, sumfac::gauss<3>, sumfac::checked>;
#else
using bad = sumfac::element_operator<sumfac::laplace, 2, sumfac::gauss<2>, sumfac::checked>;
#endif

int nodes()
{
  return bad::nodes_1d;
}
