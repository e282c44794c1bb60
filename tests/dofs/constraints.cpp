// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Equations between unknowns: what a restriction reads, adds and distributes with them, by hand, and what it refuses.
#include "global_vectors.hpp"

#include <array>
#include <utility>

namespace {

using checks::global_view, checks::index_t, checks::refused;
using sumfac::constraints, sumfac::host, sumfac::interleaving, sumfac::scatter;

// Lines of two nodes, each with nodes of its own: 0 1 | 2 3 | ...
struct lines {
  int elements;
  std::vector<int> numbers;

  explicit lines(int count) : elements(count)
  {
    for (int i = 0; i < 2 * count; ++i) numbers.push_back(i);
  }
  auto table() const { return sumfac::view<int const, sumfac::dextents<2>>(numbers.data(), elements, 2); }
};

// The second line's nodes hang on the first one's, over a chain; 20 lines are several groups.
constraints chain()
{
  constraints c;
  c.add(3, {{2, 0.5}, {0, 0.25}}, 1);
  c.add(2, {{1, 1}}, 0.5);
  return c;
}

}  // namespace

TEST_CASE("constraints: a chain is read, added to and distributed as the sum it stands for")
{
  for (int const elements : {2, 20})
    for (index_t const blocks : {1, 2, 3})
      for (auto const policy : {scatter::deterministic, scatter::atomic}) {
        lines const l(elements);
        auto const size = std::size_t(2 * elements);
        sumfac::restriction const R{host{2}, l.table(), 2 * elements, chain(), {.policy = policy, .blocks = blocks}};
        std::vector<double> x(size, 7), u(size, -1), v(size, 3), y(size, 99);
        x[0] = 1, x[1] = 2, x[2] = 100, x[3] = 200;
        sumfac::view<double, sumfac::dextents<2>> const U(u.data(), elements, 2), V(v.data(), elements, 2);
        R.gather(global_view(std::as_const(x)), U);
        CHECK(std::vector<double>(u.begin(), u.begin() + 4) == std::vector<double>{1, 2, 2, 1.25});
        v[0] = 1, v[1] = 10, v[2] = 100, v[3] = 1000;
        R.scatter(V, global_view(y));
        CHECK(std::vector<double>(y.begin(), y.begin() + 4) == std::vector<double>{251, 610, 0, 0});
        y[2] = y[3] = 5;
        R.scatter_add(V, global_view(y));
        CHECK(std::vector<double>(y.begin(), y.begin() + 4) == std::vector<double>{502, 1220, 5, 5});
        R.distribute(global_view(x));
        CHECK(std::vector<double>(x.begin(), x.begin() + 4) == std::vector<double>{1, 2, 2.5, 2.5});
        for (std::size_t i = 4; i < size; ++i) CHECK((x[i] == 7 && u[i] == 7 && y[i] == 6));
        // A subset that has the sums alone adds to terms that are in none of its elements.
        auto const part = R.subset(1, 2);
        part.scatter(V, global_view(y));
        CHECK(std::vector<double>(y.begin(), y.begin() + 4) == std::vector<double>{250, 600, 0, 0});
      }
}

