// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Errors of single factors under double as functions of the degree: what theory allows, and a table of what was
// measured (run with the argument [table]).
#include "precisions.hpp"

#include <cstdio>

namespace {

using checks::errors, checks::of_bp1, checks::of_bp35, checks::unit;
using narrow_factors = sumfac::precision<double, float, double>;

// Each factor is off by one rounding, so A is off by a part of itself that does not depend on the degree: for the mass
// by one unit roundoff, for the stiffness by as many as the elements are distorted.
void within_theory(errors const& e, double spread)
{
  INFO("energy off by " << e.energy << ", " << spread << " roundings of " << unit<float> << " allowed");
  CHECK(e.energy <= spread * unit<float> + e.energy_doubles);
  INFO("entries off by " << e.greatest << ", " << e.rounded_factors << " allowed");
  CHECK(e.greatest <= e.rounded_factors + e.doubles);
  CHECK(e.greatest > 1e3 * e.doubles);  // they are single
}

template <int N>
void row()
{
  auto const stiffness = of_bp35<N, narrow_factors>(), mass = of_bp1<N, narrow_factors>();
  std::printf("| %d | %.1e | %.1e | %.1e | %.1e |\n", N, stiffness.relative, stiffness.energy, mass.relative,
              mass.energy);
}

}  // namespace

TEMPLATE_TEST_CASE_SIG("precision by degree: single factors", "", ((int N), N), 1, 3, 7, 11, 15)
{
  auto const stiffness = of_bp35<N, narrow_factors>();
  CHECK(stiffness.spread < 50);  // the elements are no excuse
  within_theory(stiffness, stiffness.spread);
  within_theory(of_bp1<N, narrow_factors>(), 1);
}

TEST_CASE("precision by degree: a table of single factors", "[.][table]")
{
  std::printf("| N | BP3.5: entries | BP3.5: energy | BP1.0: entries | BP1.0: energy |\n|---|---|---|---|---|\n");
  row<1>();
  row<3>();
  row<7>();
  row<11>();
  row<15>();
}
