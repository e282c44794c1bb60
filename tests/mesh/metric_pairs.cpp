// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The metric of trilinear elements in pairs of points, as devices make it, against that of the mapping itself.
#include <sumfac/mesh/maps/metric_pairs.hpp>
#include <sumfac/mesh/maps/trilinear_map.hpp>

#include <sumfac/basis/quadrature.hpp>
#include <sumfac/mesh/mapping.hpp>

#include <support/random.hpp>

#include <catch2/catch.hpp>

#include <array>
#include <cmath>
#include <limits>

namespace {

using sumfac::detail::trilinear_map;

// A rule that is not the same read backwards.
struct lopsided {
  static constexpr int size = 3;
  static constexpr std::array<long double, 3> nodes = {-0.7L, 0.1L, 0.8L}, weights = {0.6L, 0.9L, 0.5L};
};

template <class T>
trilinear_map<T> some_map(double size)
{
  support::generator random(7);
  trilinear_map<T> x{};
  for (int b = 0; b < 8; ++b)
    for (int c = 0; c < 3; ++c) x.term[b][c] = T(size * (0.12 * random() + (b == 1 << c ? 1.0 + 0.3 * c : 0.0)));
  return x;
}

// The mapping at (t, p, r) in directions D, D + 1, D + 2: its metric is two products with the adjugate.
template <int D, class T>
sumfac::mapping<double> at_point(trilinear_map<T> const& x, double weight, double t, double p, double r)
{
  double at[3] = {};
  at[D] = t, at[(D + 1) % 3] = p, at[(D + 2) % 3] = r;
  sumfac::matrix<double, 3> jacobian{};
  for (int b = 1; b < 8; ++b)
    for (int d = 0; d < 3; ++d) {
      if ((b & 1 << d) == 0) continue;
      double product = 1;
      for (int other = 0; other < 3; ++other)
        if (other != d && (b & 1 << other) != 0) product *= at[other];
      for (int c = 0; c < 3; ++c) jacobian(c, d) += product * double{x.term[b][c]};
    }
  return {jacobian, weight, {}};
}

template <class T>
void agrees(T const* computed, double const* expected, int count, double size)
{
  for (int i = 0; i < count; ++i) {
    CAPTURE(i);
    CHECK(std::fabs(double{computed[i]} - expected[i]) <= 200 * double{std::numeric_limits<T>::epsilon()} * size);
  }
}

template <class Points, int Direction, class T>
void agrees_along_lines(double size)
{
  CAPTURE(size, Direction, Points::size);
  static constexpr sumfac::detail::squared_places<T, Points> places{};
  auto const x = some_map<T>(size);
  auto const scaled = sumfac::detail::scaled_jacobian_map<T>::of(x);
  sumfac::vector<T, 3> const g{T(0.3), T(-0.7), T(0.4)};
  sumfac::vector<double, 3> const same_g{g[0], g[1], g[2]};
  int const a = 0, b = Points::size - 1;
  T const p = places.nodes[a], r = places.nodes[b], weight = places.weights[a] * places.weights[b];
  sumfac::detail::paired_metric_line<T, Direction> const line(x, p, r, weight);
  sumfac::detail::paired_metric_line<T, Direction, T> const of_scaled(scaled.terms, p, r, weight, scaled.scale());
  for (int i = 0; i < Points::size; ++i) {
    CAPTURE(i);
    auto const map = at_point<Direction>(x, double{weight} * double{places.weights[i]}, places.nodes[i], p, r);
    auto const flux = map.metric_times(same_g);
    double const measure[] = {map.measure()}, scale = double{weight} * size;
    auto const point = line.at(places, i);
    agrees(point.metric_times(g).entries, flux.entries, 3, scale);
    T const own[] = {point.measure()};
    agrees(own, measure, 1, scale * size * size);
    agrees(of_scaled.at(places, i).metric_times(g).entries, flux.entries, 3, scale);
  }
}

template <class Points, class T>
void agrees_in_all_directions(double size)
{
  agrees_along_lines<Points, 0, T>(size);
  agrees_along_lines<Points, 1, T>(size);
  agrees_along_lines<Points, 2, T>(size);
}

}  // namespace

TEMPLATE_TEST_CASE("metric in pairs of points: even and odd rules, and one that has no pairs", "", double, float)
{
  agrees_in_all_directions<sumfac::gauss<4>, TestType>(1);
  agrees_in_all_directions<sumfac::gauss_lobatto<5>, TestType>(1);
  agrees_in_all_directions<lopsided, TestType>(1);
}

// Where measures are numbers, so are the products of pairs: of elements of the size 1e-100 here.
TEST_CASE("metric in pairs of points: elements of any size")
{
  for (double const size : {1e-100, 1e100}) agrees_in_all_directions<sumfac::gauss<5>, double>(size);
  for (double const size : {1e-12, 1e12}) agrees_in_all_directions<sumfac::gauss<5>, float>(size);
}
