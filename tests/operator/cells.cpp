// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Operators on triangles, tetrahedra and prisms: exact integrals of polynomials, matrices, global vectors, refusals.
#include "cells.hpp"

#include "spaces.hpp"

#include <sumfac/backend/buffer.hpp>
#include <sumfac/dofs/restriction.hpp>
#include <sumfac/form/mass.hpp>
#include <sumfac/form/several.hpp>
#include <sumfac/form/stiffness.hpp>
#include <sumfac/form/tangent.hpp>
#include <sumfac/operator/apply_element.hpp>
#include <sumfac/operator/element_operator.hpp>
#include <sumfac/operator/global_operator.hpp>
#include <sumfac/operator/sum.hpp>
#include <sumfac/solver/assemble.hpp>
#include <sumfac/solver/cg.hpp>
#include <sumfac/solver/chebyshev.hpp>
#include <sumfac/solver/gmres.hpp>
#include <sumfac/solver/preconditioner.hpp>
#include <support/cells.hpp>
#include <support/larger.hpp>
#include <support/matrix_team.hpp>
#include <support/random.hpp>

#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <utility>

namespace {

using checks::drift, checks::hardening;
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
  constexpr int d = Operator::directions;
  sumfac::index_t const p = a.functions_of_element();
  using scalar = typename Operator::scalar_type;
  std::size_t const size = places.size() / d;
  std::vector<scalar> of_u(size), of_v(size), result(size, scalar(9));
  for (std::size_t i = 0; i < size; ++i) {
    double x[3] = {1, 1, 1};
    for (std::size_t c = 0; c < d; ++c) x[c] = places[i * d + c];
    of_u[i] = scalar(u(x)), of_v[i] = scalar(v(x));
  }
  a.apply(sumfac::view(of_v.data(), a.elements(), p), sumfac::view(result.data(), a.elements(), p));
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
      worst = support::larger(worst, std::abs(sum - reference::monomial_integral(shape, powers)));
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

namespace {

reference::flat_integrand hardened()
{
  return [](std::vector<reference::real> const&, reference::flat_field const& u) {
    reference::real conductivity = 1 + u.value[0] * u.value[0];
    for (auto const slope : u.gradient[0]) conductivity += slope * slope;
    auto flux = u.gradient;
    for (auto& entry : flux[0]) entry *= conductivity;
    return reference::flat_field{{u.value[0] * u.value[0] * u.value[0]}, flux};
  };
}

// The derivative of the oracle's residual, which is of degree 3, so that these differences are exact.
reference::table<reference::real> derivative(reference::cell_element const& of, std::vector<reference::real> const& u)
{
  reference::table<reference::real> matrix(of.size(), of.size());
  for (int j = 0; j < of.size(); ++j) {
    auto const moved = [&](int steps) {
      auto at = u;
      at[std::size_t(j)] += steps * 0.125L;
      return of.apply(hardened(), at);
    };
    auto const a = moved(1), b = moved(-1), c = moved(2), d = moved(-2);
    for (std::size_t i = 0; i < a.size(); ++i) matrix(int(i), j) = (8 * (a[i] - b[i]) - (c[i] - d[i])) / (12 * 0.125L);
  }
  return matrix;
}

// A tangent's matrices beside the oracle's, of such functions and mesh nodes; what linearize keeps beside what a call
// is given. Functions at one of the places are one.
template <class Operator>
void tangent_agrees(Operator& j, reference::cell_basis const& functions, reference::cell_basis const& of_map,
                    reference::cell_rule const& rule, std::vector<double> const& mesh,
                    std::vector<double> const& places, double near)
{
  using scalar = typename Operator::scalar_type;
  using backend = typename Operator::backend_type;
  sumfac::index_t const p = j.functions_of_element();
  int const c = Operator::coordinates, nodes = of_map.size();
  int count = 0;
  auto const table = numbered(places, std::size_t(Operator::directions), count);
  std::vector<scalar> x(static_cast<std::size_t>(count)), u(table.size()), w(u.size()), v(u.size()), at_call(u.size());
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = scalar(std::sin(double(3 * i)));
  for (std::size_t i = 0; i < u.size(); ++i) u[i] = x[std::size_t(table[i])], w[i] = scalar(std::cos(double(i)));
  auto const view = [&](std::vector<scalar>& of) { return sumfac::view(of.data(), j.elements(), p); };
  CAPTURE(int(functions.shape()), p, c, sizeof(scalar));
  CHECK_THROWS_WITH(j.apply(view(w), view(v)), Catch::Contains("call linearize"));
  j.linearize(view(u));
  for (sumfac::index_t const e : {sumfac::index_t{1}, j.elements() - 1}) {
    auto const first = mesh.begin() + e * nodes * c;
    reference::cell_element const expected(functions, of_map, {first, first + nodes * c}, rule);
    auto const matrix = derivative(expected, {u.begin() + e * p, u.begin() + (e + 1) * p});
    auto const got = j.element_matrix(e);
    double largest = 0, off = 0;
    for (int r = 0; r < int(p); ++r)
      for (int k = 0; k < int(p); ++k) {
        largest = support::larger(largest, std::abs(double(matrix(r, k))));
        off = support::larger(off, std::abs(double(got[std::size_t(r * p + k)]) - double(matrix(r, k))));
      }
    CHECK(off < near * largest);
  }
  j.apply(view(w), view(v));
  double norm = 0, off = 0;
  auto const compare = [&] {
    for (std::size_t i = 0; i < v.size(); ++i) {
      norm = support::larger(norm, std::abs(double(v[i])));
      off = support::larger(off, std::abs(double(v[i]) - double(at_call[i])));
    }
    CHECK(off < near * norm);
  };
  j.apply(view(w), view(at_call), sumfac::field(view(u)));
  compare();
  sumfac::restriction<scalar, backend> const r{backend{}, sumfac::view(table.data(), j.elements(), p), count};
  j.apply(view(w), view(at_call), sumfac::field(r, x));
  compare();
  for (scalar& of : x) of = -2 * of;
  j.linearize(r, x);
  j.apply(view(w), view(v));
  j.apply(view(w), view(at_call), sumfac::field(r, x));
  compare();
  auto const of_call = j.work(sumfac::field(r, x));
  CHECK(of_call.flops - j.work().flops == j.elements() * 2 * p * rule.size() * (1 + Operator::directions));
}

template <sumfac::space Space, class Numbers = double, class Backend = sumfac::host>
void tangent_agrees(reference::cell shape, double near)
{
  sumfac::space map = Space;
  map.degree = 2;
  int const nodes = sumfac::detail::functions_of_cell(map);
  auto const mesh = checks::nodes_of_box(map, 2, [](double* x) { x[0] += 0.1 * x[1] * x[1], x[1] += 0.2 * x[0]; });
  sumfac::element_operator<sumfac::tangent<hardening>, Space, Numbers, Backend> j{
      Backend{}, checks::nodes_view(mesh, nodes, Space.coordinates)};
  tangent_agrees(j, basis_at(shape, Space), basis_at(shape, map), rule_of<typename decltype(j)::points_type>(), mesh,
                 checks::nodes_of_box(Space, 2, checks::straight), near);
}

// (k_0 u + grad k_1 . grad u, v), k of degree 1.
struct weighted : checks::drift {
  static constexpr auto trial = sumfac::value | sumfac::gradient, test = sumfac::evaluation(sumfac::value);
  using inputs =
      sumfac::reads<sumfac::input{.components = 2, .evaluates = sumfac::value | sumfac::gradient, .order = 1}>;
  template <class T, int Dim>
  using factors = hardening::factors<T, Dim>;
  template <class T, int Dim>
  SUMFAC_FUNCTION factors<T, Dim> setup(sumfac::mapping<T, Dim> const& x) const
  {
    return {x.metric(), x.measure()};
  }
  template <class T, int Dim>
  SUMFAC_FUNCTION sumfac::point_values<T, 1, Dim> apply(factors<T, Dim> const& f,
                                                        sumfac::point_values<T, 1, Dim> const& u,
                                                        sumfac::point_values<T, 2, Dim> const& k) const
  {
    auto const flux = f.metric * u.gradient;
    T sum = f.measure * (k.value[0] * u.value);
    for (int d = 0; d < Dim; ++d) sum = sum + k.gradient(1, d) * flux[d];
    return {.value = sum};
  }
};

// k_0 = x and k_1 = y: ((x u + d u / d y), v) for polynomials u and v.
template <sumfac::space Space, class Backend = sumfac::host>
void reads_lower_degree()
{
  using operator_type = sumfac::element_operator<weighted, Space, Backend>;
  sumfac::space linear = Space;
  linear.degree = 1;
  sumfac::index_t const corners = sumfac::detail::functions_of_cell(linear);
  auto const vertices = checks::nodes_of_box(linear, 2, checks::straight);
  operator_type a{Backend{}, checks::nodes_view(vertices, int(corners), Space.directions)};
  auto const d = std::size_t(Space.directions), count = vertices.size() / d, v = std::size_t(corners);
  std::vector<double> k(2 * count);
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t b = 0; b < 2; ++b) k[(i / v * 2 + b) * v + i % v] = vertices[i * d + b];
  a.linearize(sumfac::view(k.data(), a.elements(), sumfac::index_t{2}, corners));
  auto const places = checks::nodes_of_box(Space, 2, checks::straight);
  polynomial const u{{1, 1, 0}}, of_v{{0, 1, 0}};
  CHECK(energy(a, places, of_v, u) == Approx(integral({{2, 1, 0}}, of_v) + integral({{1, 0, 0}}, of_v)));
}

}  // namespace

