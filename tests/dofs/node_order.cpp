// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The numbers that nodes should have: a permutation that makes a block one run, whatever the numbers were before.
#include "moves.hpp"

#include <sumfac/dofs/node_order.hpp>

#include <algorithm>
#include <tuple>
#include <type_traits>
#include <utility>

namespace {

using namespace checks;

// A mesh under other numbers.
restricted_mesh renumbered(restricted_mesh mesh, std::vector<index_t> const& number)
{
  auto const marks = mesh.marks;
  auto const components = static_cast<std::size_t>(mesh.components);
  for (auto& node : mesh.numbers.table) node = number[static_cast<std::size_t>(node)];
  for (std::size_t i = 0; i < number.size(); ++i)
    for (std::size_t c = 0; c < components && !marks.empty(); ++c)
      mesh.marks[static_cast<std::size_t>(number[i]) * components + c] = marks[i * components + c];
  return mesh;
}

std::vector<index_t> order_of(restricted_mesh const& mesh, sumfac::restriction_options const& options)
{
  auto const table = mesh.numbers.table_of<std::int64_t>();
  auto const view = table_view(table, mesh.numbers.elements, mesh.numbers.nodes_1d);
  if (mesh.marks.empty()) return sumfac::node_order(view, mesh.numbers.nodes, options);
  sumfac::view<std::uint8_t const, sumfac::dextents<2>> const marks(mesh.marks.data(), mesh.numbers.nodes,
                                                                    mesh.components);
  return sumfac::node_order(view, mesh.numbers.nodes, marks, options);
}

bool is_permutation(std::vector<index_t> number)
{
  std::sort(number.begin(), number.end());
  for (std::size_t i = 0; i < number.size(); ++i)
    if (number[i] != static_cast<index_t>(i)) return false;
  return true;
}

}  // namespace

TEST_CASE("node order: two elements by hand")
{
  // Degree 1, side by side, numbered backwards.
  std::vector<std::int32_t> const table{11, 8, 10, 7, 5, 2, 4, 1, 8, 9, 7, 6, 2, 3, 1, 0};
  auto const view = sumfac::view<std::int32_t const, sumfac::dextents<4>>(table.data(), 2, 2, 2, 2);
  auto const one = sumfac::node_order(view, 12, {.blocks = 1});
  std::vector<index_t> met(12, -1);
  index_t next = 0;
  for (auto const node : table)
    if (met[static_cast<std::size_t>(node)] < 0) met[static_cast<std::size_t>(node)] = next++;
  CHECK(one == met);

  std::vector<char> marks(12);
  marks[10] = 1;
  sumfac::view<char const, sumfac::dextents<1>> const marked(marks.data(), 12);
  auto const last = sumfac::node_order(view, 12, marked, {.blocks = 1});
  CHECK(last[10] == 11);
  CHECK(last[11] == 0);
  CHECK(last[7] == one[7] - 1);
}

TEST_CASE("node order: a block is one run, and shared nodes follow one another behind all blocks")
{
  mesh::counts const box{9, 8, 7};
  for (auto const& numbers : {mesh::numbered(box, 3), mesh::numbered(box, 3, 7), mesh::by_entities(box, 3)})
    for (index_t const blocks : {1, 3, 0})
      for (bool const marked : {false, true}) {
        sumfac::restriction_options const options{.blocks = blocks};
        restricted_mesh mesh{numbers, 1, {}};
        if (marked) mesh.marks = random_marks(numbers.nodes, 1, 5, 3);
        auto const number = order_of(mesh, options);
        REQUIRE(is_permutation(number));
        auto const better = renumbered(mesh, number);
        auto const r = better.restriction<double, sumfac::host>(sumfac::host{}, options);
        auto const& tables = r.storage().tables();
        INFO(tables.blocks() << " blocks, " << tables.steps() << " steps");
        // The constrained ones of a step may lie apart from its others.
        CHECK(tables.runs.size() <= static_cast<std::size_t>((marked ? 2 : 1) * tables.steps()));
        for (index_t i = 0; i + 1 < tables.shared_count(); ++i) {
          auto const& shared = tables.shared[static_cast<std::size_t>(i)];
          CHECK(shared.node + 1 == tables.shared[static_cast<std::size_t>(i) + 1].node);
        }
        moves_exactly<1>(better, r);
        std::vector<index_t> same(number.size());
        std::iota(same.begin(), same.end(), index_t{0});
        CHECK((order_of(better, options) == same));
      }
}

