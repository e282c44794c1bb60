// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Tests of geometry/mesh_nodes.hpp: the node sets of curved elements at every m.
#include <sumfac/geometry/mesh_nodes.hpp>

#include <catch2/catch.hpp>
#include <support/rules.hpp>

#include <cmath>
#include <limits>
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

TEST_CASE("a lambda is a node set, a number is none", "[geometry][mesh_nodes]")
{
  auto const mine = [](int, long double*) {};
  STATIC_REQUIRE(sumfac::mesh_node_set<decltype(mine)>);
  STATIC_REQUIRE(sumfac::mesh_node_set<sumfac::equispaced_nodes>);
  STATIC_REQUIRE_FALSE(sumfac::mesh_node_set<int>);
}
