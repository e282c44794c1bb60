// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The oracle of spaces: forms on lines, quadrilaterals and hexahedra in one to three coordinates, by dense loops.
#pragma once

#include "rules.hpp"

#include <cmath>
#include <cstddef>
#include <functional>
#include <vector>

// With phi_i, psi_j the nodal bases of the test and trial functions and x(xi) the map of the mesh nodes, an integrand
// (f, F) of u and grad u defines
//   v_i = sum over points q of w_q sqrt(det J^T J) ( phi_i f(u, grad u) + grad phi_i . F(u, grad u) ),
// gradients in the mesh: grad = J (J^T J)^-1 d/dxi. Everything is said point by point and node by node, in long double.
namespace reference {

// Functions of a space: places of nodes along a direction, and components.
struct function_space {
  rule nodes;
  int components = 1;
};

struct flat_field {
  std::vector<real> value;                  // (components)
  std::vector<std::vector<real>> gradient;  // (components, coordinates)
};
using flat_integrand = std::function<flat_field(std::vector<real> const& position, flat_field const& u)>;

// sqrt(det J^T J), and (J^T J)^-1 J^T (D, C) of J (C, D), by Gauss and Jordan's elimination on J^T J.
struct inverted_map {
  real root;
  std::vector<std::vector<real>> inverse;
};
inline inverted_map invert(std::vector<std::vector<real>> const& jacobian)
{
  std::size_t const coordinates = jacobian.size(), directions = jacobian[0].size();
  std::vector<std::vector<real>> a(directions, std::vector<real>(directions + coordinates, 0));
  for (std::size_t r = 0; r < directions; ++r) {
    for (std::size_t s = 0; s < directions; ++s)
      for (auto const& row : jacobian) a[r][s] += row[r] * row[s];
    for (std::size_t c = 0; c < coordinates; ++c) a[r][directions + c] = jacobian[c][r];
  }
  real determinant = 1;
  for (std::size_t p = 0; p < directions; ++p) {
    real const pivot = a[p][p];
    determinant *= pivot;
    for (real& x : a[p]) x /= pivot;
    for (std::size_t r = 0; r < directions; ++r) {
      if (r == p) continue;
      real const times = a[r][p];
      for (std::size_t s = 0; s < a[r].size(); ++s) a[r][s] -= times * a[p][s];
    }
  }
  inverted_map result{std::sqrt(determinant), {}};
  for (auto const& row : a)
    result.inverse.emplace_back(row.begin() + static_cast<std::ptrdiff_t>(directions), row.end());
  return result;
}

class flat_element {
public:
  // mesh (m^D, C), x fastest, at `mesh_nodes` along each direction.
  flat_element(int directions, int coordinates, rule const& mesh_nodes, std::vector<real> const& mesh,
               rule const& points)
      : d_(directions), c_(coordinates), mesh_nodes_(mesh_nodes), mesh_(mesh), points_(points)
  {
  }

  int nodes_of(rule const& r) const { return count(r.size()); }

  // Where place i of a rule lies, x fastest.
  std::vector<real> position_at(rule const& r, int i) const { return position(place(r, i)); }

  // v (test components, nodes) from u (trial components, nodes), x fastest.
  std::vector<real> apply(function_space const& trial, function_space const& test, flat_integrand const& integrand,
                          std::vector<real> const& u) const
  {
    int const n = nodes_of(trial.nodes), m = nodes_of(test.nodes);
    std::vector<real> v(static_cast<std::size_t>(m * test.components), 0);
    for (int q = 0; q < count(points_.size()); ++q) {
      auto const xi = place(points_, q);
      std::vector<real> position(at(c_), 0);
      std::vector<std::vector<real>> jacobian(at(c_), std::vector<real>(at(d_), 0));
      for (int i = 0; i < count(mesh_nodes_.size()); ++i)
        for (int c = 0; c < c_; ++c) {
          real const x = mesh_[at(i * c_ + c)];
          position[at(c)] += x * basis(mesh_nodes_, i, xi, -1);
          for (int d = 0; d < d_; ++d) jacobian[at(c)][at(d)] += x * basis(mesh_nodes_, i, xi, d);
        }
      auto const [root, inverse] = invert(jacobian);
      real weight = root;
      for (int d = 0, rest = q; d < d_; ++d, rest /= points_.size())
        weight *= points_.weights[at(rest % points_.size())];

      flat_field of_u{std::vector<real>(at(trial.components), 0),
                      std::vector<std::vector<real>>(at(trial.components), std::vector<real>(at(c_), 0))};
      for (int c = 0; c < trial.components; ++c)
        for (int j = 0; j < n; ++j) {
          real const entry = u[at(c * n + j)];
          of_u.value[at(c)] += entry * basis(trial.nodes, j, xi, -1);
          auto const slope = gradient(trial.nodes, j, xi, inverse);
          for (int x = 0; x < c_; ++x) of_u.gradient[at(c)][at(x)] += entry * slope[at(x)];
        }
      flat_field const tested = integrand(position, of_u);
      for (int c = 0; c < test.components; ++c)
        for (int i = 0; i < m; ++i) {
          real sum = basis(test.nodes, i, xi, -1) * tested.value[at(c)];
          auto const slope = gradient(test.nodes, i, xi, inverse);
          for (int x = 0; x < c_; ++x) sum += slope[at(x)] * tested.gradient[at(c)][at(x)];
          v[at(c * m + i)] += weight * sum;
        }
    }
    return v;
  }

protected:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  int count(int per_direction) const
  {
    int product = 1;
    for (int d = 0; d < d_; ++d) product *= per_direction;
    return product;
  }
  std::vector<real> place(rule const& r, int i) const
  {
    std::vector<real> xi;
    for (int d = 0; d < d_; ++d, i /= r.size()) xi.push_back(r.nodes[at(i % r.size())]);
    return xi;
  }

