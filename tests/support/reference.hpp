// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The oracle: any linear form on one curved hexahedron, by dense loops and by naive factored ones, in long double.
#pragma once

#include "larger.hpp"
#include "rules.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <type_traits>
#include <utility>
#include <vector>

// With phi_i the nodal basis and x(xi) the isoparametric map, an integrand (f, F) of u and grad u defines
//   v_i = sum over points q of w_q det J_q ( phi_i f(u, grad u) + grad phi_i . F(u, grad u) ),
// gradients physical: grad = J^{-T} d/dxi. `apply_dense` says exactly that, in six loops; `apply` says it direction by
// direction, which is affordable at every degree, and is tested against the first.
// The arithmetic is in T: long double for the oracle, float or double to see what rounding does to a naive evaluation.
namespace reference {

// What an integrand sees of the mesh at one point.
template <class T = real>
struct point {
  std::array<T, 3> position;
  std::array<std::array<T, 3>, 3> jacobian;  // (r, c) = d x_r / d xi_c
  std::array<std::array<T, 3>, 3> inverse;   // (c, r) = d xi_c / d x_r
  T det;
  T weight;     // product of the three 1-D weights
  T condition;  // |J^{-1}| times the sum of moduli behind J: what rounding of the coordinates costs
  int number;   // among the element's points, reference x fastest
};

// Up to three components of a field and its physical gradient: gradient[component][direction].
template <class T = real>
struct field {
  std::array<T, 3> value{};
  std::array<std::array<T, 3>, 3> gradient{};
};

// (point, u) -> (f, F), without weight and determinant; linear in u, but for apply_dense.
template <class T = real>
using integrand = std::function<field<T>(point<T> const&, field<T> const&)>;

template <class T = real>
integrand<T> mass()
{
  return [](point<T> const&, field<T> const& u) { return field<T>{u.value, {}}; };
}

template <class T = real>
integrand<T> laplace()
{
  return [](point<T> const&, field<T> const& u) { return field<T>{{}, u.gradient}; };
}

// laplace + lambda mass: BP3.0 and BP3.5.
template <class T = real>
integrand<T> stiffness(std::type_identity_t<T> lambda)
{
  return [lambda](point<T> const&, field<T> const& u) {
    return field<T>{{lambda * u.value[0], lambda * u.value[1], lambda * u.value[2]}, u.gradient};
  };
}

// Where u lives and where the integrals are summed.
struct space {
  rule nodes;
  rule points;
  int components = 1;
};

// Degree `order` on Gauss-Lobatto nodes with order + 2 Gauss points (BP1 to BP4), or collocated (BP5, BP6, BP3.5).
inline space on_gauss(int order, int components = 1)
{
  return {gauss_lobatto(order + 1), gauss(order + 2), components};
}
inline space collocated(int order, int components = 1)
{
  return {gauss_lobatto(order + 1), gauss_lobatto(order + 1), components};
}

// One element: shapes are (C, D, D, D), row by row, i (reference x) fastest; its mesh nodes (m, m, m, 3) likewise.
template <class T = real>
class element {
public:
  using vector = std::vector<T>;

  element(space const& where, rule const& mesh_nodes, double const* coordinates, integrand<T> form)
      : nodes_(where.nodes.size()),
        quads_(where.points.size()),
        components_(where.components),
        form_(std::move(form)),
        value_(lagrange_values<T>(where.nodes.nodes, where.points.nodes)),
        slope_(lagrange_derivatives<T>(where.nodes.nodes, where.points.nodes))
  {
    set_geometry(where.points, mesh_nodes, coordinates);
    set_factors();
  }

  int size() const { return components_ * cube(nodes_); }
  std::vector<point<T>> const& points() const { return points_; }

  // v = A u by the definition: for every point, all nodes in, the integrand, all nodes out.
  vector apply_dense(vector const& u) const
  {
    vector v(u.size());
    for (point<T> const& x : points_) {
      field<T> const output = form_(x, at_point(u, x.number));
      for (int c = 0; c < components_; ++c)
        for (int i = 0; i < cube(nodes_); ++i) {
          auto const phi = basis(x, x.number, i);
          T sum = phi[0] * output.value[at(c)];
          for (int d = 0; d < 3; ++d) sum += phi[at(1 + d)] * output.gradient[at(c)][at(d)];
          v[at(c * cube(nodes_) + i)] += x.weight * x.det * sum;
        }
    }
    return v;
  }

