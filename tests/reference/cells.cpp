// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The oracle of triangles, tetrahedra and prisms: exact integrals, matrices by hand, a cube of six tetrahedra.
#include <support/cells.hpp>
#include <support/larger.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

namespace {

using reference::cell;
using reference::place;
using reference::real;
using vector = std::vector<real>;

auto const all_cells = {cell::triangle, cell::tetrahedron, cell::prism};

real power(real x, int n)
{
  real product = 1;
  for (int k = 0; k < n; ++k) product *= x;
  return product;
}

real monomial(std::array<int, 3> const& powers, place const& x)
{
  return power(x[0], powers[0]) * power(x[1], powers[1]) * power(x[2], powers[2]);
}

void near(vector const& got, vector const& expected, real tolerance = 1e-17L)
{
  REQUIRE(got.size() == expected.size());
  for (std::size_t i = 0; i < got.size(); ++i) CHECK(std::abs(got[i] - expected[i]) <= tolerance);
}

reference::cell_basis equispaced(cell of, int degree) { return {of, degree, reference::equispaced_nodes(of, degree)}; }

vector transposed_product(reference::table<real> const& a, vector const& x)
{
  vector y(x.size(), 0);
  for (int r = 0; r < a.rows; ++r)
    for (int c = 0; c < a.cols; ++c) y[std::size_t(c)] += a(r, c) * x[std::size_t(r)];
  return y;
}

}  // namespace

TEST_CASE("cells: integrals of monomials, by hand")
{
  CHECK(reference::monomial_integral(cell::triangle, {0, 0, 0}) == 1 / 2.0L);
  CHECK(reference::monomial_integral(cell::triangle, {2, 0, 0}) == 1 / 12.0L);
  CHECK(reference::monomial_integral(cell::triangle, {1, 1, 0}) == 1 / 24.0L);
  CHECK(reference::monomial_integral(cell::tetrahedron, {0, 0, 0}) == 1 / 6.0L);
  CHECK(reference::monomial_integral(cell::tetrahedron, {1, 1, 1}) == 1 / 720.0L);
  CHECK(std::abs(reference::monomial_integral(cell::prism, {1, 0, 2}) - 1 / 9.0L) < 1e-19L);
  CHECK(reference::monomial_integral(cell::prism, {1, 0, 1}) == 0);
  CHECK(reference::monomials(cell::triangle, 8).size() == 45);
  CHECK(reference::monomials(cell::tetrahedron, 8).size() == 165);
  CHECK(reference::monomials(cell::prism, 8).size() == 405);
}

TEST_CASE("cells: collapsed rules integrate every monomial they should, and not the next")
{
  for (cell const of : all_cells)
    for (int n = 2; n <= 5; ++n) {
      auto const rule = reference::collapsed(of, n);
      int const exact_to = 2 * n - (of == cell::tetrahedron ? 3 : 2);
      auto const error = [&](std::array<int, 3> const& powers) {
        real sum = -reference::monomial_integral(of, powers);
        for (std::size_t q = 0; q < rule.points.size(); ++q) sum += rule.weights[q] * monomial(powers, rule.points[q]);
        return std::abs(sum);
      };
      real greatest = 0;
      for (auto const& powers : reference::monomials(of, exact_to)) greatest = support::larger(greatest, error(powers));
      CHECK(greatest < 1e-18L);
      int const next = exact_to + 1;
      CHECK(error(of == cell::tetrahedron ? std::array{0, 0, next} : std::array{0, next, 0}) > 1e-9L);
    }
}

