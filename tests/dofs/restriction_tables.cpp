// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Gather and scatter on the host with every kind of table: of meshes numbered in every way, and such as no mesh has.
#include "moves.hpp"

#include <support/few.hpp>

namespace {

using namespace checks;

template <class Scalar, class Backend>
void every_table(Backend const& backend)
{
  for (int degree : {1, 2, 3, 5})
    for (mesh::counts const counts : {mesh::counts{1, 1, 1}, mesh::counts{3, 2, 2}, mesh::counts{5, 3, 1}}) {
      if (support::few && degree != 2) continue;
      INFO("degree " << degree << ", " << counts.elements() << " elements");
      every_way<1, Scalar>({mesh::numbered(counts, degree)}, backend);
      every_way<3, Scalar>({mesh::numbered(counts, degree, 7)}, backend);
      every_way<3, Scalar>({mesh::by_entities(counts, degree)}, backend);
      every_way<1, Scalar>({mesh::numbered(counts, degree, 0, {true, true, true})}, backend);
      every_way<1, Scalar>({mesh::by_entities(counts, degree, {.x = true})}, backend);
    }
}

// A table such as no mesh has: runs of numbers and single ones, nodes that an element has several times.
restricted_mesh random_mesh(std::uint64_t seed)
{
  support::generator next(seed);
  auto const below = [&next](int n) { return static_cast<int>(next.bits() % static_cast<unsigned>(n)); };
  return {random_numbers(2 + below(4), 1 + below(37), seed)};
}

// Rows of elements that follow one another in memory, and lie anywhere: side by side in a register they overlap.
mesh::numbering overlapping_rows(int n, int elements, std::uint64_t seed)
{
  support::generator next(seed);
  mesh::numbering numbers{elements, n, 0, {}, {}};
  std::uint64_t const spread = 1 + next.bits() % static_cast<unsigned>(3 * n);
  for (int row = 0; row < elements * n * n; ++row) {
    auto const begin = static_cast<std::int64_t>(next.bits() % spread);
    for (int i = 0; i < n; ++i) numbers.table.push_back(begin + i);
  }
  auto const used = std::minmax_element(numbers.table.begin(), numbers.table.end());
  auto const first = *used.first;
  numbers.nodes = *used.second - first + 1;
  for (auto& node : numbers.table) node -= first;
  std::vector<bool> seen(static_cast<std::size_t>(numbers.nodes));
  for (auto const node : numbers.table) seen[static_cast<std::size_t>(node)] = true;
  REQUIRE(std::find(seen.begin(), seen.end(), false) == seen.end());
  return numbers;
}

}  // namespace

TEST_CASE("restriction: every table on the host, in double") { every_table<double>(sumfac::host{}); }

TEST_CASE("restriction: every table on the host, in single, on three threads") { every_table<float>(sumfac::host{3}); }

TEST_CASE("restriction: tables such as no mesh has")
{
  for (std::uint64_t seed = 1; seed <= (support::few ? 40 : 300); ++seed) {
    auto mesh = random_mesh(seed);
    INFO("seed " << seed << ": " << mesh.numbers.elements << " elements of " << mesh.numbers.nodes_1d << "^3, "
                 << mesh.numbers.nodes << " nodes");
    sumfac::restriction_options options;
    options.components_lie = seed % 2 == 0 ? interleaving::fastest : interleaving::slowest;
    options.policy = seed / 2 % 2 == 0 ? scatter::deterministic : scatter::atomic;
    options.blocks = static_cast<index_t>(seed / 4 % 6);
    sumfac::host const backend(1 + static_cast<int>(seed % 4));
    moves_exactly<1>(mesh, mesh.restriction<double, sumfac::host>(backend, options));
    mesh.components = 3;
    mesh.marks = random_marks(mesh.numbers.nodes, 3, 2 + static_cast<int>(seed % 5), seed);
    moves_exactly<3>(mesh, mesh.restriction<float, sumfac::host>(backend, options));
  }
}

