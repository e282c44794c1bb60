// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Quadrature rules of triangles, tetrahedra and prisms as types: of few points, in collapsed coordinates, your own.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/basis/detail/placed_nodes.hpp>
#include <sumfac/basis/quadrature.hpp>
#include <sumfac/basis/space.hpp>

#include <array>
#include <concepts>
#include <cstddef>

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
  static constexpr int size = (Directions == 3 ? in_direction : 1) * in_direction * in_direction;
  static constexpr auto rule = collapsed_rule<Shape, Directions, in_direction>();
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

namespace detail {

// Points of a symmetric rule whose barycentric coordinates are these and the rest to 1, in any order.
struct point_orbit {
  long double weight, barycentric[3];
};

// The points of some orbits, all orders of each once.
template <int Directions, int Size, std::size_t Orbits>
constexpr cell_rule_values<Directions, Size> symmetric_rule(point_orbit const (&orbits)[Orbits])
{
  cell_rule_values<Directions, Size> made{};
  unsigned count = 0;
  for (point_orbit const& orbit : orbits) {
    unsigned const first = count;
    long double values[4] = {orbit.barycentric[0], orbit.barycentric[1], orbit.barycentric[2], 1};
    for (int d = 0; d < Directions; ++d) values[Directions] = (d == 0 ? 1 : values[Directions]) - values[d];
    constexpr int orders = Directions == 3 ? 24 : 6;
    for (int order = 0; order < orders; ++order) {
      int left[4] = {0, 1, 2, 3}, code = order;
      long double at[4] = {};
      for (int k = 0; k <= Directions; ++k) {
        int const chosen = code % (Directions + 1 - k);
        code /= Directions + 1 - k;
        at[k] = values[left[chosen]];
        for (int l = chosen; l < Directions - k; ++l) left[l] = left[l + 1];
      }
      bool is_new = true;
      for (unsigned q = first; q < count; ++q) {
        bool same = true;
        for (unsigned d = 0; d < unsigned{Directions}; ++d) {
          long double const off = made.points[q][d] - at[d];
          same = same && off < 1e-9L && off > -1e-9L;
        }
        is_new = is_new && !same;
      }
      if (!is_new) continue;
      for (unsigned d = 0; d < unsigned{Directions}; ++d) made.points[count][d] = at[d];
      made.weights[count++] = orbit.weight;
    }
  }
  return made;
}

template <int Directions, int Size, auto Make>
struct symmetric_points {
  static constexpr int size = Size;
  static constexpr auto rule = Make();
  static constexpr std::array<std::array<long double, Directions>, size> points = rule.points;
  static constexpr std::array<long double, size> weights = rule.weights;
};
constexpr auto triangle_3() { return symmetric_rule<2, 3>({{1.0L / 6, {1.0L / 6, 1.0L / 6}}}); }
constexpr auto triangle_6()
{
  return symmetric_rule<2, 6>({{0.11169079483900574L, {0.44594849091596495L, 0.44594849091596495L}},
                               {0.05497587182766094L, {0.09157621350977085L, 0.09157621350977085L}}});
}
constexpr auto triangle_12()
{
  return symmetric_rule<2, 12>({{0.08566656207649052L, {0.21942998254978302L, 0.21942998254978302L}},
                                {0.04036554479651549L, {0.480137964112215L, 0.480137964112215L}},
                                {0.02031727989683033L, {0.0193717243612408L, 0.1416190159239681L}}});
}
constexpr auto tetrahedron_4()
{
  constexpr long double a = 0.13819660112501051518L;  // (5 - sqrt(5)) / 20
  return symmetric_rule<3, 4>({{1.0L / 24, {a, a, a}}});
}
constexpr auto tetrahedron_14()
{
  constexpr long double a = 0.04550370412564964949L, b = 0.09273525031089122640L, c = 0.31088591926330060980L;
  return symmetric_rule<3, 14>({{0.0070910034628469110L, {a, a, 0.5L - a}},
                                {0.0122488405193936582L, {b, b, b}},
                                {0.0187813209530026417L, {c, c, c}}});
}
constexpr auto tetrahedron_24()
{
  constexpr long double a = 0.21460287125915202929L, b = 0.04067395853461135312L, c = 0.32233789014227551034L;
  constexpr long double d = 0.06366100187501752529L, e = 0.26967233145831580803L;
  return symmetric_rule<3, 24>({{0.03992275025816749210L / 6, {a, a, a}},
                                {0.01007721105532064295L / 6, {b, b, b}},
                                {0.05535718154365472210L / 6, {c, c, c}},
                                {27.0L / 3360, {d, d, e}}});
}

}  // namespace detail

// Rules that are exact for polynomials of a degree: symmetric ones of few points up to degree 6, with positive weights
// and all points within, then Gauss in collapsed coordinates.
// **Source** triangles: D. A. Dunavant, Int. J. Numer. Meth. Eng. 21 (1985), H. Xiao and Z. Gimbutas, Comput. Math.
// Appl. 59 (2010); tetrahedra: P. Keast, Comput. Meth. Appl. Mech. Eng. 55 (1986), N. J. Walkington (2000).
template <int Degree>
struct triangle_rule : triangle_gauss<Degree / 2 + 1> {};
template <int Degree>
  requires(Degree <= 2)
struct triangle_rule<Degree> : detail::symmetric_points<2, 3, detail::triangle_3> {};
template <int Degree>
  requires(Degree == 3 || Degree == 4)
struct triangle_rule<Degree> : detail::symmetric_points<2, 6, detail::triangle_6> {};
template <int Degree>
  requires(Degree == 5 || Degree == 6)
struct triangle_rule<Degree> : detail::symmetric_points<2, 12, detail::triangle_12> {};
template <int Degree>
struct tetrahedron_rule : tetrahedron_gauss<Degree / 2 + 1> {};
template <int Degree>
  requires(Degree <= 2)
struct tetrahedron_rule<Degree> : detail::symmetric_points<3, 4, detail::tetrahedron_4> {};
template <int Degree>
  requires(Degree >= 3 && Degree <= 5)
struct tetrahedron_rule<Degree> : detail::symmetric_points<3, 14, detail::tetrahedron_14> {};
template <int Degree>
  requires(Degree == 6)
struct tetrahedron_rule<Degree> : detail::symmetric_points<3, 24, detail::tetrahedron_24> {};

namespace detail {

// The rule that is taken where none is named.
template <space Space>
struct usual_rule_of {
  using type = gauss<Space.degree + 2>;
};
template <space Space>
  requires(Space.shape == cell_shape::simplex && Space.directions == 2)
struct usual_rule_of<Space> {
  using type = triangle_rule<2 * (nodes_of_degree(Space.degree) - 1)>;
};
template <space Space>
  requires(Space.shape == cell_shape::simplex && Space.directions == 3)
struct usual_rule_of<Space> {
  using type = tetrahedron_rule<2 * (nodes_of_degree(Space.degree) - 1)>;
};
template <space Space>
  requires(Space.shape == cell_shape::prism)
struct usual_rule_of<Space> {
  using type = prism_gauss<nodes_of_degree(Space.degree)>;
};
template <space Space>
using usual_rule = typename usual_rule_of<Space>::type;

}  // namespace detail

}  // namespace sumfac
