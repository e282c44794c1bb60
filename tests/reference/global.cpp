// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The oracle's global operator: matrices by hand, exact integrals, constraints, and its two ways against each other.
#include <support/global.hpp>
#include <support/larger.hpp>

#include <catch2/catch.hpp>

#include <cmath>

namespace {

using reference::constrained_row;
using reference::global_operator;
using reference::interleaving;
using reference::real;
using vector = global_operator::vector;

real const tight = 1e-17L;

real greatest_difference(vector const& a, vector const& b)
{
  REQUIRE(a.size() == b.size());
  real greatest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) greatest = support::larger(greatest, std::abs(a[i] - b[i]));
  return greatest;
}

// Components are coupled and unlike, nothing is symmetric.
reference::field<> coupled(reference::point<> const& x, reference::field<> const& u)
{
  reference::field<> out;
  for (std::size_t c = 0; c < 3; ++c) {
    out.value[c] = (1 + x.position[0]) * u.value[(c + 1) % 3] + x.position[1] * u.gradient[c][0];
    for (std::size_t d = 0; d < 3; ++d)
      out.gradient[c][d] = (2 + real(c) + x.position[d]) * u.gradient[c][(d + 1) % 3] + u.value[c];
  }
  return out;
}

}  // namespace

TEST_CASE("global reference: the Laplace and mass matrices of two elements of degree 1, by hand")
{
  // Along x two cells of 1/2, along y and z one of 1: the matrix is the product of the lines' assembled matrices.
  real const k2[3][3] = {{2, -2, 0}, {-2, 4, -2}, {0, -2, 2}}, k1[2][2] = {{1, -1}, {-1, 1}};
  real const m2[3][3] = {{1 / 6.0L, 1 / 12.0L, 0}, {1 / 12.0L, 1 / 3.0L, 1 / 12.0L}, {0, 1 / 12.0L, 1 / 6.0L}};
  real const m1[2][2] = {{1 / 3.0L, 1 / 6.0L}, {1 / 6.0L, 1 / 3.0L}};
  auto const box = mesh::box({2, 1, 1});
  auto const corners = reference::equispaced(2);
  auto const numbers = mesh::numbered({2, 1, 1}, 1);
  auto const laplace = global_operator(reference::on_gauss(1), corners, box, numbers, reference::laplace()).matrix();
  auto const mass = global_operator(reference::on_gauss(1), corners, box, numbers, reference::mass()).matrix();
  for (int r = 0; r < 12; ++r)
    for (int c = 0; c < 12; ++c) {
      int const i = r % 3, j = r / 3 % 2, k = r / 6, a = c % 3, b = c / 3 % 2, d = c / 6;
      INFO("row " << r << ", column " << c);
      CHECK(std::abs(mass(r, c) - m2[i][a] * m1[j][b] * m1[k][d]) <= tight);
      CHECK(std::abs(laplace(r, c) - k2[i][a] * m1[j][b] * m1[k][d] - m2[i][a] * k1[j][b] * m1[k][d] -
                     m2[i][a] * m1[j][b] * k1[k][d]) <= tight);
    }
}

TEST_CASE("global reference: apply and diagonal are those of the matrix")
{
  auto const where = reference::gauss_lobatto(3);
  auto const curved = mesh::mapped(mesh::box({2, 2, 1}, where), mesh::smooth{});
  for (int degree : {1, 2, 3})
    for (int components : {1, 2, 3})
      for (auto const way : {interleaving::node_by_node, interleaving::component_by_component})
        for (auto const row : {constrained_row::identity, constrained_row::zero}) {
          if (degree == 3 && components > 1) continue;
          auto const numbers = mesh::numbered({2, 2, 1}, degree, 5, {.y = true});
          global_operator a(reference::on_gauss(degree, components), where, curved, numbers, coupled, way);
          auto const x = support::random<real>(a.size(), 1);
          auto const free = reference::product(a.matrix(), x);
          a.constrain(numbers.boundary, row);
          auto const matrix = a.matrix();
          auto const y = a.apply(x), d = a.diagonal();
          INFO("degree " << degree << ", " << components << " components");
          CHECK(greatest_difference(y, reference::product(matrix, x)) <= 1000 * tight);
          CHECK(greatest_difference(y, free) > 1e-3L);
          for (std::size_t i = 0; i < d.size(); ++i)
            CHECK(std::abs(d[i] - matrix(static_cast<int>(i), static_cast<int>(i))) <= 1000 * tight);
        }
}

