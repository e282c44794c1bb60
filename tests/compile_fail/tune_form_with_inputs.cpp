// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A form that reads u beside what it is applied to.
// expect: sumfac::tune: the form has inputs, which no candidate can be checked and timed without
// errors: 1
#include <sumfac/form/stiffness.hpp>
#include <sumfac/form/tangent.hpp>
#include <sumfac/operator/tune.hpp>

#if defined(SUMFAC_FITS)
using form = sumfac::laplace;
#else
using form = sumfac::tangent<sumfac::laplace>;
#endif

void choose(sumfac::view<double const, sumfac::dextents<5>> nodes)
{
  static_cast<void>(sumfac::tune<sumfac::element_operator<form, 2>>({}, nodes));
}
