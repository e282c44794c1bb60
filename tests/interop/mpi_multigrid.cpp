// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Multigrid and its transfers on a mesh that MPI's processes share out, beside those on the whole mesh.
#include "processes.hpp"
#include "shares.hpp"

#include <sumfac/interop/distributed_levels.hpp>
#include <sumfac/interop/mpi.hpp>
#include <sumfac/sumfac.hpp>

#include <catch2/catch.hpp>

#include <cmath>
#include <limits>
#include <vector>

namespace {

using namespace shares;
using sumfac::distributed;
using sumfac::index_t;
using sumfac::interleaving;

processes const world;

// The greatest difference over all processes, over the greatest entry: the same for each.
template <class T>
double difference(std::vector<T> const& a, std::vector<T> const& b)
{
  double most = a.size() == b.size() ? 0 : 1e300, size = 0;
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) {
    double const d = std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i]));
    if (!(d <= most)) most = d;
    size = std::fmax(size, std::abs(static_cast<double>(b[i])));
  }
  double const all = greatest(size);
  return greatest(most) / (all > 0 ? all : 1);
}

constexpr way ways[] = {way::slabs, way::scattered, way::last_empty, way::last_idle, way::first_all};

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

template <class Operator>
struct parted {
  parted(way how, sumfac::restriction_options const& options = {})
      : p(how, world.rank, world.count, options),
        halo(MPI_COMM_WORLD, p.owners(), p.numbers()),
        L(p.A, p.R, halo),
        whole(p.A_all, p.R_all)
  {
  }
  using restriction_type = sumfac::restriction<typename Operator::scalar_type>;
  problem<Operator> p;
  sumfac::mpi::halo halo;
  distributed<Operator, restriction_type, sumfac::mpi::halo> L;
  sumfac::global_operator<Operator, restriction_type> whole;
};

// cg with multigrid in parts makes the whole mesh's iterations, within one.
template <class Problem, class P, class WholeP>
void solves(Problem const& c, P const& own_by, WholeP const& by, double tolerance)
{
  auto const b = c.p.random(11);
  auto const own_b = c.p.owned(b);
  using T = typename std::remove_cvref_t<decltype(b)>::value_type;
  std::vector<T> x(b.size()), own_x(own_b.size());
  auto const one = sumfac::cg(c.whole, vector_of(b), vector_of(x), by, {.tolerance = tolerance});
  auto const all = sumfac::cg(c.L, vector_of(own_b), vector_of(own_x), own_by, {.tolerance = tolerance});
  CHECK(one.status == sumfac::cg_status::converged);
  CHECK(all.status == sumfac::cg_status::converged);
  CAPTURE(one.iterations, all.iterations);
  CHECK(std::abs(one.iterations - all.iterations) <= 1);
  CHECK(all.iterations < 30);
  CHECK(difference(own_x, c.p.owned(x)) <= 100 * tolerance);
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
