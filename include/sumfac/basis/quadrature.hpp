// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Node sets and quadrature rules on [-1, 1] as types: Gauss-Legendre, Gauss-Lobatto-Legendre, equispaced, your own.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/config.hpp>

#include <array>
#include <concepts>
#include <type_traits>

namespace sumfac::SUMFAC_TARGET {

// A set of distinct points on [-1, 1], in ascending order. A node set of your own is a type with two members:
//
//     struct my_nodes {
//       static constexpr int size = 3;
//       static constexpr std::array<long double, size> nodes = {-1, 0.25L, 1};
//     };
template <class T>
concept node_set = requires {
  requires std::same_as<decltype(T::size), int const>;
  requires T::size >= 1;
  { T::nodes[0] } -> std::convertible_to<long double>;
  requires std::tuple_size<std::remove_cv_t<decltype(T::nodes)>>::value == T::size;
};

// A node set with a third member, the weights: the integral of f is close to the sum of weights[i] f(nodes[i]).
template <class T>
concept quadrature_rule = node_set<T> && requires {
  { T::weights[0] } -> std::convertible_to<long double>;
  requires std::tuple_size<std::remove_cv_t<decltype(T::weights)>>::value == T::size;
};

// The largest built-in rule. A rule of your own may be larger.
inline constexpr int max_points = 32;

// The rules and the node set below for a number of points known at run time: nodes[n] and weights[n] are written.
// n is at least 1 for Gauss and at least 2 for the others.
constexpr void make_gauss(int n, long double* nodes, long double* weights);
constexpr void make_gauss_lobatto(int n, long double* nodes, long double* weights);
constexpr void make_equispaced(int n, long double* nodes);

namespace detail {

template <int Size>
struct rule_values {
  std::array<long double, Size> nodes, weights;
};

template <int Size, void Make(int, long double*, long double*)>
inline constexpr rule_values<Size> rule = [] {
  rule_values<Size> values{};
  Make(Size, values.nodes.data(), values.weights.data());
  return values;
}();

template <int Size, auto Make>
struct built_in_rule {
  static constexpr int size = Size;
  static constexpr std::array<long double, Size> nodes = rule<Size, Make>.nodes, weights = rule<Size, Make>.weights;
};

template <int Size>
inline constexpr std::array<long double, Size> equispaced_nodes = [] {
  std::array<long double, Size> nodes{};
  make_equispaced(Size, nodes.data());
  return nodes;
}();

}  // namespace detail

// The Gauss-Legendre rule: exact for polynomials of degree 2N - 1; no point at the ends.
//
// Nodes are exactly antisymmetric, weights exactly symmetric, both right to the last bit when rounded to double. (Where
// long double is no wider than double, as on Apple silicon: nodes to 3 ulp, weights to 3e-14 of their size.)
// **Errors** at compile time, if N is not in 1 .. 32.
// **Source** Newton's method on the Legendre recurrence, from Tricomi's asymptotic first guess.
template <int Size>
struct gauss : detail::built_in_rule<(Size >= 1 && Size <= max_points ? Size : 1), make_gauss> {
  static_assert(Size >= 1, "sumfac::gauss: a rule has at least one point");
  static_assert(Size <= max_points,
                "sumfac::gauss: rules are built in to 32 points: write a larger one as your own type");
};

// The Gauss-Lobatto-Legendre rule: exact for polynomials of degree 2N - 3; the ends are points.
//
// As exact and as symmetric as gauss.
// **Errors** at compile time, if N is not in 2 .. 32.
// **Source** Newton's method on the derivative of a Legendre polynomial, from Parter's asymptotic first guess.
template <int Size>
struct gauss_lobatto : detail::built_in_rule<(Size >= 2 && Size <= max_points ? Size : 2), make_gauss_lobatto> {
  static_assert(Size >= 2, "sumfac::gauss_lobatto: both ends are points, so a rule has at least two");
  static_assert(Size <= max_points,
                "sumfac::gauss_lobatto: rules are built in to 32 points: write a larger one as your own type");
};

// N points at equal distances from end to end, as Gmsh and VTK write curved meshes. A node set, not a rule.
//
// **Errors** at compile time, if N is not in 2 .. 32.
template <int Size>
struct equispaced {
  static_assert(Size >= 2, "sumfac::equispaced: both ends are points, so a set has at least two");
  static_assert(Size <= max_points,
                "sumfac::equispaced: sets are built in to 32 points: write a larger one as your own type");
  static constexpr int size = Size >= 2 && Size <= max_points ? Size : 2;
  static constexpr std::array<long double, size> nodes = detail::equispaced_nodes<size>;
};

// Whether each point has its mirror image in the set, exactly: nodes[i] == -nodes[size - 1 - i].
template <node_set Nodes>
inline constexpr bool is_symmetric = [] {
  constexpr unsigned n = Nodes::size;
  for (unsigned i = 0; 2 * i < n; ++i)
    if (Nodes::nodes[i] != -Nodes::nodes[n - 1 - i]) return false;
  return true;
}();

// Whether a rule's points and weights are both the same read backwards.
template <quadrature_rule Points>
inline constexpr bool is_symmetric_rule = [] {
  constexpr unsigned n = Points::size;
  for (unsigned i = 0; 2 * i < n; ++i)
    if (Points::weights[i] != Points::weights[n - 1 - i]) return false;
  return is_symmetric<Points>;
}();

// Whether nodes and points are the same, by type or at least by value: then interpolation is the identity.
template <node_set Nodes, node_set Points>
inline constexpr bool is_collocated = [] {
  if constexpr (Nodes::size == Points::size) {
    for (unsigned i = 0; i < unsigned{Nodes::size}; ++i)
      if (Nodes::nodes[i] != Points::nodes[i]) return false;
    return true;
  }
  return false;
}();

template <node_set Nodes>
inline constexpr bool is_collocated<Nodes, Nodes> = true;

namespace detail {

inline constexpr long double pi = 3.14159265358979323846264338327950288L;

// A Newton step smaller than this is the last: it leaves an error of about its square. Of long doubles of more than 64
// bits behind the point it must be the smaller.
inline constexpr long double last_step = 1 + 1e-20L > 1 ? 1e-18L : 4e-12L;

// Good to 1e-12 for |x| <= pi / 2; first guesses need no more.
constexpr long double cosine(long double x)
{
  long double sum = 1, term = 1;
  for (int k = 1; k < 20; k += 2) {
    term *= -x * x / static_cast<long double>(k * (k + 1));
    sum += term;
  }
  return sum;
}

// Two Legendre polynomials of neighbouring degree at one place.
struct legendre_pair {
  long double value;     // P_n
  long double previous;  // P_{n-1}
};

constexpr legendre_pair legendre(int n, long double x)
{
  long double value = x, previous = 1;
  for (int k = 1; k < n; ++k) {
    long double const shifted = x * value;
    long double const ratio = static_cast<long double>(k) / static_cast<long double>(k + 1);
    long double const next = shifted + (shifted - previous) * ratio;
    previous = value;
    value = next;
  }
  return {value, previous};
}

// Newton's method: x - step(polynomials of degree n at x, x), again and again.
template <class Step>
constexpr long double legendre_root(int n, long double x, Step step)
{
  for (int i = 0; i < 8; ++i) {
    long double const dx = step(legendre(n, x), x);
    x -= dx;
    if (-last_step < dx && dx < last_step) break;
  }
  return x;
}

// Writes a point and its mirror image; the middle point is its own (and +0, so it is written last).
constexpr void put(int n, int i, long double node, long double weight, long double* nodes, long double* weights)
{
  nodes[n - 1 - i] = -node;
  nodes[i] = node;
  weights[n - 1 - i] = weight;
  weights[i] = weight;
}

}  // namespace detail

constexpr void make_gauss(int n, long double* nodes, long double* weights)
{
  long double const m = static_cast<long double>(n);
  for (int i = 0; 2 * i < n; ++i) {
    long double const angle = detail::pi * (static_cast<long double>(i) + 0.75L) / (m + 0.5L);
    long double const guess = 2 * i + 1 == n ? 0 : -(1 - (m - 1) / (8 * m * m * m)) * detail::cosine(angle);
    long double const x = detail::legendre_root(n, guess, [m](detail::legendre_pair p, long double at) {
      return p.value * (1 - at * at) / (m * (p.previous - at * p.value));  // P_n / P_n'
    });
    detail::legendre_pair const p = detail::legendre(n, x);
    long double const slope = m * (p.previous - x * p.value);  // (1 - x^2) P_n'; P_n is nearly 0, and matters
    detail::put(n, i, x, 2 * (1 - x * x) / (slope * slope), nodes, weights);
  }
}

constexpr void make_gauss_lobatto(int n, long double* nodes, long double* weights)
{
  int const degree = n - 1;
  long double const m = static_cast<long double>(degree);
  detail::put(n, 0, -1, 2 / (m * (m + 1)), nodes, weights);
  for (int i = 1; 2 * i < n; ++i) {
    long double const shifted = static_cast<long double>(i) + 0.25L;
    long double const angle = detail::pi * shifted / m - 3 / (8 * detail::pi * m * shifted);
    long double const guess = 2 * i == degree ? 0 : -detail::cosine(angle);
    long double const x = detail::legendre_root(degree, guess, [m](detail::legendre_pair p, long double at) {
      return (at * p.value - p.previous) / ((m + 1) * p.value);  // (1 - x^2) P' over its derivative
    });
    long double const polynomial = detail::legendre(degree, x).value;
    detail::put(n, i, x, 2 / (m * (m + 1) * polynomial * polynomial), nodes, weights);
  }
}

constexpr void make_equispaced(int n, long double* nodes)
{
  for (int i = 0; i < n; ++i) nodes[i] = static_cast<long double>(2 * i - (n - 1)) / static_cast<long double>(n - 1);
}

}  // namespace sumfac
