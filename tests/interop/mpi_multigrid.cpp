// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Multigrid and its transfers on a mesh that MPI's processes share out, beside those on the whole mesh.
#include "parted.hpp"
#include "parted_squares.hpp"
#include "watched_halo.hpp"

#include <sumfac/backend/host.hpp>
#include <sumfac/form/tangent.hpp>
#include <sumfac/interop/mpi_gathered.hpp>
#include <sumfac/interop/mpi_space.hpp>
#include <sumfac/mesh/nesting.hpp>
#include <sumfac/operator/bake_off.hpp>
#include <sumfac/operator/sum.hpp>
#include <sumfac/solver/multigrid.hpp>
#include <sumfac/solver/p_levels.hpp>
#include <sumfac/solver/schwarz.hpp>
#include <sumfac/solver/sum_level.hpp>
#include <sumfac/tools/explain/levels.hpp>

#include <catch2/catch.hpp>
#include <support/allocations.hpp>
#include <support/convection.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
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
      transfers(sumfac::p_levels<2, 1>(d.L, d.p.nodes()), sumfac::p_levels<2, 1>(d.p.A_all, d.p.all_nodes(), d.p.R_all),
                d.p);
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
      sumfac::transfer<3, 2, double, sumfac::host, watched_halo> const P(c.p.R, fine_halo, coarse.restriction(),
                                                                         coarse_halo, {.overlap = overlap});
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
      if (kind == sumfac::cycle::w && how != ways[0]) continue;
      sumfac::multigrid_options<> const options{.smoother = {.degree = 2}, .cycle = kind};
      sumfac::multigrid const P{sumfac::p_levels<3, 2, 1>(c.L, c.p.nodes()), options};
      sumfac::multigrid const all_P{sumfac::p_levels<3, 2, 1>(c.p.A_all, c.p.all_nodes(), c.p.R_all), options};
      CHECK(P.size() == c.L.size());
      solves(c, P, all_P, 1e-10);
    }
  }
}

namespace {

// The inverse of a matrix of all rows by elimination, as a direct solver has it; it throws where it is told to.
class eliminated {
public:
  explicit eliminated(sumfac::csr_matrix<double> const& a, bool const* throws = nullptr)
      : throws_(throws), size_(a.size()), lu_(static_cast<std::size_t>(size_ * size_))
  {
    throw_if_told("no memory for the factors");
    for (index_t i = 0; i < size_; ++i) a.for_each_of(i, [&](index_t j, double entry) { at(i, j) = entry; });
    for (index_t k = 0; k < size_; ++k)
      for (index_t i = k + 1; i < size_; ++i) {
        at(i, k) /= at(k, k);
        for (index_t j = k + 1; j < size_; ++j) at(i, j) -= at(i, k) * at(k, j);
      }
  }
  eliminated(eliminated const&) = delete;

  template <class From, class To>
  void apply(From const& r, To const& z) const
  {
    throw_if_told("the factors are lost");
    for (index_t i = 0; i < size_; ++i) {
      z(i) = r(i);
      for (index_t j = 0; j < i; ++j) z(i) -= at(i, j) * z(j);
    }
    for (index_t i = size_; i-- > 0;) {
      for (index_t j = i + 1; j < size_; ++j) z(i) -= at(i, j) * z(j);
      z(i) /= at(i, i);
    }
  }

private:
  void throw_if_told(char const* what) const
  {
    if (throws_ != nullptr && *throws_) throw std::runtime_error(what);
  }
  double& at(index_t i, index_t j) { return lu_[static_cast<std::size_t>(i * size_ + j)]; }
  double at(index_t i, index_t j) const { return lu_[static_cast<std::size_t>(i * size_ + j)]; }

  bool const* throws_;
  index_t size_;
  std::vector<double> lu_;
};

}  // namespace

