// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Operators on triangles, tetrahedra and prisms: exact integrals of polynomials, matrices, global vectors, refusals.
#include "cells.hpp"

#include "spaces.hpp"

#include <sumfac/dofs/restriction.hpp>
#include <sumfac/form/mass.hpp>
#include <sumfac/form/stiffness.hpp>
#include <sumfac/operator/element_operator.hpp>
#include <sumfac/solver/assemble.hpp>
#include <support/cells.hpp>

#include <catch2/catch.hpp>
#include <cmath>
#include <map>

namespace {

using sumfac::triangle, sumfac::tetrahedron, sumfac::prism;

// Polynomials on [0, 1]^D, their derivatives, and the integrals of their products.
struct polynomial {
  int powers[3];
  double operator()(double const* x) const
  {
    return std::pow(x[0], powers[0]) * std::pow(x[1], powers[1]) * std::pow(x[2], powers[2]);
  }
};
double integral(polynomial const& u, polynomial const& v)
{
  double product = 1;
  for (int d = 0; d < 3; ++d) product /= u.powers[d] + v.powers[d] + 1;
  return product;
}
double integral_of_gradients(polynomial const& u, polynomial const& v)
{
  double sum = 0;
  for (int d = 0; d < 3; ++d) {
    if (u.powers[d] == 0 || v.powers[d] == 0) continue;
    polynomial a = u, b = v;
    --a.powers[d], --b.powers[d];
    sum += u.powers[d] * v.powers[d] * integral(a, b);
  }
  return sum;
}

// u^T A v of an operator on a box, where u and v are polynomials that its functions have.
template <class Operator>
double energy(Operator const& a, std::vector<double> const& places, polynomial const& u, polynomial const& v)
{
  constexpr int d = Operator::directions, p = Operator::nodes_1d;
  using scalar = typename Operator::scalar_type;
  std::size_t const size = places.size() / d;
  std::vector<scalar> of_u(size), of_v(size), result(size, scalar(9));
  for (std::size_t i = 0; i < size; ++i) {
    double x[3] = {1, 1, 1};
    for (std::size_t c = 0; c < d; ++c) x[c] = places[i * d + c];
    of_u[i] = scalar(u(x)), of_v[i] = scalar(v(x));
  }
  a.apply(sumfac::view(of_v.data(), a.elements(), sumfac::index_t(p)),
          sumfac::view(result.data(), a.elements(), sumfac::index_t(p)));
  double sum = 0;
  for (std::size_t i = 0; i < size; ++i) sum += double(of_u[i]) * double(result[i]);
  return sum;
}

template <sumfac::space Space, class Scalar = double>
void integrates()
{
  constexpr int d = Space.directions, n = Space.degree;
  auto const places = checks::nodes_of_box(Space, 2, checks::straight);
  sumfac::space corners = Space;
  corners.degree = 1;
  auto const vertices = checks::nodes_of_box(corners, 2, checks::straight);
  auto const nodes = checks::nodes_view(vertices, sumfac::detail::functions_of_cell(corners), d);
  sumfac::host const backend;
  sumfac::element_operator<sumfac::mass, Space, Scalar> const m{backend, nodes};
  sumfac::element_operator<sumfac::laplace, Space, Scalar> const k{backend, nodes};
  sumfac::element_operator<sumfac::stiffness, Space, Scalar> const both{backend, nodes, {.lambda = 0.5}};
  std::vector<polynomial> const all = {{{0, 0, 0}}, {{n, 0, 0}}, {{0, n, 0}}, {{1, n - 1, 0}}, {{n - 1, 0, d == 3}}};
  double const near = sizeof(Scalar) == 4 ? 2e-5 : 1e-12;
  CAPTURE(d, n, int(Space.shape));
  for (auto const& u : all)
    for (auto const& v : all) {
      CHECK(energy(m, places, u, v) == Approx(integral(u, v)).epsilon(near));
      CHECK(energy(k, places, u, v) == Approx(integral_of_gradients(u, v)).epsilon(near).margin(near));
      CHECK(energy(both, places, u, v) ==
            Approx(integral_of_gradients(u, v) + 0.5 * integral(u, v)).epsilon(near).margin(near));
    }
}

}  // namespace