TEST_CASE("cells: bases by hand, at their nodes, and of polynomials to degree 8")
{
  auto const linear = equispaced(cell::triangle, 1);
  place const somewhere{0.2L, 0.3L, 0};
  for (int i = 0; i < 3; ++i) {
    CHECK(std::abs(linear.value(i, somewhere) - vector{0.5L, 0.2L, 0.3L}[std::size_t(i)]) < 1e-18L);
    CHECK(std::abs(linear.value(i, somewhere, 0) - vector{-1, 1, 0}[std::size_t(i)]) < 1e-18L);
    CHECK(std::abs(linear.value(i, somewhere, 1) - vector{-1, 0, 1}[std::size_t(i)]) < 1e-18L);
  }
  // 6-node triangle: the function of (1/2, 0) is 4 x (1 - x - y).
  CHECK(std::abs(equispaced(cell::triangle, 2).value(1, somewhere) - 0.4L) < 1e-18L);
  // Prism: vertex (1, 0, 1) is x (1 + z) / 2.
  CHECK(std::abs(equispaced(cell::prism, 1).value(4, {0.2L, 0.3L, 0.5L}, 2) - 0.1L) < 1e-18L);

  place const x{0.21L, 0.33L, 0.17L};
  for (cell const of : all_cells)
    for (int degree : {2, 3, 8}) {
      if (degree == 8 && of == cell::prism) continue;
      auto const basis = equispaced(of, degree);
      place const at = of == cell::triangle ? place{x[0], x[1], 0} : x;
      vector const of_basis[] = {basis.values(at), basis.values(at, 0), basis.values(at, 1), basis.values(at, 2)};
      for (auto const& p : reference::monomials(of, degree)) {
        std::array<real, 4> sums{};
        for (int i = 0; i < basis.size(); ++i)
          for (std::size_t f = 0; f < 4; ++f)
            sums[f] += of_basis[f][std::size_t(i)] * monomial(p, basis.nodes()[std::size_t(i)]);
        CHECK(std::abs(sums[0] - monomial(p, at)) < 1e-15L);
        for (std::size_t d = 0; d < std::size_t(reference::directions_of(of)); ++d) {
          auto lower = p;
          --lower[d];
          real const slope = p[d] == 0 ? 0 : p[d] * monomial(lower, at);
          CHECK(std::abs(sums[1 + d] - slope) < 1e-13L);
        }
      }
    }
  auto twice = reference::equispaced_nodes(cell::triangle, 2);
  twice[3] = twice[0];
  CHECK_THROWS(reference::cell_basis(cell::triangle, 2, twice));
}

TEST_CASE("cells: mass and stiffness matrices of linear functions, by hand")
{
  auto const triangle = equispaced(cell::triangle, 1), tetrahedron = equispaced(cell::tetrahedron, 1);
  auto const rule = reference::collapsed(cell::triangle, 3);
  reference::cell_element const unit(triangle, triangle, {0, 0, 1, 0, 0, 1}, rule);
  vector const mass{2 / 24.0L, 1 / 24.0L, 1 / 24.0L, 1 / 24.0L, 2 / 24.0L, 1 / 24.0L, 1 / 24.0L, 1 / 24.0L, 2 / 24.0L};
  near(unit.matrix(reference::flat_mass()).entries, mass);
  near(unit.matrix(reference::flat_laplace()).entries, {1, -0.5L, -0.5L, -0.5L, 0.5L, 0, -0.5L, 0, 0.5L});
  // Twice as wide: area 1; slopes in x half as steep.
  reference::cell_element const wide(triangle, triangle, {3, 0, 5, 0, 3, 1}, rule);
  near(wide.matrix(reference::flat_laplace()).entries, {1.25L, -0.25L, -1, -0.25L, 0.25L, 0, -1, 0, 1});
  // The same in space.
  reference::cell_element const surface(triangle, triangle, {0, 7, 0, 0, 7, 2, 1, 7, 0}, rule);
  near(surface.matrix(reference::flat_laplace()).entries, {1.25L, -0.25L, -1, -0.25L, 0.25L, 0, -1, 0, 1});

  auto const solid = reference::collapsed(cell::tetrahedron, 3);
  reference::cell_element const four(tetrahedron, tetrahedron, {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}, solid);
  auto const of_four = four.matrix(reference::flat_mass());
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) CHECK(std::abs(of_four(i, j) - (i == j ? 2 : 1) / 120.0L) < 1e-18L);
  auto const stiffness = four.matrix(reference::flat_laplace());
  for (int i = 0; i < 4; ++i) CHECK(std::abs(stiffness(i, i) - (i == 0 ? 3 : 1) / 6.0L) < 1e-18L);
  CHECK(std::abs(stiffness(0, 2) + 1 / 6.0L) < 1e-18L);
  CHECK(std::abs(stiffness(1, 2)) < 1e-18L);

  // A prism's mass is that of its triangle times (2/3, 1/3; 1/3, 2/3) of its line.
  auto const six = equispaced(cell::prism, 1);
  vector nodes;
  for (auto const& x : six.nodes()) nodes.insert(nodes.end(), x.begin(), x.end());
  auto const of_six =
      reference::cell_element(six, six, nodes, reference::collapsed(cell::prism, 3)).matrix(reference::flat_mass());
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j)
      CHECK(std::abs(of_six(i, j) - mass[std::size_t(i % 3 * 3 + j % 3)] * (i / 3 == j / 3 ? 2 : 1) / 3) < 1e-18L);
}

