// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Terms on faces that know the elements behind them, on any backend beside the oracle.
#pragma once

#include <sumfac/dofs/restriction.hpp>
#include <sumfac/mesh/mesh_nodes.hpp>
#include <sumfac/operator/face_operator.hpp>

#include <catch2/catch.hpp>
#include <operator/face_forms.hpp>
#include <support/moved.hpp>
#include <support/random.hpp>
#include <support/spaces.hpp>
#include <support/tolerance.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

namespace face_terms {

using reference::real;
using sumfac::index_t;

constexpr std::size_t at(index_t i) { return static_cast<std::size_t>(i); }

inline reference::face_integrand of(nitsche const& form)
{
  return [form](reference::face_point const& x, reference::flat_field const& u) {
    reference::flat_field v = u;
    v.value[0] *= real(form.penalty) / x.height;
    for (std::size_t c = 0; c < x.normal.size(); ++c) {
      v.value[0] -= (1 + real(form.other)) * x.normal[c] * u.gradient[0][c];
      v.gradient[0][c] = -u.value[0] * x.normal[c];
    }
    return v;
  };
}

template <bool Integrated>
reference::face_integrand of(traction<Integrated> const&)
{
  return [](reference::face_point const& x, reference::flat_field const& u) {
    auto const& g = u.gradient;
    real const pressure = 1.5L * (g[0][0] + g[1][1]), shear = g[0][1] + g[1][0];
    return reference::flat_field{{(2 * g[0][0] + pressure) * x.normal[0] + shear * x.normal[1],
                                  shear * x.normal[0] + (2 * g[1][1] + pressure) * x.normal[1]},
                                 {{0, 0}, {0, 0}}};
  };
}

inline reference::face_integrand of(weighted_values const&)
{
  return [](reference::face_point const& x, reference::flat_field u) {
    u.value[0] *= x.position[0] * x.position[0];
    for (auto& g : u.gradient[0]) g = 0;
    return u;
  };
}

// Elements apart from each other, near cubes of side 2, of m nodes along each edge.
inline std::vector<double> bent(int elements, int directions, int m, double moved)
{
  support::generator next(3);
  std::vector<double> xyz;
  auto const rule = reference::gauss_lobatto(m);
  for (int e = 0; e < elements; ++e)
    for (int k = 0; k < (directions == 3 ? m : 1); ++k)
      for (int j = 0; j < m; ++j)
        for (int i = 0; i < m; ++i) {
          double const x = double(rule.nodes[at(i)]), y = double(rule.nodes[at(j)]), z = double(rule.nodes[at(k)]);
          double const place[3] = {e + x + 0.2 * y, y * (1 + 0.1 * e) - 0.3 * x, (1.2 + 0.1 * x) * z + 0.1 * y};
          for (int c = 0; c < directions; ++c) xyz.push_back(place[c] + moved * next());
        }
  return xyz;
}

template <int Directions, int N, class T>
auto owners_view(T* data, index_t faces)
{
  if constexpr (Directions == 3)
    return sumfac::view(data, faces, N, N, N);
  else
    return sumfac::view(data, faces, N, N);
}
template <int Directions, int Components, int N, class T>
auto elements_view(T* data, index_t faces)
{
  if constexpr (Components == 1)
    return owners_view<Directions, N>(data, faces);
  else if constexpr (Directions == 3)
    return sumfac::view(data, faces, Components, N, N, N);
  else
    return sumfac::view(data, faces, Components, N, N);
}
template <int Directions, class T>
auto nodes_view(T* data, index_t faces, int m)
{
  sumfac::gauss_lobatto_nodes const set;
  if constexpr (Directions == 3)
    return sumfac::mesh_view(sumfac::view(data, faces, m, m, m, 3), set);
  else
    return sumfac::mesh_view(sumfac::view(data, faces, m, m, 2), set);
}
template <int Directions, int Components, class T>
auto points_view(T* data, index_t faces, int g)
{
  if constexpr (Directions == 3 && Components == 1)
    return sumfac::view(data, faces, g, g);
  else if constexpr (Directions == 3 || Components == 1)
    return [&] {
      if constexpr (Directions == 3)
        return sumfac::view(data, faces, Components, g, g);
      else
        return sumfac::view(data, faces, g);
    }();
  else
    return sumfac::view(data, faces, Components, g);
}
// An operator beside the oracle, face by face: applied to global vectors and to E-vectors, and its diagonals; of a form
// that leaves out the measure what it has at the points.
template <class Operator>
void agrees(reference::rule const& nodes, reference::rule const& points, typename Operator::form_type const& form = {},
            sumfac::scatter policy = sumfac::scatter::deterministic)
{
  using scalar = typename Operator::scalar_type;
  using numbers = std::vector<scalar>;
  constexpr int directions = Operator::directions, n = Operator::nodes_1d, g = Operator::points_1d;
  constexpr int components = Operator::components, m = 3, faces = 11;  // no whole number of packs, or of teams
  constexpr bool is_integrated = !std::is_same_v<typename Operator::form_type, traction<false>>;
  auto const size = at(directions == 3 ? n * n * n : n * n), of_face = at(directions == 3 ? g * g : g);
  auto const mesh = bent(faces, directions, m, 0.04);
  std::vector<std::int32_t> table(size * faces);
  for (std::size_t i = 0; i < table.size(); ++i) table[i] = static_cast<std::int32_t>((i * 7) % table.size());
  typename Operator::backend_type const backend;
  typename Operator::restriction_type const R{backend,
                                              owners_view<directions, n>(table.data(), faces),
                                              static_cast<index_t>(table.size()),
                                              {.components = components, .policy = policy}};
  Operator const A{backend, nodes_view<directions>(mesh.data(), faces, m), form};
  REQUIRE(A.faces() == faces);
  auto const entry = [&](int f, std::size_t c, std::size_t p) { return at(table[at(f) * size + p] * components) + c; };
  auto const place = [&](int f, std::size_t c, std::size_t p) { return (at(f) * components + c) * size + p; };
  auto const x = support::random<scalar>(at(R.size()), 5), before = support::random<scalar>(at(R.size()), 6);
  numbers y(x.size(), 9), d(x.size(), 9), t(of_face * components * faces, 9), added = before, u(x.size()), v = y, e = y;
  for (int f = 0; f < faces; ++f)
    for (std::size_t c = 0; c < components; ++c)
      for (std::size_t p = 0; p < size; ++p) u[place(f, c, p)] = x[entry(f, c, p)];
  auto const on = [&](numbers const& in, numbers& out, auto const& call) {
    support::on_backend(backend, in, out, call);
  };
  auto const global = [&](auto* z) { return sumfac::view(z, R.size()); };
  auto const by_faces = [&](auto* z) { return elements_view<directions, components, n>(z, faces); };
  if constexpr (is_integrated) {
    on(x, y, [&](scalar const* from, scalar* to) { A.apply(R, global(from), global(to)); });
    on(x, added, [&](scalar const* from, scalar* to) { A.apply_add(R, global(from), global(to)); });
    on(x, d, [&](scalar const*, scalar* to) { A.diagonal(R, global(to)); });
    on(u, v, [&](scalar const* from, scalar* to) { A.apply(by_faces(from), by_faces(to)); });
    on(u, e, [&](scalar const*, scalar* to) { A.diagonal(by_faces(to)); });
  } else {
    on(x, t, [&](scalar const* from, scalar* to) {
      A.at_points(R, global(from), points_view<directions, components>(to, faces, g));
    });
  }

  reference::function_space const space{nodes, components};
  auto const integrand = of(form);
  double const rounding = 16 * reference::tolerance<scalar>(Operator::order);
  for (int f = 0; f < faces; ++f) {
    auto const first = mesh.begin() + f * static_cast<std::ptrdiff_t>(mesh.size() / faces);
    reference::face_element const oracle(directions, directions, reference::gauss_lobatto(m),
                                         {first, first + static_cast<std::ptrdiff_t>(mesh.size() / faces)}, points);
    std::vector<real> of_face_u(size * components);
    for (std::size_t i = 0; i < of_face_u.size(); ++i) of_face_u[i] = u[at(f) * size * components + i];
    std::vector<std::vector<real>> at_points;
    auto const expected = oracle.apply(space, integrand, of_face_u, &at_points);
    std::vector<real> magnitude(expected.size(), 0), diagonal(expected.size());
    for (std::size_t j = 0; j < expected.size(); ++j) {
      std::vector<real> unit(expected.size(), 0);
      unit[j] = 1;
      auto const column = oracle.apply(space, integrand, unit);
      diagonal[j] = column[j];
      for (std::size_t i = 0; i < column.size(); ++i) magnitude[i] += std::abs(column[i]);
    }
    double const allowed = rounding * double(*std::max_element(magnitude.begin(), magnitude.end()));
    double const of_sum = allowed + double(std::numeric_limits<scalar>::epsilon());
    for (std::size_t c = 0; c < components && is_integrated; ++c)
      for (std::size_t p = 0; p < size; ++p) {
        std::size_t const i = entry(f, c, p), of_oracle = c * size + p;
        CAPTURE(f, c, p);
        CHECK(std::abs(double(y[i] - expected[of_oracle])) <= allowed);
        CHECK(std::abs(double(added[i] - before[i] - expected[of_oracle])) <= of_sum);
        CHECK(std::abs(double(d[i] - diagonal[of_oracle])) <= allowed);
        CHECK(std::abs(double(v[place(f, c, p)] - expected[of_oracle])) <= allowed);
        CHECK(std::abs(double(e[place(f, c, p)] - diagonal[of_oracle])) <= allowed);
      }
    for (std::size_t c = 0; c < components && !is_integrated; ++c)
      for (std::size_t q = 0; q < of_face; ++q) {
        CAPTURE(f, c, q);
        CHECK(std::abs(double(t[(at(f) * components + c) * of_face + q] - at_points[q][c])) <= 20 * rounding);
      }
  }
}

// Forms of values and gradients, of one component and two, on hexahedra and quadrilaterals, by a device's team.
template <class Backend>
void all_agree()
{
  using reference::gauss, reference::gauss_lobatto, sumfac::face_operator;
  constexpr auto at_gauss = sumfac::quadrilateral(3, sumfac::node_placement::gauss);
  using on_hexahedra = face_operator<nitsche, 2, Backend>;
  agrees<on_hexahedra>(gauss_lobatto(3), gauss(4), {.other = 0.5});
  agrees<on_hexahedra>(gauss_lobatto(3), gauss(4), {}, sumfac::scatter::atomic);
  agrees<face_operator<weighted_values, 1, sumfac::gauss_lobatto<3>, Backend>>(gauss_lobatto(2), gauss_lobatto(3));
  agrees<face_operator<nitsche, at_gauss, sumfac::gauss<4>, float, Backend>>(gauss(4), gauss(4));
  agrees<face_operator<traction<true>, sumfac::quadrilateral(2), Backend>>(gauss_lobatto(3), gauss(4));
  agrees<face_operator<traction<false>, sumfac::quadrilateral(2), Backend>>(gauss_lobatto(3), gauss(4));
}

}  // namespace face_terms
