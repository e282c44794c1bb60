// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Meshes of hexahedra for tests, benchmarks and examples: a box, jittered, sheared, curved, or bent by Kershaw's map.
#pragma once

#include "random.hpp"
#include "rules.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace mesh {

using position = std::array<double, 3>;

// Elements with their own copies of m^3 nodes each.
struct nodes {
  int elements = 0;
  int nodes_1d = 2;                 // m
  std::vector<double> coordinates;  // (E, m, m, m, 3): z, y, x directions, x fastest, then the coordinate

  double const* data() const { return coordinates.data(); }
  std::size_t element_size() const { return static_cast<std::size_t>(3 * nodes_1d * nodes_1d * nodes_1d); }
  double const* element(int e) const { return data() + static_cast<std::size_t>(e) * element_size(); }
};

// Elements along x, y, z.
struct counts {
  int x, y, z;

  int elements() const { return x * y * z; }
};

// The unit cube cut into counts.x * counts.y * counts.z equal boxes (x fastest), each with m^3 nodes at `where`:
// mesh::box({2, 2, 2}, reference::gauss_lobatto(4)).
inline nodes box(counts n, reference::rule const& where)
{
  int const m = where.size();
  nodes result{n.elements(), m, {}};
  result.coordinates.reserve(static_cast<std::size_t>(n.elements()) * result.element_size());
  auto const coordinate = [&](int cell, int node, int cells) {
    return static_cast<double>((cell + (where.nodes[static_cast<std::size_t>(node)] + 1) / 2) / cells);
  };
  for (int e = 0; e < n.elements(); ++e)
    for (int node = 0; node < m * m * m; ++node) {
      result.coordinates.push_back(coordinate(e % n.x, node % m, n.x));
      result.coordinates.push_back(coordinate(e / n.x % n.y, node / m % m, n.y));
      result.coordinates.push_back(coordinate(e / n.x / n.y, node / m / m, n.z));
    }
  return result;
}

// Eight vertices per element.
inline nodes box(counts n) { return box(n, reference::equispaced(2)); }

// Every node moved: map(position) -> position.
template <class Map>
nodes mapped(nodes mesh, Map const& map)
{
  for (std::size_t i = 0; i < mesh.coordinates.size(); i += 3) {
    position const x = map(position{mesh.coordinates[i], mesh.coordinates[i + 1], mesh.coordinates[i + 2]});
    std::copy(x.begin(), x.end(), mesh.coordinates.begin() + static_cast<std::ptrdiff_t>(i));
  }
  return mesh;
}

// Some of the elements, in the order given (an element may be named twice).
inline nodes selected(nodes const& mesh, std::vector<int> const& elements)
{
  nodes result{static_cast<int>(elements.size()), mesh.nodes_1d, {}};
  for (int const e : elements)
    result.coordinates.insert(result.coordinates.end(), mesh.element(e), mesh.element(e) + mesh.element_size());
  return result;
}

// `count` elements, spread evenly over the mesh (and around again where it has fewer).
inline nodes sampled(nodes const& mesh, int count)
{
  std::vector<int> elements;
  int const stride = std::max(1, mesh.elements / std::max(count, 1));
  for (int i = 0; i < count; ++i) elements.push_back(i * stride % mesh.elements);
  return selected(mesh, elements);
}

// Smooth, with curved faces inside; the boundary of the unit cube and so its volume stay. Invertible for amplitude <=
// 0.1.
struct smooth {
  double amplitude = 0.08;

  position operator()(position const& x) const
  {
    double const pi = 3.14159265358979323846;
    double const bump = amplitude * std::sin(pi * x[0]) * std::sin(pi * x[1]) * std::sin(pi * x[2]);
    return {x[0] + bump, x[1] - bump * std::cos(2 * x[0]), x[2] + bump * std::sin(1 + 2 * x[1])};
  }
};

// A stretch, a shear and a translation: affine elements of determinant scale[0] scale[1] scale[2] times the box's.
struct affine {
  position scale{1, 1, 1};
  double shear_xy = 0, shear_xz = 0, shear_yz = 0;  // x += shear_xy y, ...
  position shift{0, 0, 0};

  position operator()(position const& x) const
  {
    double const a = scale[0] * x[0], b = scale[1] * x[1], c = scale[2] * x[2];
    return {shift[0] + a + shear_xy * b + shear_xz * c, shift[1] + b + shear_yz * c, shift[2] + c};
  }
};

