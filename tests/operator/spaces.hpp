// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Operators on lines, quadrilaterals, surfaces and curves beside the oracle.
#pragma once

#include <sumfac/backend/checked.hpp>
#include <sumfac/operator/bake_off.hpp>

#include <catch2/catch.hpp>
#include <support/flat_mesh.hpp>
#include <support/random.hpp>
#include <support/spaces.hpp>
#include <support/tolerance.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace checks {

using reference::real;

template <class Points>
reference::rule rule_of()
{
  reference::rule r;
  for (auto const x : Points::nodes) r.nodes.push_back(x);
  if constexpr (requires { Points::weights; })
    for (auto const w : Points::weights) r.weights.push_back(w);
  return r;
}

// Views of a mesh and of E-vectors, whatever the number of directions.
template <int Directions, int Coordinates>
auto nodes_view(flat_mesh const& mesh)
{
  using sumfac::dynamic_extent;
  sumfac::gauss_lobatto_nodes const set;
  if constexpr (Directions == 1)
    return sumfac::mesh_view(sumfac::view<double const, sumfac::extents<dynamic_extent, dynamic_extent, Coordinates>>(
                                 mesh.numbers.data(), mesh.elements, mesh.m),
                             set);
  else
    return sumfac::mesh_view(
        sumfac::view<double const, sumfac::extents<dynamic_extent, dynamic_extent, dynamic_extent, Coordinates>>(
            mesh.numbers.data(), mesh.elements, mesh.m, mesh.m),
        set);
}
template <int Directions, int Nodes1d, int Components, class Layout = sumfac::layout_right, class T>
auto e_vector(T* data, sumfac::index_t elements)
{
  return sumfac::view<T, sumfac::detail::e_vector_extents<Components, Nodes1d, Directions>, Layout>(data, elements);
}

// Where |A| |u| is the greatest: what rounding is measured by.
inline double condition(reference::flat_element const& element, reference::function_space const& trial,
                        reference::function_space const& test, reference::flat_integrand const& f,
                        std::vector<real> const& u)
{
  std::vector<real> sums;
  for (std::size_t j = 0; j < u.size(); ++j) {
    std::vector<real> unit(u.size(), 0);
    unit[j] = u[j];
    auto const column = element.apply(trial, test, f, unit);
    sums.resize(column.size(), 0);
    for (std::size_t i = 0; i < column.size(); ++i) sums[i] += std::abs(column[i]);
  }
  return double(*std::max_element(sums.begin(), sums.end()));
}

// Compares an operator with the oracle on each of some elements: applied to random numbers, its diagonal and a matrix.
template <class Operator>
void agrees(flat_mesh const& mesh, reference::flat_integrand const& integrand,
            typename Operator::form_type const& form = {})
{
  constexpr int directions = Operator::directions, coordinates = Operator::coordinates, n = Operator::nodes_1d;
  constexpr int components = Operator::components;
  using scalar = typename Operator::scalar_type;
  typename Operator::backend_type const backend;
  Operator const A{backend, nodes_view<directions, coordinates>(mesh), form};
  auto const entries = std::size_t(components * sumfac::detail::node_box(n, directions).all());
  auto const size = entries * std::size_t(mesh.elements);
  auto const u = support::random<scalar>(size, 7);
  std::vector<scalar> v(size), d(size);
  A.apply(e_vector<directions, n, components>(u.data(), mesh.elements),
          e_vector<directions, n, components>(v.data(), mesh.elements));
  A.diagonal(e_vector<directions, n, components>(d.data(), mesh.elements));
  reference::function_space const space{rule_of<typename Operator::nodes_type>(), components};
  double const rounding = 4 * reference::tolerance<scalar>(Operator::order);
  for (int e : {0, mesh.elements / 2, mesh.elements - 1}) {
    reference::flat_element const element(directions, coordinates, reference::gauss_lobatto(mesh.m), mesh.element(e),
                                          rule_of<typename Operator::points_type>());
    auto const first = entries * std::size_t(e);
    std::vector<real> const of_u(u.begin() + std::ptrdiff_t(first), u.begin() + std::ptrdiff_t(first + entries));
    auto const expected = element.apply(space, space, integrand, of_u);
    double const allowed = rounding * condition(element, space, space, integrand, of_u);
    auto const matrix = A.element_matrix(e);
    for (std::size_t i = 0; i < entries; ++i) {
      CAPTURE(e, i, expected[i], v[first + i]);
      CHECK(std::abs(double(v[first + i] - expected[i])) <= allowed);
      std::vector<real> unit(entries, 0);
      unit[i] = 1;
      auto const column = element.apply(space, space, integrand, unit);
      double const of_column = rounding * condition(element, space, space, integrand, std::vector<real>(entries, 1));
      CHECK(std::abs(double(d[first + i] - column[i])) <= of_column);
      for (std::size_t r = 0; r < entries; ++r)
        CHECK(std::abs(double(matrix[r * entries + i] - column[r])) <= of_column);
    }
  }
}

inline reference::flat_integrand mass()
{
  return [](auto const&, reference::flat_field const& u) {
    auto v = u;
    for (auto& g : v.gradient) std::fill(g.begin(), g.end(), real(0));
    return v;
  };
}
inline reference::flat_integrand stiffness(real lambda)
{
  return [lambda](auto const&, reference::flat_field const& u) {
    auto v = u;
    for (real& x : v.value) x *= lambda;
    return v;
  };
}

// (wind . grad u + u, v) + (3 u, wind . grad v), nonsymmetric, on any elements: factors have no default of Dim.
struct transport {
  static constexpr auto trial = sumfac::value | sumfac::gradient, test = sumfac::value | sumfac::gradient;

  template <class T, int Dim>
  struct factors {
    T measure;
    sumfac::vector<T, Dim> wind;  // in the reference element, times the measure
  };
  template <class T, int Dim, int Coordinates>
  SUMFAC_FUNCTION factors<T, Dim> setup(sumfac::mapping<T, Dim, Coordinates> const& x) const
  {
    factors<T, Dim> f{x.measure(), {}};
    auto const inverse = x.inverse();
    for (int d = 0; d < Dim; ++d) {
      f.wind[d] = f.measure * inverse(d, 0);
      for (int c = 1; c < Coordinates; ++c) f.wind[d] = f.wind[d] + f.measure * inverse(d, c) * T(1.0 + c);
    }
    return f;
  }
  template <class T, int Dim>
  SUMFAC_FUNCTION sumfac::point_values<T, 1, Dim> apply(factors<T, Dim> const& f,
                                                        sumfac::point_values<T, 1, Dim> const& u) const
  {
    sumfac::point_values<T, 1, Dim> v;
    v.value = f.measure * u.value;
    for (int d = 0; d < Dim; ++d) {
      v.value = v.value + f.wind[d] * u.gradient[d];
      v.gradient[d] = T(3.0) * f.wind[d] * u.value;
    }
    return v;
  }
};
inline reference::flat_integrand transported()
{
  return [](auto const&, reference::flat_field const& u) {
    reference::flat_field v{u.value, u.gradient};
    for (std::size_t c = 0; c < u.gradient[0].size(); ++c) {
      auto const wind = real(1 + c);
      v.value[0] += wind * u.gradient[0][c];
      v.gradient[0][c] = 3 * wind * u.value[0];
    }
    return v;
  };
}

}  // namespace checks
