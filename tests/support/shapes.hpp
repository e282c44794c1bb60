// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Elements of a known shape, and how far an element is from affine or trilinear, in long double.
#pragma once

#include "mesh.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace mesh {

// Parallelepipeds, each with a map of its own: x = c + J xi, J the identity and up to 0.3 more or less in each entry.
inline nodes parallelepipeds(int count, reference::rule const& where, std::uint64_t seed)
{
  support::generator next(seed);
  int const m = where.size();
  nodes result{count, m, {}};
  for (int e = 0; e < count; ++e) {
    std::array<std::array<double, 4>, 3> map;
    for (std::size_t r = 0; r < 3; ++r)
      for (std::size_t c = 0; c < 4; ++c) map[r][c] = (r == c ? 1 : 0) + 0.3 * next();
    for (int node = 0; node < m * m * m; ++node) {
      std::array<std::size_t, 3> const at{static_cast<std::size_t>(node % m), static_cast<std::size_t>(node / m % m),
                                          static_cast<std::size_t>(node / m / m)};
      for (auto const& row : map)
        result.coordinates.push_back(static_cast<double>(row[3] + row[0] * where.nodes[at[0]] +
                                                         row[1] * where.nodes[at[1]] + row[2] * where.nodes[at[2]]));
    }
  }
  return result;
}

// Vertex `corner` of an element: bit 0 along x, bit 1 along y, bit 2 along z.
inline double const* vertex(nodes const& mesh, int e, int corner)
{
  int const last = mesh.nodes_1d - 1, m = mesh.nodes_1d;
  int const node = ((corner >> 2 & 1) * m * last + (corner >> 1 & 1) * last) * m + (corner & 1) * last;
  return mesh.element(e) + 3 * static_cast<std::ptrdiff_t>(node);
}

enum class shape { affine, trilinear };

// The largest distance of a node from the map that its element's vertices say, over the diagonal of the box around its
// nodes. The affine map is the trilinear one's value and Jacobian in the middle.
inline double defect(nodes const& mesh, int e, reference::rule const& where, shape map)
{
  int const m = mesh.nodes_1d;
  reference::real greatest = 0;
  std::array<double, 3> low{}, high{};
  for (int node = 0; node < m * m * m; ++node) {
    std::array<reference::real, 3> const xi{where.nodes[static_cast<std::size_t>(node % m)],
                                            where.nodes[static_cast<std::size_t>(node / m % m)],
                                            where.nodes[static_cast<std::size_t>(node / m / m)]};
    reference::real squares = 0;
    for (std::size_t r = 0; r < 3; ++r) {
      reference::real on_map = 0;
      for (int corner = 0; corner < 8; ++corner) {
        reference::real product = 1, sum = 1;
        for (std::size_t d = 0; d < 3; ++d) {
          reference::real const signed_xi = (corner >> d & 1) == 1 ? xi[d] : -xi[d];
          product *= 1 + signed_xi;
          sum += signed_xi;
        }
        on_map += (map == shape::trilinear ? product : sum) / 8 * vertex(mesh, e, corner)[r];
      }
      double const x = mesh.element(e)[3 * node + static_cast<int>(r)];
      squares += (x - on_map) * (x - on_map);
      low[r] = node == 0 ? x : std::min(low[r], x);
      high[r] = node == 0 ? x : std::max(high[r], x);
    }
    greatest = std::max(greatest, std::sqrt(squares));
  }
  reference::real size = 0;
  for (std::size_t r = 0; r < 3; ++r) size += reference::real(high[r] - low[r]) * reference::real(high[r] - low[r]);
  return static_cast<double>(greatest / std::sqrt(size));
}

}  // namespace mesh
