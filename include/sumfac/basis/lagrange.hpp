// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The Lagrange basis of any node set: values and derivatives at a place, at compile time and at run time.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/config.hpp>

namespace sumfac::SUMFAC_TARGET {

// The barycentric weights 1 / prod_{k != j} (x_j - x_k) of n distinct nodes.
//
// **Shapes** nodes (n), weights (n). **Work** n^2 multiplications. T is float, double or long double.
template <class T>
constexpr void lagrange_weights(T const* nodes, int n, T* weights)
{
  for (int j = 0; j < n; ++j) {
    T product = 1;
    for (int k = 0; k < n; ++k)
      if (k != j) product *= nodes[j] - nodes[k];
    weights[j] = 1 / product;
  }
}

// The n basis polynomials at x: values[j] = l_j(x), with l_j(nodes[k]) = (j == k).
//
// No division and no special case at a node: each product of differences is put together from those before j and those
// behind it. At a node the values of the others are exactly zero.
// **Shapes** nodes (n), weights (n), values (n). **Work** 5 n.
// **Source** barycentric form of the first kind, Berrut and Trefethen, SIAM Review 46 (2004).
template <class T>
constexpr void lagrange_values(T const* nodes, T const* weights, int n, T x, T* values)
{
  T before = 1;
  for (int j = 0; j < n; ++j) {
    values[j] = weights[j] * before;
    before *= x - nodes[j];
  }
  T behind = 1;
  for (int j = n - 1; j >= 0; --j) {
    values[j] *= behind;
    behind *= x - nodes[j];
  }
}

// The n basis polynomials and their derivatives at x: derivatives[j] = l_j'(x).
//
// As lagrange_values, each product carried together with its derivative; stable at nodes and close to them.
// **Shapes** nodes (n), weights (n), values (n), derivatives (n). **Work** 14 n.
template <class T>
constexpr void lagrange_derivatives(T const* nodes, T const* weights, int n, T x, T* values, T* derivatives)
{
  T before = 1, before_slope = 0;
  for (int j = 0; j < n; ++j) {
    T const distance = x - nodes[j];
    values[j] = weights[j] * before;
    derivatives[j] = weights[j] * before_slope;
    before_slope = before_slope * distance + before;
    before *= distance;
  }
  T behind = 1, behind_slope = 0;
  for (int j = n - 1; j >= 0; --j) {
    T const distance = x - nodes[j];
    derivatives[j] = derivatives[j] * behind + values[j] * behind_slope;
    values[j] *= behind;
    behind_slope = behind_slope * distance + behind;
    behind *= distance;
  }
}

}  // namespace sumfac
