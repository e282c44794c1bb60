// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The classes of an operator that sorts no elements.
// expect: sumfac::element_operator: only an operator whose geometry is sumfac::split has classes()
// errors: 1
#include <sumfac/operator/bake_off.hpp>

#if defined(SUMFAC_FITS)
using policy = sumfac::split;
#else
using policy = sumfac::stored;
#endif

sumfac::geometry_classes classes(sumfac::bp1<1, sumfac::host, double, policy> const& A)
{
  return A.classes();
}