  // u and its physical gradient at point q, from all nodes.
  field<T> at_point(vector const& u, int q) const
  {
    field<T> result;
    for (int c = 0; c < components_; ++c)
      for (int i = 0; i < cube(nodes_); ++i) {
        auto const phi = basis(points_[at(q)], q, i);
        T const u_i = u[at(c * cube(nodes_) + i)];
        result.value[at(c)] += phi[0] * u_i;
        for (int d = 0; d < 3; ++d) result.gradient[at(c)][at(d)] += phi[at(1 + d)] * u_i;
      }
    return result;
  }

  // v = A u, direction by direction.
  vector apply(vector const& u) const
  {
    return transformed(u, value_, slope_, [](T f, point<T> const&) { return f; });
  }

  // The sums behind A u with every term replaced by its modulus, and the factors by (1 + condition / depth) times
  // theirs: tolerance.hpp multiplies this by depth * roundoff to get what rounding may do.
  vector magnitude(vector u, T depth) const
  {
    for (T& x : u) x = std::abs(x);
    return transformed(u, absolute(value_), absolute(slope_),
                       [depth](T f, point<T> const& x) { return std::abs(f) * (1 + x.condition / depth); });
  }

  // The diagonal of A, and its sums of moduli as above.
  vector diagonal() const
  {
    return diagonal_of(value_, slope_, [](T f, point<T> const&) { return f; });
  }
  vector diagonal_magnitude(T depth) const
  {
    return diagonal_of(absolute(value_), absolute(slope_),
                       [depth](T f, point<T> const& x) { return std::abs(f) * (1 + x.condition / depth); });
  }

  // A, row by row, column by column.
  vector matrix() const
  {
    vector a(at(size()) * at(size()));
    for (int j = 0; j < size(); ++j) {
      vector unit(at(size()));
      unit[at(j)] = 1;
      vector const column = apply(unit);
      for (int i = 0; i < size(); ++i) a[at(i) * at(size()) + at(j)] = column[at(i)];
    }
    return a;
  }

  // The nodal basis (or any field given at the nodes) is isoparametric: physical positions of the nodes of u.
  static std::vector<std::array<T, 3>> positions(rule const& nodes, rule const& mesh_nodes, double const* coordinates)
  {
    auto const tables = lagrange_values<T>(mesh_nodes.nodes, nodes.nodes);
    int const m = mesh_nodes.size(), n = nodes.size();
    std::vector<std::array<T, 3>> x(at(cube(n)));
    for (int p = 0; p < cube(n); ++p)
      for (int node = 0; node < cube(m); ++node)
        for (int r = 0; r < 3; ++r)
          x[at(p)][at(r)] += tables(p % n, node % m) * tables(p / n % n, node / m % m) *
                             tables(p / n / n, node / m / m) * static_cast<T>(coordinates[at(3 * node + r)]);
    return x;
  }

private:
  static constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }
  static constexpr int cube(int i) { return i * i * i; }

  T& factor(int q, int a, int b)
  {
    return factors_[(at(q) * at(4 * components_) + at(a)) * at(4 * components_) + at(b)];
  }
  T const& factor(int q, int a, int b) const { return const_cast<element*>(this)->factor(q, a, b); }

  // Table of operator a (0: value, 1 .. 3: d/dxi_a) along a direction (0: x).
  table<T> const& pick(int a, int direction) const { return a == 1 + direction ? slope_ : value_; }

