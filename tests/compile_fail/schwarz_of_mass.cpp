// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Schwarz of a form that has no gradients.
// expect: sumfac::schwarz: the form must have gradients in trial and test: subdomains are those of diffusion
// errors: 1
#include <sumfac/operator/bake_off.hpp>
#include <sumfac/solver/schwarz.hpp>

#if defined(SUMFAC_FITS)
using made = sumfac::bp3<2>;
using options = sumfac::schwarz<1>;
#else
using made = sumfac::bp1<2>;
using options = sumfac::schwarz<1>;
#endif

void make(sumfac::global_operator<made, sumfac::restriction<>> const& L)
{
  sumfac::schwarz_preconditioner const P{L, options{}};
}
