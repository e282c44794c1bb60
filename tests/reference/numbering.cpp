// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The oracle's global node numbers: by hand on two elements, and by the places of the nodes on more.
#include <support/numbering.hpp>
#include <support/reference.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <map>

namespace {

using indices = std::vector<std::int64_t>;

// Nodes that lie in one place have one number and others another: the places come from the mesh, not from the table.
void lies_where_its_numbers_say(mesh::counts counts, mesh::numbering const& numbers)
{
  int const degree = numbers.nodes_1d - 1;
  auto const where = reference::gauss_lobatto(degree + 1), corners = reference::equispaced(2);
  auto const box = mesh::box(counts);
  REQUIRE(numbers.table.size() == static_cast<std::size_t>(numbers.elements * numbers.element_size()));
  std::map<std::array<long long, 3>, std::int64_t> known;
  indices surface;
  for (int e = 0; e < numbers.elements; ++e) {
    auto const x = reference::element<>::positions(where, corners, box.element(e));
    for (std::size_t i = 0; i < x.size(); ++i) {
      std::array<long long, 3> place;
      for (std::size_t r = 0; r < 3; ++r) place[r] = std::llround(x[i][r] * 1e12L);
      auto const node = numbers.element(e)[i];
      CHECK(known.try_emplace(place, node).first->second == node);
      if (std::any_of(place.begin(), place.end(), [](long long p) { return p == 0 || p == 1'000'000'000'000; }))
        surface.push_back(node);
    }
  }
  indices all;
  for (auto const& [place, node] : known) all.push_back(node);
  std::sort(all.begin(), all.end());
  CHECK(static_cast<std::int64_t>(all.size()) == numbers.nodes);
  for (std::size_t i = 0; i < all.size(); ++i) CHECK(all[i] == static_cast<std::int64_t>(i));
  std::sort(surface.begin(), surface.end());
  surface.erase(std::unique(surface.begin(), surface.end()), surface.end());
  CHECK(surface == numbers.boundary);
}

}  // namespace

TEST_CASE("numbering: two elements of degree 1 and one of degree 2, by hand")
{
  auto const two = mesh::numbered({2, 1, 1}, 1);
  CHECK(two.nodes == 12);
  CHECK(two.table == indices{0, 1, 3, 4, 6, 7, 9, 10, 1, 2, 4, 5, 7, 8, 10, 11});
  CHECK(two.boundary.size() == 12);
  CHECK(two.multiplicity() == std::vector<int>{1, 2, 1, 1, 2, 1, 1, 2, 1, 1, 2, 1});

  auto const one = mesh::numbered({1, 1, 1}, 2);
  CHECK(one.nodes == 27);
  CHECK(one.boundary.size() == 26);
  CHECK(std::count(one.boundary.begin(), one.boundary.end(), 13) == 0);  // the middle
  for (int i = 0; i < 27; ++i) CHECK(one.table[static_cast<std::size_t>(i)] == i);
}

TEST_CASE("numbering: eight elements meet in the middle")
{
  auto const numbers = mesh::numbered({2, 2, 2}, 3);
  CHECK(numbers.nodes == 343);
  auto const count = numbers.multiplicity();
  CHECK(count[(3 * 7 + 3) * 7 + 3] == 8);  // z, y, x = 3, 3, 3
  CHECK(count[(0 * 7 + 3) * 7 + 3] == 4);
  CHECK(count[(3 * 7 + 3) * 7 + 1] == 4);
  CHECK(count[(3 * 7 + 1) * 7 + 2] == 2);
  CHECK(count[(1 * 7 + 1) * 7 + 5] == 1);
}

TEST_CASE("numbering: around a period the last layer meets the first, and an element may meet itself")
{
  auto const ring = mesh::numbered({2, 1, 1}, 1, 0, {.x = true});
  CHECK(ring.nodes == 8);
  CHECK(ring.table == indices{0, 1, 2, 3, 4, 5, 6, 7, 1, 0, 3, 2, 5, 4, 7, 6});
  CHECK(ring.boundary.size() == 8);
  auto const torus = mesh::numbered({1, 1, 1}, 2, 0, {true, true, true});
  CHECK(torus.nodes == 8);
  CHECK(torus.boundary.empty());
  CHECK(torus.multiplicity() == std::vector<int>{8, 4, 4, 2, 4, 2, 2, 1});
}

TEST_CASE("numbering: one number for each place, in order or shuffled")
{
  for (int degree : {1, 2, 3, 5})
    for (mesh::counts const counts : {mesh::counts{3, 2, 2}, mesh::counts{1, 2, 3}}) {
      for (std::uint64_t seed : {0u, 1u}) lies_where_its_numbers_say(counts, mesh::numbered(counts, degree, seed));
      lies_where_its_numbers_say(counts, mesh::by_entities(counts, degree));
    }
  auto const plain = mesh::numbered({3, 2, 2}, 2), random = mesh::numbered({3, 2, 2}, 2, 7);
  CHECK(plain.table != random.table);
  CHECK(random.table != mesh::numbered({3, 2, 2}, 2, 8).table);
  CHECK(random.table == mesh::numbered({3, 2, 2}, 2, 7).table);
}

TEST_CASE("numbering: vertices, edges, faces, cells, by hand on one element of degree 2 and along an edge")
{
  auto const one = mesh::by_entities({1, 1, 1}, 2);
  CHECK(one.table ==
        indices{0, 8, 1, 9, 20, 10, 2, 11, 3, 12, 21, 13, 22, 26, 23, 14, 24, 15, 4, 16, 5, 17, 25, 18, 6, 19, 7});
  // The inside of a row follows number after number, up in one cell and down in the next.
  auto const two = mesh::by_entities({2, 1, 1}, 4);
  for (int e : {0, 1})
    for (int i : {1, 2}) CHECK(two.element(e)[i + 1] - two.element(e)[i] == (e == 0 ? 1 : -1));
}

TEST_CASE("numbering: some of the elements keep their nodes' numbers")
{
  auto const all = mesh::numbered({3, 1, 1}, 1, 3), some = mesh::selected(all, {2, 0});
  CHECK(some.elements == 2);
  CHECK(some.nodes == all.nodes);
  CHECK(std::equal(some.element(0), some.element(0) + 8, all.element(2)));
  CHECK(std::equal(some.element(1), some.element(1) + 8, all.element(0)));
  CHECK(some.table_of<std::int32_t>()[3] == all.element(2)[3]);
}
