// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Element kernels as parts of kernels of one's own, by threads of any kind, beside the operators' own launches.
#include "element_parts.hpp"

#include <sumfac/backend/checked.hpp>

#include <barrier>
#include <thread>

namespace {

using checks::index_t;

// Threads of the standard library that wait for each other.
struct crew {
  int rank, count;
  std::barrier<>* line;
  int thread_rank() const { return rank; }
  int size() const { return count; }
  void sync() const { line->arrive_and_wait(); }
};

// A kernel of one's own: Threads threads go through all groups, and then as many of them as may have to.
template <int Threads, class Part>
void by_crew(Part const& part, int size)
{
  typename Part::scratch memory;
  std::barrier<> line(size);
  std::vector<std::thread> threads;
  for (int rank = 0; rank < size; ++rank)
    threads.emplace_back([&, rank] {
      for (index_t g = 0; g < part.groups; ++g)
        sumfac::device::apply_element<Threads>(crew{rank, size, &line}, part, &memory, g);
    });
  for (auto& thread : threads) thread.join();
}

struct alone {
  template <class Backend, class Part>
  void operator()(Backend const&, Part const& part) const
  {
    typename Part::scratch memory;
    for (index_t g = 0; g < part.groups; ++g)
      sumfac::device::apply_element<1>(sumfac::device::one_thread{}, part, &memory, g);
  }
};

struct three_of_four {
  template <class Backend, class Part>
  void operator()(Backend const&, Part const& part) const
  {
    by_crew<3>(part, 4);
  }
};

template <class Operator>
void by_any_threads()
{
  checks::parts_agree<Operator>(alone{});
  checks::parts_agree<Operator>(three_of_four{});
}

template <sumfac::tuning Tuning, class Geometry = sumfac::stored>
using stiffness_by = sumfac::element_operator<sumfac::stiffness, 2, sumfac::checked, Geometry, sumfac::tuned<Tuning>>;
constexpr sumfac::tuning slices{.way = sumfac::variant::slices, .elements = 2, .planes = 3};
constexpr sumfac::tuning cubes{.elements = 4, .padding = 1, .ahead = sumfac::prefetch::cache};

}  // namespace

TEST_CASE("parts: kernels for devices, by one thread and by several")
{
  by_any_threads<sumfac::bp1<3, sumfac::checked>>();
  by_any_threads<sumfac::bp35<2, sumfac::checked, float>>();
  by_any_threads<stiffness_by<slices>>();
  by_any_threads<stiffness_by<cubes, sumfac::split>>();
  by_any_threads<stiffness_by<cubes, sumfac::isoparametric<3>>>();
  by_any_threads<sumfac::bp4<1, sumfac::checked>>();
}

TEST_CASE("parts: the host's kernels, by one thread of any group")
{
  by_any_threads<sumfac::bp3<2>>();
  by_any_threads<sumfac::bp35<3, sumfac::host, float>>();
}

TEST_CASE("parts: what they say of themselves")
{
  using part = sumfac::device::element_part<
      sumfac::detail::kernel_on_vectors<
          sumfac::detail::problem<sumfac::mass, sumfac::hexahedron(3), sumfac::gauss<5>, double>, sumfac::checked,
          sumfac::tuning{.elements = 2, .padding = 1, .resident_teams = 3}>,
      sumfac::checked>;
  STATIC_REQUIRE(part::elements == 2);
  STATIC_REQUIRE(part::threads == 50);
  STATIC_REQUIRE(part::resident_teams == 3);
  STATIC_REQUIRE(part::scratch_bytes >= 2 * 25 * 5 * 8);
  STATIC_REQUIRE(part::scratch_bytes <= 2 * 25 * 5 * 8 + 16);
  STATIC_REQUIRE(std::is_trivially_copyable_v<part>);
}

TEST_CASE("parts: groups that are too small, or do not exist, are refused with both numbers")
{
  checks::part_case<sumfac::bp1<1, sumfac::checked>> c;
  auto v = c.u;
  auto const part = sumfac::device::part_of(c.a, c.on_elements(c.u.data()), c.on_elements(v.data()));
  typename decltype(part)::scratch memory;
  auto const call = [&]<int Threads>(std::integral_constant<int, Threads>, index_t g) {
    sumfac::device::apply_element<Threads>(sumfac::device::one_thread{}, part, &memory, g);
  };
  std::integral_constant<int, 2> const two;
  std::integral_constant<int, 1> const one;
  checks::refused([&] { call(two, 0); }, {"sumfac::device::apply_element", "has not the threads", "got 1, 2 needed"});
  checks::refused([&] { call(one, part.groups); }, {"does not exist", "got " + std::to_string(part.groups)});
  checks::refused([&] { call(one, -1); }, {"got -1"});
  CHECK(v == c.u);
}

TEST_CASE("parts: vectors and restrictions that do not fit are refused")
{
  checks::part_case<sumfac::bp1<1, sumfac::checked>> c;
  auto const u = c.on_elements(c.u.data());
  checks::refused([&] { static_cast<void>(sumfac::device::part_of(c.a, u, u)); },
                  {"sumfac::device::part_of", "u and v overlap"});
  auto const r = c.restriction(sumfac::scatter::deterministic);
  checks::refused([&] { sumfac::device::part_of(c.a, r, c.on_nodes(c.x.data()), c.on_nodes(c.y.data())); },
                  {"sumfac::device::part_of", "scatter::deterministic", "scatter::atomic"});
  sumfac::view<double, sumfac::dextents<1>> const shorter(c.y.data(), 3);
  checks::refused([&] { sumfac::device::part_of(c.a, c.restriction(), c.on_nodes(c.x.data()), shorter); },
                  {"sumfac::device::part_of", "y", "got 3"});
}