TEST_CASE("global reference: where a component of a node stands")
{
  CHECK(reference::entry(interleaving::node_by_node, 100, 3, 7, 2) == 23);
  CHECK(reference::entry(interleaving::component_by_component, 100, 3, 7, 2) == 207);
}

TEST_CASE("global reference: constrained rows and columns, by hand")
{
  auto const numbers = mesh::numbered({2, 1, 1}, 1, 3);
  auto const box = mesh::box({2, 1, 1});
  global_operator a(reference::on_gauss(1), reference::equispaced(2), box, numbers, reference::mass());
  auto const full = a.matrix();
  std::vector<std::int64_t> const fixed{0, 5};
  for (auto const row : {constrained_row::identity, constrained_row::zero}) {
    a.constrain(fixed, row);
    auto const got = a.matrix();
    for (int r = 0; r < 12; ++r)
      for (int c = 0; c < 12; ++c) {
        bool const touched = r == 0 || r == 5 || c == 0 || c == 5;
        real const on_diagonal = row == constrained_row::identity && r == c ? 1 : 0;
        CHECK(got(r, c) == (touched ? on_diagonal : full(r, c)));
      }
  }
}

TEST_CASE("global reference: volume, moment and Dirichlet energy of a curved cube, whatever the numbers")
{
  auto const where = reference::gauss_lobatto(3);
  mesh::counts const counts{3, 2, 2};
  auto const curved = mesh::mapped(mesh::box(counts, where), mesh::smooth{});
  for (std::uint64_t seed : {0u, 9u}) {
    auto const numbers = mesh::numbered(counts, 5, seed);
    auto const space = reference::on_gauss(5);
    global_operator const mass(space, where, curved, numbers, reference::mass());
    global_operator const laplace(space, where, curved, numbers, reference::laplace());
    vector const one(mass.size(), 1);
    vector x(mass.size());
    for (int e = 0; e < curved.elements; ++e) {
      auto const places = reference::element<>::positions(space.nodes, where, curved.element(e));
      for (std::size_t i = 0; i < places.size(); ++i) x[static_cast<std::size_t>(numbers.element(e)[i])] = places[i][0];
    }
    CHECK(std::abs(reference::inner(one, mass.apply(one)) - 1) <= 1e-15L);
    CHECK(std::abs(reference::inner(one, mass.apply(x)) - 0.5L) <= 1e-15L);
    CHECK(std::abs(reference::inner(x, laplace.apply(x)) - 1) <= 1e-15L);
    CHECK(greatest_difference(laplace.apply(one), vector(one.size())) <= 1000 * tight);
  }
}

TEST_CASE("global reference: what is allowed holds for elements worked and added in double and in single")
{
  auto const where = reference::gauss_lobatto(3);
  auto const curved = mesh::mapped(mesh::box({2, 2, 2}, where), mesh::smooth{});
  for (int degree : {1, 3, 5}) {
    auto const numbers = mesh::numbered({2, 2, 2}, degree, 4);
    auto const space = reference::on_gauss(degree);
    global_operator const a(space, where, curved, numbers, reference::stiffness(0.3));
    auto const x = support::random<real>(a.size(), 6);
    auto const y = a.apply(x);
    auto const naive = [&]<class T>(T) {
      std::vector<T> sum(a.size());
      for (int e = 0; e < curved.elements; ++e) {
        reference::element<T> const part(space, where, curved.element(e), reference::stiffness<T>(T(0.3)));
        auto const u = a.gather(x, e);
        auto const v = part.apply(std::vector<T>(u.begin(), u.end()));
        for (std::size_t i = 0; i < v.size(); ++i) sum[static_cast<std::size_t>(numbers.element(e)[i])] += v[i];
      }
      auto const allowed = a.template allowed<T>(x);
      double greatest = 0;
      for (std::size_t i = 0; i < sum.size(); ++i)
        greatest =
            support::larger(greatest, static_cast<double>(std::abs(static_cast<real>(sum[i]) - y[i])) / allowed[i]);
      INFO("degree " << degree << " uses " << greatest << " of what is allowed");
      CHECK(greatest < 0.5);
      CHECK(greatest > 1e-3);
    };
    naive(double{});
    naive(float{});
  }
}
