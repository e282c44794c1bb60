// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The tests of devices on an emulated one: multigrid in the degree.
#include "device.hpp"

using device_backend = sumfac::hip;

#include <device/multigrid.hpp>
#include <support/own_stream.hpp>

#if WITH_HYPRE
#include <sumfac/interop/hypre.hpp>
#endif

namespace {

// Solves nothing: what a last level launches is its solver's.
struct no_solver {
  template <class From, class To>
  void operator()(From const&, To const&) const
  {
  }
};
struct queues_nothing : no_solver {
  static constexpr bool only_queues = true;
};

template <class Function>
std::size_t launches_of(Function const& f)
{
  emulated::here().counts = {};
  f();
  return emulated::here().counts.launches;
}

}  // namespace

TEST_CASE("emulated device: launches of a cycle")
{
  for (auto const policy : {sumfac::scatter::deterministic, sumfac::scatter::atomic}) {
    checks::box_problem<sumfac::bp5<3, device_backend>> const p({2, 2, 3}, mesh::smooth{}, 3, {.policy = policy});
    auto const all = sumfac::p_levels<3, 2, 1>(p.a, p.nodes(), p.r);
    sumfac::transfer<3, 2, double, device_backend> const between(all.finest().restriction(), all.at<1>().restriction());
    auto const coarse = support::random<double>(static_cast<std::size_t>(all.at<1>().size()), 1);
    std::vector<double> x(p.b.size());
    std::size_t application = 0, transfer = 0;
    // Sums of nodes and what follows them are one launch; where elements add to y, it is cleared before.
    std::size_t const weights = policy == sumfac::scatter::deterministic ? 0 : 1;
    on_device(p.backend, p.b, x, [&](auto const& from, auto const& to) {
      application = launches_of([&] { all.finest().matrix().apply(from, to); });
    });
    on_device(p.backend, coarse, x, [&](auto const& from, auto const& to) {
      transfer = launches_of([&] { between.prolong(from, to); }) - weights;
    });
    INFO(application << " launches an application, " << transfer << " a prolongation");
    CHECK(application == 2);
    CHECK(transfer == 2);
    for (int const degree : {1, 2, 3}) {
      sumfac::multigrid const mg{
          sumfac::p_levels<3, 2, 1>(p.a, p.nodes(), p.r), {.smoother = sumfac::chebyshev{degree}}, no_solver{}};
      on_device(p.backend, p.b, x, [&](auto const& from, auto const& to) {
        auto const cycle = launches_of([&] { mg.apply(from, to); });
        auto const steps = static_cast<std::size_t>(2 * degree);
        INFO("degree " << degree << ": " << cycle << " launches a cycle");
        // On two levels. A correction is one launch, and the second level's first step one with the restriction, where
        // that does not add to what has been cleared.
        auto const each = steps * (application + weights) + transfer + 1;
        CHECK(cycle == 2 * each + 1 + weights);
      });
    }
  }
}

TEST_CASE("emulated device: a cycle becomes a graph, of another pair of vectors another one, inside of a graph none")
{
  support::own_stream stream;
  device_backend const backend(stream.handle);
  checks::box_problem<sumfac::bp5<3, device_backend>> const p({2, 2, 3}, mesh::smooth{}, 3, {}, {}, backend);
  sumfac::global_operator const l{p.a, p.r};
  auto const cycles = [&](auto const& mg, bool graphs) {
    std::vector<double> first(p.b.size()), second(p.b.size());
    on_device(backend, p.b, first, [&](auto const& r, auto const& z) {
      mg.apply(r, z);
      mg.apply(r, z);
      emulated::here().counts = {};
      mg.apply(r, z);
      CHECK(emulated::here().counts.graphs == (graphs ? 1 : 0));
      CHECK((emulated::here().counts.launches < 5) == graphs);
      CHECK(emulated::here().counts.waits == 0);
    });
    on_device(backend, p.b, second, [&](auto const& r, auto const& z) { mg.apply(r, z); });
    CHECK(first == second);
    sumfac::cg_options options{.check_every = 2};
    auto const solved = [&] {
      std::vector<double> x(p.b.size());
      on_device(backend, p.b, x, [&](auto const& b, auto const& to) {
        auto const result = sumfac::cg(l, b, to, mg, options);
        INFO(result.report());
        CHECK(result.status == sumfac::solve_status::converged);
      });
      return x;
    };
    auto const expected = solved();
    options.graph = true;
    CHECK(solved() == expected);
  };
  cycles(sumfac::multigrid{sumfac::p_levels<3, 2, 1>(p.a, p.nodes(), p.r)}, true);
  cycles(sumfac::multigrid{sumfac::p_levels<float, 3, 2, 1>(p.a, p.nodes(), p.r)}, true);
  cycles(sumfac::multigrid{sumfac::p_levels<float, 3, 1>(p.a, p.nodes(), p.r),
                           sumfac::multigrid_options<sumfac::schwarz<>>{}},
         true);
  cycles(sumfac::multigrid{sumfac::p_levels<3, 1>(p.a, p.nodes(), p.r), {.graph = false}}, false);
  {
    sumfac::multigrid P{sumfac::p_levels<float, 3, 1>(p.a, p.nodes(), p.r)};
    cycles(P, true);
    P.update();  // of which the graph knows nothing
    std::vector<double> z(p.b.size());
    emulated::here().counts = {};
    on_device(backend, p.b, z, [&](auto const& r, auto const& to) { P.apply(r, to); });
    CHECK(emulated::here().counts.graphs == 0);
    cycles(P, true);
  }
  CHECK(emulated::here().graphs == 0);
  CHECK(emulated::here().ready_graphs == 0);
}

