// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The oracle of values at points: sums over all nodes of products of Lagrange polynomials, in long double.
#pragma once

#include "mesh.hpp"
#include "numbering.hpp"
#include "rules.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

namespace reference {

using place = std::array<real, 3>;  // x, y, z of the reference element; a space of fewer directions uses the first ones

// l_i(x) = prod over k != i of (x - x_k) / (x_i - x_k).
inline real lagrange(std::vector<real> const& nodes, std::size_t i, real x)
{
  real product = 1;
  for (std::size_t k = 0; k < nodes.size(); ++k)
    if (k != i) product *= (x - nodes[k]) / (nodes[i] - nodes[k]);
  return product;
}

// l_i'(x) = sum over m != i of 1 / (x_i - x_m) prod over k != i, m of (x - x_k) / (x_i - x_k).
inline real lagrange_slope(std::vector<real> const& nodes, std::size_t i, real x)
{
  real sum = 0;
  for (std::size_t m = 0; m < nodes.size(); ++m) {
    if (m == i) continue;
    real product = 1 / (nodes[i] - nodes[m]);
    for (std::size_t k = 0; k < nodes.size(); ++k)
      if (k != i && k != m) product *= (x - nodes[k]) / (nodes[i] - nodes[k]);
    sum += product;
  }
  return sum;
}

// What rounding can do to l_i(x) and to its slope: the moduli of all terms of l_i, l_i' and l_i'', added up. A
// difference x - x_k is off by the rounding of x_k, however small it is, and that times what l_i loses with the factor
// is one of the terms of l_i'.
struct magnitudes {
  real value = 0, slope = 0, bend = 0;
};

inline magnitudes lagrange_magnitudes(std::vector<real> const& nodes, std::size_t i, real x)
{
  std::size_t const n = nodes.size();
  auto const without = [&](std::size_t m, std::size_t r) {
    real product = 1;
    for (std::size_t k = 0; k < n; ++k)
      if (k != i) product *= (k == m || k == r ? 1 : std::abs(x - nodes[k])) / std::abs(nodes[i] - nodes[k]);
    return product;
  };
  magnitudes sums{without(n, n)};
  for (std::size_t m = 0; m < n; ++m) {
    if (m == i) continue;
    sums.slope += without(m, n);
    for (std::size_t r = 0; r < n; ++r)
      if (r != i && r != m) sums.bend += without(m, r);
  }
  return sums;
}

// The basis function of node p (x fastest) of an element at a place, or its derivative along direction `slope`.
inline real basis_function(rule const& nodes, int directions, int p, place const& xi, int slope = -1)
{
  std::vector<real> const at(nodes.nodes.begin(), nodes.nodes.end());
  real product = 1;
  for (int d = 0; d < directions; ++d, p /= nodes.size()) {
    auto const i = static_cast<std::size_t>(p % nodes.size());
    real const x = xi[static_cast<std::size_t>(d)];
    product *= d == slope ? lagrange_slope(at, i, x) : lagrange(at, i, x);
  }
  return product;
}

// The value there of the polynomial with u(p) at node p, and with slope = 0, 1, 2 its derivative.
template <class Values>
real polynomial_at(rule const& nodes, int directions, Values const& u, place const& xi, int slope = -1)
{
  int size = 1;
  for (int d = 0; d < directions; ++d) size *= nodes.size();
  real sum = 0;
  for (int p = 0; p < size; ++p) sum += static_cast<real>(u(p)) * basis_function(nodes, directions, p, xi, slope);
  return sum;
}

// How far the value, or the derivative along `slope`, may be off in units of rounding: the moduli of all terms, and of
// what the roundings of differences change, times the root of the 10 n or so roundings that a term meets (tolerance.hpp
// has why).
template <class Values>
real magnitude_at(rule const& nodes, int directions, Values const& u, place const& xi, int slope = -1)
{
  int size = 1;
  for (int d = 0; d < directions; ++d) size *= nodes.size();
  real sum = 0;
  for (int p = 0; p < size; ++p) {
    real product = 1, changes = 0;
    for (int d = 0, left = p; d < directions; ++d, left /= nodes.size()) {
      auto const m = lagrange_magnitudes(nodes.nodes, static_cast<std::size_t>(left % nodes.size()),
                                         xi[static_cast<std::size_t>(d)]);
      real const factor = d == slope ? m.slope : m.value, change = d == slope ? m.bend : m.slope;
      changes = changes * factor + product * change;
      product *= factor;
    }
    sum += std::abs(static_cast<real>(u(p))) * (product + changes);
  }
  return std::sqrt(10 * real(nodes.size())) * sum;
}

// Where a place of an element of a mesh lies.
inline place mapped_place(rule const& nodes, mesh::nodes const& mesh, int e, place const& xi)
{
  place x{};
  for (int c = 0; c < 3; ++c)
    x[static_cast<std::size_t>(c)] = polynomial_at(
        nodes, 3, [&](int p) { return mesh.element(e)[3 * p + c]; }, xi);
  return x;
}

// The gradient in the mesh's coordinates of what has the reference gradient g there: J^T G = g by Cramer's rule, where
// J(r, d) is the derivative of coordinate r along direction d.
inline place physical_gradient(rule const& nodes, mesh::nodes const& mesh, int e, place const& xi, place const& g)
{
  real a[3][3];  // J^T
  for (int d = 0; d < 3; ++d)
    for (int r = 0; r < 3; ++r)
      a[d][r] = polynomial_at(
          nodes, 3, [&](int p) { return mesh.element(e)[3 * p + r]; }, xi, d);
  auto const det = [](real const(&m)[3][3]) {
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
           m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
  };
  place result{};
  for (int r = 0; r < 3; ++r) {
    real replaced[3][3];
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) replaced[i][j] = j == r ? g[static_cast<std::size_t>(i)] : a[i][j];
    result[static_cast<std::size_t>(r)] = det(replaced) / det(a);
  }
  return result;
}

}  // namespace reference