TEST_CASE("gathered: a last level on fewer processes makes the iterations of one on all")
{
  using of = std::pair<way, index_t>;  // how elements are cut, and a process' unknowns at least
  for (auto const& [how, unknowns] : {of(way::scattered, 1), of(way::scattered, 30), of(way::last_empty, 30),
                                      of(way::last_idle, 30), of(way::last_idle, 1000000)}) {
    CAPTURE(static_cast<int>(how), unknowns);
    parted<sumfac::bp3<2>> const c(how);
    sumfac::multigrid_options<> const options{.smoother = {.largest = 8}};  // no estimate that numbers change
    auto const own = [&] { return sumfac::p_levels<2, 1>(c.L, c.p.nodes()); };
    sumfac::multigrid const all_P{sumfac::p_levels<2, 1>(c.p.A_all, c.p.all_nodes(), c.p.R_all), options};
    sumfac::multigrid P{own(), options};
    sumfac::multigrid gathered{own(), options, sumfac::mpi::gathered<>{{}, unknowns}};
    solves(c, gathered, all_P, 1e-10);
    // The last level makes the iterates that it makes on all processes, but for rounding.
    auto const r = c.p.owned(c.p.random(5));
    std::vector<double> z(r.size()), by_all(z);
    P.apply(vector_of(r), vector_of(by_all));
    gathered.apply(vector_of(r), vector_of(z));
    CHECK(difference(z, by_all) <= 1e-10);
    P.update(), gathered.update();
    P.apply(vector_of(r), vector_of(by_all));
    gathered.apply(vector_of(r), vector_of(z));
    CHECK(difference(z, by_all) <= 1e-10);
    CHECK(gathered.coarse_solves().count > 8);
    CHECK(gathered.coarse_solves().failed == 0);
  }
}

TEST_CASE("gathered: all of the last level is one process's for a solver of one's own, whose failures all count")
{
  bool throws = false;
  auto const direct = [&](sumfac::csr_matrix<double> const& a) { return eliminated(a, &throws); };
  for (auto const lie : {interleaving::fastest, interleaving::slowest}) {
    parted<sumfac::bp4<2>> const c(way::last_empty, {.components_lie = lie});
    sumfac::multigrid_options<> const options{.smoother = {.largest = 8}};  // no estimate that numbers change
    sumfac::multigrid P{sumfac::p_levels<2, 1>(c.L, c.p.nodes()), options, sumfac::mpi::gathered{direct}};
    auto all_levels = sumfac::p_levels<2, 1>(c.p.A_all, c.p.all_nodes(), c.p.R_all);
    auto const coarse = sumfac::assemble(all_levels.coarsest().element_operator(), all_levels.coarsest().restriction());
    eliminated const solver(coarse);
    sumfac::multigrid const all_P{std::move(all_levels), options, &solver};
    solves(c, P, all_P, 1e-10);
    auto const r = c.p.random(5);
    auto const own_r = c.p.owned(r);
    std::vector<double> z(r.size()), own_z(own_r.size());
    all_P.apply(vector_of(r), vector_of(z));
    P.apply(vector_of(own_r), vector_of(own_z));
    CHECK(difference(own_z, c.p.owned(z)) <= 1e-12);
    // What the solver throws on its process is said on all; what it was before still solves.
    P.update();
    P.apply(vector_of(own_r), vector_of(own_z));
    auto const before = own_z;
    throws = true;
    CHECK_THROWS_WITH(P.apply(vector_of(own_r), vector_of(own_z)), Catch::Matchers::Contains("the factors are lost"));
    CHECK_THROWS_WITH(P.update(), Catch::Matchers::Contains("no memory for the factors"));
    throws = false;
    own_z.assign(own_z.size(), 0);
    P.apply(vector_of(own_r), vector_of(own_z));
    CHECK(difference(own_z, before) <= 1e-12);
  }
  parted<sumfac::bp3<2>> const c(way::slabs);
  using by_cg = sumfac::mpi::gathered<>;
  sumfac::multigrid const P{sumfac::p_levels<float, 2, 1>(c.L, c.p.nodes()), {}, by_cg{{1e-2, 1}, 20}};
  auto const r = c.p.owned(c.p.random(5));
  std::vector<double> z(r.size());
  P.apply(vector_of(r), vector_of(z));
  auto const& of = P.coarse_solves();
  CHECK(of.failed == 1);
  CHECK(of.status == sumfac::solve_status::iterations_done);
  CHECK(of.iterations == 1);
  CHECK((0 < of.residual && of.residual < of.initial_residual));
  sumfac::multigrid const by_rule{
      sumfac::p_levels<2, 1>(c.L, c.p.nodes()),
      {},
      sumfac::mpi::gathered{sumfac::coarse_amg<eliminated>{.right_sides = 5, .unknowns = 1}}};
  by_rule.apply(vector_of(r), vector_of(z));
  CHECK_THAT(sumfac::explain(by_rule),
             Catch::Matchers::Contains("solved on 1 of " + std::to_string(world.count) +
                                       " processes, by an algebraic multigrid of the assembled matrix, for ") &&
                 Catch::Matchers::Contains(" and 5 right sides (an algebraic multigrid pays from 1 and 5)"));
  auto const by = [&](by_cg const& last) { sumfac::multigrid{sumfac::p_levels<2, 1>(c.L, c.p.nodes()), {}, last}; };
  CHECK_THROWS_WITH(by({{}, 0}), Catch::Matchers::Contains("(got 0, at least 1 expected)"));
  CHECK_THROWS_WITH(by({{-1.0}}), Catch::Matchers::Contains("tolerance is not positive or 0 (got -1)"));
  CHECK_THROWS_WITH(by({{1e-2, -3}}), Catch::Matchers::Contains("(got -3, at least 0 expected)"));
}

