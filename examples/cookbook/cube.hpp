// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What the recipes share: a mesh of the unit cube, vectors as views, and a number printed beside the right one.
#pragma once

#include <sumfac/sumfac.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

// A vector's entries as a view.
template <class T>
auto on(std::vector<T>& entries)
{
  return sumfac::view(entries.data(), static_cast<sumfac::index_t>(entries.size()));
}
template <class T>
auto on(std::vector<T> const& entries)
{
  return sumfac::view(entries.data(), static_cast<sumfac::index_t>(entries.size()));
}

// The unit cube cut into cells^3 elements, x fastest, with the nodes of degree N.
template <int N>
struct cube {
  static constexpr int n = N + 1;
  int cells, per_edge = cells * N + 1;
  int elements = cells * cells * cells, count = per_edge * per_edge * per_edge;
  std::vector<double> vertices;  // (E, 2, 2, 2, 3)
  std::vector<int> numbers;      // (E, n, n, n)
  std::vector<char> boundary;    // (count): not 0 on the boundary

  explicit cube(int cells_per_edge) : cells(cells_per_edge)
  {
    for (int e = 0; e < elements; ++e) {
      int const corner[] = {e % cells, e / cells % cells, e / cells / cells};
      for (int vertex = 0; vertex < 8; ++vertex)
        for (int d = 0; d < 3; ++d) vertices.push_back((corner[d] + (vertex >> d & 1)) / double(cells));
      for (int p = 0; p < n * n * n; ++p)
        numbers.push_back(((corner[2] * N + p / n / n) * per_edge + corner[1] * N + p / n % n) * per_edge +
                          corner[0] * N + p % n);
    }
    auto const outside = [&](int i) { return i == 0 || i == per_edge - 1; };
    for (int i = 0; i < count; ++i)
      boundary.push_back(outside(i % per_edge) || outside(i / per_edge % per_edge) || outside(i / per_edge / per_edge));
  }

  auto nodes() const { return sumfac::view(vertices.data(), elements, 2, 2, 2, 3); }
  auto table() const { return sumfac::view(numbers.data(), elements, n, n, n); }
  auto marks() const { return sumfac::view(boundary.data(), count); }

  // f(x, y, z) at the nodes.
  template <class Function>
  std::vector<double> values(Function const& f) const
  {
    auto const at = [&](int i) {
      return (i / N + (1 + double(sumfac::gauss_lobatto<n>::nodes[static_cast<std::size_t>(i % N)])) / 2) / cells;
    };
    std::vector<double> u;
    for (int i = 0; i < count; ++i)
      u.push_back(f(at(i % per_edge), at(i / per_edge % per_edge), at(i / per_edge / per_edge)));
    return u;
  }
  // The entry of the node in the middle, where there is one.
  double middle(std::vector<double> const& u) const { return u[static_cast<std::size_t>(count / 2)]; }
};

// u . A u, through a restriction.
template <class Operator, class Restriction, class T>
double energy(Operator const& A, Restriction const& R, std::vector<T> const& u)
{
  std::vector<T> v(u.size());
  A.apply(R, on(u), on(v));
  double sum = 0;
  for (std::size_t i = 0; i < u.size(); ++i) sum += double(u[i]) * double(v[i]);
  return sum;
}

// Prints a number beside the right one; what a program returns: 0 where they agree.
inline int compare(char const* what, double number, double right, double tolerance = 1e-10)
{
  std::printf("%s: %.10g, and %.10g is right\n", what, number, right);
  return std::abs(number - right) <= tolerance ? 0 : 1;
}
