// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Tests of mesh/mesh_nodes.hpp: the node sets of curved elements at every m.
#include <sumfac/mesh/classify.hpp>
#include <sumfac/mesh/element_geometry.hpp>
#include <sumfac/mesh/locator.hpp>
#include <sumfac/mesh/mesh_nodes.hpp>

#include <catch2/catch.hpp>
#include <support/mesh.hpp>
#include <support/rules.hpp>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

TEST_CASE("mesh nodes agree with the oracle's for every m", "[geometry][mesh_nodes]")
{
  for (int m = 2; m <= sumfac::detail::max_mesh_nodes_1d; ++m) {
    auto const size = static_cast<std::size_t>(m);
    std::vector<long double> lobatto(size), equal(size);
    sumfac::gauss_lobatto_nodes{}(m, lobatto.data());
    sumfac::equispaced_nodes{}(m, equal.data());
    auto const expected_lobatto = reference::gauss_lobatto(m).nodes, expected_equal = reference::equispaced(m).nodes;
    for (std::size_t i = 0; i < size; ++i) {
      CAPTURE(m, i);
      CHECK(std::fabs(lobatto[i] - expected_lobatto[i]) < 8 * std::numeric_limits<long double>::epsilon());
      CHECK(std::fabs(equal[i] - expected_equal[i]) < 2 * std::numeric_limits<long double>::epsilon());
    }
  }
}

TEST_CASE("both sets are the same up to three nodes", "[geometry][mesh_nodes]")
{
  for (int m = 2; m <= 3; ++m) {
    long double lobatto[3], equal[3];
    sumfac::gauss_lobatto_nodes{}(m, lobatto);
    sumfac::equispaced_nodes{}(m, equal);
    for (int i = 0; i < m; ++i) CHECK(lobatto[i] == equal[i]);
  }
}

TEST_CASE("from four nodes on a set is said, or comes with the view", "[geometry][mesh_nodes]")
{
  auto const near_box = [](int m) {
    return mesh::mapped(mesh::box({1, 1, 1}, reference::equispaced(m)), mesh::affine{{1, 2, 3}, 0.1, 0.2, 0.3});
  };
  using view = sumfac::view<double const, sumfac::dextents<5>>;
  using geometry = sumfac::element_geometry<sumfac::gauss<2>, view>;
  for (int m = 2; m <= 16; ++m) {
    auto const mesh = near_box(m);
    view const nodes(mesh.data(), 1, m, m, m, 3);
    sumfac::mesh_view const placed(nodes, sumfac::equispaced_nodes{});
    long double places[16];
    CHECK(sumfac::classify(placed)[0] == sumfac::geometry_class::affine);
    CHECK(sumfac::classify(nodes, sumfac::equispaced_nodes{})[0] == sumfac::geometry_class::affine);
    CHECK(placed.extent(1) == m);
    if (m <= 3) {
      CHECK(sumfac::classify(nodes)[0] == sumfac::geometry_class::affine);
      sumfac::unsaid_nodes{}(m, places);
      continue;
    }
    std::string const said = "it is not said where the " + std::to_string(m) + " mesh nodes of an edge lie (up to 3 ";
    CHECK_THROWS_WITH(sumfac::classify(nodes), Catch::StartsWith("sumfac::classify: " + said));
    CHECK_THROWS_WITH(geometry(nodes), Catch::StartsWith("sumfac::element_geometry: " + said));
    CHECK_THROWS_WITH(sumfac::locator(sumfac::host{}, nodes), Catch::StartsWith("sumfac::locator: " + said));
    CHECK_THROWS_AS(sumfac::unsaid_nodes{}(m, places), sumfac::argument_error);
    double const centre[3] = {mesh.coordinates[0] + 0.1, mesh.coordinates[1] + 0.2, mesh.coordinates[2] + 0.1};
    CHECK(sumfac::locator(sumfac::host{}, placed).locate(sumfac::view(centre, 1, 3)).all_found());
  }
}

TEST_CASE("a lambda is a node set, a number is none", "[geometry][mesh_nodes]")
{
  auto const mine = [](int, long double*) {};
  STATIC_REQUIRE(sumfac::mesh_node_set<decltype(mine)>);
  STATIC_REQUIRE(sumfac::mesh_node_set<sumfac::equispaced_nodes>);
  STATIC_REQUIRE_FALSE(sumfac::mesh_node_set<int>);
}
