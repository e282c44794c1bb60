// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A tensor-product Lagrange basis at any place of the reference element: the sums that values and slopes there are.
#pragma once

#include <sumfac/basis/lagrange.hpp>
#include <sumfac/math/pack.hpp>
#include <sumfac/math/small.hpp>

#include <cstddef>

namespace sumfac::SUMFAC_TARGET::detail {

SUMFAC_FUNCTION constexpr int power(int base, int exponent)
{
  int product = 1;
  for (int i = 0; i < exponent; ++i) product *= base;
  return product;
}

// Nodes and barycentric weights of a node set, in an object that travels with a kernel.
template <class Scalar, class Nodes>
struct basis_constants {
  static constexpr int size = Nodes::size;

  Scalar nodes[size], weights[size];

  constexpr basis_constants() : nodes{}, weights{}
  {
    long double places[size] = {}, barycentric[size] = {};
    for (int i = 0; i < size; ++i) places[i] = Nodes::nodes[static_cast<std::size_t>(i)];
    lagrange_weights(places, size, barycentric);
    for (int i = 0; i < size; ++i)
      nodes[i] = static_cast<Scalar>(places[i]), weights[i] = static_cast<Scalar>(barycentric[i]);
  }
};

// The same for a number of nodes known at run time, at most Most.
template <class Scalar, int Most>
struct basis_numbers {
  static constexpr int size = Most;

  Scalar nodes[Most] = {}, weights[Most] = {};
};

// The polynomials of each direction at a place, for points that are lanes of T: as lagrange_derivatives has them.
template <class T, int Directions, int Most>
struct basis_at {
  T values[Directions][Most], slopes[Directions][Most];

  // n nodes; a constant, where it is known to the compiler.
  template <class Constants>
  SUMFAC_INLINE void set_values(Constants const& with, int n, vector<T, Directions> const& xi)
  {
    for (int d = 0; d < Directions; ++d) {
      T before = static_cast<T>(1);
      for (int j = 0; j < n; ++j) {
        values[d][j] = before * with.weights[j];
        before *= xi[d] - with.nodes[j];
      }
      T behind = static_cast<T>(1);
      for (int j = n - 1; j >= 0; --j) {
        values[d][j] *= behind;
        behind *= xi[d] - with.nodes[j];
      }
    }
  }

  template <class Constants>
  SUMFAC_INLINE void set_slopes(Constants const& with, int n, vector<T, Directions> const& xi)
  {
    for (int d = 0; d < Directions; ++d) {
      T before = static_cast<T>(1), before_slope{};
      for (int j = 0; j < n; ++j) {
        T const distance = xi[d] - with.nodes[j];
        values[d][j] = before * with.weights[j];
        slopes[d][j] = before_slope * with.weights[j];
        before_slope = fma(before_slope, distance, before);
        before *= distance;
      }
      T behind = static_cast<T>(1), behind_slope{};
      for (int j = n - 1; j >= 0; --j) {
        T const distance = xi[d] - with.nodes[j];
        slopes[d][j] = fma(slopes[d][j], behind, values[d][j] * behind_slope);
        values[d][j] *= behind;
        behind_slope = fma(behind_slope, distance, behind);
        behind *= distance;
      }
    }
  }
};

// The values of nodes one after the other.
template <class T>
struct node_row {
  T const* values;

  SUMFAC_INLINE T operator()(int p) const { return values[p]; }
};

// The sum over the nodes of directions 0 .. Direction, from node `first` on, of node(p) times its polynomial.
//
// **Work** about n^D multiply-adds for D directions.
template <int Direction, class T, int Directions, int Most, class Node>
SUMFAC_INLINE T value_at(basis_at<T, Directions, Most> const& basis, int n, Node const& node, int first = 0)
{
  T sum{};
  if constexpr (Direction == 0) {
    for (int i = 0; i < n; ++i) sum = fma(node(first + i), basis.values[0][i], sum);
  } else {
    int const step = power(n, Direction);
    for (int i = 0; i < n; ++i)
      sum = fma(value_at<Direction - 1>(basis, n, node, first + i * step), basis.values[Direction][i], sum);
  }
  return sum;
}

// The same sum, in [0], and its derivatives along directions 0 .. Direction, in [1] and behind.
//
// **Work** about 2 n^D multiply-adds.
template <int Direction, class T, int Directions, int Most, class Node>
SUMFAC_INLINE vector<T, Direction + 2> gradient_at(basis_at<T, Directions, Most> const& basis, int n, Node const& node,
                                                   int first = 0)
{
  vector<T, Direction + 2> sum{};
  if constexpr (Direction == 0) {
    for (int i = 0; i < n; ++i) {
      auto const at = node(first + i);
      sum[0] = fma(at, basis.values[0][i], sum[0]);
      sum[1] = fma(at, basis.slopes[0][i], sum[1]);
    }
  } else {
    int const step = power(n, Direction);
    for (int i = 0; i < n; ++i) {
      auto const inner = gradient_at<Direction - 1>(basis, n, node, first + i * step);
      for (int s = 0; s <= Direction; ++s) sum[s] = fma(inner[s], basis.values[Direction][i], sum[s]);
      sum[Direction + 1] = fma(inner[0], basis.slopes[Direction][i], sum[Direction + 1]);
    }
  }
  return sum;
}

}  // namespace sumfac::detail
