// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What a caller may pass wrongly to restrictions and to operators on global vectors: named, with both numbers.
#include "global_vectors.hpp"

#include <sumfac/dofs/node_order.hpp>
#include <sumfac/operator/bake_off.hpp>
#include <sumfac/operator/global_operator.hpp>
#include <sumfac/solver/cg.hpp>

#include <utility>

namespace {

using namespace checks;
using sumfac::host;

// Two elements of degree 2 side by side: 45 nodes.
struct fixture {
  mesh::numbering numbers = mesh::numbered({2, 1, 1}, 2);
  std::vector<std::int64_t> table = numbers.table;

  template <class Index>
  static void build(std::vector<Index> const& entries, index_t nodes, sumfac::restriction_options const& options = {})
  {
    sumfac::restriction<double, host>(host{2}, table_view(entries, 2, 3), nodes, options);
  }
};

// As another integer, with one entry changed.
template <class Index>
std::vector<Index> with(std::vector<std::int64_t> const& table, std::size_t at, Index value)
{
  std::vector<Index> result(table.begin(), table.end());
  result[at] = value;
  return result;
}

}  // namespace

TEST_CASE_METHOD(fixture, "restriction: node numbers out of range are refused with element, node and both numbers")
{
  // Entry 27 e + 9 k + 3 j + i.
  refused([&] { build(with<std::int32_t>(table, 0, -1), 45); }, {"element 0", "(0, 0, 0)", "got -1", "0 to 44"});
  refused([&] { build(with<std::int64_t>(table, 27 + 9 + 6 + 2, 45), 45); },
          {"element 1", "(1, 2, 2)", "got 45", "0 to 44"});
  refused([&] { build(with<std::uint32_t>(table, 53, 4294967295u), 45); },
          {"element 1", "(2, 2, 2)", "got 4294967295"});
  // Valid in its low 32 bits.
  refused([&] { build(with<std::int64_t>(table, 5, (std::int64_t{1} << 32) + 3), 45); },
          {"element 0", "(0, 1, 2)", "got 4294967299"});
  refused([&] { build(with<std::int64_t>(table, 5, -(std::int64_t{1} << 32) + 3), 45); }, {"got -4294967293"});
  refused([&] { build(with<std::uint64_t>(table, 5, ~std::uint64_t{0}), 45); }, {"element 0", "(0, 1, 2)"});
  // The first of several, for any number of threads.
  auto two = with<std::int64_t>(table, 40, 99);
  two[20] = 98;
  for (int repeat = 0; repeat < 10; ++repeat) refused([&] { build(two, 45); }, {"element 0", "(2, 0, 2)", "got 98"});
  build(table, 45);
}

TEST_CASE_METHOD(fixture, "restriction: nodes that no element has are refused where that is asked for")
{
  sumfac::restriction_options const all{.every_node = true};
  refused([&] { build(table, 46, all); }, {"node 45", "0 of 54"});
  auto gap = table;
  std::replace(gap.begin(), gap.end(), std::int64_t{7}, std::int64_t{6});
  refused([&] { build(gap, 45, all); }, {"node 7", "0 of 54"});
  std::vector<std::int64_t> const none;
  refused([&] { sumfac::restriction<double, host>(host{}, table_view(none, 0, 3), 4, all); }, {"4 nodes", "0 entries"});
  refused([&] { build(table, 55, all); }, {"55 nodes", "54 entries"});
  // Refused before as much memory is asked for.
  refused([&] { build(table, (index_t{1} << 30) - 1, all); }, {"1073741823 nodes", "54 entries"});
  build(table, 45, all);
  build(gap, 45);
  build(table, 55);
  // A number that is out of range is said first, and a node of an element there always must be.
  refused([&] { build(with<std::int32_t>(table, 0, -1), 46, all); }, {"element 0", "got -1", "0 to 45"});
  refused([&] { build(table, 0); }, {"number of nodes is 0", "54 entries"});
}

