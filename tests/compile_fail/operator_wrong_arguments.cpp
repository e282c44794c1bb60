// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Arguments in another order, and a form's number in place of the form.
// expect: sumfac::element_operator: the first argument must be an object of the operator's backend, the second the mesh
// expect: sumfac::element_operator: behind the mesh nodes come a form, as in
// errors: 2
#include <sumfac/operator/bake_off.hpp>

using nodes = sumfac::view<double const, sumfac::dextents<5>>;

#if defined(SUMFAC_FITS)
sumfac::bp35<1> ordered(nodes x)
{
  return {sumfac::host(), x};
}
sumfac::bp35<1> with_form(nodes x)
{
  return {sumfac::host(), x, {.lambda = 0.1}};
}
#else
sumfac::bp35<1> ordered(nodes x)
{
  return sumfac::bp35<1>(x, sumfac::host());
}
sumfac::bp35<1> with_form(nodes x)
{
  return sumfac::bp35<1>(sumfac::host(), x, 0.1);
}
#endif
