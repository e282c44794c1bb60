// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The meshes of tests and benchmarks: order of elements and nodes, Kershaw's map by hand, positive Jacobians, volume.
#include <support/mesh.hpp>
#include <support/reference.hpp>

#include <catch2/catch.hpp>

#include <cmath>

namespace {

// Volume by the oracle; every Jacobian determinant is asked to be positive.
long double volume(mesh::nodes const& mesh, reference::rule const& points)
{
  long double sum = 0;
  for (int e = 0; e < mesh.elements; ++e) {
    reference::element<> const element(reference::on_gauss(4), points, mesh.element(e), reference::mass());
    for (auto const& x : element.points()) {
      CHECK(x.det > 0);
      sum += x.weight * x.det;
    }
  }
  return sum;
}

}  // namespace

TEST_CASE("mesh: elements and nodes of a box run along x first")
{
  auto const box = mesh::box({2, 3, 4}, reference::equispaced(3));
  REQUIRE(box.elements == 24);
  REQUIRE(box.coordinates.size() == 24 * 27 * 3);
  // element (1, 2, 3), node (2, 1, 0)
  double const* x = box.element(1 + 2 * (2 + 3 * 3)) + 3 * (2 + 3 * (1 + 3 * 0));
  CHECK(x[0] == 1.0);
  CHECK(std::abs(x[1] - (2.5 / 3)) < 1e-14);
  CHECK(x[2] == 0.75);
  CHECK(std::abs(volume(box, reference::equispaced(3)) - 1) < 1e-15L);
}

TEST_CASE("mesh: selections and samples")
{
  auto const box = mesh::box({2, 2, 2});
  auto const some = mesh::selected(box, {7, 0, 7});
  REQUIRE(some.elements == 3);
  CHECK(some.element(0)[0] == 0.5);
  CHECK(some.element(1)[0] == 0.0);
  CHECK(some.element(2)[0] == 0.5);
  CHECK(mesh::sampled(box, 0).elements == 0);
  CHECK(mesh::sampled(box, 3).elements == 3);
  CHECK(mesh::sampled(box, 3).element(2)[2] == 0.5);  // elements 0, 2, 4
  CHECK(mesh::sampled(box, 20).elements == 20);
}

TEST_CASE("mesh: Kershaw's map by hand")
{
  mesh::kershaw const map{0.3, 0.5};
  // layer 0: left(0.3, 1/4) = 1 - right(0.3, 3/4) = 1 - (1 - 0.3/4); right(0.3, 1/4) = 1.7/4
  CHECK(std::abs(map({0, 0.25, 0.25})[1] - (0.075)) < 1e-14);
  CHECK(std::abs(map({0, 0.25, 0.25})[2] - (0.125)) < 1e-14);
  CHECK(std::abs(map({0, 0.75, 0})[1] - (1 - 1.7 / 4)) < 1e-14);
  CHECK(std::abs(map({1, 0.25, 0})[1] - (0.425)) < 1e-14);
  CHECK(std::abs(map({0.25, 0.25, 0})[1] - ((0.075 + 0.425) / 2)) < 1e-14);      // layer 1, halfway
  CHECK(std::abs(map({2.5 / 6, 0.25, 0})[1] - (0.425 - 0.35 / 4)) < 1e-14);      // layer 2, a quarter from right
  CHECK(std::abs(map({3.5 / 6, 0.25, 0})[1] - (0.425 - 0.35 * 3 / 4)) < 1e-14);  // layer 3, three quarters
  CHECK(std::abs(map({4.5 / 6, 0.25, 0})[1] - (0.25)) < 1e-14);                  // layer 4, halfway
  CHECK(map({0.3, 0.25, 0})[0] == 0.3);
  for (double const x : {0.0, 0.1, 0.4, 0.55, 0.7, 0.9, 1.0})
    for (double const y : {0.0, 0.3, 0.5, 0.8, 1.0}) CHECK(std::abs(mesh::kershaw{1, 1}({x, y, y})[1] - (y)) < 1e-14);
}

TEST_CASE("mesh: Kershaw's elements are slanted, positive, and fill the cube")
{
  for (int smoothness = 0; smoothness <= 2; ++smoothness) {
    auto const points = reference::equispaced(2);
    auto const mesh = mesh::mapped(mesh::box({6, 2, 2}, points), mesh::kershaw{0.3, 0.3, smoothness});
    INFO("smoothness " << smoothness);
    CHECK(std::abs(volume(mesh, points) - 1) < 1e-15L);
  }
  auto const points = reference::gauss_lobatto(4);
  auto const mesh = mesh::mapped(mesh::box({12, 4, 4}, points), mesh::kershaw{0.3, 0.3, 1});
  CHECK(std::abs(volume(mesh, points) - 1) < 1e-14L);
}

TEST_CASE("mesh: curved and jittered elements are positive and fill the cube")
{
  for (int m = 3; m <= 5; ++m) {
    auto const points = reference::gauss_lobatto(m);
    CHECK(std::abs(volume(mesh::mapped(mesh::box({2, 2, 2}, points), mesh::smooth{}), points) - 1) < 1e-15L);
  }
  auto const two = reference::equispaced(2), five = reference::equispaced(5);
  CHECK(std::abs(volume(mesh::jittered({3, 3, 3}, 0.2), two) - 1) < 1e-15L);
  CHECK(std::abs(volume(mesh::jittered({3, 3, 3}, 0.2, five), five) - 1) < 1e-15L);
  // The same vertices whatever m is.
  auto const coarse = mesh::jittered({3, 3, 3}, 0.2), fine = mesh::jittered({3, 3, 3}, 0.2, five);
  CHECK(std::abs(coarse.element(13)[3 * 7] - (fine.element(13)[3 * 124])) < 1e-14);
}

TEST_CASE("mesh: an affine map scales the volume by its determinant")
{
  auto const mesh = mesh::mapped(mesh::box({2, 2, 2}), mesh::affine{{2, 3, 0.5}, 0.3, -0.2, 0.1, {5, 6, 7}});
  CHECK(std::abs(volume(mesh, reference::equispaced(2)) - 3) < 1e-14L);
}
