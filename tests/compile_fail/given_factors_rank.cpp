// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Factors by element and number of the point.
// expect: sumfac::given_factors: numbers must be a sumfac::view of rank 5, (E, g, g, g, factors)
// errors: 1
#include <sumfac/form/given_factors.hpp>
#include <sumfac/operator/bake_off.hpp>

#if defined(SUMFAC_FITS)
using table = sumfac::view<double const, sumfac::dextents<5>>;
#else
using table = sumfac::view<double const, sumfac::dextents<3>>;
#endif

void set_up(sumfac::view<double, sumfac::dextents<5>> nodes, table numbers)
{
  sumfac::given_factors const form(sumfac::stiffness{}, numbers);
  using form_type = sumfac::given_factors<sumfac::stiffness, table>;
  sumfac::element_operator<form_type, 2> const A(sumfac::host{}, nodes, form);
}
