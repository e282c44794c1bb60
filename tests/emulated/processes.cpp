// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Meshes in parts on emulated devices, one for each of MPI's processes: entries go through the host's memory, or are
// sent by an emulated NCCL.
#include "device_part.hpp"

#include <sumfac/backend/hip.hpp>
#include <sumfac/interop/mpi.hpp>
#include <sumfac/interop/nccl.hpp>
#include <sumfac/operator/bake_off.hpp>
#include <sumfac/operator/global_operator.hpp>
#include <sumfac/solver/cg.hpp>
#include <sumfac/solver/multigrid.hpp>
#include <sumfac/solver/p_levels.hpp>

#include <catch2/catch.hpp>
#include <interop/processes.hpp>
#include <interop/shares.hpp>
#include <support/larger.hpp>
#include <support/own_stream.hpp>
#include <support/tolerance.hpp>

#include <cmath>
#include <limits>
#include <vector>

namespace {

using namespace shares;

processes const world;

// The greatest difference over all processes of a vector on the device and one in the host's memory.
template <class Memory>
double difference(sumfac::hip const& gpu, Memory const& on_device, std::vector<double> const& expected)
{
  auto const got = sumfac::detail::download<double>(gpu, on_device.data(), on_device.size());
  double most = 0, all = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) most = support::larger(most, std::abs(got[i] - expected[i]));
  MPI_Allreduce(&most, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return all;
}

template <class OnHost, class OnDevice>
void applies_and_solves(way how, sumfac::restriction_options const& options)
{
  device_part<OnHost, OnDevice> const c(how, world.rank, world.count, options);
  auto const& [p, gpu, A, R, halo] = c;
  sumfac::distributed const L(A, R, halo);
  auto const b = p.random(7);
  std::vector<double> y(b.size()), d(b.size()), x(b.size());
  p.A_all.apply(p.R_all, vector_of(b), vector_of(y));
  p.A_all.diagonal(p.R_all, vector_of(d));
  double size = 0;
  for (double const z : d) size = support::larger(size, std::abs(z));
  double const allowed = 8 * reference::roundings(OnHost::order) * std::numeric_limits<double>::epsilon() * size;
  auto right = on_device(gpu, p.owned(b));
  auto result = on_device(gpu, p.owned(b));
  L.apply(vector_on(right), vector_on(result));
  CHECK(difference(gpu, result, p.owned(y)) <= allowed);
  L.diagonal(vector_on(result));
  CHECK(difference(gpu, result, p.owned(d)) <= allowed);
  sumfac::cg(sumfac::global_operator(p.A_all, p.R_all), vector_of(b), vector_of(x), {.tolerance = 1e-12});
  auto solution = on_device(gpu, std::vector<double>(static_cast<std::size_t>(L.size()), 0.0));
  CHECK(sumfac::cg(L, vector_on(right), vector_on(solution), {.tolerance = 1e-12}));
  double greatest = 0;
  for (double const z : x) greatest = support::larger(greatest, std::abs(z));
  CHECK(difference(gpu, solution, p.owned(x)) <= 1e-9 * greatest);
}

}  // namespace

TEST_CASE("devices in several processes apply and solve as the host does on the whole mesh")
{
  for (way const how : {way::slabs, way::scattered, way::last_empty, way::last_idle}) {
    CAPTURE(static_cast<int>(how));
    applies_and_solves<sumfac::bp3<1>, sumfac::bp3<1, sumfac::hip>>(how, {});
  }
  applies_and_solves<sumfac::bp4<1>, sumfac::bp4<1, sumfac::hip>>(way::scattered,
                                                                  {.components_lie = sumfac::interleaving::slowest});
}