  // The Lagrange polynomial of node i along a direction, or its derivative, by the product formula.
  static real factor(rule const& r, int i, real x, bool derivative)
  {
    if (!derivative) {
      real product = 1;
      for (int k = 0; k < r.size(); ++k)
        if (k != i) product *= (x - r.nodes[at(k)]) / (r.nodes[at(i)] - r.nodes[at(k)]);
      return product;
    }
    real sum = 0;
    for (int l = 0; l < r.size(); ++l) {
      if (l == i) continue;
      real product = 1 / (r.nodes[at(i)] - r.nodes[at(l)]);
      for (int k = 0; k < r.size(); ++k)
        if (k != i && k != l) product *= (x - r.nodes[at(k)]) / (r.nodes[at(i)] - r.nodes[at(k)]);
      sum += product;
    }
    return sum;
  }
  // The basis function of node i, or its derivative in direction `along`.
  real basis(rule const& r, int i, std::vector<real> const& xi, int along) const
  {
    real product = 1;
    for (int d = 0; d < d_; ++d, i /= r.size()) product *= factor(r, i % r.size(), xi[at(d)], d == along);
    return product;
  }
  std::vector<real> position(std::vector<real> const& xi) const
  {
    std::vector<real> x(at(c_), 0);
    for (int i = 0; i < count(mesh_nodes_.size()); ++i)
      for (int c = 0; c < c_; ++c) x[at(c)] += mesh_[at(i * c_ + c)] * basis(mesh_nodes_, i, xi, -1);
    return x;
  }
  std::vector<real> gradient(rule const& r, int i, std::vector<real> const& xi,
                             std::vector<std::vector<real>> const& inverse) const
  {
    std::vector<real> g(at(c_), 0);
    for (int d = 0; d < d_; ++d) {
      real const slope = basis(r, i, xi, d);
      for (int x = 0; x < c_; ++x) g[at(x)] += inverse[at(d)][at(x)] * slope;
    }
    return g;
  }

  int d_, c_;
  rule mesh_nodes_;
  std::vector<real> mesh_;
  rule points_;
};

// A point of a face, and what is known there of the element behind it.
struct face_point {
  std::vector<real> position, normal;
  real height;  // of the element over the face: its volume over the face's area, where its map is affine
};
using face_integrand = std::function<flat_field(face_point const&, flat_field const& u)>;

// The same sums over the points of the face where the last reference coordinate is 1, weighted by its area.
class face_element : flat_element {
public:
  using flat_element::flat_element;
  using flat_element::nodes_of;

  // v (components, nodes) from u, and, where `at_points` is no null, what the integrand returns as values there.
  std::vector<real> apply(function_space const& space, face_integrand const& integrand, std::vector<real> const& u,
                          std::vector<std::vector<real>>* at_points = nullptr) const
  {
    int const n = nodes_of(space.nodes);
    std::vector<real> v(u.size(), 0);
    for (int q = 0; q < count(points_.size()) / points_.size(); ++q) {
      auto xi = place(points_, q);
      xi.back() = 1;
      face_point x{position(xi), {}, 0};
      std::vector<std::vector<real>> jacobian(at(c_), std::vector<real>(at(d_), 0));
      for (int i = 0; i < count(mesh_nodes_.size()); ++i)
        for (int c = 0; c < c_; ++c)
          for (int d = 0; d < d_; ++d) jacobian[at(c)][at(d)] += mesh_[at(i * c_ + c)] * basis(mesh_nodes_, i, xi, d);
      auto const [root, inverse] = invert(jacobian);
      // The gradient of the last coordinate is normal to the face; the area is by Nanson's formula.
      real square = 0;
      for (real const slope : inverse.back()) square += slope * slope;
      for (real const slope : inverse.back()) x.normal.push_back(slope / std::sqrt(square));
      x.height = 2 / std::sqrt(square);
      real weight = root * std::sqrt(square);
      for (int d = 0, rest = q; d + 1 < d_; ++d, rest /= points_.size())
        weight *= points_.weights[at(rest % points_.size())];

      flat_field of_u{std::vector<real>(at(space.components), 0),
                      std::vector<std::vector<real>>(at(space.components), std::vector<real>(at(c_), 0))};
      for (int c = 0; c < space.components; ++c)
        for (int j = 0; j < n; ++j) {
          of_u.value[at(c)] += u[at(c * n + j)] * basis(space.nodes, j, xi, -1);
          auto const slope = gradient(space.nodes, j, xi, inverse);
          for (int r = 0; r < c_; ++r) of_u.gradient[at(c)][at(r)] += u[at(c * n + j)] * slope[at(r)];
        }
      flat_field const tested = integrand(x, of_u);
      if (at_points != nullptr) at_points->push_back(tested.value);
      for (int c = 0; c < space.components; ++c)
        for (int i = 0; i < n; ++i) {
          real sum = basis(space.nodes, i, xi, -1) * tested.value[at(c)];
          auto const slope = gradient(space.nodes, i, xi, inverse);
          for (int r = 0; r < c_; ++r) sum += slope[at(r)] * tested.gradient[at(c)][at(r)];
          v[at(c * n + i)] += weight * sum;
        }
    }
    return v;
  }
};

}  // namespace reference