TEST_CASE("cells: integrals of polynomials")
{
  integrates<triangle(3)>();
  integrates<tetrahedron(1)>();
  integrates<tetrahedron(4)>();
  integrates<tetrahedron(2), float>();
  integrates<prism(2)>();
}

namespace {

// (v, b . grad u) + (grad v, c u): no symmetry, value and gradient on either side.
struct drift {
  static constexpr auto trial = sumfac::value | sumfac::gradient, test = sumfac::gradient;

  template <class T, int Dim>
  struct factors {
    T measure;
    sumfac::vector<T, Dim> wind;
  };
  template <class T, int Dim>
  SUMFAC_FUNCTION factors<T, Dim> setup(sumfac::mapping<T, Dim> const& x) const
  {
    factors<T, Dim> f{x.measure(), {}};
    auto const inverse = x.inverse();
    for (int d = 0; d < Dim; ++d) f.wind[d] = f.measure * (inverse(d, 0) + T(0.5) * inverse(d, 1));
    return f;
  }
  template <class T, int Dim>
  SUMFAC_FUNCTION sumfac::point_values<T, 1, Dim> apply(factors<T, Dim> const& f,
                                                        sumfac::point_values<T, 1, Dim> const& u) const
  {
    sumfac::point_values<T, 1, Dim> v{};
    for (int d = 0; d < Dim; ++d) v.gradient[d] = f.wind[d] * (u.value + u.gradient[0]);
    return v;
  }
};

// Numbers of nodes, those at the same place one.
std::vector<int> numbered(std::vector<double> const& places, std::size_t coordinates, int& count)
{
  std::map<std::vector<long>, int> known;
  std::vector<int> table;
  for (std::size_t i = 0; i < places.size(); i += coordinates) {
    std::vector<long> key;
    for (std::size_t c = 0; c < coordinates; ++c) key.push_back(std::lround(places[i + c] * 1e6));
    table.push_back(known.emplace(key, int(known.size())).first->second);
  }
  count = int(known.size());
  return table;
}

}  // namespace

namespace {

// The operator's points, for the oracle.
template <class Points>
reference::cell_rule rule_of()
{
  reference::cell_rule rule;
  for (std::size_t q = 0; q < Points::points.size(); ++q) {
    reference::place xi{};
    for (std::size_t d = 0; d < Points::points[q].size(); ++d) xi[d] = Points::points[q][d];
    rule.points.push_back(xi), rule.weights.push_back(Points::weights[q]);
  }
  return rule;
}
inline reference::cell_basis basis_at(reference::cell shape, sumfac::space const& of)
{
  auto const basis = sumfac::detail::basis_of(of);
  std::vector<reference::place> nodes;
  for (int p = 0; p < basis.size(); ++p) {
    reference::place at{};
    for (int d = 0; d < of.directions; ++d) at[std::size_t(d)] = basis.node(p, d);
    nodes.push_back(at);
  }
  return {shape, of.degree, nodes};
}

// Matrices of bent elements, by the oracle's basis and map at the operator's points.
template <sumfac::space Space>
void agrees_with_oracle(reference::cell shape)
{
  constexpr int c = Space.coordinates, m = 3;
  sumfac::space map = Space;
  map.degree = m - 1;
  auto const bend = [](double* x) { x[0] += 0.2 * x[1] * x[1], x[1] -= 0.1 * x[0] * x[1]; };
  auto mesh = checks::nodes_of_box(map, 1, bend);
  if (c > Space.directions) {
    std::vector<double> const flat = mesh;
    mesh.clear();
    for (std::size_t i = 0; i < flat.size(); i += 2)
      mesh.insert(mesh.end(), {flat[i], flat[i + 1], flat[i] * flat[i + 1]});
  }
  int const nodes = sumfac::detail::functions_of_cell(map);
  sumfac::element_operator<checks::transport, Space> const a{sumfac::host{}, checks::nodes_view(mesh, nodes, c)};
  auto const functions = basis_at(shape, Space), of_map = basis_at(shape, map);
  CAPTURE(int(shape), c);
  for (sumfac::index_t e = 0; e < 2; ++e) {
    auto const first = mesh.begin() + e * nodes * c;
    reference::cell_element const expected(functions, of_map, {first, first + nodes * c},
                                           rule_of<typename decltype(a)::points_type>());
    auto const matrix = expected.matrix(checks::transported());
    auto const got = a.element_matrix(e);
    for (int i = 0; i < expected.size(); ++i)
      for (int j = 0; j < expected.size(); ++j)
        CHECK(got[std::size_t(i * expected.size() + j)] == Approx(double(matrix(i, j))).epsilon(1e-12).margin(1e-13));
  }
}

}  // namespace