TEST_CASE("constraints: between components, with marks, in both interleavings")
{
  lines const l(2);
  std::vector<unsigned char> marked{0, 0, 1, 0, 0, 0, 0, 0};  // component 0 of node 1
  sumfac::view<unsigned char const, sumfac::dextents<2>> const marks(marked.data(), 4, 2);
  constraints c;
  c.add(2, {{1, 1}});                         // both components
  c.add_normal(3, std::array{3.0, -4.0}, 2);  // 3 u0 - 4 u1 = 2
  for (auto const lie : {interleaving::fastest, interleaving::slowest})
    for (auto const policy : {scatter::deterministic, scatter::atomic}) {
      sumfac::restriction_options const options{.components = 2, .components_lie = lie, .policy = policy};
      sumfac::restriction const R{host{}, l.table(), 4, marks, c, options};
      auto const at = [&](int node, int k) { return std::size_t(R.entry_of(node, k)); };
      std::vector<double> x(8), u(8), v{1, 2, 3, 4, 5, 6, 7, 8}, y(8, 99);  // u, v: (2, C, 2)
      for (int node = 0; node < 4; ++node) x[at(node, 0)] = 10 * node + 1, x[at(node, 1)] = 10 * node + 2;
      R.gather(global_view(std::as_const(x)), sumfac::view<double, sumfac::dextents<3>>(u.data(), 2, 2, 2));
      // Node 1's component 0 is marked: 0, and so is what node 2 has of it. Component 1 of node 3 is 0.75 of its other.
      CHECK(u == std::vector<double>{1, 0, 2, 12, 0, 31, 12, 23.25});
      R.scatter(sumfac::view<double, sumfac::dextents<3>>(v.data(), 2, 2, 2), global_view(y));
      std::vector<double> by_node;
      for (int node = 0; node < 4; ++node) by_node.push_back(y[at(node, 0)]), by_node.push_back(y[at(node, 1)]);
      CHECK(by_node == std::vector<double>{1, 3, 0, 4 + 7, 0, 0, 6 + 0.75 * 8, 0});
      R.distribute(global_view(x));
      CHECK((x[at(2, 0)] == 11 && x[at(2, 1)] == 12 && x[at(3, 0)] == 31 && x[at(3, 1)] == 0.75 * 31 - 0.5));
    }
}

TEST_CASE("constraints: what cannot be is refused with the row")
{
  lines const l(3);
  auto const build = [&](constraints const& c) { sumfac::restriction<double>(host{}, l.table(), 6, c); };
  constraints c;
  c.add(1, {{2, 1}}), c.add(2, {{3, 0.5}, {4, 0.5}}), c.add(3, {{1, 1}}), c.add(0, {{1, 1}});
  refused([&] { build(c); }, {"constraints: the row of node", "leads back to itself", "over 3 rows"});
  c = {};
  c.add(5, {{5, 0.5}, {4, 0.5}});
  refused([&] { build(c); }, {"node 5", "leads back to itself", "over 1 rows"});
  c = {};
  c.add(1, {{2, 1}}), c.add(1, {{2, 1}}), build(c);  // said twice
  c.add(1, {{2, 1}}, 3);
  refused([&] { build(c); }, {"node 1, component 0", "two rows that differ", "1 terms and 0", "1 terms and 3"});
  c = {};
  c.add(6, {{2, 1}});
  refused([&] { build(c); }, {"the row of node 6", "out of range", "6 nodes of 1 components"});
  c = {};
  c.add(1, {{2, 1, 1}});
  refused([&] { build(c); }, {"a term of the row of node 1", "component 1", "6 nodes of 1 components"});
  refused([&] { c.add(-1, {{2, 1}}); }, {"negative node", "got -1"});
  refused([&] { c.add(1, {{2, std::numeric_limits<double>::infinity()}}); }, {"weight", "node 2", "inf"});
  refused([&] { c.add(1, {}, std::numeric_limits<double>::quiet_NaN()); }, {"value", "node 1", "nan"});
  refused([&] { c.add_normal(4, std::array{0.0, 0.0}); }, {"normal at node 4 is 0", "2 components"});
  // A mark says 0, and a row with free terms something else.
  std::vector<int> const marked{0, 1, 0, 0, 0, 0};
  sumfac::view const marks(marked.data(), 6);
  c = {};
  c.add(1, {{2, 1}, {3, 1}});
  refused([&] { sumfac::restriction<double>(host{}, l.table(), 6, marks, c); },
          {"node 1, component 0, is marked", "2 of 2", "node 2"});
  // A mean value.
  lines const many(2500);
  std::vector<sumfac::constraint_term> all;
  for (int i = 1; i < 5000; ++i) all.push_back({i, -1});
  c = {};
  c.add(0, all);
  refused([&] { sumfac::restriction<double>(host{}, many.table(), 5000, c); },
          {"node 0", "too many terms", "4999", "4096", "null_space"});
}
