// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Rules and node sets: values to the last bit, symmetry, exactness, and what counts as a rule.
#include <sumfac/basis/quadrature.hpp>

#include <basis/exact_rules.hpp>
#include <basis/for_each_size.hpp>
#include <basis/radau.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

// Rules and node sets of the user's own, and types that are none.
namespace own {

struct uneven {
  static constexpr int size = 4;
  static constexpr std::array<double, size> nodes = {-1, -0.25, 0.5, 1};
};

struct same_as_lobatto_3 {
  static constexpr int size = 3;
  static constexpr std::array<float, size> nodes = {-1, 0, 1};
};

struct without_size {
  static constexpr std::array<long double, 2> nodes = {-1, 1};
};

struct of_wrong_size {
  static constexpr int size = 3;
  static constexpr std::array<long double, 2> nodes = {-1, 1};
};

struct with_missing_weight {
  static constexpr int size = 2;
  static constexpr std::array<long double, 2> nodes = {-1, 1};
  static constexpr std::array<long double, 1> weights = {2};
};

}  // namespace own

namespace {

using namespace sumfac;

static_assert(node_set<gauss<1>> && node_set<gauss<32>> && node_set<gauss_lobatto<2>> && node_set<equispaced<5>>);
static_assert(node_set<own::uneven> && node_set<radau> && node_set<radau const>);
static_assert(!node_set<int> && !node_set<own::without_size> && !node_set<own::of_wrong_size>);
static_assert(quadrature_rule<gauss<3>> && quadrature_rule<gauss_lobatto<3>> && quadrature_rule<radau>);
static_assert(!quadrature_rule<equispaced<5>> && !quadrature_rule<own::uneven>);
static_assert(!quadrature_rule<own::with_missing_weight>);

static_assert(is_symmetric<gauss<4>> && is_symmetric<gauss<5>> && is_symmetric<gauss_lobatto<6>>);
static_assert(is_symmetric<equispaced<7>> && is_symmetric<equispaced<8>>);
static_assert(!is_symmetric<radau> && !is_symmetric<own::uneven>);

static_assert(is_collocated<gauss<4>, gauss<4>> && is_collocated<gauss_lobatto<3>, own::same_as_lobatto_3>);
static_assert(is_collocated<equispaced<3>, gauss_lobatto<3>> && !is_collocated<equispaced<4>, gauss_lobatto<4>>);
static_assert(!is_collocated<gauss_lobatto<4>, gauss<4>> && !is_collocated<gauss<4>, gauss<5>>);

constexpr long double epsilon = std::numeric_limits<long double>::epsilon();

// In ulp of double: 2 are allowed; a wider long double leaves the half of a rounding, and a hundredth.
constexpr double one_rounding = std::numeric_limits<long double>::digits > 53 ? 0.51 : 2;

struct rule {
  std::vector<long double> nodes, weights;
  std::size_t size() const { return nodes.size(); }
};

template <class Rule>
rule values_of()
{
  return {{Rule::nodes.begin(), Rule::nodes.end()}, {Rule::weights.begin(), Rule::weights.end()}};
}

// Index i holds the rule with i + 1 points.
std::vector<rule> gauss_rules()
{
  std::vector<rule> rules;
  for_each_size<1, 32>([&](auto n) { rules.push_back(values_of<gauss<n()>>()); });
  return rules;
}

// Index i holds the rule with i + 2 points.
std::vector<rule> gauss_lobatto_rules()
{
  std::vector<rule> rules;
  for_each_size<2, 32>([&](auto n) { rules.push_back(values_of<gauss_lobatto<n()>>()); });
  return rules;
}

void check_hand_values(rule const& computed, rule const& expected)
{
  REQUIRE(computed.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    INFO("point " << i << " of " << expected.size());
    CHECK(std::fabs(computed.nodes[i] - expected.nodes[i]) <= 2 * epsilon);
    CHECK(std::fabs(computed.weights[i] - expected.weights[i]) <= 4 * epsilon);
  }
}

void check_to_the_last_bit(rule const& computed, exact::rule const& expected)
{
  for (std::size_t i = 0; i < computed.size(); ++i) {
    INFO("point " << i << " of " << computed.size());
    CHECK(exact::ulps(static_cast<double>(computed.nodes[i]), expected.nodes[i]) <= one_rounding);
    CHECK(exact::ulps(static_cast<double>(computed.weights[i]), expected.weights[i]) <= one_rounding);
    CHECK(std::fabs(static_cast<long double>(exact::real(computed.nodes[i]) - expected.nodes[i])) <= 2 * epsilon);
  }
}

void check_symmetry(rule const& r)
{
  auto const n = r.size();
  INFO(n << " points");
  CHECK(std::is_sorted(r.nodes.begin(), r.nodes.end(), std::less_equal<>{}));
  for (std::size_t i = 0; i < n; ++i) {
    CHECK(r.nodes[i] == -r.nodes[n - 1 - i]);
    CHECK(r.weights[i] == r.weights[n - 1 - i]);
    CHECK(r.weights[i] > 0);
  }
  if (n % 2 == 1) {
    CHECK(r.nodes[n / 2] == 0);
    CHECK(!std::signbit(r.nodes[n / 2]));
  }
}

// P_n(x), which keeps its size at every degree, as powers of x do not.
long double legendre(int n, long double x)
{
  long double before = 0, p = 1;
  for (int k = 0; k < n; ++k) {
    long double const next = ((2 * k + 1) * x * p - k * before) / (k + 1);
    before = p;
    p = next;
  }
  return p;
}

// The error of the integral of P_n, which is 0 but for n = 0.
long double legendre_error(rule const& r, int n)
{
  long double sum = 0;
  for (std::size_t i = 0; i < r.size(); ++i) sum += r.weights[i] * legendre(n, r.nodes[i]);
  return std::fabs(sum - (n == 0 ? 2 : 0));
}

void check_exactness(rule const& r, int last_degree)
{
  for (int degree = 0; degree <= last_degree; ++degree) {
    INFO(r.size() << " points, degree " << degree);
    CHECK(legendre_error(r, degree) <= 64 * epsilon);
  }
  INFO(r.size() << " points must not integrate degree " << last_degree + 1);
  CHECK(legendre_error(r, last_degree + 1) > 0.1L);
}

}  // namespace

