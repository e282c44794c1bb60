// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The numbers that nodes should have: a permutation that makes a block one run, whatever the numbers were before.
#include "moves.hpp"

#include <sumfac/geometry/node_order.hpp>

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
        CHECK(order_of(better, options) == same);
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
