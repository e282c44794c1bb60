// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Multigrid and its transfers on a mesh that MPI's processes share out, beside those on the whole mesh.
#include "parted.hpp"
#include "watched_halo.hpp"

#include <sumfac/backend/host.hpp>
#include <sumfac/interop/distributed_levels.hpp>
#include <sumfac/operator/bake_off.hpp>
#include <sumfac/solver/multigrid.hpp>
#include <sumfac/solver/p_levels.hpp>
#include <sumfac/solver/schwarz.hpp>

#include <catch2/catch.hpp>
#include <support/allocations.hpp>

#include <limits>
#include <vector>

namespace {

// Prolongation of what is restricted, and of what is interpolated, whatever numbers coarse nodes have.
template <class Levels, class WholeLevels, class Problem>
void transfers(Levels const& parts, WholeLevels const& all, Problem const& p)
{
  using T = typename Problem::scalar;
  auto const& fine = parts.template at<0>();
  auto const& coarse = parts.template at<1>();
  auto const& all_fine = all.template at<0>();
  auto const& all_coarse = all.template at<1>();
  double coarse_size = 0, own_size = static_cast<double>(coarse.size());
  MPI_Allreduce(&own_size, &coarse_size, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  CHECK(coarse_size == static_cast<double>(all_coarse.size()));
  auto const P = fine.make_transfer(coarse, coarse.restriction());
  auto const all_P = all_fine.make_transfer(all_coarse, all_coarse.restriction());
  auto const x = p.random(7);
  auto const own_x = p.owned(x);
  std::vector<T> y(x.size()), own_y(own_x.size()), z(static_cast<std::size_t>(all_coarse.size())),
      own_z(static_cast<std::size_t>(coarse.size()));
  double const rounding = 100 * std::numeric_limits<T>::epsilon();
  for (int twice = 0; twice < 2; ++twice) {
    all_P.restrict_residual(vector_of(x), vector_of(z));
    P.restrict_residual(vector_of(own_x), vector_of(own_z));
    all_P.prolong(vector_of(z), vector_of(y));
    P.prolong(vector_of(own_z), vector_of(own_y));
    CHECK(difference(own_y, p.owned(y)) <= rounding);
    all_P.interpolate(vector_of(x), vector_of(z));
    P.interpolate(vector_of(own_x), vector_of(own_z));
    all_P.prolong(vector_of(z), vector_of(y));
    P.prolong(vector_of(own_z), vector_of(own_y));
    CHECK(difference(own_y, p.owned(y)) <= rounding);
  }
}

}  // namespace

TEST_CASE("transfers of parts are those of the whole mesh")
{
  for (way const how : ways) {
    CAPTURE(static_cast<int>(how));
    parted<sumfac::bp3<3>> const c(how);
    transfers(sumfac::p_levels<3, 2>(c.L, c.p.nodes()), sumfac::p_levels<3, 2>(c.p.A_all, c.p.all_nodes(), c.p.R_all),
              c.p);
    for (auto const lie : {interleaving::fastest, interleaving::slowest}) {
      parted<sumfac::bp4<2>> const d(how, {.components_lie = lie});
      transfers(sumfac::p_levels<2, 1>(d.L, d.p.nodes()),
                sumfac::p_levels<2, 1>(d.p.A_all, d.p.all_nodes(), d.p.R_all), d.p);
    }
  }
}

TEST_CASE("transfers work on the interior between the beginning and the end of an exchange, with the same bits")
{
  for (way const how : ways) {
    CAPTURE(static_cast<int>(how));
    parted<sumfac::bp3<3>> const c(how);
    auto const levels = sumfac::p_levels<3, 2>(c.L, c.p.nodes());
    auto const& coarse = levels.at<1>();
    auto const x = c.p.owned(c.p.random(5));
    std::vector<double> z(static_cast<std::size_t>(coarse.size()), 1.0), first_y, first_z;
    for (auto const overlap : {sumfac::overlap::none, sumfac::overlap::update, sumfac::overlap::both}) {
      CAPTURE(static_cast<int>(overlap));
      watch seen;
      watched_halo const fine_halo{c.halo, seen}, coarse_halo{coarse.halo(), seen};
      sumfac::distributed_transfer<3, 2, double, sumfac::host, watched_halo> const P(
          c.p.R, fine_halo, coarse.restriction(), coarse_halo, {.overlap = overlap});
      index_t const interior = c.L.elements() - P.boundary_elements();
      std::vector<double> own_y(x.size(), watch::untouched), own_z(z.size(), watch::untouched);
      seen.look_at(own_z);
      P.restrict_residual(vector_of(x), vector_of(own_z));
      CHECK(seen.calls == calls_of(overlap));
      CHECK(seen.is_beside(overlap));
      seen.look_at(own_y);
      P.prolong(vector_of(z), vector_of(own_y));
      CHECK(seen.calls == calls_of(overlap));
      CHECK(seen.is_beside(overlap));
      CHECK((overlap == sumfac::overlap::both || !seen.changed_behind));
      // An eighth of these, in whole registers.
      if (overlap == sumfac::overlap::both && interior == 60) CHECK(seen.changed_behind);
      if (overlap == sumfac::overlap::none) first_y = own_y, first_z = own_z;
      if (overlap == sumfac::overlap::update) {
        CHECK(own_y == first_y);
        CHECK(own_z == first_z);
      }
    }
  }
}

TEST_CASE("levels share their parts with transfers, which wait for no more elements than matrices")
{
  for (way const how : ways) {
    CAPTURE(static_cast<int>(how));
    parted<sumfac::bp3<3>> const c(how);
    auto const levels = sumfac::p_levels<3, 2, 1>(c.L, c.p.nodes());
    auto const& coarse = levels.at<1>();
    auto const P = levels.at<0>().make_transfer(coarse, coarse.restriction());
    CHECK(P.boundary_elements() == c.L.boundary_elements());
    CHECK(coarse.matrix().boundary_elements() == c.L.boundary_elements());
    CHECK(levels.at<2>().matrix().boundary_elements() == c.L.boundary_elements());
  }
}

TEST_CASE("cg with multigrid makes the same iterations on parts as on the whole mesh")
{
  for (way const how : ways) {
    CAPTURE(static_cast<int>(how));
    parted<sumfac::bp3<3>> const c(how);
    for (auto const kind : {sumfac::cycle::v, sumfac::cycle::w}) {
      sumfac::multigrid_options<> const options{.smoother = {.degree = 2}, .cycle = kind};
      sumfac::multigrid const P{sumfac::p_levels<3, 2, 1>(c.L, c.p.nodes()), options};
      sumfac::multigrid const all_P{sumfac::p_levels<3, 2, 1>(c.p.A_all, c.p.all_nodes(), c.p.R_all), options};
      CHECK(P.size() == c.L.size());
      solves(c, P, all_P, 1e-10);
    }
  }
}

TEST_CASE("a cycle on parts allocates nothing, with either smoother")
{
  parted<sumfac::bp3<3>> const c(way::slabs);
  auto const r = c.p.owned(c.p.random(7));
  std::vector<double> z(r.size());
  auto const allocated = [&](auto const& P) {
    for (int i = 0; i < 2; ++i) P.apply(vector_of(r), vector_of(z));  // threads take their scratch memory, once
    long const before = allocations;
    for (int i = 0; i < 3; ++i) P.apply(vector_of(r), vector_of(z));
    return allocations - before;
  };
  CHECK(allocations > 0);
  CHECK(allocated(sumfac::multigrid{sumfac::p_levels<3, 2, 1>(c.L, c.p.nodes())}) == 0);
  using smoothed = sumfac::multigrid_options<sumfac::schwarz<0>>;
  CHECK(allocated(sumfac::multigrid{sumfac::p_levels<3, 2>(c.L, c.p.nodes()), smoothed{}}) == 0);
}

TEST_CASE("levels in other numbers are rounded by the whole vectors' size")
{
  for (way const how : ways) {
    CAPTURE(static_cast<int>(how));
    parted<sumfac::bp3<2>> const c(how);
    sumfac::multigrid const P{sumfac::p_levels<float, 2, 1>(c.L, c.p.nodes())};
    sumfac::multigrid const all_P{sumfac::p_levels<float, 2, 1>(c.p.A_all, c.p.all_nodes(), c.p.R_all)};
    solves(c, P, all_P, 1e-10);
  }
}