std::vector<bool> const anywhere(static_cast<std::size_t>(world.count), true);

TEST_CASE("gathered: as many processes solve as have so many unknowns each, in numbers that an int counts")
{
  using groups = sumfac::detail::process_groups;
  auto const heads = [](groups const& of) {
    int count = of.is_head() ? 1 : 0;
    MPI_Allreduce(MPI_IN_PLACE, &count, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    return count;
  };
  bool const is_last = world.rank == world.count - 1;
  groups const by_two(MPI_COMM_WORLD, world.rank == 0 || is_last ? 1000 : 0, 256, anywhere);
  CHECK(heads(by_two) == std::min(2, world.count));
  CHECK(by_two.total() == (by_two.is_head() ? 1000 : 0));
  groups const by_three(MPI_COMM_WORLD, 100, 256, anywhere);
  CHECK(heads(by_three) == std::max(1, world.count / 3));
  if (by_three.is_head() && world.count >= 3) CHECK(by_three.total() >= 300);
  std::vector<bool> at_even(anywhere);
  for (std::size_t rank = 1; rank < at_even.size(); rank += 2) at_even[rank] = false;
  groups const of_pairs(MPI_COMM_WORLD, 100, 256, at_even);
  CHECK(heads(of_pairs) == (world.count < 7 ? 1 : 2));
  if (world.count == 7) CHECK(of_pairs.head_of(world.rank) == (world.rank < 4 ? 0 : 4));
  // On 384, 96, 24, 6 elements 429, 107, 27, 7 unknowns: the first mesh with less than enough is the last one's.
  auto const fine = refined(sumfac::box_mesh({3, 2}), 3);
  for (auto const& [enough, meshes] : {std::pair(500.0, 0), std::pair(100.0, 2), std::pair(1.0, 3)})
    CHECK(sumfac::detail::meshes_with(&fine, 429, enough) == meshes);
  auto const large = [&] { groups(MPI_COMM_WORLD, is_last ? index_t{1} << 31 : 0, 1, anywhere); };
  CHECK_THROWS_WITH(large(), Catch::Matchers::Contains("(got 2147483648, at most 21474836"));
}

TEST_CASE("gathered: rows that one process cannot have are refused on all that have some")
{
  sumfac::detail::process_groups const all(MPI_COMM_WORLD, 2, 1, anywhere);
  REQUIRE(all.is_head());
  std::int64_t const row = 2 * world.rank;
  std::int64_t const column = world.rank == world.count - 1 ? 1000 : row + 1;  // which is nobody's
  std::vector<std::vector<std::int64_t>> const told{{row, column, world.rank, 0}};
  auto const make = [&] { sumfac::detail::gathered_rows<double>(all.heads(), sumfac::host{1}, {row, row + 1}, told); };
  CHECK_THROWS_WITH(
      make(), Catch::Matchers::Contains("sumfac::mpi::gathered: process ") && Catch::Matchers::Contains("csr_matrix"));
}

namespace {

// The matrix of a level and 50 times, or another number of times, what some of its elements make, as where a
// coefficient jumps; in parts these are those of the whole mesh that the process has.
template <class Level>
class jumping_sum {
  using restriction_type = typename Level::restriction_type;
  static constexpr bool in_parts = requires(Level const& level) { level.matrix().part(); };

public:
  jumping_sum(Level const& of, std::vector<index_t> const& elements)
      : some_(of.restriction().subset(vector_of(elements))), matrix_(made(of, some_))
  {
  }
  auto const& matrix() const { return matrix_; }
  void set_scale(double number) { matrix_.template set_scale<1>(number); }

private:
  static auto made(Level const& of, restriction_type const& some)
  {
    auto const& A = of.element_operator();
    if constexpr (in_parts)
      return sumfac::sum{sumfac::part{A, of.restriction(), of.halo()}, 50.0 * sumfac::part{A, some, of.halo()}};
    else
      return sumfac::sum{sumfac::part{A, of.restriction()}, 50.0 * sumfac::part{A, some}};
  }

  restriction_type some_;
  decltype(made(std::declval<Level const&>(), std::declval<restriction_type const&>())) matrix_;
};

}  // namespace

TEST_CASE("levels of sums on parts make the whole mesh's iterations")
{
  for (way const how : {way::slabs, way::first_all}) {
    CAPTURE(static_cast<int>(how));
    parted<sumfac::bp3<3>> const c(how);
    std::vector<index_t> all_some, some;
    for (index_t e = 0; e < c.p.all_numbers.elements; e += 3) all_some.push_back(e);
    for (std::size_t i = 0; i < c.p.s.elements.size(); ++i)
      if (c.p.s.elements[i] % 3 == 0) some.push_back(index_t(i));
    auto const l = sumfac::p_levels<3, 1>(c.L, c.p.nodes());
    auto const all_l = sumfac::p_levels<3, 1>(c.p.A_all, c.p.all_nodes(), c.p.R_all);
    jumping_sum const fine(l.at<0>(), some);
    jumping_sum const coarse(l.at<1>(), some);
    jumping_sum const all_fine(all_l.at<0>(), all_some);
    jumping_sum const all_coarse(all_l.at<1>(), all_some);
    sumfac::multigrid const P{sumfac::levels{sumfac::level{fine.matrix()}, sumfac::level{coarse.matrix()}}};
    sumfac::multigrid const all_P{sumfac::levels{sumfac::level{all_fine.matrix()}, sumfac::level{all_coarse.matrix()}}};
    auto const b = c.p.random(11);
    auto const own_b = c.p.owned(b);
    std::vector<double> x(b.size()), own_x(own_b.size());
    auto const one = sumfac::cg(all_fine.matrix(), b, x, all_P, {.tolerance = 1e-10});
    auto const all = sumfac::cg(fine.matrix(), own_b, own_x, P, {.tolerance = 1e-10});
    CHECK(one);
    CHECK(all);
    CAPTURE(one.iterations, all.iterations);
    CHECK(std::abs(one.iterations - all.iterations) <= 1);
    CHECK(all.iterations <= 29);
    CHECK(difference(own_x, c.p.owned(x)) <= 1e-8);
    sumfac::multigrid const gathered{sumfac::levels{sumfac::level{fine.matrix()}, sumfac::level{coarse.matrix()}},
                                     {},
                                     sumfac::mpi::gathered<>{{}, 40}};
    own_x.assign(own_x.size(), 0);
    auto const on_some = sumfac::cg(fine.matrix(), own_b, own_x, gathered, {.tolerance = 1e-10});
    CHECK(on_some.iterations == all.iterations);
    CHECK(difference(own_x, c.p.owned(x)) <= 1e-8);
  }
}

TEST_CASE("a diagonal that is refused on one process is so on all")
{
  parted<sumfac::bp3<3>> const c(way::slabs);
  auto const l = sumfac::p_levels<3, 1>(c.L, c.p.nodes());
  std::vector<index_t> const some(world.rank == 0 ? 1 : 0, 0);
  jumping_sum fine(l.at<0>(), some);
  jumping_sum coarse(l.at<1>(), some);
  auto const make = [&](auto const&... last) {
    return sumfac::multigrid{sumfac::levels{sumfac::level{fine.matrix()}, sumfac::level{coarse.matrix()}}, {}, last...};
  };
  sumfac::mpi::gathered<> const on_some{{}, 40};
  auto const refused = Catch::Matchers::Contains("of the diagonal is not a finite number above 0");
  auto P = make();
  auto gathered = make(on_some);
  for (bool const on_last : {true, false}) {
    on_last ? coarse.set_scale(-50) : fine.set_scale(-50);
    CHECK_THROWS_WITH(P.update(), refused);
    CHECK_THROWS_WITH(gathered.update(), refused);
    CHECK_THROWS_WITH(make(), refused);
    CHECK_THROWS_WITH(make(on_some), refused);
    coarse.set_scale(50);
  }
}

TEST_CASE("Neumann and periodic problems on parts, by multigrid that is told of constants")
{
  using Operator = sumfac::bp5<2>;
  for (bool const periodic : {false, true})
    for (way const how : {way::slabs, way::last_empty, way::last_idle}) {
      CAPTURE(periodic, static_cast<int>(how));
      parted<Operator> const c(how, {}, {{3, 3, 3}, {periodic, periodic, periodic}, fixed::none});
      sumfac::null_space const constants{c.L}, of_whole{c.whole};
      auto consistent = c.p.random(11);
      of_whole.project(vector_of(consistent));
      auto inconsistent = consistent;
      for (double& entry : inconsistent) entry += 0.5;
      auto const compare = [&](auto const& P, auto const& all_P, auto const& by) {
        for (auto const& b : {consistent, inconsistent}) {
          auto const own_b = c.p.owned(b);
          std::vector<double> x(b.size()), own_x(own_b.size());
          auto const one = by(c.whole, b, x, all_P, of_whole), all = by(c.L, own_b, own_x, P, constants);
          INFO(one.report() << "; " << all.report());
          CHECK(one.status == sumfac::solve_status::converged);
          CHECK(all.status == sumfac::solve_status::converged);
          CHECK(std::abs(one.iterations - all.iterations) <= 1);
          CHECK(all.iterations <= 12);
          CHECK(all.inner.failed == 0);
          CHECK(difference(own_x, c.p.owned(x)) <= 1e-8);
          // What has a mean is taken without it on the last level.
          P.apply(vector_of(own_b), vector_of(own_x));
          CHECK(P.coarse_solves().failed == 0);
        }
      };
      auto const by_cg = [](auto const& a, auto const& b, auto& x, auto const& P, auto const& space) {
        return sumfac::cg(a, vector_of(b), vector_of(x), P, {.tolerance = 1e-10, .null_space = space});
      };
      auto const by_gmres = [](auto const& a, auto const& b, auto& x, auto const& P, auto const& space) {
        return sumfac::gmres(a, vector_of(b), vector_of(x), P, {.tolerance = 1e-10, .null_space = space});
      };
      auto const own = [&] { return sumfac::p_levels<2, 1>(c.L, c.p.nodes()); };
      auto const whole = [&] { return sumfac::p_levels<2, 1>(c.p.A_all, c.p.all_nodes(), c.p.R_all); };
      compare(sumfac::multigrid{own(), {.null_space = constants}}, sumfac::multigrid{whole(), {.null_space = of_whole}},
              by_cg);
      compare(sumfac::multigrid{own(), {.null_space = constants}, sumfac::coarse_gmres{}},
              sumfac::multigrid{whole(), {.null_space = of_whole}, sumfac::coarse_gmres{}}, by_gmres);
    }
}

TEST_CASE("a form with a wind on parts: coarse_cg is refused, gmres makes the whole mesh's iterations")
{
  using Operator = sumfac::element_operator<support::convection, 2>;
  for (way const how : {way::slabs, way::last_empty, way::last_idle}) {
    CAPTURE(static_cast<int>(how));
    parted<Operator> const c(how);
    auto const by_coarse_cg = [&] { sumfac::multigrid{sumfac::p_levels<2, 1>(c.L, c.p.nodes())}; };
    CHECK_THROWS_AS(by_coarse_cg(), sumfac::argument_error);
    auto const by_gathered = [&] {
      sumfac::multigrid{sumfac::p_levels<2, 1>(c.L, c.p.nodes()), sumfac::multigrid_options<sumfac::gmres_smoother>{},
                        sumfac::mpi::gathered<>{{}, 20}};
    };
    CHECK_THROWS_WITH(by_gathered(), Catch::Matchers::Contains("coarse_cg cannot solve on the last level"));
    sumfac::multigrid const P{sumfac::p_levels<2, 1>(c.L, c.p.nodes()), {}, sumfac::coarse_gmres{}};
    sumfac::multigrid const all_P{
        sumfac::p_levels<2, 1>(c.p.A_all, c.p.all_nodes(), c.p.R_all), {}, sumfac::coarse_gmres{}};
    auto const b = c.p.random(11);
    auto const own_b = c.p.owned(b);
    std::vector<double> x(b.size()), own_x(own_b.size());
    auto const one = sumfac::gmres(c.whole, vector_of(b), vector_of(x), all_P, {.tolerance = 1e-10});
    auto const all = sumfac::gmres(c.L, vector_of(own_b), vector_of(own_x), P, {.tolerance = 1e-10});
    INFO(one.report() << "; " << all.report());
    CHECK(one);
    CHECK(all);
    CHECK(std::abs(one.iterations - all.iterations) <= 1);
    CHECK(difference(own_x, c.p.owned(x)) <= 1e-8);
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

namespace {

// (1 + |grad u|^2) grad u, whose tangent is symmetric and positive definite.
struct stiffening {
  static constexpr auto trial = sumfac::gradient, test = sumfac::gradient;
  [[maybe_unused]] static constexpr bool linear = false;

  template <class T>
  struct factors {
    sumfac::symmetric<T, 2> metric;
    T over_measure;
  };
  template <class T>
  SUMFAC_FUNCTION factors<T> setup(sumfac::mapping<T, 2> const& x) const
  {
    return {x.metric(), 1 / (x.weight() * x.det())};
  }
  template <class T, class U>
  SUMFAC_FUNCTION sumfac::point_values<U, 1, 2> apply(factors<T> const& f, sumfac::point_values<U, 1, 2> const& u) const
  {
    auto const flux = f.metric * u.gradient;
    return {.gradient = (1 + dot(u.gradient, flux) * f.over_measure) * flux};
  }
};

// Its tangent on parts of squares.
struct parted_mesh : parted_squares<sumfac::element_operator<sumfac::tangent<stiffening>, sumfac::quadrilateral(2)>> {
  explicit parted_mesh(way how)
      : parted_squares(how, world.rank, world.count),
        halo(MPI_COMM_WORLD, sumfac::view(s.owner.data(), s.nodes()), sumfac::view(s.nodes_of_mesh.data(), s.nodes())),
        L(A, R, halo)
  {
  }

  // Another state, of the whole mesh and of the part.
  void linearize(std::vector<double> const& state)
  {
    A_all.linearize(R_all, state);
    all_u = state;
    own_u.assign(static_cast<std::size_t>(R.size()), 1e300);
    L.with_ghosts(p.owned(state), own_u);
    A.linearize(R, own_u);
  }

  sumfac::mpi::halo halo;
  sumfac::global_operator<operator_type, sumfac::restriction<>, sumfac::mpi::halo> L;
  std::vector<double> all_u, own_u;
};

// The same of a part of a space that each process has whole.
struct parted_space {
  using operator_type = parted_mesh::operator_type;
  struct vectors {
    sumfac::mpi::space_part<2, 2, sumfac::cell_shape::lines> const& of;
    std::vector<double> random(std::uint64_t seed) const
    {
      return support::random<double>(static_cast<std::size_t>(of.space().size()), seed);
    }
    std::vector<double> owned(std::vector<double> const& all) const { return of.owned(all); }
  };

  parted_space(parted_mesh const& of, way how)
      : part(MPI_COMM_WORLD, of.V, parted_mesh::list_of(how, of.all_mesh.elements(), world.count)), whole(of.whole)
  {
    L.with_ghosts(part.owned(of.all_u), u);
    A.linearize(R, u);
  }

  sumfac::mpi::space_part<2, 2, sumfac::cell_shape::lines> part;
  sumfac::mesh<2> mesh = part.mesh();
  operator_type A{sumfac::host{}, mesh};
  sumfac::restriction<> R = part.restriction(sumfac::host{});
  sumfac::global_operator<operator_type, sumfac::restriction<>, sumfac::mpi::halo> L{A, R, part.halo()};
  std::vector<double> u = std::vector<double>(static_cast<std::size_t>(R.size()), 1e300);
  sumfac::global_operator<operator_type, sumfac::restriction<>> const& whole;
  vectors p{part};
};

}  // namespace

TEST_CASE("levels of parts over coarser meshes follow a tangent's state")
{
  for (way const how : {way::slabs, way::last_empty, way::last_idle}) {
    CAPTURE(static_cast<int>(how));
    parted_mesh c(how);
    auto const state = [&](double scale) {
      return c.V.values([scale](auto const& x) { return scale * x[0] * (1 + x[1] * x[1]); });
    };
    c.linearize(state(0.1));
    sumfac::multigrid P{sumfac::p_levels<2, 1>(c.L, c.own_mesh, sumfac::field(c.R, c.own_u))};
    sumfac::multigrid all_P{sumfac::p_levels<2, 1>(c.A_all, c.all_mesh, c.R_all, sumfac::field(c.R_all, c.all_u))};
    REQUIRE(P.levels().meshes().size() == 2);
    solves(c, P, all_P, 1e-10, 12);
    sumfac::multigrid mixed{sumfac::p_levels<2, 2, 1>(c.L, c.own_mesh, sumfac::field(c.R, c.own_u))};
    sumfac::multigrid all_mixed{
        sumfac::p_levels<2, 2, 1>(c.A_all, c.all_mesh, c.R_all, sumfac::field(c.R_all, c.all_u))};
    REQUIRE(mixed.levels().meshes().size() == 1);
    solves(c, mixed, all_mixed, 1e-10, 12);
    if (how != way::last_idle) {
      parted_space const d(c, how);
      sumfac::multigrid const of_space{sumfac::p_levels<2, 1>(d.L, d.mesh, sumfac::field(d.R, d.u))};
      REQUIRE(of_space.levels().meshes().size() == 2);
      solves(d, of_space, all_P, 1e-10, 12);
    }
    c.linearize(state(2));
    P.update(c.R, c.own_u);
    all_P.update(c.R_all, c.all_u);
    solves(c, P, all_P, 1e-10, 20);
    mixed.update(c.R, c.own_u);
    all_mixed.update(c.R_all, c.all_u);
    solves(c, mixed, all_mixed, 1e-10, 20);
    // What is wrong on one process is said on all.
    c.own_u.resize(c.own_u.size() - (world.rank == 0 ? 1 : 0));
    CHECK_THROWS_AS(P.update(c.R, c.own_u), sumfac::argument_error);
  }
}

namespace {

// (k l grad u, grad v) with k of elements and l of points.
struct conduction {
  static constexpr auto trial = sumfac::gradient, test = sumfac::gradient;

  template <class T>
  struct factors {
    sumfac::symmetric<T, 2> metric;
  };
  template <class T>
  SUMFAC_FUNCTION factors<T> setup(sumfac::mapping<T, 2> const& x) const
  {
    return {x.at(of_elements) * x.at(of_points) * x.metric()};
  }
  template <class T>
  SUMFAC_FUNCTION sumfac::point_values<T, 1, 2> apply(factors<T> const& f, sumfac::point_values<T, 1, 2> const& u) const
  {
    return {.gradient = f.metric * u.gradient};
  }

  sumfac::view<float const, sumfac::dextents<1>> of_elements;
  sumfac::view<double const, sumfac::dextents<3>> of_points;
};

// Coefficients on some elements of a mesh, which the form of an operator there reads.
struct conducting {
  static constexpr int points = 4;

  explicit conducting(std::vector<index_t> const& elements)
  {
    for (index_t const e : elements) {
      k.push_back(1 + static_cast<float>(e % 5));
      for (int p = 0; p < points * points; ++p) l.push_back(1 + 0.05 * static_cast<double>((e + p) % 7));
    }
  }
  conduction form() const
  {
    auto const count = static_cast<index_t>(k.size());
    return {sumfac::view<float const, sumfac::dextents<1>>(k.data(), count),
            sumfac::view<double const, sumfac::dextents<3>>(l.data(), count, points, points)};
  }

  std::vector<float> k;
  std::vector<double> l;
};

}  // namespace

TEST_CASE("gathered: coarser meshes are fewer processes', at last one's, also below those that parts leave whole")
{
  using operator_type = sumfac::element_operator<conduction, sumfac::quadrilateral(2), sumfac::gauss<4>>;
  sumfac::host const backend;
  // The coarser meshes are found, as they would be in one that was read.
  auto const cut = refined(sumfac::box_mesh({3, 2}, [](auto at) { return at[1] += at[0] * at[0] / 5, at; }), 2);
  auto const mesh = with_coarser(sumfac::mesh<2>::copy_of(cut.nodes()));
  sumfac::function_space<2> const V{mesh, 2, mesh.boundary([](auto const& at) { return at[0] < 1e-9; })};
  std::vector<index_t> elements(static_cast<std::size_t>(mesh.elements()));
  for (std::size_t e = 0; e < elements.size(); ++e) elements[e] = static_cast<index_t>(e);
  conducting const all_k(elements);
  operator_type const all_A{backend, mesh, all_k.form()};
  auto const all_R = V.restriction(backend);
  sumfac::global_operator const whole{all_A, all_R};
  sumfac::multigrid_options<> const options{.smoother = {.largest = 8}};  // no estimate that numbers change
  sumfac::multigrid const all_same{sumfac::p_levels<2, 1>(all_A, mesh, all_R), options};
  sumfac::multigrid const all_P{sumfac::p_levels<2, 1>(all_A, mesh, all_R)};
  auto b = support::random<double>(static_cast<std::size_t>(V.size()), 5);
  V.zero_fixed(b);
  // Quarters of the coarse squares stay together, halves of which go to two processes; or the first one has nothing; or
  // two neighbours have both halves.
  enum class list { halves, first_empty, pairs };
  for (list const how : {list::halves, list::first_empty, list::pairs}) {
    CAPTURE(static_cast<int>(how));
    if (how != list::halves && world.count == 1) continue;
    std::vector<int> process;
    int const from = how == list::first_empty ? 1 : 0;
    for (int e = 0; e < static_cast<int>(mesh.elements()); ++e)
      process.push_back(how == list::pairs ? e / 16 % (world.count / 2) * 2 + e / 8 % 2
                                           : from + e / 8 % (world.count - from));
    sumfac::mpi::space_part const part(MPI_COMM_WORLD, V, process);
    auto const own_mesh = part.mesh();
    std::vector<index_t> own_elements;
    for (index_t e = 0; e < part.elements(); ++e) own_elements.push_back(part.element(e));
    conducting const own_k(own_elements);
    operator_type const A{backend, own_mesh, own_k.form()};
    auto const R = part.restriction(backend);
    sumfac::global_operator const L{A, R, part.halo()};
    auto const own_b = part.owned(b);
    std::vector<double> x(b.size()), own_x(own_b.size());
    auto const compare = [&](auto const& own_levels, std::size_t meshes, index_t unknowns, std::string const& on) {
      CAPTURE(unknowns);
      REQUIRE(own_levels().meshes().size() == meshes);
      sumfac::mpi::gathered const below{sumfac::mpi::coarser_meshes{part, options}, unknowns};
      sumfac::multigrid const same{own_levels(), options, below};
      same.apply(vector_of(own_b), vector_of(own_x));
      all_same.apply(vector_of(b), vector_of(x));
      CHECK(difference(own_x, part.owned(x)) <= 1e-10);
      sumfac::multigrid P{own_levels(), {}, sumfac::mpi::gathered{sumfac::mpi::coarser_meshes{part}, unknowns}};
      x.assign(x.size(), 0);
      auto const one = sumfac::cg(whole, b, x, all_P, {.tolerance = 1e-10});
      CHECK(one);
      for (int twice = 0; twice < 2; ++twice, P.update()) {
        own_x.assign(own_x.size(), 0);
        auto const all = sumfac::cg(L, own_b, own_x, P, {.tolerance = 1e-10});
        CHECK(all);
        CAPTURE(one.iterations, all.iterations);
        CHECK(std::abs(one.iterations - all.iterations) <= 1);
        CHECK(difference(own_x, part.owned(x)) <= 1e-8);
      }
      CHECK(P.coarse_solves().failed == 0);
      CHECK_THAT(sumfac::explain(P), Catch::Matchers::Contains("multigrid of coarser meshes on " + on));
    };
    auto const down_to = [&](int most) { return [&, most] { return sumfac::p_levels<2, 1>(L, part.mesh(most)); }; };
    auto const of = [](int fewer) { return std::to_string(fewer) + " of " + std::to_string(world.count); };
    auto const then = [](int fewer) {
      return " processes, then multigrid of coarser meshes on 1 of " + std::to_string(fewer);
    };
    auto const all_whole = [&] { return sumfac::p_levels<2, 1>(L, own_mesh); };
    std::size_t const whole_meshes = world.count - from > 1 ? 1 : 2;
    compare(all_whole, whole_meshes, 256, of(1));
    if (how == list::pairs && world.count > 3)
      compare(all_whole, whole_meshes, 2, of(world.count / 2) + then(world.count / 2));
    if (how != list::halves) continue;
    compare(down_to(1), 1, 256, of(1));
    compare(down_to(0), 0, 256, of(1));
    compare(down_to(0), 0, 35, of(std::min(2, world.count)) + (world.count > 1 ? then(2) : ""));
    compare(down_to(0), 0, 3, of(world.count) + (world.count > 1 ? " processes, then " : ""));
    // What is thrown on the last process goes through all that wait.
    sumfac::mpi::gathered const refused{sumfac::mpi::coarser_meshes{part, options, sumfac::coarse_cg{-1.0}}, 35};
    auto const solved_by = [&] {
      sumfac::multigrid{sumfac::p_levels<2, 1>(L, part.mesh(0)), options, refused}.apply(vector_of(own_b),
                                                                                         vector_of(own_x));
    };
    CHECK_THROWS_WITH(solved_by(),
                      Catch::Matchers::Contains("mpi::gathered") && Catch::Matchers::Contains("tolerance"));
    // Levels of another mesh are refused on all.
    sumfac::function_space<2> const W{refined(mesh), 1};
    std::vector<int> const nobody(static_cast<std::size_t>(W.mesh().elements()), 0);
    sumfac::mpi::space_part const other(MPI_COMM_WORLD, W, nobody);
    auto const wrong = [&] {
      sumfac::multigrid{sumfac::p_levels<2, 1>(L, part.mesh(1)), options,
                        sumfac::mpi::gathered{sumfac::mpi::coarser_meshes{other}}};
    };
    if (world.count > 1) CHECK_THROWS_WITH(wrong(), Catch::Matchers::Contains("pass the part that the matrix is of"));
  }
}