TEST_CASE("cells: a triangle with a bent side, by the area under a parabola")
{
  auto const linear = equispaced(cell::triangle, 1), bent = equispaced(cell::triangle, 2);
  vector mesh;
  for (auto const& x : bent.nodes()) mesh.insert(mesh.end(), {x[0], x[1]});
  mesh[3] -= 0.1L;  // (1/2, 0) down
  reference::cell_element const element(bent, bent, mesh, reference::collapsed(cell::triangle, 6));
  CHECK(std::abs(element.measure() - (0.5L + 2 / 3.0L * 0.1L)) < 1e-18L);
  // A linear function is one of the basis on a bent triangle, too: its energy is the area times its slope squared.
  vector u;
  for (std::size_t i = 0; i < mesh.size(); i += 2) u.push_back(2 * mesh[i] - mesh[i + 1]);
  CHECK(std::abs(reference::inner(u, element.apply(reference::flat_laplace(), u)) - 5 * element.measure()) < 1e-17L);
  // Not bent, it is as its vertices say.
  mesh[3] += 0.1L;
  auto const rule = reference::collapsed(cell::triangle, 3);
  near(reference::cell_element(bent, bent, mesh, rule).matrix(reference::flat_laplace()).entries,
       reference::cell_element(bent, linear, {0, 0, 1, 0, 0, 1}, rule).matrix(reference::flat_laplace()).entries);
}

TEST_CASE("cells: a sheared cube of six tetrahedra, or of two prisms, has the energy and the mass of a polynomial")
{
  // In the cube u = x y + z^2, v = 1 + x z.
  auto const u = [](vector const& x) { return x[0] * x[1] + x[2] * x[2]; };
  auto const v = [](vector const& x) { return 1 + x[0] * x[2]; };
  real const energy = 0.25L;  // (y, x, 2 z) . (z, 0, x)  =  y z + 2 x z: 1/4 + 1/2
  real const product = 1 / 4.0L + 1 / 3.0L + 1 / 12.0L + 1 / 8.0L;  // x y + z^2 + x^2 y z + x z^3
  for (cell const of : {cell::tetrahedron, cell::prism}) {
    auto const functions = equispaced(of, 2), map = equispaced(of, 1);
    std::vector<std::vector<std::array<real, 3>>> cells;
    if (of == cell::tetrahedron) {
      std::array<std::size_t, 3> order{0, 1, 2};
      do {
        std::vector<std::array<real, 3>> vertices{{0, 0, 0}};
        for (std::size_t const d : order) {
          vertices.push_back(vertices.back());
          vertices.back()[d] = 1;
        }
        cells.push_back(vertices);
      } while (std::next_permutation(order.begin(), order.end()));
    } else {
      cells = {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}},
               {{1, 1, 0}, {0, 1, 0}, {1, 0, 0}, {1, 1, 1}, {0, 1, 1}, {1, 0, 1}}};
    }
    real got_energy = 0, got_product = 0, volume = 0;
    for (auto const& vertices : cells) {
      vector mesh;
      for (auto const& x : vertices) mesh.insert(mesh.end(), x.begin(), x.end());
      reference::cell_element const element(functions, map, mesh, reference::collapsed(of, 4));
      vector of_u, of_v;
      for (auto const& xi : functions.nodes()) {
        vector x(3, 0);
        for (int i = 0; i < map.size(); ++i)
          for (std::size_t c = 0; c < 3; ++c) x[c] += map.value(i, xi) * mesh[std::size_t(3 * i) + c];
        of_u.push_back(u(x));
        of_v.push_back(v(x));
      }
      got_energy += reference::inner(of_v, element.apply(reference::flat_laplace(), of_u));
      got_product += reference::inner(of_v, element.apply(reference::flat_mass(), of_u));
      volume += element.measure();
      // The matrix and the sums are the same thing.
      auto const a = element.matrix(reference::flat_laplace());
      near(transposed_product(a, of_v), element.apply(reference::flat_laplace(), of_v), 1e-16L);
    }
    CHECK(std::abs(volume - 1) < 1e-17L);
    CHECK(std::abs(got_energy - (energy + 0.5L)) < 1e-16L);
    CHECK(std::abs(got_product - product) < 1e-16L);
  }
}