TEST_CASE("multigrid on devices in several processes makes the iterations of the host on the whole mesh")
{
  using OnHost = sumfac::bp3<2>;
  using OnDevice = sumfac::bp3<2, sumfac::hip>;
  for (way const how : {way::scattered, way::last_empty}) {
    CAPTURE(static_cast<int>(how));
    device_part<OnHost, OnDevice> const c(how, world.rank, world.count, {});
    sumfac::distributed const L(c.A, c.R, c.halo);
    sumfac::multigrid const P{sumfac::p_levels<2, 1>(L, c.p.nodes())};
    sumfac::multigrid const all_P{
        sumfac::p_levels<2, 1>(c.p.A_all, c.p.all_nodes(), c.p.R_all), {}, sumfac::coarse_chebyshev{}};  // as P has
    auto const b = c.p.random(7);
    std::vector<double> x(b.size());
    auto right = on_device(c.gpu, c.p.owned(b));
    auto solution = on_device(c.gpu, std::vector<double>(static_cast<std::size_t>(L.size()), 0.0));
    auto const one = sumfac::cg(sumfac::global_operator(c.p.A_all, c.p.R_all), vector_of(b), vector_of(x), all_P,
                                {.tolerance = 1e-11});
    auto const all = sumfac::cg(L, vector_on(right), vector_on(solution), P, {.tolerance = 1e-11});
    CHECK(one);
    CHECK(all);
    CHECK(std::abs(one.iterations - all.iterations) <= 1);
    double greatest = 0;
    for (double const z : x) greatest = support::larger(greatest, std::abs(z));
    CHECK(difference(c.gpu, solution, c.p.owned(x)) <= 1e-9 * greatest);
  }
}

TEST_CASE("sums and entries stay on devices by NCCL, within a graph")
{
  using OnHost = sumfac::bp3<1>;
  using OnDevice = sumfac::bp3<1, sumfac::hip>;
  support::own_stream const stream;
  sumfac::hip const gpu(stream.handle);
  sumfac::nccl::communicator const devices(MPI_COMM_WORLD);
  static_assert(sumfac::halo_with_subsets<sumfac::nccl::halo>);
  static_assert(sumfac::halo_with_elements<sumfac::nccl::halo>);
  if (std::vector<int> const none; world.count > 1)
    CHECK_THROWS_WITH(sumfac::nccl::halo(MPI_COMM_SELF, devices, vector_of(none), vector_of(none)),
                      Catch::Contains("is of other processes") && Catch::Contains("0 of 1 expected"));
  for (way const how : {way::slabs, way::scattered, way::last_empty, way::last_idle}) {
    CAPTURE(static_cast<int>(how));
    device_part<OnHost, OnDevice, sumfac::nccl::halo> const c(how, world.rank, world.count, {}, gpu, devices);
    device_part<OnHost, OnDevice> const by_mpi(how, world.rank, world.count, {}, gpu);
    auto const b = c.p.random(7);
    std::vector<double> x(b.size());
    sumfac::cg(sumfac::global_operator(c.p.A_all, c.p.R_all), vector_of(b), vector_of(x), {.tolerance = 1e-12});
    double greatest = 0;
    for (double const z : x) greatest = support::larger(greatest, std::abs(z));
    auto right = on_device(gpu, c.p.owned(b));
    decltype(emulated::here().counts) before;
    emulated::nccl_state asked;
    auto const solve = [&](auto const& part, auto& solution, bool graph) {
      sumfac::distributed const L(part.A, part.R, part.halo);
      before = emulated::here().counts, asked = emulated::nccl();
      return sumfac::cg(L, vector_on(right), vector_on(solution),
                        {.tolerance = 1e-12, .check_every = 4, .graph = graph});
    };
    auto const zero = std::vector<double>(c.p.owned(b).size(), 0.0);
    auto expected = on_device(gpu, zero);
    auto const of_mpi = solve(by_mpi, expected, false);
    if (world.count > 1)
      CHECK_THROWS_WITH(solve(by_mpi, expected, true), Catch::Contains("for which the host waits in each iteration"));
    for (bool const graph : {false, true}) {
      CAPTURE(graph);
      auto solution = on_device(gpu, zero);
      auto const result = solve(c, solution, graph);
      auto const& after = emulated::here().counts;
      CHECK(result);
      CHECK(std::abs(result.iterations - of_mpi.iterations) <= 1);
      CHECK(difference(gpu, solution, c.p.owned(x)) <= 1e-9 * greatest);
      // A wait at a look, of which each is one of four iterations; a graph is made once, of what is then done each
      // time.
      CHECK(after.waits - before.waits < static_cast<std::size_t>(result.iterations / 4 + 12));
      int const sums = emulated::nccl().sums - asked.sums;
      CHECK((graph ? sums < 2 * result.iterations : sums >= 2 * result.iterations));
      CHECK((after.graphs - before.graphs > 0) == graph);
    }
  }
}
