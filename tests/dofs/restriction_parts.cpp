// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What one part of a mesh may be without: elements, nodes, elements of a node, entries that are free.
#include "moves.hpp"

#include <sumfac/backend/checked.hpp>
#include <sumfac/dofs/node_order.hpp>

#include <support/parts.hpp>

namespace {

using namespace checks;

restricted_mesh without_elements(int nodes, int components) { return {{0, 3, nodes, {}, {}}, components}; }

// Every restriction of the mesh on one backend, and its empty subsets.
template <int Components, class Backend>
void moves_in_every_way(restricted_mesh const& mesh, Backend const& backend)
{
  std::vector<int> const none;
  for (auto const way : {interleaving::fastest, interleaving::slowest})
    for (auto const policy : {scatter::deterministic, scatter::atomic})
      for (index_t const blocks : {0, 1, 3}) {
        INFO(mesh.numbers.elements << " elements, " << mesh.numbers.nodes << " nodes, " << blocks << " blocks");
        auto const r =
            mesh.restriction<double, Backend>(backend, {.components_lie = way, .policy = policy, .blocks = blocks});
        CHECK(r.elements() == mesh.numbers.elements);
        CHECK(r.nodes() == mesh.numbers.nodes);
        moves_exactly<Components>(mesh, r);
        index_t const e = mesh.numbers.elements;
        for (auto const& subset :
             {r.subset(0, 0), r.subset(e, e), r.subset(sumfac::view<int const, sumfac::dextents<1>>(none.data(), 0))}) {
          auto v = nans<double>(mesh.local_size());
          auto const u = sumfac::view(v.data(), e, Components, 3, 3, 3);
          auto const y = integers<double>(mesh.size(), 5);
          auto sum = y, written = nans<double>(mesh.size());
          subset.scatter_add(u, global_view(sum));
          subset.scatter(u, global_view(written));
          CHECK(sum == y);
          CHECK(written == std::vector<double>(mesh.size()));
          std::fill(v.begin(), v.end(), 7);
          subset.gather(global_view(y), u);
          CHECK(v == std::vector<double>(v.size(), 7));
        }
      }
}

template <int Components>
void moves_on_every_backend(restricted_mesh mesh)
{
  mesh.components = Components;
  for (int const marked : {0, 1, 2}) {
    auto const entries = mesh.size();
    mesh.marks.clear();
    if (marked == 1 && entries > 0) mesh.marks = random_marks(mesh.numbers.nodes, Components, 4, 8);
    if (marked == 2) mesh.marks.assign(entries, 1);
    INFO("marks " << marked);
    moves_in_every_way<Components>(mesh, sumfac::host{1});
    moves_in_every_way<Components>(mesh, sumfac::host{2});
    moves_in_every_way<Components>(mesh, sumfac::checked{});
  }
}

}  // namespace

TEST_CASE("parts: nothing of one, and nothing of both")
{
  moves_on_every_backend<2>(without_elements(0, 2));
  moves_on_every_backend<2>(without_elements(5, 2));
}

TEST_CASE("parts: nodes of no element, some, all or none of them free")
{
  moves_on_every_backend<2>({mesh::with_unused(mesh::numbered({2, 1, 1}, 2), 11, 3)});
  for (auto const& part : mesh::cut(mesh::by_entities({3, 2, 1}, 2), 2, 4)) moves_on_every_backend<2>({part.numbers});
}

