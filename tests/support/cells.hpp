// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The oracle of triangles, tetrahedra and prisms: bases by a Vandermonde matrix, collapsed Gauss rules, dense sums.
#pragma once

#include "dense.hpp"
#include "points.hpp"
#include "spaces.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <utility>
#include <vector>

// Triangles and tetrahedra have vertices at 0 and at 1 along each direction; a prism is that triangle times [-1, 1].
namespace reference {

enum class cell { triangle, tetrahedron, prism };

inline int directions_of(cell of) { return of == cell::triangle ? 2 : 3; }

// Exponents of the monomials that a space of this degree consists of: all of that degree or less, of prisms those of a
// triangle times those of a line.
inline std::vector<std::array<int, 3>> monomials(cell of, int degree)
{
  std::vector<std::array<int, 3>> result;
  for (int c = 0; c <= (of == cell::triangle ? 0 : degree); ++c)
    for (int b = 0; b <= degree; ++b)
      for (int a = 0; a <= degree; ++a)
        if (a + b + (of == cell::tetrahedron ? c : 0) <= degree) result.push_back({a, b, c});
  return result;
}

// The integral of x^a y^b z^c over the cell: a! b! c! / (a + b + c + D)! on simplices.
inline real monomial_integral(cell of, std::array<int, 3> const& powers)
{
  auto const factorial = [](int n) {
    real product = 1;
    for (int k = 2; k <= n; ++k) product *= real(k);
    return product;
  };
  auto const [a, b, c] = powers;
  if (of == cell::tetrahedron) return factorial(a) * factorial(b) * factorial(c) / factorial(a + b + c + 3);
  real const on_triangle = factorial(a) * factorial(b) / factorial(a + b + 2);
  return of == cell::triangle ? on_triangle : c % 2 == 1 ? 0 : on_triangle * 2 / real(c + 1);
}

struct cell_rule {
  std::vector<place> points;
  std::vector<real> weights;

  int size() const { return static_cast<int>(points.size()); }
};

// n Gauss points a direction of a square or a cube that is collapsed to the cell: x = a (1 - b) (1 - c), y = b (1 - c),
// z = c. Exact for all polynomials of degree 2n - D, of prisms 2n - 2 in x and y.
inline cell_rule collapsed(cell of, int n)
{
  rule const line = gauss(n);
  cell_rule result;
  for (int k = 0; k < (of == cell::triangle ? 1 : n); ++k)
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) {
        auto const t = [&](int at) { return (1 + line.nodes[static_cast<std::size_t>(at)]) / 2; };
        auto const w = [&](int at) { return line.weights[static_cast<std::size_t>(at)] / 2; };
        real const left_of_y = 1 - t(j), left_of_z = of == cell::tetrahedron ? 1 - t(k) : 1;
        real weight = w(i) * w(j) * left_of_y * left_of_z * left_of_z, z = 0;
        if (of == cell::tetrahedron) weight *= w(k), z = t(k);
        if (of == cell::prism) weight *= 2 * w(k), z = line.nodes[static_cast<std::size_t>(k)];
        result.points.push_back({t(i) * left_of_y * left_of_z, t(j) * left_of_z, z});
        result.weights.push_back(weight);
      }
  return result;
}

// Nodes at equal distances, x fastest, then y, then z.
inline std::vector<place> equispaced_nodes(cell of, int degree)
{
  std::vector<place> result;
  for (auto const& [a, b, c] : monomials(of, degree)) {
    real const n = degree;
    result.push_back({real(a) / n, real(b) / n, of == cell::prism ? 2 * real(c) / n - 1 : real(c) / n});
  }
  return result;
}

// The polynomials that are 1 at one of the nodes and 0 at the others.
class cell_basis {
public:
  cell_basis(cell of, int degree, std::vector<place> const& nodes)
      : of_(of), powers_(monomials(of, degree)), nodes_(nodes), coefficients_(0, 0)
  {
    int const size = static_cast<int>(powers_.size());
    if (powers_.size() != nodes.size()) throw std::invalid_argument("not as many nodes as polynomials");
    table<real> at_nodes(size, size);
    for (int i = 0; i < size; ++i)
      for (int k = 0; k < size; ++k) at_nodes(i, k) = polynomial(k, nodes[static_cast<std::size_t>(i)], -1);
    auto const solved = inverse(at_nodes);
    if (!solved) throw std::invalid_argument("the nodes do not say the polynomials");
    coefficients_ = *solved;
  }

  cell shape() const { return of_; }
  int size() const { return static_cast<int>(nodes_.size()); }
  std::vector<place> const& nodes() const { return nodes_; }

  // All functions at a place, or their derivatives along a direction; one of them.
  std::vector<real> values(place const& xi, int slope = -1) const
  {
    std::vector<real> result(nodes_.size(), 0);
    for (int k = 0; k < size(); ++k) {
      real const at_place = polynomial(k, xi, slope);
      for (int i = 0; i < size(); ++i) result[static_cast<std::size_t>(i)] += coefficients_(k, i) * at_place;
    }
    return result;
  }
  real value(int i, place const& xi, int slope = -1) const { return values(xi, slope)[static_cast<std::size_t>(i)]; }

private:
  // P_a(x of the line through the cell there) P_b(y) P_c(z) times the line's length to the power a, so that they are
  // polynomials: their matrix is far better than that of monomials.
  real polynomial(int k, place const& xi, int slope) const
  {
    auto const [a, b, c] = powers_[static_cast<std::size_t>(k)];
    sloped const one{1, 0}, x = at(xi, 0, slope), y = at(xi, 1, slope), z = at(xi, 2, slope);
    sloped const product = of_ == cell::prism
                               ? legendre(a, x, one - y) * legendre(b, y, one) * legendre(c, z + one, one + one)
                               : legendre(a, x, one - y - z) * legendre(b, y, one - z) * legendre(c, z, one);
    return slope < 0 ? product.value : product.slope;
  }

