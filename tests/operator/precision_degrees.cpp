// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Errors of single vectors and of kernels in single as functions of the degree: what theory allows, and a table of what
// was measured (run with the argument [table]).
#include "precisions.hpp"

#include <cstdio>

namespace {

using checks::errors, checks::of_bp35, checks::unit;

// The result is rounded once, at any degree.
void vectors_alone(errors const& e)
{
  CHECK(e.of_result <= unit<float>);
  CHECK(e.relative <= 1.001 * unit<float>);
  CHECK(e.relative > 0.1 * unit<float>);
}

// Every sum is single: the error grows as the square root of the roundings, which grow with the degree.
void all_inside(errors const& e)
{
  INFO("entries off by " << e.greatest << ", " << e.singles << " allowed");
  CHECK(e.greatest <= e.singles);
  CHECK(e.greatest > 1e3 * e.doubles);
}

template <int N>
void row()
{
  auto const vectors = of_bp35<N, sumfac::low_high>(), inside = of_bp35<N, sumfac::high_low>();
  std::printf("| %d | %.1e | %.1e |\n", N, vectors.relative, inside.relative);
}

}  // namespace

TEMPLATE_TEST_CASE_SIG("precision by degree: single vectors", "", ((int N), N), 1, 3, 7, 11, 15)
{
  vectors_alone(of_bp35<N, sumfac::low_high>());
}

TEMPLATE_TEST_CASE_SIG("precision by degree: all inside in single", "", ((int N), N), 1, 3, 7, 11, 15)
{
  all_inside(of_bp35<N, sumfac::high_low>());
}

TEST_CASE("precision by degree: a table of single vectors and kernels", "[.][table]")
{
  std::printf("| N | low_high | high_low |\n|---|---|---|\n");
  row<1>();
  row<3>();
  row<7>();
  row<11>();
  row<15>();
}
