// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The Lagrange basis at run time: hand values, its definition, polynomials reproduced, places on and close to a node.
#include <sumfac/basis/lagrange.hpp>

#include <catch2/catch.hpp>

#include <cmath>
#include <limits>
#include <vector>

namespace {

using namespace sumfac;

template <class T>
struct basis {
  std::vector<T> nodes, weights, values, slopes;

  explicit basis(std::vector<T> const& where) : nodes(where), weights(where), values(where), slopes(where)
  {
    lagrange_weights(nodes.data(), size(), weights.data());
  }

  int size() const { return static_cast<int>(nodes.size()); }

  void evaluate(T x) { lagrange_derivatives(nodes.data(), weights.data(), size(), x, values.data(), slopes.data()); }
};

// Uneven nodes, the closer the further right.
template <class T>
std::vector<T> uneven_nodes(int n)
{
  std::vector<T> nodes;
  for (int i = 0; i < n; ++i) nodes.push_back(n == 1 ? T(0.25) : std::sin(T(1.5) * T(i) / T(n - 1)) * T(1.8) - T(0.9));
  return nodes;
}

// l_j and its derivative from the definition, sums of products over all nodes but one and but two.
template <class T>
T value_by_definition(std::vector<T> const& nodes, std::size_t j, T x, std::size_t skipped)
{
  T product = 1;
  for (std::size_t k = 0; k < nodes.size(); ++k)
    if (k != j) product *= (k == skipped ? 1 : x - nodes[k]) / (nodes[j] - nodes[k]);
  return product;
}

template <class T>
struct derivative {
  T value, size_of_terms;
};

template <class T>
derivative<T> derivative_by_definition(std::vector<T> const& nodes, std::size_t j, T x)
{
  derivative<T> sum{};
  for (std::size_t m = 0; m < nodes.size(); ++m)
    if (m != j) {
      T const term = value_by_definition(nodes, j, x, m);
      sum.value += term;
      sum.size_of_terms += std::fabs(term);
    }
  return sum;
}

template <class T>
void check_definition(std::vector<T> const& nodes, T x)
{
  INFO(nodes.size() << " nodes, x = " << x);
  basis<T> l(nodes);
  l.evaluate(x);
  std::vector<T> alone(nodes.size());
  lagrange_values(nodes.data(), l.weights.data(), l.size(), x, alone.data());

  T const rounding = T(4 * l.size()) * std::numeric_limits<T>::epsilon();
  for (std::size_t j = 0; j < nodes.size(); ++j) {
    INFO("polynomial " << j);
    T const value = value_by_definition(nodes, j, x, nodes.size());
    auto const slope = derivative_by_definition(nodes, j, x);
    CHECK(std::fabs(l.values[j] - value) <= rounding * std::fabs(value));
    CHECK(std::fabs(l.slopes[j] - slope.value) <= rounding * slope.size_of_terms);
    CHECK(alone[j] == l.values[j]);
  }
}

}  // namespace

TEST_CASE("lagrange: one, two and three nodes by hand")
{
  basis<double> one({0.5});
  one.evaluate(-3);
  CHECK(one.values == std::vector<double>{1});
  CHECK(one.slopes == std::vector<double>{0});

  basis<double> line({-1, 1});
  CHECK(line.weights == std::vector<double>{-0.5, 0.5});
  line.evaluate(0.5);
  CHECK(line.values == std::vector<double>{0.25, 0.75});
  CHECK(line.slopes == std::vector<double>{-0.5, 0.5});

  basis<double> parabola({-1, 0, 1});
  CHECK(parabola.weights == std::vector<double>{0.5, -1, 0.5});
  parabola.evaluate(0.5);
  CHECK(parabola.values == std::vector<double>{-0.125, 0.75, 0.375});
  CHECK(parabola.slopes == std::vector<double>{0, -1, 1});
  parabola.evaluate(-1);
  CHECK(parabola.values == std::vector<double>{1, 0, 0});
  CHECK(parabola.slopes == std::vector<double>{-1.5, 2, -0.5});
}

TEST_CASE("lagrange: at compile time as at run time")
{
  constexpr double slope = [] {
    double const nodes[] = {-1, 0, 1};
    double weights[3] = {}, values[3] = {}, slopes[3] = {};
    lagrange_weights(nodes, 3, weights);
    lagrange_derivatives(nodes, weights, 3, -1.0, values, slopes);
    return slopes[1];
  }();
  static_assert(slope == 2);
}

TEMPLATE_TEST_CASE("lagrange: as defined, between nodes, on nodes, next to nodes and outside", "", float, double,
                   long double)
{
  using T = TestType;
  for (int n = 1; n <= 16; ++n) {
    auto const nodes = uneven_nodes<T>(n);
    for (T const node : nodes) {
      check_definition(nodes, node);
      check_definition(nodes, std::nextafter(node, T(2)));
      check_definition(nodes, node + T(0.013));
    }
    check_definition(nodes, T(-1.1));
    check_definition(nodes, T(1.1));
  }
}

TEMPLATE_TEST_CASE("lagrange: at a node the others are exactly zero", "", float, double, long double)
{
  using T = TestType;
  for (int n = 1; n <= 16; ++n) {
    basis<T> l(uneven_nodes<T>(n));
    for (std::size_t i = 0; i < l.nodes.size(); ++i) {
      l.evaluate(l.nodes[i]);
      for (std::size_t j = 0; j < l.nodes.size(); ++j)
        if (j != i) CHECK(l.values[j] == 0);
      CHECK(std::fabs(l.values[i] - 1) <= T(2 * n) * std::numeric_limits<T>::epsilon());
    }
  }
}

TEST_CASE("lagrange: a polynomial and its derivative are reproduced")
{
  for (int n = 1; n <= 16; ++n) {
    basis<double> l(uneven_nodes<double>(n));
    for (int degree = 0; degree < n; ++degree)
      for (double const x : {-0.95, -0.3, 0.0, 0.4, 0.9}) {
        INFO(n << " nodes, x^" << degree << " at " << x);
        l.evaluate(x);
        double value = 0, slope = 0, sum = 0, slope_sum = 0;
        for (std::size_t j = 0; j < l.nodes.size(); ++j) {
          double const u = std::pow(l.nodes[j], degree);
          value += u * l.values[j];
          slope += u * l.slopes[j];
          sum += std::fabs(u * l.values[j]);
          slope_sum += std::fabs(u * l.slopes[j]);
        }
        double const rounding = 8 * n * std::numeric_limits<double>::epsilon();
        CHECK(std::fabs(value - std::pow(x, degree)) <= rounding * sum);
        CHECK(std::fabs(slope - (degree == 0 ? 0 : degree * std::pow(x, degree - 1))) <= rounding * slope_sum);
      }
  }
}
