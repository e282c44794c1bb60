// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Operators with packs of 64 bytes, as for AVX-512, on whatever this machine has.
#define SUMFAC_REGISTER_BYTES 64
#include "global_case.hpp"
#include "properties.hpp"

TEST_CASE("operator: with packs of 64 bytes groups are of eight elements in double, of sixteen in float")
{
  STATIC_REQUIRE(sumfac::native_width<double> == 8);
  STATIC_REQUIRE(sumfac::native_width<float> == 16);
  checks::properties<checks::bp1, 2, sumfac::host, double>{}.all();
  checks::properties<checks::bp3, 3, sumfac::host, double>{}.all();
  checks::properties<checks::bp35, 2, sumfac::host, double>{}.all();
  checks::properties<checks::bp35, 4, sumfac::host, float>{}.all();
}

TEST_CASE("global vectors: with packs of 64 bytes")
{
  std::vector<mesh::counts> const boxes{{3, 3, 3}, {1, 1, 1}, {5, 2, 1}};
  checks::agrees_globally<sumfac::bp3<2>>(boxes, reference::on_gauss(2), reference::stiffness(0.3), {.lambda = 0.3});
  checks::agrees_globally<sumfac::bp5<3>>(boxes, reference::collocated(3), reference::laplace());
}
