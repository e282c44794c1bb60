// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What teams of an emulated device ask memory for: factors once, one wave of teams ahead, half of the cache at most.
#include "device.hpp"

#include <sumfac/operator/bake_off.hpp>

#include <support/mesh.hpp>
#include <support/random.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace {

using sumfac::hip, sumfac::index_t, sumfac::tuning, sumfac::variant;

constexpr index_t line = 128, cache = index_t{1} << 20, multiprocessors = 3;

static_assert([] {
  using sumfac::detail::prefetch_distance_of;
  auto const whole = prefetch_distance_of(1000, 100, 1 << 20, 4000);  // 100 teams have 5120 bytes each
  auto const part = prefetch_distance_of(1000, 100, 1 << 20, 6000);
  auto const few = prefetch_distance_of(50, 100, 1 << 20, 6000);  // 50 have 10 KB each
  auto const none = prefetch_distance_of(0, 100, 1 << 20, 6000);
  auto const crowd = prefetch_distance_of(100000, 10000, 1 << 20, 6000);  // less than a line each
  return whole.groups_behind == 100 && whole.groups == 1000 && whole.bytes == 4000 && part.bytes == 5120 &&
         few.groups_behind == 100 && few.bytes == 6000 && none.bytes == 6000 && none.groups_behind == 0 &&
         crowd.bytes == 0;
}());

// One element a team: groups are elements.
template <tuning Tuning>
using stiffness_by = sumfac::bp35<2, hip, sumfac::tuned<Tuning>>;

// Lines that were asked for, by their distance from the first, and how often each.
std::vector<std::pair<index_t, int>> asked()
{
  std::vector<std::pair<index_t, int>> lines;
  auto const& all = emulated::lines_asked_for;
  if (all.empty()) return lines;
  for (auto const& [p, times] : all)
    lines.emplace_back(static_cast<char const*>(p) - static_cast<char const*>(all.begin()->first), times);
  return lines;
}

template <class Operator>
std::vector<double> apply(index_t elements)
{
  constexpr int n = Operator::nodes_1d;
  auto const box = mesh::jittered({static_cast<int>(elements), 1, 1}, 0.02);
  hip const backend;
  Operator const a(backend, sumfac::view<double const, sumfac::dextents<5>>(box.data(), elements, 2, 2, 2, 3));
  auto const values = support::random<double>(static_cast<std::size_t>(elements) * n * n * n, 1);
  std::vector<double> result(values.size());
  sumfac::buffer<double, hip> u(backend, elements * n * n * n), v(backend, elements * n * n * n);
  backend.copy(values.data(), u.data(), u.size());
  emulated::lines_asked_for.clear();
  a.apply(sumfac::view<double const, sumfac::dextents<4>>(u.data(), elements, n, n, n),
          sumfac::view<double, sumfac::dextents<4>>(v.data(), elements, n, n, n));
  backend.copy(v.data(), result.data(), v.size());
  backend.synchronize();
  return result;
}

}  // namespace

TEST_CASE("prefetching: each line once, where a wave's factors are half of the cache at most")
{
  using subject = stiffness_by<tuning{.resident_teams = 4, .ahead = sumfac::prefetch::cache}>;
  constexpr index_t of_element = 27 * sizeof(sumfac::stiffness::factors<double>),
                    lines_of_element = (of_element + line - 1) / line;
  // 227 teams by threads, 101 by 648 bytes of scratch; three times as many at once have 458 KB of factors.
  for (index_t const elements : {1, 302, 303, 304, 400, 950}) {
    apply<subject>(elements);
    auto const lines = asked();
    INFO(elements << " elements");
    CHECK(std::all_of(lines.begin(), lines.end(), [](auto const& each) { return each.second == 1; }));
    CHECK(static_cast<index_t>(lines.size()) == elements * lines_of_element);
    CHECK(lines.back().first / of_element == elements - 1);
  }
}

TEST_CASE("prefetching: a part of each group, where a wave's factors are more than half of the cache")
{
  using subject =
      stiffness_by<tuning{.way = variant::slices, .planes = 1, .resident_teams = 4, .ahead = sumfac::prefetch::cache}>;
  constexpr index_t wave = multiprocessors * (2048 / 9), of_element = 27 * sizeof(sumfac::stiffness::factors<double>);
  static_assert(wave * of_element > cache / 2);
  constexpr index_t share = cache / 2 / wave / line;
  for (index_t const elements : {wave + 1, 2 * wave + 5}) {
    apply<subject>(elements);
    auto const lines = asked();
    INFO(elements << " elements");
    CHECK(std::all_of(lines.begin(), lines.end(), [](auto const& each) { return each.second == 1; }));
    CHECK(static_cast<index_t>(lines.size()) == elements * share);
    CHECK(std::all_of(lines.begin(), lines.end(),
                      [](auto const& each) { return each.first % of_element < share * line; }));
  }
}

TEST_CASE("prefetching: none, where the tuning asks for none, and the same bits where factors go by scratch")
{
  auto const result = apply<stiffness_by<tuning{.resident_teams = 4}>>(5);
  CHECK(asked().empty());
  CHECK(result == apply<stiffness_by<tuning{.ahead = sumfac::prefetch::scratch, .points_ahead = 2}>>(5));
}