TEST_CASE_METHOD(fixture, "restriction: tables of the wrong shape are refused")
{
  auto const build_view = [&](index_t e, index_t k, index_t j, index_t i) {
    sumfac::restriction<double, host>(
        host{}, sumfac::view<std::int64_t const, sumfac::dextents<4>>(table.data(), e, k, j, i), 45);
  };
  refused([&] { build_view(2, 3, 2, 3); }, {"extent 2", "expected 3", "got 2"});
  refused([&] { build_view(2, 3, 3, 4); }, {"extent 3", "expected 3", "got 4"});
  refused([&] { build_view(2, 1, 1, 1); }, {"extent 1", "got 1", "2 to 32"});
  refused([&] { build_view(1, 33, 33, 33); }, {"extent 1", "got 33", "2 to 32"});
  refused(
      [&] {
        sumfac::restriction<double, host>(
            host{}, sumfac::view<std::int64_t const, sumfac::dextents<4>>(nullptr, 2, 3, 3, 3), 45);
      },
      {"null", "54"});
  refused([&] { build_view(index_t{1} << 62, 3, 3, 3); }, {"extent 0", "got 4611686018427387904"});
}

TEST_CASE_METHOD(fixture, "restriction: numbers of components and nodes below the least are refused")
{
  refused([&] { build(table, 45, {.components = 0}); }, {"components", "got 0"});
  refused([&] { build(table, 45, {.components = -3}); }, {"components", "got -3"});
  refused([&] { build(table, -1); }, {"nodes", "got -1"});
  refused([&] { build(table, 45, {.blocks = -2}); }, {"blocks", "got -2", "at least 0"});
  refused([&] { static_cast<void>(sumfac::node_order(table_view(table, 2, 3), 45, {.blocks = -2})); },
          {"blocks", "got -2", "at least 0"});
}

TEST_CASE_METHOD(fixture, "restriction: marks of the wrong shape are refused")
{
  std::vector<std::uint8_t> const ones(200, 1);
  auto const by_node = [&](index_t nodes, int components) {
    sumfac::restriction<double, host>(host{}, table_view(table, 2, 3), 45,
                                      sumfac::view<std::uint8_t const, sumfac::dextents<1>>(ones.data(), nodes),
                                      {.components = components});
  };
  auto const by_component = [&](index_t nodes, index_t extent, int components) {
    sumfac::restriction<double, host>(host{}, table_view(table, 2, 3), 45,
                                      sumfac::view<std::uint8_t const, sumfac::dextents<2>>(ones.data(), nodes, extent),
                                      {.components = components});
  };
  refused([&] { by_node(44, 1); }, {"extent 0", "marks", "expected 45", "got 44"});
  refused([&] { by_component(46, 3, 3); }, {"extent 0", "marks", "expected 45", "got 46"});
  refused([&] { by_component(45, 2, 3); }, {"extent 1", "marks", "expected 3", "got 2"});
  by_node(45, 3);
  by_component(45, 3, 3);
  refused(
      [&] {
        sumfac::restriction<double, host>(host{}, table_view(table, 2, 3), 45,
                                          sumfac::view<std::uint8_t const, sumfac::dextents<1>>(nullptr, 45));
      },
      {"marks", "null", "45"});
}

TEST_CASE_METHOD(fixture, "restriction: subsets of elements that there are not, or twice, are refused")
{
  sumfac::restriction const r(host{}, table_view(table, 2, 3), 45);
  refused([&] { static_cast<void>(r.subset(-1, 1)); }, {"subset", "first -1", "last 1", "there are 2"});
  refused([&] { static_cast<void>(r.subset(0, 3)); }, {"subset", "first 0", "last 3", "there are 2"});
  refused([&] { static_cast<void>(r.subset(-1, 0)); }, {"subset", "first -1", "last 0", "there are 2"});
  refused([&] { static_cast<void>(r.subset(2, 1)); }, {"subset", "first 2", "last 1"});
  auto const list = [&](std::vector<int> const& elements) {
    auto const size = static_cast<index_t>(elements.size());
    static_cast<void>(r.subset(sumfac::view<int const, sumfac::dextents<1>>(elements.data(), size)));
  };
  refused([&] { list({0, 2}); }, {"subset", "got 2", "0 to 1"});
  refused([&] { list({-1}); }, {"subset", "got -1", "0 to 1"});
  refused([&] { list({1, 0, 1}); }, {"subset", "twice", "element 1"});
  refused([&] { static_cast<void>(r.subset(sumfac::view<int const, sumfac::dextents<1>>(nullptr, 1))); },
          {"subset", "null", "1"});
}