TEST_CASE("emulated device: launches of a cycle with an algebraic multigrid on the last level, and no wait")
{
  support::own_stream stream;
  device_backend const backend(stream.handle);
  checks::box_problem<sumfac::bp5<3, device_backend>> const p({4, 3, 3}, mesh::smooth{}, 3, {}, {}, backend);
  auto const counts_of = [&](auto const& last) {
    sumfac::multigrid const mg{sumfac::p_levels<3, 2, 1>(p.a, p.nodes(), p.r), {}, last};
    std::vector<double> z(p.b.size());
    std::size_t launches = 0;
    on_device(backend, p.b, z, [&](auto const& r, auto const& to) {
      mg.apply(r, to);
      launches = launches_of([&] { mg.apply(r, to); });
      CHECK(emulated::here().counts.waits == 0);
      CHECK(launches_of([&] { mg.apply(r, to); }) < 5);
      CHECK(emulated::here().counts.graphs == 1);
      CHECK(emulated::here().counts.waits == 0);
    });
    return launches;
  };
  auto const without = counts_of(queues_nothing{});
  for (int const degree : {1, 2}) {
    auto const launches = counts_of(sumfac::coarse_amg<turned_levels>{
                              .unknowns = 1, .pays_from = 1, .smoother = sumfac::chebyshev{degree}, .inverted = 12}) -
                          without;
    INFO(launches << " launches with degree " << degree);
    auto const d = static_cast<std::size_t>(degree);
    CHECK(launches == (4 * d + 3) + (4 * d + 2) + 1);
  }
}

#if WITH_HYPRE
namespace {

struct started {
  started() { MPI_Init(nullptr, nullptr); }
  ~started()
  {
    HYPRE_Finalize();
    MPI_Finalize();
  }
} const running;

}  // namespace

TEST_CASE("emulated device: hypre's levels take the iterations that hypre takes on the host")
{
  mesh::counts const counts{5, 4, 4};
  sumfac::coarse_amg<sumfac::boomer_amg> const last{.unknowns = 1, .pays_from = 1, .inverted = 4};
  auto const iterations = [&](auto const& p, auto const& levels_of) {
    sumfac::global_operator const l{p.a, p.r};
    sumfac::multigrid const mg{levels_of(), {}, last};
    std::vector<double> x(p.b.size());
    sumfac::solve_result result;
    support::on_backend(p.backend, p.b, x, [&](double const* b, double* to) {
      sumfac::view<double const, sumfac::dextents<1>> const from(b, l.size());
      result = sumfac::cg(l, from, sumfac::view<double, sumfac::dextents<1>>(to, l.size()), mg,
                          {.tolerance = 1e-10, .check_every = 1});
    });
    INFO(result.report());
    INFO(sumfac::explain(mg));
    CHECK(result);
    return result.iterations;
  };
  checks::box_problem<sumfac::bp5<3, device_backend>> const there(counts, mesh::smooth{});
  checks::box_problem<sumfac::bp5<3>> const here(counts, mesh::smooth{});
  auto const on_host = iterations(here, [&] { return sumfac::p_levels<3, 2, 1>(here.a, here.nodes(), here.r); });
  auto const in_double = iterations(there, [&] { return sumfac::p_levels<3, 2, 1>(there.a, there.nodes(), there.r); });
  auto const in_float =
      iterations(there, [&] { return sumfac::p_levels<float, 3, 2, 1>(there.a, there.nodes(), there.r); });
  INFO(on_host << " iterations on the host, " << in_double << " and " << in_float << " on the device");
  CHECK(std::abs(in_double - on_host) <= 1);
  CHECK(std::abs(in_float - on_host) <= 1);
}
#endif
