// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Elements of a known shape are what they say, and the defects of others are those by hand.
#include <support/shapes.hpp>

#include <catch2/catch.hpp>

TEST_CASE("shapes: vertices by their bits")
{
  auto const box = mesh::box({1, 1, 1}, reference::equispaced(3));
  for (int corner = 0; corner < 8; ++corner)
    for (int r = 0; r < 3; ++r) CHECK(mesh::vertex(box, 0, corner)[r] == (corner >> r & 1));
}

TEST_CASE("shapes: parallelepipeds are affine, each of its own kind, and not boxes")
{
  for (int m : {2, 3, 5})
    for (auto const& where : {reference::equispaced(m), reference::gauss_lobatto(m)}) {
      auto const mesh = mesh::parallelepipeds(4, where, 7);
      CHECK(mesh.elements == 4);
      for (int e = 0; e < 4; ++e) {
        CHECK(mesh::defect(mesh, e, where, mesh::shape::affine) < 1e-15);
        CHECK(mesh::defect(mesh, e, where, mesh::shape::trilinear) < 1e-15);
        auto const edge = [&](int element, int r) {
          return mesh::vertex(mesh, element, 1)[r] - mesh::vertex(mesh, element, 0)[r];
        };
        CHECK(edge(e, 0) > 1);  // twice 1 - 0.3, at least
        CHECK(edge(e, 1) != 0);
        CHECK(edge(e, 0) != edge((e + 1) % 4, 0));
      }
    }
}

TEST_CASE("shapes: jittered elements are trilinear and far from affine")
{
  auto const where = reference::gauss_lobatto(4);
  auto const mesh = mesh::jittered({3, 3, 3}, 0.2, where);
  for (int e = 0; e < mesh.elements; ++e) {
    CHECK(mesh::defect(mesh, e, where, mesh::shape::trilinear) < 1e-15);
    CHECK(mesh::defect(mesh, e, where, mesh::shape::affine) > 1e-3);
  }
}

TEST_CASE("shapes: defects by hand")
{
  auto const where = reference::equispaced(3);
  auto const box = mesh::box({2, 1, 1}, where);
  // A node in the middle of an edge, moved by (0.03, 0, 0.04): 0.05 of a box of diagonal sqrt(0.25 + 1 + 1) = 1.5.
  auto bent = box;
  double* const node = bent.coordinates.data() + bent.element_size() + 3 * 1;
  node[0] += 0.03, node[2] += 0.04;
  for (auto const shape : {mesh::shape::affine, mesh::shape::trilinear}) {
    CHECK(mesh::defect(bent, 0, where, shape) == 0);
    CHECK(mesh::defect(bent, 1, where, shape) == Approx(0.05 / 1.5).epsilon(1e-12));
  }
  // A vertex moved by 0.8 along x out of a unit cube: its own place on the affine map moves by half of that, 0.4; the
  // map in the opposite vertex by a quarter, 0.2, the other way. The box grows to 1.8 along x.
  auto const corners = reference::equispaced(2);
  auto cube = mesh::box({1, 1, 1});
  cube.coordinates[3 * 7] += 0.8;
  CHECK(mesh::defect(cube, 0, corners, mesh::shape::trilinear) == 0);
  CHECK(mesh::defect(cube, 0, corners, mesh::shape::affine) == Approx(0.4 / std::sqrt(5.24)).epsilon(1e-12));
}
