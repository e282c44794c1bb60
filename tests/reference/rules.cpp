// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The oracle's rules and Lagrange bases against values by hand and exact integrals.
#include <support/rules.hpp>

#include <catch2/catch.hpp>

#include <cmath>
#include <limits>

namespace {

long double const eps = std::numeric_limits<long double>::epsilon();

void check_near(std::vector<long double> const& got, std::vector<long double> const& expected)
{
  REQUIRE(got.size() == expected.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    INFO("entry " << i << ": " << static_cast<double>(got[i]) << ", expected " << static_cast<double>(expected[i]));
    CHECK(std::abs(got[i] - expected[i]) <= 4 * eps);
  }
}

}  // namespace

TEST_CASE("reference: Gauss rules by hand")
{
  check_near(reference::gauss(1).nodes, {0});
  check_near(reference::gauss(1).weights, {2});
  check_near(reference::gauss(2).nodes, {-1 / std::sqrt(3.0L), 1 / std::sqrt(3.0L)});
  check_near(reference::gauss(2).weights, {1, 1});
  check_near(reference::gauss(3).nodes, {-std::sqrt(0.6L), 0, std::sqrt(0.6L)});
  check_near(reference::gauss(3).weights, {5 / 9.0L, 8 / 9.0L, 5 / 9.0L});
}

TEST_CASE("reference: Gauss-Lobatto rules by hand")
{
  check_near(reference::gauss_lobatto(2).nodes, {-1, 1});
  check_near(reference::gauss_lobatto(2).weights, {1, 1});
  check_near(reference::gauss_lobatto(3).nodes, {-1, 0, 1});
  check_near(reference::gauss_lobatto(3).weights, {1 / 3.0L, 4 / 3.0L, 1 / 3.0L});
  check_near(reference::gauss_lobatto(4).nodes, {-1, -1 / std::sqrt(5.0L), 1 / std::sqrt(5.0L), 1});
  check_near(reference::gauss_lobatto(4).weights, {1 / 6.0L, 5 / 6.0L, 5 / 6.0L, 1 / 6.0L});
  check_near(reference::gauss_lobatto(5).nodes, {-1, -std::sqrt(3 / 7.0L), 0, std::sqrt(3 / 7.0L), 1});
  check_near(reference::gauss_lobatto(5).weights, {0.1L, 49 / 90.0L, 32 / 45.0L, 49 / 90.0L, 0.1L});
}

TEST_CASE("reference: rules integrate every monomial they should, and not the next")
{
  for (int n = 1; n <= 32; ++n)
    for (bool const lobatto : {false, true}) {
      if (lobatto && n < 2) continue;
      auto const rule = lobatto ? reference::gauss_lobatto(n) : reference::gauss(n);
      int const exact_to = 2 * n - (lobatto ? 3 : 1);
      for (int degree = 0; degree <= exact_to + 1; ++degree) {
        long double sum = 0;
        for (std::size_t q = 0; q < rule.nodes.size(); ++q)
          sum += rule.weights[q] * std::pow(rule.nodes[q], static_cast<long double>(degree));
        long double const exact = degree % 2 == 0 ? 2.0L / (degree + 1) : 0;
        INFO((lobatto ? "Gauss-Lobatto " : "Gauss ") << n << ", degree " << degree);
        if (degree <= exact_to)
          CHECK(std::abs(sum - exact) <= 32 * eps);
        else if (n <= 12)
          CHECK(std::abs(sum - exact) > 1e-9L);
      }
    }
}

TEST_CASE("reference: Lagrange bases by hand")
{
  std::vector<long double> const nodes{-1, 0, 1};  // x (x-1) / 2, 1 - x^2, x (x+1) / 2
  check_near(reference::lagrange_values(nodes, {0.5L}).entries, {-0.125L, 0.75L, 0.375L});
  check_near(reference::lagrange_derivatives(nodes, {0.5L}).entries, {0, -1, 1});
  check_near(reference::lagrange_derivatives(nodes, nodes).entries, {-1.5L, 2, -0.5L, -0.5L, 0, 0.5L, 0.5L, -2, 1.5L});
  check_near(reference::equispaced(4).nodes, {-1, -1 / 3.0L, 1 / 3.0L, 1});
}

TEST_CASE("reference: Lagrange bases interpolate and differentiate polynomials")
{
  for (int n = 2; n <= 17; ++n) {
    auto const nodes = reference::gauss_lobatto(n).nodes, points = reference::gauss(n + 1).nodes;
    auto const value = reference::lagrange_values(nodes, points);
    auto const slope = reference::lagrange_derivatives(nodes, points);
    for (int q = 0; q <= n; ++q)
      for (int degree = 0; degree < n; ++degree) {
        long double v = 0, d = 0;
        for (int i = 0; i < n; ++i) {
          long double const p = std::pow(nodes[static_cast<std::size_t>(i)], static_cast<long double>(degree));
          v += value(q, i) * p;
          d += slope(q, i) * p;
        }
        long double const x = points[static_cast<std::size_t>(q)];
        INFO(n << " nodes, point " << q << ", degree " << degree);
        CHECK(std::abs(v - std::pow(x, static_cast<long double>(degree))) <= 64 * eps);
        long double const derivative = degree == 0 ? 0 : degree * std::pow(x, static_cast<long double>(degree - 1));
        CHECK(std::abs(d - derivative) <= 64 * n * n * eps);
      }
  }
}