  // A number and its derivative along a direction.
  struct sloped {
    real value, slope;

    friend sloped operator+(sloped const& a, sloped const& b) { return {a.value + b.value, a.slope + b.slope}; }
    friend sloped operator-(sloped const& a, sloped const& b) { return {a.value - b.value, a.slope - b.slope}; }
    friend sloped operator*(sloped const& a, sloped const& b)
    {
      return {a.value * b.value, a.slope * b.value + a.value * b.slope};
    }
  };
  static sloped at(place const& xi, int d, int slope)
  {
    return {xi[static_cast<std::size_t>(d)], d == slope ? 1.0L : 0};
  }

  // Legendre's polynomial on [0, length], times length^n.
  static sloped legendre(int n, sloped const& x, sloped const& length)
  {
    sloped const t = x + x - length;
    sloped before{0, 0}, now{1, 0};
    for (int k = 0; k < n; ++k)
      before = std::exchange(now, sloped{real(2 * k + 1) / real(k + 1), 0} * t * now -
                                      sloped{real(k) / real(k + 1), 0} * length * length * before);
    return now;
  }

  cell of_;
  std::vector<std::array<int, 3>> powers_;
  std::vector<place> nodes_;
  table<real> coefficients_;  // (polynomials, nodes)
};

// A form on one cell whose map is the polynomial through mesh nodes, as flat_element says it: by a sum over points.
class cell_element {
public:
  // mesh (M, C) at the nodes of `map`.
  cell_element(cell_basis const& functions, cell_basis const& map, std::vector<real> const& mesh,
               cell_rule const& points, int components = 1)
      : functions_(functions.size()),
        directions_(directions_of(map.shape())),
        components_(components),
        coordinates_(mesh.size() / map.nodes().size())
  {
    for (std::size_t q = 0; q < points.points.size(); ++q) {
      place const& xi = points.points[q];
      point x{std::vector<real>(coordinates_, 0), 0, {}};
      std::vector<std::vector<real>> jacobian(coordinates_, std::vector<real>(at(directions_), 0));
      for (int d = -1; d < directions_; ++d) {
        auto const of_map = map.values(xi, d);
        for (std::size_t i = 0; i < of_map.size(); ++i)
          for (std::size_t c = 0; c < coordinates_; ++c)
            (d < 0 ? x.position[c] : jacobian[c][at(d)]) += mesh[i * coordinates_ + c] * of_map[i];
      }
      auto const [root, inverse] = invert(jacobian);
      x.weight = points.weights[q] * root;
      for (real const value : functions.values(xi)) x.basis.push_back({value, std::vector<real>(coordinates_, 0)});
      for (int d = 0; d < directions_; ++d) {
        auto const slopes = functions.values(xi, d);
        for (std::size_t i = 0; i < slopes.size(); ++i)
          for (std::size_t c = 0; c < coordinates_; ++c) x.basis[i].gradient[c] += inverse[at(d)][c] * slopes[i];
      }
      points_.push_back(std::move(x));
    }
  }

  int size() const { return components_ * functions_; }

  // v (components, nodes) from u likewise.
  std::vector<real> apply(flat_integrand const& form, std::vector<real> const& u) const
  {
    std::vector<real> v(u.size(), 0);
    for (point const& x : points_) {
      flat_field of_u;
      for (int c = 0; c < components_; ++c) {
        of_u.value.push_back(0);
        of_u.gradient.emplace_back(coordinates_, 0);
        for (int i = 0; i < functions_; ++i) {
          real const entry = u[at(c * functions_ + i)];
          of_u.value.back() += entry * x.basis[at(i)].value;
          for (std::size_t r = 0; r < coordinates_; ++r) of_u.gradient.back()[r] += entry * x.basis[at(i)].gradient[r];
        }
      }
      flat_field const tested = form(x.position, of_u);
      for (int c = 0; c < components_; ++c)
        for (int i = 0; i < functions_; ++i) {
          real sum = tested.value.empty() ? 0 : x.basis[at(i)].value * tested.value[at(c)];
          if (!tested.gradient.empty())
            for (std::size_t r = 0; r < coordinates_; ++r)
              sum += x.basis[at(i)].gradient[r] * tested.gradient[at(c)][r];
          v[at(c * functions_ + i)] += x.weight * sum;
        }
    }
    return v;
  }

  // The matrix of a linear form.
  table<real> matrix(flat_integrand const& form) const
  {
    table<real> a(size(), size());
    for (int j = 0; j < size(); ++j) {
      std::vector<real> unit(at(size()), 0);
      unit[at(j)] = 1;
      auto const column = apply(form, unit);
      for (int i = 0; i < size(); ++i) a(i, j) = column[at(i)];
    }
    return a;
  }

  // The cell's volume or area.
  real measure() const
  {
    real sum = 0;
    for (point const& x : points_) sum += x.weight;
    return sum;
  }

private:
  struct function {
    real value;
    std::vector<real> gradient;
  };
  struct point {
    std::vector<real> position;
    real weight;
    std::vector<function> basis;
  };
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }

  int functions_, directions_, components_;
  std::size_t coordinates_;
  std::vector<point> points_;
};

// u tested with v, and grad u with grad v.
inline flat_integrand flat_mass()
{
  return [](std::vector<real> const&, flat_field const& u) { return flat_field{u.value, {}}; };
}
inline flat_integrand flat_laplace()
{
  return [](std::vector<real> const&, flat_field const& u) { return flat_field{{}, u.gradient}; };
}

}  // namespace reference
