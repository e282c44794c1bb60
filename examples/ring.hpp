// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A quarter of a ring of curved hexahedra, about the z axis: from the x axis to the y axis.
#pragma once

#include <sumfac/sumfac.hpp>

#include <cmath>
#include <vector>

// Cut into `along` elements along its length, and `across` times `across` in its rectangular section.
struct ring {
  static constexpr int m = 5;  // nodes per direction of the mesh's elements, at the Gauss-Lobatto points
  // Radii and height; z is from 0 to it.
  struct section {
    double inner = 1, outer = 2, height = 1;
  };

  ring(int of_degree, int along, int across, section const& s);
  ring(int of_degree, int along, int across) : ring(of_degree, along, across, section{}) {}

  auto mesh() const
  {
    return sumfac::mesh_view(sumfac::view(coordinates.data(), elements, m, m, m, 3), sumfac::gauss_lobatto_nodes{});
  }

  int degree;
  sumfac::index_t elements, nodes;     // nodes of the degree: (height, radius, angle), the angle's fastest
  std::vector<double> coordinates;     // (E, m, m, m, 3)
  std::vector<sumfac::index_t> table;  // (E, n, n, n)
};

inline ring::ring(int of_degree, int along, int across, section const& s)
    : degree(of_degree), elements(static_cast<sumfac::index_t>(along) * across * across)
{
  using sumfac::index_t;
  long double set[m], weights[m];
  sumfac::make_gauss_lobatto(m, set, weights);
  for (index_t e = 0; e < elements; ++e)
    for (int p = 0; p < m * m * m; ++p) {
      auto const place = [&](index_t cell, int node, int of) {
        return (static_cast<double>(cell) + (static_cast<double>(set[node]) + 1) / 2) / of;
      };
      double const angle = 1.5707963267948966 * place(e % along, p % m, along);
      double const radius = s.outer + (s.inner - s.outer) * place(e / along % across, p / m % m, across);
      double const z = s.height * place(e / along / across, p / m / m, across);
      coordinates.insert(coordinates.end(), {radius * std::cos(angle), radius * std::sin(angle), z});
    }
  index_t const row = along * degree + 1, column = across * degree + 1, n = degree + 1;
  for (index_t e = 0; e < elements; ++e)
    for (index_t p = 0; p < n * n * n; ++p) {
      index_t const i = e % along * degree + p % n, j = e / along % across * degree + p / n % n;
      table.push_back(((e / along / across * degree + p / n / n) * column + j) * row + i);
    }
  nodes = row * column * column;
}
