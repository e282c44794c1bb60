// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The error of a global vector in the norm of L2, and the points of a mesh that it is integrated on.
#pragma once

#include <sumfac/sumfac.hpp>

#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

// Calls f(element, k, j, i, x) at each point of a rule on each element; x.position() and x.measure() are what it asks.
// From 4 mesh nodes along an edge on, they are a sumfac::mesh_view.
template <class Rule, class Nodes, class Function>
void for_each_point(Nodes const& nodes, Function const& f)
{
  sumfac::element_geometry<Rule, Nodes> const geometry(nodes);
  auto const bad = geometry.template visit<double>(0, geometry.elements(), f);
  if (bad < geometry.elements()) geometry.refuse(bad);
}

// The values at Points (g, g, g) of the polynomial through `values` at Nodes (n, n, n).
template <class Nodes, class Points>
std::vector<double> interpolated(std::vector<double> values)
{
  constexpr auto I = sumfac::interpolate<double, Nodes, Points>::full;
  constexpr std::size_t n = Nodes::size, g = Points::size;
  for (int direction = 0; direction < 3; ++direction) {
    // The last index is summed over and comes back as the first: after three turns all are where they were.
    std::size_t const rows = values.size() / n;
    std::vector<double> result(g * rows);
    for (std::size_t q = 0; q < g; ++q)
      for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t i = 0; i < n; ++i) result[q * rows + row] += I.value[q][i] * values[row * n + i];
    values = std::move(result);
  }
  return values;
}

// The L2 norm of values - exact(x) on a mesh, on two more points per direction than the nodes.
template <int Degree, class Nodes, class Function>
double l2_error(sumfac::restriction<> const& all, Nodes const& mesh, std::vector<double> const& values,
                Function const& exact)
{
  using nodes = sumfac::gauss_lobatto<Degree + 1>;
  using points = sumfac::gauss<Degree + 3>;
  constexpr sumfac::index_t n = Degree + 1, g = Degree + 3;
  std::vector<double> local(static_cast<std::size_t>(all.elements() * n * n * n)), at_points;
  all.gather(sumfac::view(values.data(), all.size()), sumfac::view(local.data(), all.elements(), n, n, n));
  double sum = 0;
  for_each_point<points>(mesh, [&](sumfac::index_t e, int s, int r, int q, auto const& x) {
    auto const first = local.begin() + e * n * n * n;
    if (q + s + r == 0) at_points = interpolated<nodes, points>({first, first + n * n * n});
    double const error = at_points[static_cast<std::size_t>((s * g + r) * g + q)] - exact(x.position());
    sum += x.measure() * error * error;
  });
  return std::sqrt(sum);
}