TEST_CASE("cells: tangents are the oracle's derivatives")
{
  tangent_agrees<tetrahedron(2)>(reference::cell::tetrahedron, 1e-12);
  tangent_agrees<triangle(3), sumfac::low_high>(reference::cell::triangle, 1e-5);
  tangent_agrees<sumfac::surface_triangle(1), float, sumfac::checked>(reference::cell::triangle, 1e-4);
  tangent_agrees<prism(1), double, sumfac::checked>(reference::cell::prism, 1e-12);
  reads_lower_degree<tetrahedron(2)>();
  reads_lower_degree<triangle(2), sumfac::checked>();
}

TEST_CASE("cells: Newton's method on tetrahedra")
{
  constexpr auto space = tetrahedron(2);
  sumfac::host const backend;
  auto const places = checks::nodes_of_box(space, 2, checks::straight);
  auto const mesh = checks::nodes_view(places, 10, 3);
  int count = 0;
  auto const table = numbered(places, 3, count);
  std::vector<unsigned char> fixed(static_cast<std::size_t>(count));
  std::vector<double> solution(fixed.size()), b(fixed.size()), u(fixed.size(), 0.0), r(fixed.size()), w,
      d(fixed.size());
  for (std::size_t i = 0; i < table.size(); ++i) {
    double const *const x = &places[3 * i], product = x[0] * x[1] * x[2] * (1 - x[0]) * (1 - x[1]) * (1 - x[2]);
    fixed[std::size_t(table[i])] = product == 0;
    solution[std::size_t(table[i])] = 100 * product;
  }
  sumfac::restriction const R{backend, sumfac::view(table.data(), mesh.extent(0), sumfac::index_t{10}), count,
                              sumfac::view(fixed.data(), sumfac::index_t(fixed.size()))};
  sumfac::element_operator<hardening, space> const F{backend, mesh};
  sumfac::element_operator<sumfac::tangent<hardening>, space> J{backend, mesh};
  F.apply(R, solution, b);
  std::vector<double> norms;
  do {
    F.apply(R, u, r);
    double square = 0;
    for (std::size_t i = 0; i < r.size(); ++i) r[i] = fixed[i] ? 0 : r[i] - b[i], square += r[i] * r[i];
    norms.push_back(std::sqrt(square));
    J.linearize(R, u);
    sumfac::global_operator const L{J, R};
    L.diagonal(d);
    w.assign(u.size(), 0);
    REQUIRE(sumfac::gmres(L, r, w, sumfac::jacobi{backend, d}, {.tolerance = 1e-12}));
    for (std::size_t i = 0; i < u.size(); ++i) u[i] -= w[i];
  } while (norms.back() > 1e-9 * norms[0] && norms.size() < 20);
  for (std::size_t i = 0; i < u.size(); ++i) CHECK(u[i] == Approx(solution[i]).margin(1e-10));
  // Quadratic in the end.
  std::size_t const last = norms.size() - 1;
  CAPTURE(last, norms[last], norms[last - 1], norms[last - 2]);
  CHECK(norms[last - 1] * norms[0] < 10 * norms[last - 2] * norms[last - 2]);
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

// Bytes of scratch of the recommended kernel of teams, and points that are worked on at once, in threads.
template <class Form, sumfac::space Space, class Scalar = double>
void has_room_for_points()
{
  using sumfac::checked;
  using operator_type = sumfac::element_operator<Form, Space, checked, Scalar>;
  using problem = sumfac::detail::problem<Form, Space, typename operator_type::points_type, Scalar>;
  using choice = sumfac::detail::kernel_choice<problem, checked, operator_type::tuned>;
  using kernel = sumfac::detail::kernel_on<choice, typename choice::vectors>;
  constexpr int numbers =
      kernel::components * kernel::n + kernel::test_components * kernel::points * kernel::test_fields;
  CAPTURE(int(Space.shape), Space.degree, kernel::components, kernel::elements, kernel::points);
  CHECK(numbers * kernel::pitch * 2 * int(sizeof(Scalar)) <=
        sumfac::detail::limits_of(sumfac::architecture::gfx90a).scratch_bytes);
  CHECK(kernel::points * kernel::runs * 5 >= kernel::threads);
}

// An operator's kernel by teams that multiply matrices.
template <class Kernel>
struct kernel_of_matrices {
  using scalar = double;
  static constexpr int threads = Kernel::threads, elements = Kernel::elements;
  Kernel kernel;

  template <class Team>
  struct scratch {
    typename Kernel::template scratch<support::matrix_team<Team>> own;
    typename support::matrix_team<Team>::matrices common;
  };

  template <class Team>
  void operator()(Team const& team, scratch<Team>& s, sumfac::index_t group) const
  {
    kernel(support::matrix_team<Team>{team, s.common}, s.own, group);
  }
};

template <class Form, sumfac::space Space, int Elements>
void multiplies_matrices()
{
  using sumfac::checked, sumfac::index_t;
  constexpr index_t p = sumfac::detail::functions_of_cell(Space), c = sumfac::components_of<Form>;
  sumfac::space map = Space;
  map.degree = 2;
  auto const places = checks::nodes_of_box(map, 2, [](double* x) { x[0] += 0.1 * x[1] * x[2]; });
  auto const nodes = checks::nodes_view(places, sumfac::detail::functions_of_cell(map), 3);
  sumfac::element_operator<Form, Space> const on_host{sumfac::host{}, nodes};
  sumfac::element_operator<Form, Space, checked, checks::by_matrices<Elements>> const A{checked{}, nodes};
  index_t const elements = A.elements();
  std::vector<double> const u = support::random<double>(std::size_t(elements * c * p), 5);
  std::vector<double> expected(u.size()), got(u.size());
  auto const shaped = [&](auto* x) {
    if constexpr (c == 1)
      return sumfac::view(x, elements, p);
    else
      return sumfac::view(x, elements, c, p);
  };
  on_host.apply(shaped(u.data()), shaped(expected.data()));
  auto const part = sumfac::device::part_of(A, shaped(u.data()), shaped(got.data()));
  checked().launch(kernel_of_matrices<std::remove_cvref_t<decltype(part.kernel)>>{part.kernel}, part.groups);
  for (std::size_t i = 0; i < u.size(); ++i) CHECK(got[i] == Approx(expected[i]).epsilon(1e-12).margin(1e-13));
}

}  // namespace

