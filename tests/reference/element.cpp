// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The oracle's elements against matrices by hand, exact integrals and the dense definition.
#include <support/larger.hpp>
#include <support/mesh.hpp>
#include <support/reference.hpp>

#include <catch2/catch.hpp>

#include <cmath>

namespace {

using reference::real;
using vector = std::vector<real>;

real const tight = 1e-17L;

real greatest_difference(vector const& a, vector const& b)
{
  REQUIRE(a.size() == b.size());
  real greatest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) greatest = support::larger(greatest, std::abs(a[i] - b[i]));
  return greatest;
}

real dot(vector const& a, vector const& b)
{
  real sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

// Isoparametric nodal values of f(x, y, z) on an element.
template <class Function>
vector nodal(reference::space const& space, reference::rule const& mesh_nodes, double const* coordinates,
             Function const& f)
{
  vector u;
  for (auto const& x : reference::element<>::positions(space.nodes, mesh_nodes, coordinates))
    u.push_back(f(x[0], x[1], x[2]));
  return u;
}

// No symmetry hides a mistake here: components are coupled and unlike, positions matter, nothing is symmetric.
reference::integrand<> convection()
{
  return [](reference::point<> const& x, reference::field<> const& u) {
    reference::field<> out;
    for (std::size_t c = 0; c < 3; ++c) {
      out.value[c] =
          (1 + x.position[0]) * u.value[(c + 1) % 3] + x.position[1] * u.gradient[c][0] - 2 * u.gradient[c][2];
      for (std::size_t d = 0; d < 3; ++d)
        out.gradient[c][d] = (2 + real(c) + x.position[d]) * u.gradient[c][(d + 1) % 3] + u.value[c];
    }
    return out;
  };
}

}  // namespace

TEST_CASE("reference: mass and Laplace matrices of the unit cube at degree 1, by hand")
{
  auto const cube = mesh::box({1, 1, 1});
  real const m[2][2] = {{1 / 3.0L, 1 / 6.0L}, {1 / 6.0L, 1 / 3.0L}}, k[2][2] = {{1, -1}, {-1, 1}};
  auto const exact = [&](int row, int col, auto const& x, auto const& y, auto const& z) {
    return x[row & 1][col & 1] * y[row >> 1 & 1][col >> 1 & 1] * z[row >> 2][col >> 2];
  };
  reference::element<> const mass(reference::on_gauss(1), reference::equispaced(2), cube.data(), reference::mass());
  reference::element<> const laplace(reference::on_gauss(1), reference::equispaced(2), cube.data(),
                                     reference::laplace());
  reference::element<> const both(reference::on_gauss(1), reference::equispaced(2), cube.data(),
                                  reference::stiffness<real>(0.5L));
  auto const a = mass.matrix(), b = laplace.matrix(), c = both.matrix();
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 8; ++j) {
      real const mm = exact(i, j, m, m, m), kk = exact(i, j, k, m, m) + exact(i, j, m, k, m) + exact(i, j, m, m, k);
      auto const at = static_cast<std::size_t>(8 * i + j);
      INFO("row " << i << ", column " << j);
      CHECK(std::abs(a[at] - mm) <= tight);
      CHECK(std::abs(b[at] - kk) <= tight);
      CHECK(std::abs(c[at] - kk - mm / 2) <= tight);
    }
  CHECK(std::abs(b[0] - 1 / 3.0L) <= tight);   // 3 * 1 * 1/3 * 1/3
  CHECK(std::abs(b[7] + 1 / 12.0L) <= tight);  // 3 * (-1) * 1/6 * 1/6
}

TEST_CASE("reference: a collocated mass matrix is the weights, by hand")
{
  auto const slab = mesh::mapped(mesh::box({1, 1, 1}), mesh::affine{{2, 3, 4}});
  reference::element<> const a(reference::collocated(2), reference::equispaced(2), slab.data(), reference::mass());
  auto const d = a.diagonal();
  real const w[3] = {1 / 6.0L, 4 / 6.0L, 1 / 6.0L};
  for (int i = 0; i < 27; ++i)
    CHECK(std::abs(d[static_cast<std::size_t>(i)] - 24 * w[i % 3] * w[i / 3 % 3] * w[i / 9]) <= 24 * tight);
  auto const all = a.matrix();
  for (int i = 0; i < 27; ++i)
    for (int j = 0; j < 27; ++j)
      if (i != j) CHECK(std::abs(all[static_cast<std::size_t>(27 * i + j)]) <= tight);
}

TEST_CASE("reference: i runs along x, k along z, and gradients are physical")
{
  // On [0,2] x [0,3] x [0,4] the functional 1' K u of integrand F = (u_x, 0, 0) tested with x reads the integral of
  // u_x.
  auto const slab = mesh::mapped(mesh::box({1, 1, 1}), mesh::affine{{2, 3, 4}});
  auto const nodes = reference::equispaced(2);
  auto const space = reference::on_gauss(2);
  reference::element<> const a(space, nodes, slab.data(), [](reference::point<> const&, reference::field<> const& u) {
    reference::field<> out;
    out.value[0] = u.gradient[0][0] + 10 * u.gradient[0][1] + 100 * u.gradient[0][2];
    return out;
  });
  auto const u = nodal(space, nodes, slab.data(), [](real x, real y, real z) { return x + 2 * y + 3 * z; });
  CHECK(std::abs(dot(vector(27, 1), a.apply(u)) - 24 * (1 + 20 + 300)) <= 1e-14L);
  CHECK(u[1] == 1);  // (x, y, z) = (1, 0, 0)
  CHECK(u[3] == 3);  // (0, 1.5, 0)
  CHECK(u[26] == 20);
}

