// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Quadrature rules of triangles, tetrahedra and prisms as types: Gauss in collapsed coordinates, your own.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/basis/quadrature.hpp>
#include <sumfac/basis/space.hpp>
#include <sumfac/config.hpp>

#include <array>
#include <concepts>

namespace sumfac::SUMFAC_TARGET {

// A rule of points of a reference element that is no product of lines, in any order: triangles and tetrahedra have
// vertices at 0 and at 1 along each direction, prisms are such a triangle times [-1, 1]. One of your own is a type with
// three members:
//
//     struct middle {
//       static constexpr int size = 1;
//       static constexpr std::array<std::array<long double, 2>, size> points = {{{1.0L / 3, 1.0L / 3}}};
//       static constexpr std::array<long double, size> weights = {0.5L};
//     };
template <class T, int Directions>
concept cell_rule = requires {
  requires std::same_as<decltype(T::size), int const>;
  requires T::size >= 1;
  requires std::same_as<decltype(T::points), std::array<std::array<long double, Directions>, T::size> const>;
  requires std::same_as<decltype(T::weights), std::array<long double, T::size> const>;
};

namespace detail {

template <int Directions, int Size>
struct cell_rule_values {
  std::array<std::array<long double, Directions>, Size> points;
  std::array<long double, Size> weights;
};

// P_n^(alpha, 0) and its derivative at x.
struct jacobi_value {
  long double value, slope;
};
constexpr jacobi_value jacobi_at(int n, int alpha, long double x)
{
  long double before = 0, now = 1, slope_before = 0, slope = 0;
  for (int k = 1; k <= n; ++k) {
    long double const a = 2 * k + alpha;
    long double const over = k == 1 ? 2 : 2 * k * (k + alpha) * (a - 2);
    long double const at_x = k == 1 ? alpha + 2 : (a - 1) * a * (a - 2),
                      rest = k == 1 ? alpha : (a - 1) * alpha * alpha;
    long double const of_before = k == 1 ? 0 : 2 * (k + alpha - 1) * (k - 1) * a;
    long double const next = ((at_x * x + rest) * now - of_before * before) / over;
    long double const next_slope = ((at_x * x + rest) * slope + at_x * now - of_before * slope_before) / over;
    before = now, now = next, slope_before = slope, slope = next_slope;
  }
  return {now, slope};
}

// The rule of n points on [0, 1] that is exact for (1 - t)^alpha times polynomials of degree 2n - 1.
//
// Roots lie between those of one degree less: some halvings, then Newton's steps.
template <int Size>
constexpr rule_values<Size> gauss_jacobi(int alpha)
{
  rule_values<Size> made{};
  std::array<long double, Size + 1> roots{};  // of one degree less, with 1 behind them
  roots[0] = 1;
  for (int n = 1; n <= Size; ++n) {
    std::array<long double, Size + 1> found{};
    for (int i = 0; i < n; ++i) {
      long double low = i == 0 ? -1 : roots[static_cast<unsigned>(i - 1)], high = roots[static_cast<unsigned>(i)];
      bool const rises = (n - i) % 2 == 1;  // the greatest root is crossed upwards
      for (int step = 0; step < 6; ++step) {
        long double const middle = (low + high) / 2;
        ((jacobi_at(n, alpha, middle).value < 0) == rises ? low : high) = middle;
      }
      long double x = (low + high) / 2;
      for (int step = 0; step < 6; ++step) {
        auto const at = jacobi_at(n, alpha, x);
        x -= at.value / at.slope;
      }
      found[static_cast<unsigned>(i)] = x;
    }
    roots = found;
    roots[static_cast<unsigned>(n)] = 1;
  }
  for (unsigned i = 0; i < unsigned{Size}; ++i) {
    long double const x = roots[i], slope = jacobi_at(Size, alpha, x).slope;
    made.nodes[i] = (1 + x) / 2;
    made.weights[i] = 1 / ((1 - x * x) * slope * slope);
  }
  return made;
}

// Size points in each collapsed direction; of a prism along z as on a line.
template <cell_shape Shape, int Directions, int Size>
constexpr auto collapsed_rule()
{
  constexpr int points = Directions == 3 ? Size * Size * Size : Size * Size;
  cell_rule_values<Directions, points> made{};
  auto const a = gauss_jacobi<Size>(0), b = gauss_jacobi<Size>(1), c = gauss_jacobi<Size>(2);
  unsigned p = 0;
  for (unsigned k = 0; k < (Directions == 3 ? unsigned{Size} : 1u); ++k)
    for (unsigned j = 0; j < unsigned{Size}; ++j)
      for (unsigned i = 0; i < unsigned{Size}; ++i, ++p) {
        long double const y = b.nodes[j], x = a.nodes[i] * (1 - y), weight = a.weights[i] * b.weights[j];
        if constexpr (Directions == 2)
          made.points[p] = {x, y}, made.weights[p] = weight;
        else if constexpr (Shape == cell_shape::prism)
          made.points[p] = {x, y, 2 * a.nodes[k] - 1}, made.weights[p] = weight * 2 * a.weights[k];
        else
          made.points[p] = {x * (1 - c.nodes[k]), y * (1 - c.nodes[k]), c.nodes[k]},
          made.weights[p] = weight * c.weights[k];
      }
  return made;
}

template <cell_shape Shape, int Directions, int Size>
struct collapsed_gauss {
  static_assert(Size >= 1 && Size <= 16, "sumfac::collapsed_gauss: rules have 1 to 16 points in each direction");
  static constexpr int in_direction = Size >= 1 && Size <= 16 ? Size : 1;
  static constexpr auto rule = collapsed_rule<Shape, Directions, in_direction>();
  static constexpr int size = static_cast<int>(rule.weights.size());
  static constexpr std::array<std::array<long double, Directions>, size> points = rule.points;
  static constexpr std::array<long double, size> weights = rule.weights;
};

}  // namespace detail

// Gauss in collapsed coordinates, of N points in each: exact for polynomials of degree 2N - 1.
//
// **Errors** at compile time, if N is not in 1 .. 16.
// **Source** A. H. Stroud, Approximate calculation of multiple integrals, Prentice-Hall (1971): conical products.
template <int Size>
struct triangle_gauss : detail::collapsed_gauss<cell_shape::simplex, 2, Size> {};
template <int Size>
struct tetrahedron_gauss : detail::collapsed_gauss<cell_shape::simplex, 3, Size> {};
template <int Size>
struct prism_gauss : detail::collapsed_gauss<cell_shape::prism, 3, Size> {};

}  // namespace sumfac