TEST_CASE("cells: teams of many functions have fewer elements, and room for points")
{
  has_room_for_points<sumfac::laplace, tetrahedron(7)>();
  has_room_for_points<sumfac::stiffness, tetrahedron(10)>();
  has_room_for_points<sumfac::laplace, prism(7)>();
  has_room_for_points<sumfac::laplace, prism(9), float>();
  has_room_for_points<sumfac::several<sumfac::laplace, 8>, tetrahedron(7)>();
}

TEST_CASE("cells: a device's teams compute what packs do")
{
  using sumfac::checked;
  checks::agrees_on_teams<drift, tetrahedron(2), double, checked>({}, 2);  // more than a team has
  checks::agrees_on_teams<sumfac::stiffness, triangle(2), float, checked>();
  checks::agrees_on_teams<sumfac::vector_mass<2>, prism(1), double, checked>();
  checks::agrees_on_teams<sumfac::laplace, tetrahedron(4), double, checked>();  // a point and a function a thread
}

TEST_CASE("cells: tables by matrices, by loops and as devices lay matrices out, compute what packs do")
{
  using sumfac::checked;
  checks::agrees_on_teams<drift, tetrahedron(2), float, checked, sumfac::affine, tetrahedron(2),
                          checks::by_matrices<32>>({}, 2);
  // 27 chunks of points for 4 warps.
  checks::agrees_on_teams<sumfac::laplace, tetrahedron(5), double, checked, sumfac::stored, tetrahedron(5),
                          checks::by_matrices<16>>();
  multiplies_matrices<drift, tetrahedron(2), 32>();                      // two warps for 16 elements, one for 8 points
  multiplies_matrices<sumfac::vector_laplace<3>, tetrahedron(3), 16>();  // more nodes than registers keep
}