  // phi_i and its physical gradient at point q.
  std::array<T, 4> basis(point<T> const& x, int q, int i) const
  {
    std::array<T, 4> reference_values;  // value, d/dxi, d/deta, d/dzeta
    for (int a = 0; a < 4; ++a)
      reference_values[at(a)] = pick(a, 0)(q % quads_, i % nodes_) *
                                pick(a, 1)(q / quads_ % quads_, i / nodes_ % nodes_) *
                                pick(a, 2)(q / quads_ / quads_, i / nodes_ / nodes_);
    std::array<T, 4> result{reference_values[0]};
    for (int d = 0; d < 3; ++d)
      for (int c = 0; c < 3; ++c) result[at(1 + d)] += x.inverse[at(c)][at(d)] * reference_values[at(1 + c)];
    return result;
  }

  // Sum over all mesh nodes, at every point: no factoring here either.
  void set_geometry(rule const& rule_1d, rule const& mesh_nodes, double const* coordinates)
  {
    int const m = mesh_nodes.size(), g = quads_;
    auto const value = lagrange_values<T>(mesh_nodes.nodes, rule_1d.nodes);
    auto const slope = lagrange_derivatives<T>(mesh_nodes.nodes, rule_1d.nodes);
    points_.resize(at(cube(g)));
    for (int q = 0; q < cube(g); ++q) {
      point<T>& x = points_[at(q)];
      std::array<int, 3> const row{q % g, q / g % g, q / g / g};
      std::array<std::array<T, 3>, 3> moduli{};
      x = {};
      x.number = q;
      for (int node = 0; node < cube(m); ++node) {
        std::array<int, 3> const col{node % m, node / m % m, node / m / m};
        for (int r = 0; r < 3; ++r) {
          T const x_r = static_cast<T>(coordinates[at(3 * node + r)]);
          x.position[at(r)] += value(row[0], col[0]) * value(row[1], col[1]) * value(row[2], col[2]) * x_r;
          for (int c = 0; c < 3; ++c) {
            T product = x_r;
            for (int d = 0; d < 3; ++d) product *= (c == d ? slope : value)(row[at(d)], col[at(d)]);
            x.jacobian[at(r)][at(c)] += product;
            moduli[at(r)][at(c)] += std::abs(product);
          }
        }
      }
      x.weight =
          static_cast<T>(rule_1d.weights[at(row[0])] * rule_1d.weights[at(row[1])] * rule_1d.weights[at(row[2])]);
      invert(x);
      x.condition = norm(x.inverse) * norm(moduli);
    }
  }

  // Cramer's rule by cyclic cofactors.
  static void invert(point<T>& x)
  {
    auto const& j = x.jacobian;
    auto const cofactor = [&j](int r, int c) {
      auto const r1 = at((r + 1) % 3), r2 = at((r + 2) % 3), c1 = at((c + 1) % 3), c2 = at((c + 2) % 3);
      return j[r1][c1] * j[r2][c2] - j[r1][c2] * j[r2][c1];
    };
    x.det = 0;
    for (int c = 0; c < 3; ++c) x.det += j[0][at(c)] * cofactor(0, c);
    for (int c = 0; c < 3; ++c)
      for (int r = 0; r < 3; ++r) x.inverse[at(c)][at(r)] = cofactor(r, c) / x.det;
  }

  // The greatest sum of moduli in a row.
  static T norm(std::array<std::array<T, 3>, 3> const& a)
  {
    T greatest = 0;
    for (auto const& row : a)
      greatest = support::larger(greatest, std::abs(row[0]) + std::abs(row[1]) + std::abs(row[2]));
    return greatest;
  }

  // The integrand is linear, so its matrix from (u, d u/d xi) to the tested (v, d v/d xi) is found by unit inputs.
  void set_factors()
  {
    int const rows = 4 * components_;
    factors_.resize(at(cube(quads_)) * at(rows) * at(rows));
    for (int q = 0; q < cube(quads_); ++q) {
      point<T> const& x = points_[at(q)];
      for (int b = 0; b < rows; ++b) {
        field<T> unit;
        if (b % 4 == 0)
          unit.value[at(b / 4)] = 1;
        else
          unit.gradient[at(b / 4)] = x.inverse[at(b % 4 - 1)];
        field<T> const output = form_(x, unit);
        for (int a = 0; a < rows; ++a) {
          T sum = a % 4 == 0 ? output.value[at(a / 4)] : 0;
          if (a % 4 != 0)
            for (int d = 0; d < 3; ++d) sum += x.inverse[at(a % 4 - 1)][at(d)] * output.gradient[at(a / 4)][at(d)];
          factor(q, a, b) = x.weight * x.det * sum;
        }
      }
    }
  }