// The map of the bake-off's preconditioned problems (Kershaw 1981, as in the CEED bake-off page) on the unit cube:
// thin, slanted elements. counts.x divisible by 6, counts.y and counts.z by 2. epsilon = 1 is the identity, 0.3 the
// usual hard case.
struct kershaw {
  double eps_y = 0.3, eps_z = 0.3;
  int smoothness = 0;  // of the step between layers: 0 linear, 1 t^2 (3 - 2t), 2 t^3 (6 t^2 - 15 t + 10)

  position operator()(position const& x) const { return {x[0], bent(eps_y, x[0], x[1]), bent(eps_z, x[0], x[2])}; }

private:
  static double right(double eps, double x) { return x <= 0.5 ? (2 - eps) * x : 1 + eps * (x - 1); }
  static double left(double eps, double x) { return 1 - right(eps, 1 - x); }

  double step(double a, double b, double t) const
  {
    t = std::clamp(t, 0.0, 1.0);
    if (smoothness == 1) t = t * t * (3 - 2 * t);
    if (smoothness == 2) t = t * t * t * (6 * t * t - 15 * t + 10);
    return a + (b - a) * t;
  }

  double bent(double eps, double x, double y) const
  {
    int const layer = static_cast<int>(6 * x);
    double const within = 6 * x - layer, l = left(eps, y), r = right(eps, y);
    switch (layer) {
      case 0: return l;
      case 1:
      case 4: return step(l, r, within);
      case 2: return step(r, l, within / 2);
      case 3: return step(r, l, (1 + within) / 2);
      default: return r;
    }
  }
};

// A box whose inner vertices are moved at random by at most `amplitude` cells along each axis (0.2 is safe), trilinear
// between them: general hexahedra that fill the unit cube.
inline nodes jittered(counts n, double amplitude, reference::rule const& where, std::uint64_t seed = 1)
{
  support::generator next(seed);
  std::vector<position> vertices;
  for (int k = 0; k <= n.z; ++k)
    for (int j = 0; j <= n.y; ++j)
      for (int i = 0; i <= n.x; ++i) {
        bool const inside = i > 0 && j > 0 && k > 0 && i < n.x && j < n.y && k < n.z;
        position const move{next(), next(), next()};
        double const a = inside ? amplitude : 0;
        vertices.push_back({(i + a * move[0]) / n.x, (j + a * move[1]) / n.y, (k + a * move[2]) / n.z});
      }
  nodes result = box(n, where);
  int const m = where.size();
  for (int e = 0; e < n.elements(); ++e)
    for (int node = 0; node < m * m * m; ++node) {
      int const cell[] = {e % n.x, e / n.x % n.y, e / n.x / n.y};
      int const at[] = {node % m, node / m % m, node / m / m};
      position x{};
      for (int corner = 0; corner < 8; ++corner) {
        double weight = 1;
        int index[3];
        for (int d = 0; d < 3; ++d) {
          int const high = corner >> d & 1;
          double const t = static_cast<double>((where.nodes[static_cast<std::size_t>(at[d])] + 1) / 2);
          weight *= high == 1 ? t : 1 - t;
          index[d] = cell[d] + high;
        }
        position const& vertex =
            vertices[static_cast<std::size_t>((index[2] * (n.y + 1) + index[1]) * (n.x + 1) + index[0])];
        for (std::size_t r = 0; r < 3; ++r) x[r] += weight * vertex[r];
      }
      std::copy(x.begin(), x.end(),
                result.coordinates.begin() + 3 * (static_cast<std::ptrdiff_t>(e) * m * m * m + node));
    }
  return result;
}

inline nodes jittered(counts n, double amplitude, std::uint64_t seed = 1)
{
  return jittered(n, amplitude, reference::equispaced(2), seed);
}

// The same elements with nodes where `to` has them in place of `from`, at least as many per edge.
inline nodes raised(nodes const& given, reference::rule const& from, reference::rule const& to)
{
  auto const at = reference::lagrange_values<reference::real>(from.nodes, to.nodes);
  int const m = given.nodes_1d, n = at.rows;
  nodes result{given.elements, n, {}};
  for (int e = 0; e < given.elements; ++e)
    for (int q = 0; q < n * n * n; ++q)
      for (int c = 0; c < 3; ++c) {
        reference::real sum = 0;
        for (int i = 0; i < m * m * m; ++i)
          sum +=
              at(q / (n * n), i / (m * m)) * at(q / n % n, i / m % m) * at(q % n, i % m) * given.element(e)[3 * i + c];
        result.coordinates.push_back(static_cast<double>(sum));
      }
  return result;
}

}  // namespace mesh