TEST_CASE("parts: sums of parts in numbers of their own are the whole's")
{
  auto const all = mesh::by_entities({3, 3, 2}, 2);
  restricted_mesh const whole{all, 2, random_marks(all.nodes, 2, 5, 6)};
  auto const x = integers<double>(whole.size(), 1);
  auto const v = integers<double>(whole.local_size(), 2);
  for (auto const way : {interleaving::fastest, interleaving::slowest})
    for (int const count : {2, 3, 4}) {
      std::vector<double> y(whole.size());
      for (auto const& part : mesh::cut(all, count, 4)) {
        restricted_mesh mine{part.numbers, 2};
        mine.marks.resize(mine.size());
        std::vector<double> own_x(mine.size()), own_y = nans<double>(mine.size());
        auto const each_entry = [&](auto const& f) {
          for (std::size_t i = 0; i < part.nodes_of_mesh.size(); ++i)
            for (int c = 0; c < 2; ++c)
              f(mine.entry(way, static_cast<std::int64_t>(i), c), whole.entry(way, part.nodes_of_mesh[i], c),
                2 * i + static_cast<std::size_t>(c), static_cast<std::size_t>(2 * part.nodes_of_mesh[i] + c));
        };
        each_entry([&](std::size_t own, std::size_t theirs, std::size_t mark, std::size_t its) {
          own_x[own] = x[theirs];
          mine.marks[mark] = whole.marks[its];
        });
        auto const r = mine.restriction<double, sumfac::host>(sumfac::host{2}, {.components_lie = way, .blocks = 2});
        std::vector<double> u(mine.local_size()), of_whole, expected;
        auto const all_u = whole.gathered(x, way);
        for (int const e : part.elements) {
          auto const first = static_cast<std::ptrdiff_t>(whole.element_size()) * e;
          auto const last = first + static_cast<std::ptrdiff_t>(whole.element_size());
          of_whole.insert(of_whole.end(), v.begin() + first, v.begin() + last);
          expected.insert(expected.end(), all_u.begin() + first, all_u.begin() + last);
        }
        auto const at = [&](double* data) { return sumfac::view(data, mine.numbers.elements, 2, 3, 3, 3); };
        r.gather(global_view(std::as_const(own_x)), at(u.data()));
        CHECK(u == expected);
        r.scatter(at(of_whole.data()), global_view(own_y));
        each_entry([&](std::size_t own, std::size_t theirs, std::size_t, std::size_t) { y[theirs] += own_y[own]; });
      }
      CHECK(y == whole.scattered(v, way));
    }
}

TEST_CASE("parts: the order of nodes ends with those that no element has, those that are free first")
{
  auto const numbers = mesh::with_unused(mesh::numbered({3, 2, 2}, 2), 20, 5);
  auto const used = numbers.multiplicity();
  restricted_mesh mesh{numbers, 1, random_marks(numbers.nodes, 1, 3, 2)};
  auto const view = table_view(numbers.table, numbers.elements, 3);
  sumfac::view<std::uint8_t const, sumfac::dextents<1>> const marks(mesh.marks.data(), numbers.nodes);
  for (index_t const blocks : {1, 3}) {
    auto const number = sumfac::node_order(view, numbers.nodes, marks, {.blocks = blocks});
    REQUIRE(static_cast<std::int64_t>(number.size()) == numbers.nodes);
    std::vector<std::int64_t> at(number.size(), -1);
    for (std::size_t node = 0; node < number.size(); ++node)
      at[static_cast<std::size_t>(number[node])] = static_cast<std::int64_t>(node);
    for (std::size_t i = 0; i < at.size(); ++i) {
      REQUIRE(at[i] >= 0);
      CHECK((used[static_cast<std::size_t>(at[i])] == 0) == (i + 20 >= at.size()));
      if (i + 20 >= at.size() && i + 1 < at.size()) CHECK(mesh.constrained(at[i], 0) <= mesh.constrained(at[i + 1], 0));
    }
  }
  std::vector<int> const none;
  sumfac::view<int const, sumfac::dextents<4>> const nothing(none.data(), 0, 3, 3, 3);
  CHECK(sumfac::node_order(nothing, 0).empty());
  CHECK(sumfac::node_order(nothing, 3) == std::vector<index_t>{0, 1, 2});
  sumfac::view<std::uint8_t const, sumfac::dextents<1>> const no_marks(nullptr, 0);
  CHECK(sumfac::node_order(nothing, 0, no_marks).empty());
}