  template <class Factor>
  vector transformed(vector const& u, table<T> const& value, table<T> const& slope, Factor const& changed) const
  {
    int const rows = 4 * components_, n = cube(nodes_), g = cube(quads_);
    std::vector<vector> inputs;
    for (int b = 0; b < rows; ++b) {
      vector f(u.begin() + b / 4 * n, u.begin() + (b / 4 + 1) * n);
      for (int direction = 0; direction < 3; ++direction)
        f = contract(b % 4 == 1 + direction ? slope : value, f, direction);
      inputs.push_back(std::move(f));
    }
    vector v(u.size());
    for (int a = 0; a < rows; ++a) {
      vector f(at(g));
      for (int q = 0; q < g; ++q)
        for (int b = 0; b < rows; ++b) f[at(q)] += changed(factor(q, a, b), points_[at(q)]) * inputs[at(b)][at(q)];
      for (int direction = 0; direction < 3; ++direction)
        f = contract(transposed(a % 4 == 1 + direction ? slope : value), f, direction);
      accumulate(v, f, a / 4 * n);
    }
    return v;
  }

  template <class Factor>
  vector diagonal_of(table<T> const& value, table<T> const& slope, Factor const& changed) const
  {
    vector d(at(size()));
    for (int c = 0; c < components_; ++c)
      for (int a = 0; a < 4; ++a)
        for (int b = 0; b < 4; ++b) {
          vector f(at(cube(quads_)));
          for (int q = 0; q < cube(quads_); ++q) f[at(q)] = changed(factor(q, 4 * c + a, 4 * c + b), points_[at(q)]);
          for (int direction = 0; direction < 3; ++direction) {
            table<T> const& tested = a == 1 + direction ? slope : value;
            f = contract(transposed(product(tested, b == 1 + direction ? slope : value)), f, direction);
          }
          accumulate(d, f, c * cube(nodes_));
        }
    return d;
  }

  // One table along one direction, the directions 0 (x), 1, 2 taken in this order.
  static vector contract(table<T> const& a, vector const& u, int direction)
  {
    int inner = 1;  // entries of u between neighbours along the direction: the earlier ones have a.rows already
    for (int d = 0; d < direction; ++d) inner *= a.rows;
    int const outer = static_cast<int>(u.size()) / (inner * a.cols);
    vector v(at(inner * a.rows * outer));
    for (int o = 0; o < outer; ++o)
      for (int r = 0; r < a.rows; ++r)
        for (int i = 0; i < inner; ++i) {
          T sum = 0;
          for (int c = 0; c < a.cols; ++c) sum += a(r, c) * u[at((o * a.cols + c) * inner + i)];
          v[at((o * a.rows + r) * inner + i)] = sum;
        }
    return v;
  }

  static table<T> transposed(table<T> const& a)
  {
    table<T> result(a.cols, a.rows);
    for (int r = 0; r < a.rows; ++r)
      for (int c = 0; c < a.cols; ++c) result(c, r) = a(r, c);
    return result;
  }

  static table<T> product(table<T> a, table<T> const& b)  // entry by entry
  {
    for (std::size_t i = 0; i < a.entries.size(); ++i) a.entries[i] *= b.entries[i];
    return a;
  }

  static table<T> absolute(table<T> a)
  {
    for (T& x : a.entries) x = std::abs(x);
    return a;
  }

  static void accumulate(vector& sum, vector const& part, int first)
  {
    for (std::size_t i = 0; i < part.size(); ++i) sum[at(first) + i] += part[i];
  }

  int nodes_, quads_, components_;
  integrand<T> form_;
  table<T> value_, slope_;  // (quads, nodes)
  std::vector<point<T>> points_;
  vector factors_;  // (point, 4 C, 4 C)
};

#if defined(SUMFAC_TESTS_ORACLE)
extern template class element<real>;  // in reference.cpp, optimized whatever a test's options are
#endif

}  // namespace reference
