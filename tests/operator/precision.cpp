// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Vectors, factors and arithmetic of different precisions: how far each mix may be off, by what it rounds, and no less.
#include "precisions.hpp"

#include <sumfac/backend/checked.hpp>

namespace {

using checks::errors, checks::of_bp1, checks::of_bp35, checks::unit;
using sumfac::precision;

// Single factors under double: every factor is off by one rounding, the rest is double's.
void single_factors(errors const& e)
{
  INFO(e.greatest << " off, " << e.rounded_factors << " allowed");
  CHECK(e.greatest <= e.rounded_factors + e.doubles);
  CHECK(e.greatest > 1e3 * e.doubles);  // they are single
}

// Single vectors under double: the result is rounded, once.
void single_vectors(errors const& e)
{
  INFO(e.of_result << " of a result's entry");
  CHECK(e.of_result <= unit<float>);
  CHECK(e.of_result > 0.1 * unit<float>);
}

// All inside in single.
void single_inside(errors const& e)
{
  INFO(e.greatest << " off, " << e.singles << " allowed");
  CHECK(e.greatest <= e.singles);
  CHECK(e.greatest > 1e3 * e.doubles);
}

}  // namespace

TEST_CASE("precision: one type is the same as the type")
{
  static_assert(std::is_same_v<typename sumfac::bp1<2, sumfac::host, precision<double>>::scalar_type, double>);
  static_assert(
      std::is_same_v<typename sumfac::bp1<2, sumfac::host, precision<double, float, double>>::scalar_type, double>);
  static_assert(std::is_same_v<typename sumfac::bp1<2, sumfac::host, sumfac::low_high>::scalar_type, float>);
  auto const e = of_bp35<3, precision<double>>();
  CHECK(e.greatest <= e.doubles);
}

TEMPLATE_TEST_CASE_SIG("precision: single factors under double", "", ((int N), N), 1, 4, 9)
{
  single_factors(of_bp35<N, precision<double, float, double>>());
  single_factors(of_bp1<N, precision<double, float, double>>());
}

TEMPLATE_TEST_CASE_SIG("precision: single vectors under double", "", ((int N), N), 2, 7)
{
  single_vectors(of_bp35<N, precision<float, double, double>>());
  single_vectors(of_bp1<N, sumfac::low_high>());
}

TEMPLATE_TEST_CASE_SIG("precision: double vectors, all inside in single", "", ((int N), N), 2, 7)
{
  single_inside(of_bp35<N, sumfac::high_low>());
  single_inside(of_bp1<N, precision<double, float, float>>());
}

TEST_CASE("precision: on checked")
{
  single_factors(of_bp35<3, precision<double, float, double>, sumfac::checked>());
  single_vectors(of_bp35<3, sumfac::low_high, sumfac::checked>());
  single_inside(of_bp1<2, sumfac::high_low, sumfac::checked>());
}

TEST_CASE("precision: under geometry that is recomputed")
{
  single_vectors(of_bp35<3, sumfac::low_high, sumfac::host, sumfac::trilinear>());
  single_inside(of_bp35<3, sumfac::high_low, sumfac::host, sumfac::trilinear>());
  auto const vertices = of_bp35<3, precision<double, float, double>, sumfac::host, sumfac::trilinear>();
  CHECK(vertices.greatest <= vertices.singles);
}

TEST_CASE("precision: work counts vectors and factors by their own bytes")
{
  auto const mesh = mesh::box({5, 1, 1});
  auto const check = [&](auto const& a, int vectors, int factors) {
    CHECK(a.work().bytes_read == 5 * (27 * vectors + 7 * 27 * factors));
    CHECK(a.work().bytes_written == 5 * 27 * vectors);
  };
  auto const nodes = checks::nodes_view(mesh);
  check(sumfac::bp35<2, sumfac::host, precision<double, float, double>>(sumfac::host{}, nodes), 8, 4);
  check(sumfac::bp35<2, sumfac::host, sumfac::high_low>(sumfac::host{}, nodes), 8, 4);
  check(sumfac::bp35<2, sumfac::host, sumfac::low_high>(sumfac::host{}, nodes), 4, 8);
}
