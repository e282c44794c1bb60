// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Candidates of two degrees.
// expect: sumfac::tune: the operators must have one form, space, rule, scalar type and backend
// errors: 1
#include <sumfac/operator/bake_off.hpp>
#include <sumfac/operator/tune.hpp>

int choose(sumfac::view<double const, sumfac::dextents<5>> nodes)
{
#if defined(SUMFAC_FITS)
  return sumfac::tune<sumfac::bp3<2>, sumfac::bp3<2, sumfac::host, double, sumfac::affine>>({}, nodes).chosen();
#else
  return sumfac::tune<sumfac::bp3<2>, sumfac::bp3<3>>({}, nodes).chosen();
#endif
}