TEST_CASE_METHOD(fixture, "restriction: vectors of the wrong size, and null, are refused and nothing written")
{
  sumfac::restriction const r(host{}, table_view(table, 2, 3), 45);
  std::vector<double> const x(45, 1), short_x(44, 1), v(54, 1);
  std::vector<double> y(45, 7), long_y(46, 7), u(54, 7);
  using local = sumfac::view<double, sumfac::dextents<4>>;
  using const_local = sumfac::view<double const, sumfac::dextents<4>>;
  sumfac::view<double, sumfac::dextents<1>> const no_vector(nullptr, 45);
  local const good_u(u.data(), 2, 3, 3, 3), bad_u(u.data(), 1, 3, 3, 3), no_u(nullptr, 2, 3, 3, 3);
  const_local const good_v(v.data(), 2, 3, 3, 3), bad_v(v.data(), 2, 3, 3, 2);
  refused([&] { r.gather(global_view(short_x), good_u); }, {"gather", "of x", "expected 45", "got 44"});
  refused([&] { r.gather(global_view(x), bad_u); }, {"gather", "of u", "expected 2", "got 1"});
  refused([&] { r.gather(no_vector, good_u); }, {"gather", "x is null", "45"});
  refused([&] { r.gather(global_view(x), no_u); }, {"gather", "u is null", "54"});
  refused([&] { r.scatter(good_v, global_view(long_y)); }, {"scatter", "of y", "expected 45", "got 46"});
  refused([&] { r.scatter(bad_v, global_view(y)); }, {"scatter", "of v", "expected 3", "got 2"});
  refused([&] { r.scatter(good_v, no_vector); }, {"scatter", "y is null", "45"});
  refused([&] { r.scatter_add(good_v, global_view(long_y)); }, {"scatter_add", "of y", "expected 45", "got 46"});
  CHECK(u == std::vector<double>(54, 7));
  CHECK(y == std::vector<double>(45, 7));
  CHECK(long_y == std::vector<double>(46, 7));
}

TEST_CASE_METHOD(fixture, "restriction: vectors that share memory are refused and nothing written")
{
  sumfac::restriction const r(host{}, table_view(table, 2, 3), 45);
  std::vector<double> memory(200, 7);
  using local = sumfac::view<double, sumfac::dextents<4>>;
  sumfac::view<double, sumfac::dextents<1>> const global(memory.data() + 60, 45);
  for (int const first : {7, 60, 104}) {  // one entry in common, all, one
    local const shared(memory.data() + first, 2, 3, 3, 3);
    refused([&] { r.gather(global, shared); }, {"gather", "x and u overlap"});
    refused([&] { r.scatter(shared, global); }, {"scatter", "v and y overlap"});
    refused([&] { r.scatter_add(shared, global); }, {"scatter_add", "v and y overlap"});
  }
  CHECK(memory == std::vector<double>(200, 7));
  for (int const first : {6, 105}) {  // side by side
    local const beside(memory.data() + first, 2, 3, 3, 3);
    r.gather(global, beside);
    r.scatter(beside, global);
  }
}

TEST_CASE("global vectors: a diagonal where an element has a node more than once is refused, nothing written")
{
  // Periodic along x: of two elements each node is met once in each, of one element twice.
  auto const mesh_of = [](int elements) {
    std::vector<int> table;
    for (int e = 0; e < elements; ++e)
      for (int jk = 0; jk < 4; ++jk)
        for (int i = 0; i < 2; ++i) table.push_back(4 * ((e + i) % elements) + jk);
    return table;
  };
  auto const box = [](int elements) { return mesh::box({elements, 1, 1}); };
  auto const diagonal_of = [&](int elements, std::vector<double>& d) {
    auto const nodes = box(elements);
    auto const table = mesh_of(elements);
    sumfac::bp1<1> const a(host{}, sumfac::view<double const, sumfac::dextents<5>>(nodes.data(), elements, 2, 2, 2, 3));
    a.diagonal(sumfac::restriction(host{}, table_view(table, elements, 2), 4 * elements), global_view(d));
  };
  std::vector<double> one(4, 7), two(8, 7);
  refused([&] { diagonal_of(1, one); },
          {"element_operator::diagonal", "element 0", "node 0", "more than once", "jacobi", "scatter(v, d)"});
  CHECK(one == std::vector<double>(4, 7));
  diagonal_of(2, two);
  CHECK(two != std::vector<double>(8, 7));

  // What the message says to do: the mass matrix of one element, from what its 8 nodes have.
  auto const nodes = box(1);
  auto const table = mesh_of(1);
  sumfac::bp1<1> const a(host{}, sumfac::view<double const, sumfac::dextents<5>>(nodes.data(), 1, 2, 2, 2, 3));
  std::vector<double> v(8), d(4);
  sumfac::view<double, sumfac::dextents<4>> const of_element(v.data(), 1, 2, 2, 2);
  a.diagonal(of_element);
  sumfac::restriction const r(host{}, table_view(table, 1, 2), 4);
  r.scatter(of_element, global_view(d));
  for (double const entry : d) CHECK(entry == Approx(2 / 27.0).epsilon(1e-14));
  sumfac::global_operator const m{a, r};
  std::vector<double> const b{1, -2, 3, 4};
  std::vector<double> x(4), y(4);
  auto const result = sumfac::cg(m, global_view(b), global_view(x), sumfac::jacobi(host{}, global_view(d)),
                                 {.iterations = 50, .tolerance = 1e-13});
  CHECK(result.status == sumfac::solve_status::converged);
  m.apply(global_view(std::as_const(x)), global_view(y));
  for (std::size_t i = 0; i < 4; ++i) CHECK(y[i] == Approx(b[i]).epsilon(1e-11));
}