TEST_CASE("gauss: 1 to 5 points by hand")
{
  check_hand_values(values_of<gauss<1>>(), {{0}, {2}});
  long double const third = std::sqrt(1 / 3.0L);
  check_hand_values(values_of<gauss<2>>(), {{-third, third}, {1, 1}});
  long double const x3 = std::sqrt(0.6L);
  check_hand_values(values_of<gauss<3>>(), {{-x3, 0, x3}, {5 / 9.0L, 8 / 9.0L, 5 / 9.0L}});
  long double const shift = 2 / 7.0L * std::sqrt(1.2L);
  long double const inner = std::sqrt(3 / 7.0L - shift), outer = std::sqrt(3 / 7.0L + shift);
  long double const heavy = (18 + std::sqrt(30.0L)) / 36, light = (18 - std::sqrt(30.0L)) / 36;
  check_hand_values(values_of<gauss<4>>(), {{-outer, -inner, inner, outer}, {light, heavy, heavy, light}});
  long double const root = 2 * std::sqrt(10 / 7.0L), near = std::sqrt(5 - root) / 3, far = std::sqrt(5 + root) / 3;
  long double const more = (322 + 13 * std::sqrt(70.0L)) / 900, less = (322 - 13 * std::sqrt(70.0L)) / 900;
  check_hand_values(values_of<gauss<5>>(), {{-far, -near, 0, near, far}, {less, more, 128 / 225.0L, more, less}});
}

TEST_CASE("gauss_lobatto: 2 to 5 points by hand")
{
  check_hand_values(values_of<gauss_lobatto<2>>(), {{-1, 1}, {1, 1}});
  check_hand_values(values_of<gauss_lobatto<3>>(), {{-1, 0, 1}, {1 / 3.0L, 4 / 3.0L, 1 / 3.0L}});
  long double const x4 = std::sqrt(0.2L);
  check_hand_values(values_of<gauss_lobatto<4>>(), {{-1, -x4, x4, 1}, {1 / 6.0L, 5 / 6.0L, 5 / 6.0L, 1 / 6.0L}});
  long double const x5 = std::sqrt(3 / 7.0L);
  check_hand_values(values_of<gauss_lobatto<5>>(),
                    {{-1, -x5, 0, x5, 1}, {0.1L, 49 / 90.0L, 32 / 45.0L, 49 / 90.0L, 0.1L}});
}

TEST_CASE("gauss: to 32 points right to the last bit of a double")
{
  for (auto const& r : gauss_rules()) check_to_the_last_bit(r, exact::gauss(static_cast<int>(r.size())));
}

TEST_CASE("gauss_lobatto: to 32 points right to the last bit of a double")
{
  for (auto const& r : gauss_lobatto_rules())
    check_to_the_last_bit(r, exact::gauss_lobatto(static_cast<int>(r.size())));
}

TEST_CASE("gauss, gauss_lobatto: symmetric to the bit, ascending, positive weights")
{
  for (auto const& r : gauss_rules()) check_symmetry(r);
  for (auto const& r : gauss_lobatto_rules()) check_symmetry(r);
}

TEST_CASE("gauss: exact to degree 2 N - 1 and no further")
{
  for (auto const& r : gauss_rules()) check_exactness(r, 2 * static_cast<int>(r.size()) - 1);
}

TEST_CASE("gauss_lobatto: exact to degree 2 N - 3 and no further")
{
  for (auto const& r : gauss_lobatto_rules()) check_exactness(r, 2 * static_cast<int>(r.size()) - 3);
}

TEST_CASE("a rule of the user's own: Gauss-Radau, exact to degree 4 and no further")
{
  check_exactness(values_of<radau>(), 4);
}

TEST_CASE("equispaced: equal distances from end to end")
{
  for_each_size<2, 32>([](auto n) {
    static_assert(is_symmetric<equispaced<n()>>);
    auto const& nodes = equispaced<n()>::nodes;
    bool near = nodes.front() == -1 && nodes.back() == 1;
    for (int i = 0; i < n; ++i)
      near = near && std::fabs(nodes[static_cast<std::size_t>(i)] - (-1 + 2.0L * i / (n - 1))) <= epsilon;
    INFO(n << " nodes");
    CHECK(near);
  });
}

TEST_CASE("rules made at run time are those made at compile time")
{
  for (auto const& r : gauss_rules()) {
    rule made{r.weights, r.nodes};
    make_gauss(static_cast<int>(r.size()), made.nodes.data(), made.weights.data());
    CHECK(made.nodes == r.nodes);
    CHECK(made.weights == r.weights);
  }
  for (auto const& r : gauss_lobatto_rules()) {
    rule made{r.weights, r.nodes};
    make_gauss_lobatto(static_cast<int>(r.size()), made.nodes.data(), made.weights.data());
    CHECK(made.nodes == r.nodes);
    CHECK(made.weights == r.weights);
  }
  std::vector<long double> nodes(7);
  make_equispaced(7, nodes.data());
  CHECK(std::equal(nodes.begin(), nodes.end(), equispaced<7>::nodes.begin()));
}