TEST_CASE("restriction: scatter adds in one order for any number of threads, and in every run")
{
  for (int const degree : {1, 3}) {
    auto const numbers = mesh::numbered({12, 10, 9}, degree, 3);
    restricted_mesh const mesh{numbers, 1, boundary_marks(numbers, 1)};
    auto const v = support::random<double>(mesh.local_size(), 8);
    auto const scattered = [&](int threads, index_t blocks) {
      auto const r = mesh.restriction<double, sumfac::host>(sumfac::host{threads}, {.blocks = blocks});
      auto y = nans<double>(mesh.size());
      int const n = degree + 1;
      r.scatter(sumfac::view(v.data(), mesh.numbers.elements, n, n, n), global_view(y));
      return y;
    };
    for (index_t const blocks : {0, 1, 7, 64}) {
      if (support::few && blocks != 7) continue;
      auto const serial = scattered(1, blocks);
      for (int const threads : {1, 2, 3, 5, 8}) {
        INFO("degree " << degree << ", " << threads << " threads, " << blocks << " blocks");
        CHECK(scattered(threads, blocks) == serial);
      }
    }
  }
}

TEST_CASE("restriction: as many blocks as the size of the table and the processors ask for")
{
  // Of so many groups and nodes, on so many processors.
  auto const blocks = [](index_t groups, index_t nodes, index_t processors, int components = 1) {
    return sumfac::detail::blocks_for(groups, nodes, processors, components);
  };
  CHECK(blocks(100, 4095, 2) == 1);
  CHECK(blocks(100, 4096, 2) == 2);
  CHECK(blocks(100, 4096, 1) == 1);
  CHECK(blocks(100, 1365, 2, 3) == 1);  // by entries
  CHECK(blocks(100, 1366, 2, 3) == 2);
  CHECK(blocks(1, 4096, 2) == 1);        // one group
  CHECK(blocks(100, 10000, 64) == 2);    // fewer than processors: of 4096 nodes at least
  CHECK(blocks(100, 100000, 64) == 16);  // and 4 groups
  CHECK(blocks(1000, 100000, 64) == 16);
  CHECK(blocks(10000, 1000000, 64) == 64);
  CHECK(blocks(10000, 1000000, 6) == 12);  // a multiple of the processors
  CHECK(blocks(100, 20000, 6) == 4);
  CHECK(blocks(100, 30000, 6) == 6);
  CHECK(blocks(10000, 262143, 2) == 2);  // several for each: of 65536 nodes
  CHECK(blocks(10000, 262144, 2) == 4);
  CHECK(blocks(10000, 131071, 1) == 1);
  CHECK(blocks(10000, 131072, 1) == 2);
  CHECK(blocks(15, 262144, 2) == 2);

  auto const made = [](mesh::counts counts, index_t wanted) {
    restricted_mesh const mesh{mesh::numbered(counts, 1)};
    return mesh.restriction<double, sumfac::host>(sumfac::host{1}, {.blocks = wanted}).storage().tables().blocks();
  };
  CHECK(made({8, 8, 8}, 0) == 1);
  CHECK(made({8, 8, 8}, 5) == 5);
  CHECK(made({2, 2, 2}, 5) <= 4);  // no more than groups
}

TEST_CASE("restriction: rows that overlap in a register")
{
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    restricted_mesh mesh{overlapping_rows(3 + static_cast<int>(seed % 4), 16, seed)};
    INFO("seed " << seed << ", " << mesh.numbers.nodes << " nodes");
    moves_exactly<1>(mesh, mesh.restriction<double, sumfac::host>(sumfac::host{}, {.blocks = 1}));
    mesh.components = 3;
    moves_exactly<3>(mesh, mesh.restriction<double, sumfac::host>(sumfac::host{}, {.blocks = 2}));
  }
}

TEST_CASE("restriction: blocks of several steps on the host")
{
  auto const numbers = mesh::numbered({9, 8, 7}, 3);
  restricted_mesh const mesh{numbers, 1, random_marks(numbers.nodes, 1, 5, 3)};
  for (auto const policy : {scatter::deterministic, scatter::atomic})
    for (index_t const blocks : {1, 3, 0}) {
      auto const r = mesh.restriction<double, sumfac::host>(sumfac::host{2}, {.policy = policy, .blocks = blocks});
      auto const& tables = r.storage().tables();
      INFO(tables.blocks() << " blocks, " << tables.steps() << " steps");
      CHECK(tables.steps() > tables.blocks());
      moves_exactly<1>(mesh, r);
    }
}