namespace {

// The largest error of monomials up to a degree; of one degree more there is one.
template <class Rule, int Degree>
void is_exact(reference::cell shape)
{
  auto const error = [&](int degree) {
    reference::real worst = 0;
    for (auto const& powers : reference::monomials(shape, degree)) {
      reference::real sum = 0;
      for (std::size_t q = 0; q < Rule::points.size(); ++q) {
        reference::real term = Rule::weights[q];
        for (std::size_t d = 0; d < Rule::points[q].size(); ++d) term *= std::pow(Rule::points[q][d], powers[d]);
        sum += term;
      }
      worst = std::max(worst, std::abs(sum - reference::monomial_integral(shape, powers)));
    }
    return double(worst);
  };
  CAPTURE(int(shape), Rule::size);
  CHECK(error(Degree) < 2e-16);
  CHECK(error(Degree + 1) > 1e-9);
}

}  // namespace

TEST_CASE("cells: rules are exact to their degree and no further")
{
  using reference::cell;
  is_exact<sumfac::triangle_rule<2>, 2>(cell::triangle);
  is_exact<sumfac::triangle_rule<4>, 4>(cell::triangle);
  is_exact<sumfac::triangle_rule<6>, 6>(cell::triangle);
  is_exact<sumfac::triangle_rule<8>, 9>(cell::triangle);
  is_exact<sumfac::tetrahedron_rule<2>, 2>(cell::tetrahedron);
  is_exact<sumfac::tetrahedron_rule<4>, 5>(cell::tetrahedron);
  is_exact<sumfac::tetrahedron_rule<6>, 6>(cell::tetrahedron);
  is_exact<sumfac::tetrahedron_rule<8>, 9>(cell::tetrahedron);
  is_exact<sumfac::prism_gauss<3>, 5>(cell::prism);
}

TEST_CASE("cells: element matrices are the oracle's")
{
  agrees_with_oracle<triangle(3)>(reference::cell::triangle);
  agrees_with_oracle<sumfac::surface_triangle(2)>(reference::cell::triangle);
  agrees_with_oracle<tetrahedron(2)>(reference::cell::tetrahedron);
  agrees_with_oracle<prism(1)>(reference::cell::prism);
}