namespace {

template <class Range>
std::vector<std::remove_cvref_t<decltype(*std::declval<Range const&>().begin())>> list_of(Range const& range)
{
  return {range.begin(), range.end()};
}

// All that a restriction's tables are but the numbers of its threads.
template <class Tables>
auto all_of(Tables const& t)
{
  std::vector<index_t> rest;
  for (auto const& run : t.runs) rest.push_back(run.first), rest.push_back(run.last);
  for (auto const& shared : t.shared) rest.push_back(shared.node), rest.push_back(shared.first_slot);
  return std::tuple(list_of(t.entries), list_of(t.place), list_of(t.kind), list_of(t.groups), list_of(t.block_group),
                    list_of(t.block_slot), list_of(t.slot_node), list_of(t.shared_slots), list_of(t.block_step),
                    list_of(t.step_group), list_of(t.step_run), rest);
}

}  // namespace

TEST_CASE("node order: the same numbers and the same tables by any number of threads")
{
  // More nodes than a thread looks at, at once.
  mesh::counts const box{12, 11, 13};
  for (auto const& numbers : {mesh::numbered(box, 3), mesh::numbered(box, 3, 7)})
    for (index_t const blocks : {1, 3, 40, 0})
      for (int const components : {1, 2}) {
        auto const lie = blocks == 3 ? sumfac::interleaving::slowest : sumfac::interleaving::fastest;
        sumfac::restriction_options const options{.components = components, .components_lie = lie, .blocks = blocks};
        restricted_mesh mesh{numbers, components, random_marks(numbers.nodes, components, 5, 3)};
        INFO(blocks << " blocks, " << components << " components");
        auto const alone = mesh.restriction<double, sumfac::host>(sumfac::host{1}, options);
        auto const number = sumfac::detail::order_nodes<8>(sumfac::host{1}, alone.table(), options);
        REQUIRE(is_permutation(number));
        for (int const threads : {2, 3, 5})
          for (int run = 0; run < 3; ++run) {
            sumfac::host const backend{threads};
            auto const r = mesh.restriction<double, sumfac::host>(backend, options);
            // In brackets: tables are long to print where they differ.
            CHECK((all_of(r.storage().tables()) == all_of(alone.storage().tables())));
            CHECK((r.constrained() == alone.constrained()));
            CHECK((sumfac::detail::order_nodes<8>(backend, r.table(), options) == number));
          }
      }
}

TEST_CASE("node order: of elements that have a node twice the first is named, by any number of threads")
{
  auto numbers = mesh::numbered({6, 5, 4}, 2);
  auto const nodes = static_cast<std::size_t>(27);
  for (std::size_t const e : {71u, 40u, 101u}) numbers.table[e * nodes + 20] = numbers.table[e * nodes + 5];
  numbers.table[40 * nodes + 9] = numbers.table[40 * nodes + 8];
  restricted_mesh const mesh{numbers, 1, {}};
  for (int const threads : {1, 2, 3, 5}) {
    auto const r = mesh.restriction<double, sumfac::host>(sumfac::host{threads}, {});
    CHECK(r.repeated_node().element == 40);
    CHECK(r.repeated_node().node == numbers.table[40 * nodes + 8]);
  }
}

TEST_CASE("node order: bad tables are refused as by a restriction")
{
  std::vector<std::int32_t> const table{0, 1, 2, 3, 4, 5, 6, 8};
  auto const view = sumfac::view<std::int32_t const, sumfac::dextents<4>>(table.data(), 1, 2, 2, 2);
  CHECK_THROWS_AS(sumfac::node_order(view, 8), sumfac::argument_error);
  CHECK_THROWS_AS(sumfac::node_order(view, 9, {.every_node = true}), sumfac::argument_error);
  CHECK(sumfac::node_order(view, 9) == std::vector<index_t>{0, 1, 2, 3, 4, 5, 6, 8, 7});
}
