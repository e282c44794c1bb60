// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// An operator on the whole mesh and in parts, with the halo and the matrices of both, and solves by both.
#pragma once

#include "processes.hpp"
#include "shares.hpp"

#include <support/larger.hpp>

#include <sumfac/dofs/restriction.hpp>
#include <sumfac/interop/mpi.hpp>
#include <sumfac/operator/global_operator.hpp>
#include <sumfac/solver/cg.hpp>

#include <catch2/catch.hpp>

#include <cmath>
#include <type_traits>
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
    if (!(d <= most) && most == most) most = d;  // NaN stays
    size = support::larger(size, std::abs(static_cast<double>(b[i])));
  }
  double const all = greatest(size);
  return greatest(most) / (all > 0 ? all : 1);
}

constexpr way ways[] = {way::slabs, way::scattered, way::last_empty, way::last_idle, way::first_all};

template <class Operator>
struct parted {
  parted(way how, sumfac::restriction_options const& options = {}, box_of const& box = {}, std::size_t equations = 0)
      : p(how, world.rank, world.count, options, {}, box, equations),
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

// cg with a preconditioner in parts makes the whole mesh's iterations, within one.
template <class Problem, class P, class WholeP>
void solves(Problem const& c, P const& own_by, WholeP const& by, double tolerance, int most = 29)
{
  auto const b = c.p.random(11);
  auto const own_b = c.p.owned(b);
  using T = typename std::remove_cvref_t<decltype(b)>::value_type;
  std::vector<T> x(b.size()), own_x(own_b.size());
  auto const one = sumfac::cg(c.whole, vector_of(b), vector_of(x), by, {.tolerance = tolerance});
  auto const all = sumfac::cg(c.L, vector_of(own_b), vector_of(own_x), own_by, {.tolerance = tolerance});
  CHECK(one.status == sumfac::solve_status::converged);
  CHECK(all.status == sumfac::solve_status::converged);
  CAPTURE(one.iterations, all.iterations);
  CHECK(std::abs(one.iterations - all.iterations) <= 1);
  CHECK(all.iterations <= most);
  CHECK(difference(own_x, c.p.owned(x)) <= 100 * tolerance);
}

}  // namespace
