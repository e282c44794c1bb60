// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What the guides' programs share: a cube that is bent, values at its nodes, and how far two vectors are apart.
#pragma once

#include "../cookbook/recipe.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <vector>

// Moves a place within the unit cube, so that no element has parallel sides.
inline void bend(double* x)
{
  double const pi = std::acos(-1.0), bump = std::sin(pi * x[0]) * std::sin(pi * x[1]) * std::sin(pi * x[2]);
  double const sheared[] = {x[0] + 0.2 * x[1] + 0.08 * bump, x[1] + 0.1 * x[2] - 0.06 * bump, x[2] + 0.05 * bump};
  std::copy_n(sheared, 3, x);
}

// A mesh as a program of one's own has it: the cube cut into cells^3 elements and bent, with the nodes of degree N.
template <int N>
struct bent_cube {
  static constexpr int n = N + 1;
  int elements, count;
  std::vector<double> vertices;  // (E, 2, 2, 2, 3)
  std::vector<int> numbers;      // (E, n, n, n)
  std::vector<char> boundary;    // (count): not 0 on the boundary

  explicit bent_cube(int cells)
  {
    sumfac::mesh const mesh = sumfac::box_mesh({cells, cells, cells}, [](sumfac::vector<double, 3> x) {
      bend(x.entries);
      return x;
    }, 1);
    sumfac::function_space const V{mesh, N, mesh.boundary()};
    elements = static_cast<int>(mesh.elements()), count = static_cast<int>(V.nodes());
    vertices.assign(mesh.data(), mesh.data() + mesh.size());
    numbers.assign(V.table().data(), V.table().data() + V.table().size());
    for (int node = 0; node < count; ++node) boundary.push_back(V.is_fixed(node));
  }

  auto nodes() const { return sumfac::view(vertices.data(), elements, 2, 2, 2, 3); }
  auto table() const { return sumfac::view(numbers.data(), elements, n, n, n); }
  auto marks() const { return sumfac::view(boundary.data(), count); }
};

// Numbers in no order, the same in every run.
inline std::vector<double> some_values(std::size_t count)
{
  std::vector<double> x;
  for (std::size_t i = 0; i < count; ++i) x.push_back(std::sin(1.0 + 17.0 * double(i % 1009) + double(i) / 7));
  return x;
}

// The largest difference over the largest entry of the first.
inline double apart(double const* right, double const* other, std::size_t count)
{
  double difference = 0, largest = 0;
  for (std::size_t i = 0; i < count; ++i) {
    double const d = std::abs(right[i] - other[i]);
    difference = d <= difference ? difference : d == d ? d : HUGE_VAL;
    largest = std::max(largest, std::abs(right[i]));
  }
  return largest > 0 ? difference / largest : HUGE_VAL;
}
inline double apart(std::vector<double> const& right, std::vector<double> const& other)
{
  return right.size() == other.size() ? apart(right.data(), other.data(), right.size()) : HUGE_VAL;
}

// Prints how far apart they are; what a program returns: 0 where that is rounding.
inline int agree(char const* what, double difference)
{
  std::printf("%s: %.1e apart\n", what, difference);
  return difference < 1e-13 ? 0 : 1;
}