TEST_CASE_METHOD(fixture, "global vectors: operators refuse restrictions and vectors that do not fit, nothing written")
{
  auto const mesh = mesh::box({2, 1, 1}), one = mesh::box({1, 1, 1});
  auto const nodes = [](mesh::nodes const& m) {
    return sumfac::view<double const, sumfac::dextents<5>>(m.data(), m.elements, 2, 2, 2, 3);
  };
  sumfac::restriction const r(host{}, table_view(table, 2, 3), 45);
  sumfac::restriction const r3(host{}, table_view(table, 2, 3), 45, {.components = 3});
  sumfac::bp1<2> const a(host{}, nodes(mesh)), of_one(host{}, nodes(one));
  sumfac::bp1<3> const cubic(host{}, nodes(mesh));
  std::vector<double> const x(45, 1), short_x(44, 1), x3(135, 1);
  std::vector<double> y(45, 7), long_y(46, 7), y3(135, 7);
  sumfac::view<double, sumfac::dextents<1>> const no_vector(nullptr, 45);
  auto const both = [&](auto const& op, auto const& restriction, auto const& in, auto const& out,
                        std::initializer_list<std::string> parts) {
    refused([&] { op.apply(restriction, in, out); }, parts);
    refused([&] { op.apply_add(restriction, in, out); }, parts);
  };
  both(a, r, global_view(short_x), global_view(y), {"element_operator", "of x", "expected 45", "got 44"});
  both(a, r, global_view(x), global_view(long_y), {"element_operator", "of y", "expected 45", "got 46"});
  both(a, r, no_vector, global_view(y), {"x is null", "45"});
  both(a, r, global_view(x), no_vector, {"y is null", "45"});
  both(of_one, r, global_view(x), global_view(y), {"elements", "restriction", "expected 1", "got 2"});
  both(cubic, r, global_view(x), global_view(y), {"nodes per direction", "restriction", "expected 4", "got 3"});
  both(a, r3, global_view(x3), global_view(y3), {"components", "restriction", "expected 1", "got 3"});
  refused([&] { a.diagonal(r, global_view(long_y)); }, {"diagonal", "of d", "expected 45", "got 46"});
  refused([&] { a.diagonal(r, no_vector); }, {"diagonal", "d is null", "45"});
  refused([&] { of_one.diagonal(r, global_view(y)); }, {"elements", "restriction", "expected 1", "got 2"});
  CHECK(y == std::vector<double>(45, 7));
  CHECK(long_y == std::vector<double>(46, 7));
  CHECK(y3 == std::vector<double>(135, 7));

  // x and y that share memory, by all or by one entry; neighbours do not.
  std::vector<double> memory(200, 1);
  auto const at = [&](std::size_t first) {
    return sumfac::view<double, sumfac::dextents<1>>(memory.data() + first, 45);
  };
  for (std::size_t const shift : {0u, 1u, 44u}) {
    both(a, r, at(50), at(50 + shift), {"x and y overlap"});
    both(a, r, at(50 + shift), at(50), {"x and y overlap"});
  }
  CHECK(memory == std::vector<double>(200, 1));
  a.apply(r, at(50), at(95));
  a.apply(r, at(50), at(5));
}