TEST_CASE("reference: direction by direction equals the dense definition")
{
  auto const points = reference::equispaced(3);
  auto const curved = mesh::mapped(mesh::box({2, 1, 2}, points), mesh::smooth{});
  for (int order = 1; order <= 4; ++order)
    for (int components : {1, 3})
      for (bool const gauss : {true, false}) {
        auto const space = gauss ? reference::on_gauss(order, components) : reference::collocated(order, components);
        for (auto const& form :
             {reference::mass(), reference::laplace(), reference::stiffness<real>(0.3L), convection()}) {
          reference::element<> const a(space, points, curved.element(2), form);
          auto const u = support::random<real>(static_cast<std::size_t>(a.size()), 3);
          auto const dense = a.apply_dense(u);
          INFO("degree " << order << ", " << components << " components" << (gauss ? ", Gauss" : ", collocated"));
          CHECK(greatest_difference(a.apply(u), dense) <= 100 * tight);
          CHECK(greatest_difference(dense, vector(u.size())) > 1e-3L);
          if (order > 2) continue;
          auto const matrix = a.matrix();
          auto const diagonal = a.diagonal();
          for (std::size_t i = 0; i < diagonal.size(); ++i)
            CHECK(std::abs(matrix[i * diagonal.size() + i] - diagonal[i]) <= 100 * tight);
        }
      }
}

TEST_CASE("reference: direction by direction equals the dense definition at degree 15")
{
  auto const points = reference::gauss_lobatto(4);
  auto const curved = mesh::mapped(mesh::box({2, 2, 2}, points), mesh::smooth{});
  reference::element<> const a(reference::on_gauss(15), points, curved.element(5), reference::stiffness<real>(0.3L));
  auto const u = support::random<real>(4096, 4);
  CHECK(greatest_difference(a.apply(u), a.apply_dense(u)) <= 1e-15L);
}

TEST_CASE("reference: volume, moments and Dirichlet energy of curved elements that fill the unit cube")
{
  for (int m = 2; m <= 4; ++m)
    for (bool const equal : {true, false})
      for (int order = m; order <= 6; order += 2) {
        auto const points = equal ? reference::equispaced(m) : reference::gauss_lobatto(m);
        auto const curved =
            m == 2 ? mesh::jittered({3, 2, 2}, 0.2) : mesh::mapped(mesh::box({3, 2, 2}, points), mesh::smooth{});
        auto const space = reference::on_gauss(order);
        real volume = 0, moment = 0, energy = 0, cross = 0;
        for (int e = 0; e < curved.elements; ++e) {
          auto const x = nodal(space, points, curved.element(e), [](real a, real, real) { return a; });
          auto const y = nodal(space, points, curved.element(e), [](real, real b, real) { return b; });
          vector const one(x.size(), 1);
          reference::element<> const mass(space, points, curved.element(e), reference::mass());
          reference::element<> const laplace(space, points, curved.element(e), reference::laplace());
          volume += dot(one, mass.apply(one));
          moment += dot(one, mass.apply(x));
          energy += dot(x, laplace.apply(x));
          cross += dot(y, laplace.apply(x));
          CHECK(greatest_difference(laplace.apply(one), vector(one.size())) <= 100 * tight);
        }
        INFO("m " << m << ", degree " << order);
        // The coordinates are doubles: sides shared by elements agree exactly, the cube's own are exact.
        CHECK(std::abs(volume - 1) <= 1e-15L);
        CHECK(std::abs(moment - 0.5L) <= 1e-15L);
        CHECK(std::abs(energy - 1) <= 1e-15L);
        CHECK(std::abs(cross) <= 1e-15L);
      }
}

TEST_CASE("reference: polynomials on affine elements")
{
  // [1,3] x [0,3] x [2,6] sheared: x = X + Y/2, so that an integral in X, Y, Z is exact by hand.
  mesh::affine const map{{2, 3, 4}, 0.5, 0, 0, {1, 0, 2}};
  auto const one = mesh::mapped(mesh::box({1, 1, 1}), map);
  auto const nodes = reference::equispaced(2);
  auto const space = reference::on_gauss(3);
  reference::element<> const mass(space, nodes, one.data(), reference::mass());
  reference::element<> const laplace(space, nodes, one.data(), reference::laplace());
  auto const u = nodal(space, nodes, one.data(), [](real x, real y, real) { return (x - y / 2) * (x - y / 2) * y; });
  auto const v = nodal(space, nodes, one.data(), [](real, real, real z) { return z * z * z; });
  real const x_squared = (27 - 1) / 3.0L, y = 9 / 2.0L, z_cubed = (1296 - 16) / 4.0L;
  CHECK(std::abs(dot(v, mass.apply(u)) / (x_squared * y * z_cubed) - 1) <= 1e-17L);
  // |grad u|^2 with X = x - y/2: u_x = 2 X y, u_y = X^2 - X y: integral of 4 X^2 y^2 + X^4 - 2 X^3 y + X^2 y^2
  real const x4 = (243 - 1) / 5.0L, x3 = (81 - 1) / 4.0L, y2 = 9;
  real const energy = 4 * (5 * x_squared * y2 + x4 * 3 - 2 * x3 * y);
  CHECK(std::abs(dot(u, laplace.apply(u)) / energy - 1) <= 1e-17L);
}