TEST_CASE("cells: affine maps are what stored factors are, and other elements are refused")
{
  using sumfac::affine, sumfac::host, sumfac::checked;
  checks::agrees_on_teams<sumfac::stiffness, tetrahedron(2), double, host, affine>({.lambda = 0.3});
  checks::agrees_on_teams<sumfac::stiffness, tetrahedron(2), float, host, affine>({.lambda = 0.3});
  checks::agrees_on_teams<sumfac::laplace, prism(1), double, host, affine>();
  checks::agrees_on_teams<sumfac::vector_mass<2>, prism(1), double, checked, affine>();
  checks::agrees_on_teams<drift, tetrahedron(2), double, checked, affine>();
  checks::agrees_on_teams<sumfac::laplace, tetrahedron(4), double, checked, affine>();  // two points a thread
  checks::agrees_on_teams<sumfac::tangent<checks::hardening>, tetrahedron(2), double, host, affine>();

  auto places = checks::nodes_of_box(tetrahedron(2), 2, checks::straight);
  sumfac::host const backend;
  using on_affine = sumfac::element_operator<sumfac::stiffness, tetrahedron(2), affine>;
  on_affine const a{backend, checks::nodes_view(places, 10, 3), {.lambda = 1}};
  CHECK(energy(a, places, {{1, 0, 0}}, {{0, 0, 0}}) == Approx(0.5));
  sumfac::element_operator<sumfac::stiffness, tetrahedron(2)> const b{backend, checks::nodes_view(places, 10, 3), {}};
  CHECK(a.work().bytes() < b.work().bytes() / 3);
  places[10 * 3 * 4 + 3] += 0.001;  // a node in the middle of an edge
  CHECK_THROWS_WITH((on_affine{backend, checks::nodes_view(places, 10, 3), {}}),
                    Catch::Contains("sumfac::affine: element 4 is not affine (defect 0.00"));
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
  CHECK_THROWS_WITH((decltype(a){backend, checks::nodes_view(places, 10, 3), {.lambda = 1}}),
                    Catch::Contains("element 4 cannot be integrated on"));
  CHECK_THROWS_WITH((decltype(a){backend, checks::nodes_view(places, 6, 3), {.lambda = 1}}),
                    Catch::Contains("got 6; 4, 10, 20, 35, ..., those of a tetrahedron, expected"));
  CHECK_THROWS_WITH((decltype(a){backend, checks::nodes_view(places, 20, 3), {.lambda = 1}}),
                    Catch::Contains("where the 4 mesh nodes of an edge"));
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
  sumfac::element_operator<sumfac::stiffness, checks::of_any_size(2)> const at_run_time{
      sumfac::host{}, checks::nodes_view(places, p, 2), basis, {.lambda = 1}};
  CHECK(energy(at_run_time, places, {{2, 0, 0}}, {{2, 0, 0}}) == Approx(4.0 / 3 + 1.0 / 5));
  CHECK(energy(at_run_time, places, {{1, 1, 0}}, {{0, 1, 0}}) == Approx(1.0 / 2 + 1.0 / 6));
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
  // The same map by functions that do not add up to 1: 1, x, y and xy.
  mesh_values.clear(), mesh_gradients.clear();
  for (int point = 0; point < q; ++point) {
    double const x = double(rule.nodes[std::size_t(point % g)]), y = double(rule.nodes[std::size_t(point / g)]);
    mesh_values.insert(mesh_values.end(), {1, x, y, x * y});
    mesh_gradients.insert(mesh_gradients.end(), {0, 0, 1, 0, 0, 1, y, x});
  }
  std::vector<double> factors(vertices.size());
  for (std::size_t e = 0; e < 2; ++e)
    for (std::size_t d = 0; d < 2; ++d)
      for (std::size_t v = 0; v < 4; ++v) {
        double const at = vertices[e * 8 + v * 2 + d] / 4, x = corner[v][0], y = corner[v][1];
        factors[e * 8 + d] += at, factors[e * 8 + 2 + d] += x * at;
        factors[e * 8 + 4 + d] += y * at, factors[e * 8 + 6 + d] += x * y * at;
      }
  sumfac::tabulated_basis const hierarchic{sumfac::view(values.data(), q, p), sumfac::view(gradients.data(), q, p, 2),
                                           sumfac::view(weights.data(), q), sumfac::view(mesh_values.data(), q, 4),
                                           sumfac::view(mesh_gradients.data(), q, 4, 2)};
  decltype(a) d{sumfac::host{}, checks::nodes_view(factors, 4, 2), hierarchic, {.lambda = 1}};
  for (sumfac::index_t e = 0; e < 2; ++e) {
    auto const one = a.element_matrix(e), other = d.element_matrix(e);
    for (std::size_t i = 0; i < one.size(); ++i) CHECK(one[i] == Approx(other[i]).margin(1e-14));
  }
  sumfac::element_operator<sumfac::stiffness, tabulated(p, q, 2), sumfac::checked, checks::by_matrices<16>> const c{
      sumfac::checked{}, checks::nodes_view(places, p, 2), basis, {.lambda = 1}};
  auto const u = support::random<double>(2 * p, 3);
  std::vector<double> expected(u.size()), got(u.size());
  a.apply(sumfac::view(u.data(), 2, p), sumfac::view(expected.data(), 2, p));
  c.apply(sumfac::view(u.data(), 2, p), sumfac::view(got.data(), 2, p));
  for (std::size_t i = 0; i < u.size(); ++i) CHECK(got[i] == Approx(expected[i]).margin(1e-14));
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

TEST_CASE("cells: pyramids as tables, beside a hexahedron on one vector")
{
  // A cube of six pyramids, whose vertices are four of a side and the middle, and a hexahedron beside it, x from 1
  // to 2.
  constexpr int p = 5, g = 3, q = g * g * g;
  double const base[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
  auto const rule = reference::gauss(g);
  std::vector<double> values, gradients, weights;
  for (int point = 0; point < q; ++point) {
    auto const line = [&](int along) { return double(rule.nodes[std::size_t(along)]); };
    auto const weight = [&](int along) { return double(rule.weights[std::size_t(along)]); };
    int const i = point % g, j = point / g % g, k = point / g / g;
    double const z = (1 + line(k)) / 2, s = 1 - z, x = s * line(i), y = s * line(j);
    weights.push_back(weight(i) * weight(j) * weight(k) / 2 * s * s);
    for (auto const& [a, b] : base) {
      values.push_back((s + a * x) * (s + b * y) / (4 * s));
      gradients.push_back(a * (s + b * y) / (4 * s));
      gradients.push_back(b * (s + a * x) / (4 * s));
      gradients.push_back(-(1 - a * b * x * y / (s * s)) / 4);
    }
    values.push_back(z);
    for (double const slope : {0.0, 0.0, 1.0}) gradients.push_back(slope);
  }
  sumfac::tabulated_basis const basis{sumfac::view(values.data(), q, p), sumfac::view(gradients.data(), q, p, 3),
                                      sumfac::view(weights.data(), q)};
  // Numbers 0 to 7 are the cube's corners, a bit for each direction, 8 is the middle, 9 to 12 the hexahedron's others.
  int const pyramids[6][p] = {{0, 1, 3, 2, 8}, {4, 6, 7, 5, 8}, {0, 4, 5, 1, 8},
                              {2, 3, 7, 6, 8}, {0, 2, 6, 4, 8}, {1, 5, 7, 3, 8}};
  int const hexahedron[8] = {1, 9, 3, 10, 5, 11, 7, 12};
  double points[13][3] = {};
  for (int v = 0; v < 8; ++v)
    for (int d = 0; d < 3; ++d) {
      points[v][d] = v >> d & 1;
      points[8][d] = 0.5;
      points[hexahedron[v]][d] = (d == 0 ? 1 : 0) + (v >> d & 1);
    }
  points[8][0] = 0.375;  // no symmetry
  std::vector<double> nodes, of_hexahedron;
  for (auto const& one : pyramids)
    for (int const v : one) nodes.insert(nodes.end(), points[v], points[v] + 3);
  for (int const v : hexahedron) of_hexahedron.insert(of_hexahedron.end(), points[v], points[v] + 3);
  sumfac::host const backend;
  sumfac::element_operator<sumfac::stiffness, sumfac::tabulated(p, q, 3)> const A{
      backend, checks::nodes_view(nodes, p, 3), basis, {.lambda = 1}};
  sumfac::element_operator<sumfac::stiffness, 1> const H{
      backend, sumfac::view(std::as_const(of_hexahedron).data(), 1, 2, 2, 2, 3), {.lambda = 1}};
  sumfac::restriction const R{backend, sumfac::view(&pyramids[0][0], 6, p), 13},
      S{backend, sumfac::view(hexahedron, 1, 2, 2, 2), 13};
  sumfac::sum const L{sumfac::part{A, R}, sumfac::part{H, S}};
  // Linear functions are exact, on [0, 2] x [0, 1]^2.
  std::vector<double> x, y, of_x(13), of_y(13), of_one(13), one(13, 1.0);
  for (auto const& at : points) x.push_back(at[0]), y.push_back(at[1]);
  L.apply(x, of_x), L.apply(y, of_y), L.apply(one, of_one);
  auto const product = [](std::vector<double> const& a, std::vector<double> const& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
  };
  CHECK(product(one, of_one) == Approx(2));
  CHECK(product(x, of_x) == Approx(2 + 8.0 / 3));
  CHECK(product(x, of_y) == Approx(1));
  CHECK(product(y, of_y) == Approx(2 + 2.0 / 3));
  // What the Laplacian makes of them is 0 at the node within; sizes that are known at run time alone do as well.
  using at_run_time = sumfac::element_operator<sumfac::stiffness, checks::of_any_size(3)>;
  at_run_time const K{backend, checks::nodes_view(nodes, p, 3), basis, {.lambda = 0}};
  sumfac::global_operator const of_pyramids{K, R};
  of_pyramids.apply(x, of_x), of_pyramids.apply(y, of_y);
  CHECK(std::abs(of_x[8]) < 1e-14);
  CHECK(std::abs(of_y[8]) < 1e-14);
  at_run_time const B{backend, checks::nodes_view(nodes, p, 3), basis, {.lambda = 1}};
  sumfac::sum const M{sumfac::part{B, R}, sumfac::part{H, S}};
  std::vector<double> d(13), found(13);
  L.apply(x, of_x), M.apply(x, of_y), M.diagonal(d);
  for (std::size_t i = 0; i < x.size(); ++i) CHECK(of_y[i] == Approx(of_x[i]).margin(1e-14));
  sumfac::jacobi const J{backend, d};
  for (bool const by_chebyshev : {false, true}) {
    found.assign(13, 0);
    auto const solved = by_chebyshev
                            ? sumfac::cg(M, of_x, found, sumfac::chebyshev_smoother{M, sumfac::jacobi{backend, d}},
                                         {.tolerance = 1e-12})
                            : sumfac::cg(M, of_x, found, J, {.tolerance = 1e-12});
    REQUIRE(solved);
    for (std::size_t i = 0; i < x.size(); ++i) CHECK(found[i] == Approx(x[i]).margin(1e-10));
  }
  auto const matrix = sumfac::assemble(B, R), same = sumfac::assemble(A, R);
  matrix.apply(x, of_x), same.apply(x, of_y);
  for (std::size_t i = 0; i < x.size(); ++i) CHECK(of_y[i] == Approx(of_x[i]).margin(1e-14));
}

namespace {

constexpr auto of_any_size = checks::of_any_size(3);

// Functions of a cell, of a degree, at the points of a rule, and the quadratic ones of its map: tables as a user has
// them, made by the oracle.
struct cell_tables {
  sumfac::space functions_of, map_of;
  reference::cell_basis functions, map;
  reference::cell_rule rule;
  std::vector<double> values, gradients, weights, mesh_values, mesh_gradients;

  cell_tables(reference::cell shape, int degree, int points)
      : functions_of(space_of(shape, degree)),
        map_of(space_of(shape, 2)),
        functions(shape, degree, reference::equispaced_nodes(shape, degree)),
        map(shape, 2, reference::equispaced_nodes(shape, 2)),
        rule(reference::collapsed(shape, points))
  {
    weights.assign(rule.weights.begin(), rule.weights.end());
    for (auto const& xi : rule.points) {
      put(functions, xi, values, gradients);
      put(map, xi, mesh_values, mesh_gradients);
    }
  }

  sumfac::tabulated_basis basis() const
  {
    int const p = functions.size(), q = rule.size(), m = map.size();
    return {sumfac::view(values.data(), q, p), sumfac::view(gradients.data(), q, p, 3), sumfac::view(weights.data(), q),
            sumfac::view(mesh_values.data(), q, m), sumfac::view(mesh_gradients.data(), q, m, 3)};
  }
  template <class Move>
  std::vector<double> mesh(int cells, Move const& move) const
  {
    return checks::nodes_of_box(map_of, cells, move);
  }
  std::vector<double> places(int cells) const { return checks::nodes_of_box(functions_of, cells, checks::straight); }

private:
  static sumfac::space space_of(reference::cell shape, int degree)
  {
    constexpr auto at_equal_distances = sumfac::node_placement::equispaced;
    return shape == reference::cell::prism ? prism(degree, at_equal_distances)
                                           : tetrahedron(degree, at_equal_distances);
  }
  static void put(reference::cell_basis const& of, reference::place const& xi, std::vector<double>& values,
                  std::vector<double>& gradients)
  {
    std::vector<reference::real> const slopes[] = {of.values(xi, 0), of.values(xi, 1), of.values(xi, 2)};
    auto const here = of.values(xi);
    values.insert(values.end(), here.begin(), here.end());
    for (std::size_t i = 0; i < here.size(); ++i)
      for (auto const& slope : slopes) gradients.push_back(double(slope[i]));
  }
};

inline auto const bend_cells = [](double* x) { x[0] += 0.1 * x[1] * x[1], x[1] += 0.2 * x[0] * x[2]; };

// All that an operator makes beside the oracle's matrices, whatever the sizes.
template <class Form, class Numbers = double, class Backend = sumfac::host>
void agrees_at_run_time(cell_tables const& of, reference::flat_integrand const& integrand, double near)
{
  using operator_type = sumfac::element_operator<Form, of_any_size, Numbers, Backend>;
  using scalar = typename operator_type::scalar_type;
  constexpr int components = operator_type::components;
  auto const mesh = of.mesh(2, bend_cells);
  int const p = of.functions.size(), n = components * p, nodes = of.map.size();
  Backend const backend;
  operator_type const a{backend, checks::nodes_view(mesh, nodes, 3), of.basis()};
  sumfac::index_t const elements = a.elements();
  CAPTURE(int(of.functions.shape()), p, of.rule.size(), components, sizeof(scalar));
  REQUIRE(a.functions_of_element() == p);
  REQUIRE(a.points_of_element() == of.rule.size());
  std::vector<scalar> u(std::size_t(elements * n)), v(u.size()), transposed(u.size()), d(u.size()), w(u.size());
  for (std::size_t i = 0; i < u.size(); ++i) u[i] = scalar(std::sin(double(3 * i)));
  auto const as_view = [&](std::vector<scalar>& x) {
    if constexpr (components == 1)
      return sumfac::view(x.data(), elements, p);
    else
      return sumfac::view(x.data(), elements, components, p);
  };
  a.apply(as_view(u), as_view(v));
  a.apply_transposed(as_view(u), as_view(transposed));
  a.diagonal(as_view(d));
  int count = 0;
  auto const table = numbered(of.places(2), 3, count);
  sumfac::restriction<scalar, Backend> const r{
      backend, sumfac::view(table.data(), elements, p), count, {.components = components}};
  std::vector<scalar> x(std::size_t(r.size())), y(x.size()), of_diagonal(x.size());
  std::vector<double> expected(x.size()), diagonal(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = scalar(std::cos(double(i)));
  double largest = 0, off = 0;
  auto const compare = [&](double got, double wanted) { off = support::larger(off, std::abs(got - wanted)); };
  for (sumfac::index_t e = 0; e < elements; ++e) {
    auto const first = mesh.begin() + e * nodes * 3;
    reference::cell_element const element(of.functions, of.map, {first, first + nodes * 3}, of.rule, components);
    auto const matrix = element.matrix(integrand);
    auto const got = e == elements - 1 ? a.element_matrix(e) : std::vector<scalar>{};
    auto const entry = [&](int i) { return std::size_t(r.entry_of(table[std::size_t(e * p + i % p)], i / p)); };
    for (int i = 0; i < n; ++i) {
      double by_row = 0, by_column = 0;
      for (int k = 0; k < n; ++k) {
        double const here = double(matrix(i, k));
        largest = support::larger(largest, std::abs(here));
        if (!got.empty()) compare(double(got[std::size_t(i * n + k)]), here);
        by_row += here * double(u[std::size_t(e * n + k)]);
        by_column += double(matrix(k, i)) * double(u[std::size_t(e * n + k)]);
        expected[entry(i)] += here * double(x[entry(k)]);
      }
      diagonal[entry(i)] += double(matrix(i, i));
      auto const at = std::size_t(e * n + i);
      compare(double(v[at]), by_row), compare(double(transposed[at]), by_column);
      compare(double(d[at]), double(matrix(i, i)));
    }
  }
  CHECK(off < near * largest);
  if constexpr (components == 1 && sumfac::runs_on_host<Backend>) {  // where packs lie in memory as the kernel has them
    using shape = sumfac::dextents<2>;
    constexpr int width = sumfac::native_width<typename operator_type::arithmetic_type>;
    typename sumfac::layout_interleaved<width>::template mapping<shape> const map(shape(elements, p));
    sumfac::buffer<scalar> from(map.required_span_size()), to(map.required_span_size());
    sumfac::view const of_u(from.data(), map), of_v(to.data(), map);
    for (sumfac::index_t e = 0; e < elements; ++e)
      for (int i = 0; i < p; ++i) of_u(e, i) = u[std::size_t(e * p + i)];
    a.apply(of_u, of_v);
    for (sumfac::index_t e = 0; e < elements; ++e)
      for (int i = 0; i < p; ++i) CHECK(of_v(e, i) == v[std::size_t(e * p + i)]);
  }
  off = 0;
  a.apply(r, x, y), a.diagonal(r, of_diagonal);
  for (std::size_t i = 0; i < x.size(); ++i)
    compare(double(y[i]), expected[i]), compare(double(of_diagonal[i]), diagonal[i]);
  a.apply_add(r, x, y), a.apply_transposed(r, x, of_diagonal), a.apply_transposed_add(r, x, of_diagonal);
  for (std::size_t i = 0; i < x.size(); ++i) compare(double(y[i]), 2 * expected[i]);
  double twice = 0, same = 0;  // x^T A^T A x either way
  for (std::size_t i = 0; i < x.size(); ++i)
    twice += double(of_diagonal[i]) * double(x[i]), same += 2 * double(x[i]) * expected[i];
  compare(twice / std::abs(same), same / std::abs(same));
  CHECK(off < 20 * near * largest);
  constexpr int fields =
      (sumfac::has(Form::trial, sumfac::value) ? 1 : 0) + (sumfac::has(Form::trial, sumfac::gradient) ? 3 : 0);
  CHECK(a.work().flops >= elements * 4 * n * of.rule.size() * fields);
  CHECK(a.work().bytes_written == elements * n * int(sizeof(scalar)));
}

}  // namespace

TEST_CASE("cells: tables whose sizes are known at run time alone")
{
  using reference::cell;
  for (int const degree : {1, 2, 3})
    for (int const points : {1, 3, 4})
      agrees_at_run_time<checks::transport>({cell::tetrahedron, degree, points}, checks::transported(), 1e-12);
  agrees_at_run_time<checks::transport>({cell::prism, 2, 3}, checks::transported(), 1e-12);
  agrees_at_run_time<sumfac::vector_mass<2>, float>({cell::tetrahedron, 2, 3}, reference::flat_mass(), 1e-5);
  agrees_at_run_time<checks::transport, sumfac::low_high>({cell::prism, 1, 2}, checks::transported(), 1e-5);
  for (int const degree : {1, 2}) {
    cell_tables const of{cell::tetrahedron, degree, degree + 2};
    auto const mesh = of.mesh(2, bend_cells);
    sumfac::element_operator<sumfac::tangent<hardening>, of_any_size> j{sumfac::host{}, checks::nodes_view(mesh, 10, 3),
                                                                        of.basis()};
    tangent_agrees(j, of.functions, of.map, of.rule, mesh, of.places(2), 1e-12);
  }
}

TEST_CASE("cells: a device's teams at sizes that are known at run time alone")
{
  using reference::cell, sumfac::checked;
  agrees_at_run_time<checks::transport, double, checked>({cell::tetrahedron, 1, 2}, checks::transported(), 1e-12);
  agrees_at_run_time<checks::transport, double, checked>({cell::prism, 3, 5}, checks::transported(), 1e-12);
  checks::agrees_on_teams<sumfac::vector_mass<2>, triangle(2), float, checked, sumfac::stored,
                          checks::of_any_size(2)>();
  // Inputs that are kept, beside the host's.
  cell_tables const of{cell::tetrahedron, 2, 3};
  auto const mesh = of.mesh(2, bend_cells);
  auto const apply = [&]<class Backend>(Backend const& backend) {
    sumfac::element_operator<sumfac::tangent<hardening>, of_any_size, Backend> j{
        backend, checks::nodes_view(mesh, 10, 3), of.basis()};
    std::vector<double> u(std::size_t(j.elements() * 10)), w(u.size()), v(u.size());
    for (std::size_t i = 0; i < u.size(); ++i) u[i] = std::sin(double(3 * i)), w[i] = std::cos(double(i));
    j.linearize(sumfac::view(u.data(), j.elements(), 10));
    j.apply(sumfac::view(w.data(), j.elements(), 10), sumfac::view(v.data(), j.elements(), 10));
    return v;
  };
  auto const by_packs = apply(sumfac::host{}), by_teams = apply(checked{});
  for (std::size_t i = 0; i < by_packs.size(); ++i)
    CHECK(by_teams[i] == Approx(by_packs[i]).epsilon(1e-12).margin(1e-13));
  // More functions than a team has room for.
  cell_tables const many{cell::prism, 6, 2};
  auto const nodes = many.mesh(1, checks::straight);
  using of_two = sumfac::element_operator<sumfac::vector_mass<2>, of_any_size, checked>;
  CHECK_THROWS_WITH((of_two{checked{}, checks::nodes_view(nodes, many.map.size(), 3), many.basis()}),
                    Catch::Contains("at most 108 of a form of 2 components, got 196"));
}

TEST_CASE("cells: tables of run-time sizes refuse what does not fit")
{
  using Catch::Contains;
  cell_tables const linear{reference::cell::tetrahedron, 1, 2}, quadratic{reference::cell::tetrahedron, 2, 2},
      finer{reference::cell::tetrahedron, 1, 3};
  auto const mesh = linear.mesh(1, checks::straight);
  auto const nodes = checks::nodes_view(mesh, 10, 3);
  sumfac::host const backend;
  using operator_type = sumfac::element_operator<sumfac::mass, of_any_size>;
  CHECK_THROWS_WITH((operator_type{backend, checks::nodes_view(mesh, 4, 3), linear.basis()}),
                    Contains("extent 1 (nodes of an element) of the mesh nodes") && Contains("expected 10, got 4"));
  operator_type a{backend, nodes, linear.basis()};
  sumfac::index_t const elements = a.elements();
  std::vector<double> u(std::size_t(10 * elements)), v(u.size());
  CHECK_THROWS_WITH(a.apply(sumfac::view(u.data(), elements, 10), sumfac::view(v.data(), elements, 4)),
                    Contains("extent 1 (i) of u") && Contains("expected 4, got 10"));
  CHECK_THROWS_WITH(a.diagonal(sumfac::view(v.data(), elements, 10)),
                    Contains("of d") && Contains("expected 4, got 10"));
  std::vector<int> table(u.size());
  sumfac::restriction const r{backend, sumfac::view(table.data(), elements, 10), 1};
  std::vector<double> x(1), y(1);
  CHECK_THROWS_WITH(a.apply(r, x, y),
                    Contains("number of nodes per direction of the restriction") && Contains("expected 4, got 10"));
  CHECK_THROWS_WITH((sumfac::global_operator{a, r}), Contains("expected 4, got 10"));
  CHECK_THROWS_WITH(a.update(nodes, {}, quadratic.basis()),
                    Contains("number of functions of the basis") && Contains("expected 4, got 10"));
  CHECK_THROWS_WITH(a.update(nodes, {}, finer.basis()),
                    Contains("number of points of the basis") && Contains("expected 8, got 27"));
  a.update(nodes, {}, linear.basis());
  a.apply(sumfac::view(u.data(), elements, 4), sumfac::view(v.data(), elements, 4));
  using of_triangles = sumfac::element_operator<sumfac::mass, checks::of_any_size(2)>;
  CHECK_THROWS_WITH((of_triangles{backend, checks::nodes_view(mesh, 10, 2), linear.basis()}),
                    Contains("number of directions") && Contains("expected 2, got 3"));
  CHECK_THROWS_WITH((sumfac::tabulated_basis{sumfac::view(u.data(), 0, 4), sumfac::view(u.data(), 0, 4, 3),
                                             sumfac::view(u.data(), 0)}),
                    Contains("4 functions at 0 points"));
}