TEST_CASE("cells: matrices, diagonals, transposes and global vectors are one operator's")
{
  constexpr auto space = tetrahedron(2);
  constexpr int p = 10;
  auto const places = checks::nodes_of_box(space, 1, [](double* x) { x[0] += 0.1 * x[1] * x[2]; });
  auto const nodes = checks::nodes_view(places, p, 3);  // curved, by the same nodes
  sumfac::host const backend;
  sumfac::element_operator<drift, space> const a{backend, nodes};
  sumfac::index_t const elements = a.elements();
  REQUIRE(elements == 6);
  std::vector<double> u(std::size_t(elements * p)), v(u.size()), transposed(u.size()), d(u.size());
  for (std::size_t i = 0; i < u.size(); ++i) u[i] = std::sin(double(3 * i));
  auto const as_view = [&](std::vector<double>& x) { return sumfac::view(x.data(), elements, sumfac::index_t(p)); };
  a.apply(as_view(u), as_view(v));
  a.apply_transposed(as_view(u), as_view(transposed));
  a.diagonal(as_view(d));
  int count = 0;
  auto const table = numbered(places, 3, count);
  REQUIRE(count == 27);
  std::vector<double> x(static_cast<std::size_t>(count)), y(x.size()), expected(x.size()), of_diagonal(x.size()),
      diagonal(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::cos(double(i));
  for (sumfac::index_t e = 0; e < elements; ++e) {
    auto const matrix = a.element_matrix(e);
    for (std::size_t r = 0; r < p; ++r) {
      std::size_t const row = std::size_t(e) * p + r;
      double by_row = 0, by_column = 0;
      for (std::size_t c = 0; c < p; ++c) {
        std::size_t const column = std::size_t(e) * p + c;
        by_row += matrix[r * p + c] * u[column], by_column += matrix[c * p + r] * u[column];
        expected[std::size_t(table[row])] += matrix[r * p + c] * x[std::size_t(table[column])];
      }
      CHECK(v[row] == Approx(by_row).margin(1e-13));
      CHECK(transposed[row] == Approx(by_column).margin(1e-13));
      CHECK(d[row] == Approx(matrix[r * p + r]).margin(1e-14));
      diagonal[std::size_t(table[row])] += matrix[r * p + r];
    }
  }
  sumfac::restriction const r{backend, sumfac::view(table.data(), elements, sumfac::index_t(p)), count};
  a.apply(r, x, y);
  a.diagonal(r, of_diagonal);
  for (std::size_t i = 0; i < x.size(); ++i) {
    CHECK(y[i] == Approx(expected[i]).margin(1e-13));
    CHECK(of_diagonal[i] == Approx(diagonal[i]).margin(1e-14));
  }
  // The matrix of all elements multiplies as they do.
  auto const whole = sumfac::assemble(a, r);
  whole.apply(x, y);
  for (std::size_t i = 0; i < x.size(); ++i) CHECK(y[i] == Approx(expected[i]).margin(1e-13));
  constexpr int points = decltype(a)::points_1d;
  CHECK(a.work().flops >= elements * 2 * p * points * (4 + 3));
  CHECK(a.work().bytes_written == elements * p * 8);
}

namespace {

// By a device's team, watched, what the host computes; transposed, on global vectors, and the diagonal.
template <class Form, sumfac::space Space, class Scalar>
void agrees_on_teams()
{
  constexpr int p = sumfac::detail::functions_of_cell(Space), components = sumfac::components_of<Form>;
  sumfac::space corners = Space;
  corners.degree = 1;
  auto const places = checks::nodes_of_box(corners, 1, [](double* x) { x[0] += 0.1 * x[1]; });
  auto const nodes = checks::nodes_view(places, sumfac::detail::functions_of_cell(corners), Space.coordinates);
  sumfac::host const by_packs;
  sumfac::checked const by_teams;
  sumfac::element_operator<Form, Space, Scalar> const a{by_packs, nodes};
  sumfac::element_operator<Form, Space, Scalar, sumfac::checked> const b{by_teams, nodes};
  sumfac::index_t const elements = a.elements(), count = elements * p;
  using numbers = std::vector<Scalar>;
  numbers u(std::size_t(count * components));
  for (std::size_t i = 0; i < u.size(); ++i) u[i] = Scalar(std::sin(double(7 * i)));
  auto const run = [&](auto const& backend, auto const& of, auto const& how) {
    numbers v(u.size());
    how(backend, of, v);
    return v;
  };
  auto const as_view = [&](auto& x) {
    if constexpr (components == 1)
      return sumfac::view(x.data(), elements, sumfac::index_t(p));
    else
      return sumfac::view(x.data(), elements, sumfac::index_t(components), sumfac::index_t(p));
  };
  auto const compare = [&](auto const& how) {
    numbers const one = run(by_packs, a, how), other = run(by_teams, b, how);
    double const near = sizeof(Scalar) == 4 ? 1e-4 : 1e-12;
    for (std::size_t i = 0; i < one.size(); ++i) CHECK(other[i] == Approx(one[i]).epsilon(near).margin(near));
    CHECK(std::any_of(one.begin(), one.end(), [](Scalar x) { return x != 0; }));
  };
  compare([&](auto const&, auto const& of, numbers& v) { of.apply(as_view(u), as_view(v)); });
  compare([&](auto const&, auto const& of, numbers& v) { of.apply_transposed(as_view(u), as_view(v)); });
  compare([&](auto const&, auto const& of, numbers& v) { of.diagonal(as_view(v)); });
  std::vector<int> table;
  for (int i = 0; i < count; ++i) table.push_back(i / 2);  // neighbours share nodes
  compare([&](auto const& backend, auto const& of, numbers& v) {
    auto const r = sumfac::restriction<Scalar, std::remove_cvref_t<decltype(backend)>>(
        backend, sumfac::view(table.data(), elements, sumfac::index_t(p)), (count + 1) / 2, {.components = components});
    auto const size = std::size_t(r.size());
    numbers const x(u.begin(), u.begin() + std::ptrdiff_t(size));
    v.resize(size);
    of.apply(r, x, v);
  });
}

}  // namespace

TEST_CASE("cells: a device's teams compute what packs do")
{
  agrees_on_teams<drift, tetrahedron(2), double>();
  agrees_on_teams<sumfac::stiffness, triangle(2), float>();
  agrees_on_teams<sumfac::vector_mass<2>, prism(1), double>();
}

TEST_CASE("cells: curved maps are exact, inverted elements refused")
{
  // The volume stays what it is, and x is a function of the space.
  auto const bend = [](double* x) { x[0] += 0.3 * x[1] * x[1] - 0.2 * x[1] * x[2]; };
  auto places = checks::nodes_of_box(tetrahedron(2), 2, bend);
  sumfac::host const backend;
  sumfac::element_operator<sumfac::stiffness, tetrahedron(2)> const a{
      backend, checks::nodes_view(places, 10, 3), {.lambda = 1}};
  CHECK(energy(a, places, {{0, 0, 0}}, {{0, 0, 0}}) == Approx(1));
  CHECK(energy(a, places, {{1, 0, 0}}, {{0, 0, 0}}) == Approx(0.5 + 0.1 - 0.05));
  CHECK(energy(a, places, {{0, 1, 0}}, {{0, 1, 0}}) == Approx(1 + 1.0 / 3));
  for (std::size_t c = 0; c < 3; ++c) std::swap(places[10 * 3 * 4 + c], places[10 * 3 * 4 + 6 + c]);
  CHECK_THROWS_WITH((decltype(a){backend, checks::nodes_view(places, 10, 3), {.lambda = 1}}), Catch::Contains("element "
                                                                                                              "4 "
                                                                                                              "cannot "
                                                                                                              "be "
                                                                                                              "integrat"
                                                                                                              "ed on"));
  CHECK_THROWS_WITH((decltype(a){backend, checks::nodes_view(places, 6, 3), {.lambda = 1}}),
                    Catch::Contains("got 6; 4, 10, 20, 35, ..., those of a tetrahedron, expected"));
  CHECK_THROWS_WITH((decltype(a){backend, checks::nodes_view(places, 20, 3), {.lambda = 1}}), Catch::Contains("where "
                                                                                                              "the 4 "
                                                                                                              "mesh "
                                                                                                              "nodes "
                                                                                                              "of an "
                                                                                                              "edge"));
}

TEST_CASE("cells: a basis given as tables")
{
  // Quadrilaterals' serendipity functions at Gauss points: no space of the library's.
  constexpr int p = 8, g = 3, q = g * g;
  double const corner[p][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}, {0, -1}, {1, 0}, {0, 1}, {-1, 0}};
  auto const rule = reference::gauss(g);
  std::vector<double> values, gradients, weights;
  for (int point = 0; point < q; ++point) {
    double const x = double(rule.nodes[std::size_t(point % g)]), y = double(rule.nodes[std::size_t(point / g)]);
    weights.push_back(double(rule.weights[std::size_t(point % g)] * rule.weights[std::size_t(point / g)]));
    for (auto const& at : corner) {
      double const a = at[0], b = at[1];
      if (a * b != 0) {
        values.push_back((1 + a * x) * (1 + b * y) * (a * x + b * y - 1) / 4);
        gradients.push_back(a * (1 + b * y) * (2 * a * x + b * y) / 4);
        gradients.push_back(b * (1 + a * x) * (2 * b * y + a * x) / 4);
      } else {
        double const along = a == 0 ? x : y, side = a == 0 ? b : a, across = a == 0 ? y : x;
        values.push_back((1 - along * along) * (1 + side * across) / 2);
        double const slope_along = -along * (1 + side * across), slope_across = (1 - along * along) * side / 2;
        gradients.push_back(a == 0 ? slope_along : slope_across);
        gradients.push_back(a == 0 ? slope_across : slope_along);
      }
    }
  }
  sumfac::tabulated_basis const basis{sumfac::view(values.data(), q, p), sumfac::view(gradients.data(), q, p, 2),
                                      sumfac::view(weights.data(), q)};
  std::vector<double> places;  // [0, 1]^2, cut in two
  for (int e = 0; e < 2; ++e)
    for (auto const& at : corner) {
      double const x = (at[0] + 1) / 4 + 0.5 * e, y = (at[1] + 1) / 2;
      places.insert(places.end(), {x, y});
    }
  using sumfac::tabulated;
  sumfac::element_operator<sumfac::stiffness, tabulated(p, q, 2)> const a{
      sumfac::host{}, checks::nodes_view(places, p, 2), basis, {.lambda = 1}};
  CHECK(energy(a, places, {{2, 0, 0}}, {{2, 0, 0}}) == Approx(4.0 / 3 + 1.0 / 5));
  CHECK(energy(a, places, {{1, 1, 0}}, {{0, 1, 0}}) == Approx(1.0 / 2 + 1.0 / 6));
  // Straight elements, by functions of their own for the map: the same matrices.
  std::vector<double> mesh_values, mesh_gradients, vertices;
  for (int point = 0; point < q; ++point)
    for (int v = 0; v < 4; ++v) {
      double const x = double(rule.nodes[std::size_t(point % g)]), y = double(rule.nodes[std::size_t(point / g)]);
      mesh_values.push_back((1 + corner[v][0] * x) * (1 + corner[v][1] * y) / 4);
      mesh_gradients.push_back(corner[v][0] * (1 + corner[v][1] * y) / 4);
      mesh_gradients.push_back((1 + corner[v][0] * x) * corner[v][1] / 4);
    }
  for (std::size_t e = 0; e < 2; ++e) vertices.insert(vertices.end(), &places[e * 16], &places[e * 16] + 8);
  sumfac::tabulated_basis const with_map{sumfac::view(values.data(), q, p), sumfac::view(gradients.data(), q, p, 2),
                                         sumfac::view(weights.data(), q), sumfac::view(mesh_values.data(), q, 4),
                                         sumfac::view(mesh_gradients.data(), q, 4, 2)};
  decltype(a) b{sumfac::host{}, checks::nodes_view(vertices, 4, 2), with_map, {.lambda = 1}};
  for (sumfac::index_t e = 0; e < 2; ++e) {
    auto const one = a.element_matrix(e), other = b.element_matrix(e);
    for (std::size_t i = 0; i < one.size(); ++i) CHECK(one[i] == Approx(other[i]).margin(1e-14));
  }
  CHECK_THROWS_WITH((decltype(a){sumfac::host{}, checks::nodes_view(vertices, 4, 2), basis}),
                    Catch::Contains("does not match (expected 8, got 4)"));
  using fewer = sumfac::element_operator<sumfac::mass, tabulated(p, q - 1, 2)>;
  CHECK_THROWS_WITH((fewer{sumfac::host{}, checks::nodes_view(places, p, 2), basis}),
                    Catch::Contains("number of points") && Catch::Contains("expected 8, got 9"));
  CHECK_THROWS_WITH((sumfac::tabulated_basis{sumfac::view(values.data(), q, p), sumfac::view(values.data(), q, 4, 2),
                                             sumfac::view(weights.data(), q)}),
                    Catch::Contains("extent 1 (functions) of gradients") && Catch::Contains("expected 8, got 4"));
  weights[3] = std::nan("");
  CHECK_THROWS_WITH((sumfac::tabulated_basis{sumfac::view(values.data(), q, p), sumfac::view(gradients.data(), q, p, 2),
                                             sumfac::view(weights.data(), q)}),
                    Catch::Contains("a weight is not finite (point 3: got nan)"));
}
