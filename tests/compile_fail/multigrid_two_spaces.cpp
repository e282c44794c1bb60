// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Levels of an operator between two spaces.
// expect: sumfac::p_levels: the operator is between two spaces
// errors: 1
#include <sumfac/form/mass.hpp>
#include <sumfac/operator/element_operator.hpp>
#include <sumfac/solver/p_levels.hpp>

using sumfac::quadrilateral;
#if defined(SUMFAC_FITS)
constexpr auto space = quadrilateral(2);
#else
constexpr sumfac::spaces space{.trial = quadrilateral(2), .test = quadrilateral(1)};
#endif
using made = sumfac::element_operator<sumfac::mass, space>;

void make(made const& A, sumfac::view<double const, sumfac::dextents<4>> mesh, sumfac::restriction<> const& R)
{
  static_cast<void>(sumfac::p_levels<2, 1>(A, mesh, R));
}
