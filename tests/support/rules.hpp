// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// One-dimensional rules and Lagrange bases for the oracle: long double, at run time, by bisection and product formulas.
#pragma once

#include <cstddef>
#include <vector>

// The oracle shares no code with include/sumfac: rules come from bisection between interlacing roots and not from
// Newton's method, Lagrange polynomials from their product formula and not from barycentric weights.
namespace reference {

using real = long double;

struct rule {
  std::vector<real> nodes;    // ascending in [-1, 1]
  std::vector<real> weights;  // empty for a mere node set

  int size() const { return static_cast<int>(nodes.size()); }
};

struct legendre {
  real value;       // P_n(x)
  real derivative;  // P_n'(x)
};

// P_n and its derivative by the three-term recurrences, (k+1) P_{k+1} = (2k+1) x P_k - k P_{k-1} and
// P_{k+1}' = P_{k-1}' + (2k+1) P_k (which has no pole at the ends).
inline legendre legendre_polynomial(int n, real x)
{
  real p0 = 1, p1 = x, d0 = 0, d1 = 1;
  if (n == 0) return {p0, d0};
  for (int k = 1; k < n; ++k) {
    real const p2 = (real(2 * k + 1) * x * p1 - real(k) * p0) / real(k + 1);
    real const d2 = d0 + real(2 * k + 1) * p1;
    p0 = p1, p1 = p2, d0 = d1, d1 = d2;
  }
  return {p1, d1};
}

// The root of f in (low, high), where f changes sign, to the last bit.
template <class Function>
real bisect(Function const& f, real low, real high)
{
  bool const rising = f(low) < 0;
  for (int step = 0; step < 200; ++step) {
    real const middle = (low + high) / 2;
    if (middle <= low || middle >= high) break;
    ((f(middle) < 0) == rising ? low : high) = middle;
  }
  return (low + high) / 2;
}

// The roots of P_n; those of P_{n-1} and the ends separate them.
inline std::vector<real> legendre_roots(int n)
{
  std::vector<real> roots;
  for (int degree = 1; degree <= n; ++degree) {
    std::vector<real> fences{-1};
    fences.insert(fences.end(), roots.begin(), roots.end());
    fences.push_back(1);
    roots.clear();
    for (std::size_t i = 0; i + 1 < fences.size(); ++i)
      roots.push_back(bisect([&](real x) { return legendre_polynomial(degree, x).value; }, fences[i], fences[i + 1]));
  }
  return roots;
}

// Gauss-Legendre: n points, exact to degree 2n - 1.
inline rule gauss(int n)
{
  rule result{legendre_roots(n), {}};
  for (real const x : result.nodes) {
    real const slope = legendre_polynomial(n, x).derivative;
    result.weights.push_back(2 / ((1 - x * x) * slope * slope));
  }
  return result;
}

// Gauss-Lobatto-Legendre: n points with both ends, exact to degree 2n - 3. The inner ones are the roots of P_{n-1}',
// one between any two roots of P_{n-1}.
inline rule gauss_lobatto(int n)
{
  std::vector<real> const fences = legendre_roots(n - 1);
  rule result{{-1}, {}};
  for (std::size_t i = 0; i + 1 < fences.size(); ++i)
    result.nodes.push_back(
        bisect([&](real x) { return legendre_polynomial(n - 1, x).derivative; }, fences[i], fences[i + 1]));
  result.nodes.push_back(1);
  for (real const x : result.nodes) {
    real const p = legendre_polynomial(n - 1, x).value;
    result.weights.push_back(2 / (real(n) * real(n - 1) * p * p));
  }
  return result;
}

// n points at equal distances with both ends (n >= 2): nodes only.
inline rule equispaced(int n)
{
  rule result;
  for (int i = 0; i < n; ++i) result.nodes.push_back(real(2 * i) / real(n - 1) - 1);
  return result;
}

// l_j(x) = prod_{k != j} (x - x_k) / (x_j - x_k)
inline real lagrange_value(std::vector<real> const& nodes, std::size_t j, real x)
{
  real product = 1;
  for (std::size_t k = 0; k < nodes.size(); ++k)
    if (k != j) product *= (x - nodes[k]) / (nodes[j] - nodes[k]);
  return product;
}

// l_j'(x) = sum_{m != j} 1 / (x_j - x_m) prod_{k != j, m} (x - x_k) / (x_j - x_k)
inline real lagrange_derivative(std::vector<real> const& nodes, std::size_t j, real x)
{
  real sum = 0;
  for (std::size_t m = 0; m < nodes.size(); ++m) {
    if (m == j) continue;
    real product = 1 / (nodes[j] - nodes[m]);
    for (std::size_t k = 0; k < nodes.size(); ++k)
      if (k != j && k != m) product *= (x - nodes[k]) / (nodes[j] - nodes[k]);
    sum += product;
  }
  return sum;
}

// A small dense matrix, row by row.
template <class T>
struct table {
  int rows, cols;
  std::vector<T> entries;

  table(int r, int c) : rows(r), cols(c), entries(static_cast<std::size_t>(r) * static_cast<std::size_t>(c)) {}
  T& operator()(int r, int c) { return entries[static_cast<std::size_t>(r * cols + c)]; }
  T const& operator()(int r, int c) const { return entries[static_cast<std::size_t>(r * cols + c)]; }
};

// The nodal basis at the points: (points, nodes). Computed in long double, rounded once to T.
template <class T = real>
table<T> lagrange_values(std::vector<real> const& nodes, std::vector<real> const& points)
{
  table<T> result(static_cast<int>(points.size()), static_cast<int>(nodes.size()));
  for (std::size_t q = 0; q < points.size(); ++q)
    for (std::size_t i = 0; i < nodes.size(); ++i)
      result(static_cast<int>(q), static_cast<int>(i)) = static_cast<T>(lagrange_value(nodes, i, points[q]));
  return result;
}

// Its derivatives at the points: (points, nodes).
template <class T = real>
table<T> lagrange_derivatives(std::vector<real> const& nodes, std::vector<real> const& points)
{
  table<T> result(static_cast<int>(points.size()), static_cast<int>(nodes.size()));
  for (std::size_t q = 0; q < points.size(); ++q)
    for (std::size_t i = 0; i < nodes.size(); ++i)
      result(static_cast<int>(q), static_cast<int>(i)) = static_cast<T>(lagrange_derivative(nodes, i, points[q]));
  return result;
}

}  // namespace reference
