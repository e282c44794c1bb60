// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Solvers with a workspace allocate nothing, and those without allocate before the loop and not in it.
#include "systems.hpp"

#include <sumfac/backend/checked.hpp>

#include <support/allocations.hpp>

namespace {

using checks::global_view, checks::index_t;

template <class Operator>
checks::system<Operator> mass()
{
  mesh::counts const counts{3, 3, 3};
  return {counts, mesh::numbered(counts, Operator::order, 4), reference::on_gauss(Operator::order), reference::mass(),
          true};
}

template <class Backend, class Run>
void counts_none(Run const& run)
{
  using operator_type = sumfac::bp1<2, Backend>;
  auto s = mass<operator_type>();
  Backend const backend = s.backend;
  auto const a = s.c.make(backend);
  for (auto const policy : {sumfac::scatter::deterministic, sumfac::scatter::atomic}) {
    auto const r = s.c.restriction({.policy = policy}, backend);
    sumfac::global_operator const l{a, r};
    std::vector<double> d(s.b.size());
    l.diagonal(global_view(d));
    sumfac::jacobi<double, Backend> const p(backend, global_view(std::as_const(d)));
    sumfac::cg_workspace<double, Backend> work(backend, static_cast<index_t>(s.b.size()));
    auto const count = [&](auto const& preconditioner, int iterations) {
      std::fill(s.x.begin(), s.x.end(), 0);
      long calls = 0;
      auto const monitor = [&calls](index_t, double) { ++calls; };
      long const before = allocations;
      auto const result = run(l, global_view(std::as_const(s.b)), global_view(s.x), preconditioner,
                              sumfac::cg_options{.iterations = iterations, .tolerance = 0}, monitor, work);
      long const after = allocations;
      CHECK(result.iterations == iterations);
      CHECK(calls >= 2);
      return after - before;
    };
    static_cast<void>(count(p, 3));  // threads take their scratch memory, once
    static_cast<void>(count(sumfac::no_preconditioner{}, 3));
    CHECK(count(p, 2) == count(p, 30));
    CHECK(count(sumfac::no_preconditioner{}, 2) == count(sumfac::no_preconditioner{}, 30));
    if (sumfac::runs_on_host<Backend>) {
      CHECK(count(p, 30) == 0);
      CHECK(count(sumfac::no_preconditioner{}, 30) == 0);
    }
  }
}

}  // namespace

TEST_CASE("allocations: the counter counts")
{
  long const before = allocations;
  {
    std::vector<double> const memory(10);
    sumfac::buffer<double> const aligned(100);
    CHECK(memory.size() + static_cast<std::size_t>(aligned.size()) == 110);
  }
#if defined(__GLIBC__)
  CHECK(allocations - before == 2);
#else
  CHECK(allocations - before >= 1);
#endif
}

TEST_CASE("cg: no allocation in the loop, and none at all with a workspace")
{
  counts_none<sumfac::host>([](auto&&... all) { return sumfac::cg(all...); });
}

TEST_CASE("merged cg: no allocation in the loop, and none at all with a workspace")
{
  counts_none<sumfac::host>([](auto&&... all) { return sumfac::merged_cg(all...); });
}

TEST_CASE("cg: without a workspace the loop allocates nothing either")
{
  auto s = mass<sumfac::bp1<2>>();
  auto const a = s.c.make();
  auto const r = s.c.restriction();
  sumfac::global_operator const l{a, r};
  auto const count = [&](int iterations) {
    std::fill(s.x.begin(), s.x.end(), 0);
    long const before = allocations;
    static_cast<void>(sumfac::cg(l, global_view(std::as_const(s.b)), global_view(s.x), sumfac::no_preconditioner{},
                                 {.iterations = iterations, .tolerance = 0}));
    return allocations - before;
  };
  static_cast<void>(count(2));
  CHECK(count(2) == count(40));
}

TEST_CASE("gather and scatter allocate nothing once threads have their scratch memory")
{
  auto s = mass<sumfac::bp1<2>>();
  index_t const elements = s.c.make().elements();
  std::vector<double> e_vector(static_cast<std::size_t>(elements * 27));
  sumfac::view<double, sumfac::extents<sumfac::dynamic_extent, 3, 3, 3>> const u(e_vector.data(), elements);
  for (auto const policy : {sumfac::scatter::deterministic, sumfac::scatter::atomic}) {
    auto const r = s.c.restriction({.policy = policy});
    auto const both = [&] {
      long const before = allocations;
      r.gather(global_view(std::as_const(s.b)), u);
      r.scatter(u, global_view(s.x));
      return allocations - before;
    };
    static_cast<void>(both());
    CHECK(both() == 0);
  }
}
