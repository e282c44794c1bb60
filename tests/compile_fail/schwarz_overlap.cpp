// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// More layers of overlap than there are.
// expect: sumfac::schwarz: the overlap must be 0 or 1 layers of nodes
// errors: 1
#include <sumfac/operator/bake_off.hpp>
#include <sumfac/solver/schwarz.hpp>

#if defined(SUMFAC_FITS)
using made = sumfac::bp5<3>;
using options = sumfac::schwarz<1>;
#else
using made = sumfac::bp5<3>;
using options = sumfac::schwarz<2>;
#endif

void make(sumfac::global_operator<made, sumfac::restriction<>> const& L)
{
  sumfac::schwarz_preconditioner const P{L, options{}};
}
