// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A layer of overlap where the neighbours have no node inside.
// expect: sumfac::schwarz: the degree must be greater than the overlap: take sumfac::schwarz<0> for degree 1
// errors: 1
#include <sumfac/operator/bake_off.hpp>
#include <sumfac/solver/schwarz.hpp>

#if defined(SUMFAC_FITS)
using made = sumfac::bp5<1>;
using options = sumfac::schwarz<0>;
#else
using made = sumfac::bp5<1>;
using options = sumfac::schwarz<1>;
#endif

void make(sumfac::global_operator<made, sumfac::restriction<>> const& L)
{
  sumfac::schwarz_preconditioner const P{L, options{}};
}
