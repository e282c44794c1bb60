// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Operators and solves on a mesh that MPI's processes share out, beside those on the whole mesh.
#include "processes.hpp"
#include "shares.hpp"
#include "watched_halo.hpp"

#include <sumfac/backend/host.hpp>
#include <sumfac/basis/space.hpp>
#include <sumfac/dofs/restriction.hpp>
#include <sumfac/error.hpp>
#include <sumfac/form/stiffness.hpp>
#include <sumfac/interop/mpi.hpp>
#include <sumfac/operator/bake_off.hpp>
#include <sumfac/operator/element_operator.hpp>
#include <sumfac/operator/global_operator.hpp>
#include <sumfac/operator/sum.hpp>
#include <sumfac/points/evaluator.hpp>
#include <sumfac/solver/cg.hpp>
#include <sumfac/solver/chebyshev.hpp>
#include <sumfac/solver/gmres.hpp>
#include <sumfac/solver/merged_cg.hpp>
#include <sumfac/solver/minres.hpp>
#include <sumfac/solver/null_space.hpp>
#include <sumfac/solver/preconditioner.hpp>
#include <sumfac/solver/vector_ops.hpp>
#include <sumfac/view/view.hpp>

#include <catch2/catch.hpp>
#include <support/few.hpp>
#include <support/larger.hpp>
#include <support/random.hpp>
#include <support/tolerance.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <set>
#include <string>
#include <vector>

namespace {

using namespace shares;
using sumfac::distributed;
using sumfac::index_t;
using sumfac::interleaving;

processes const world;

// The greatest difference over all processes; the same for each, so that all go the same way after a CHECK.
template <class T>
double difference(std::vector<T> const& a, std::vector<T> const& b)
{
  double most = a.size() == b.size() ? 0 : 1e300;
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) {
    double const d = std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i]));
    if (!(d <= most)) most = d;
  }
  return greatest(most);
}

template <class T>
double size_of(std::vector<T> const& a)
{
  double most = 0;
  for (T const x : a) most = support::larger(most, std::abs(static_cast<double>(x)));
  return greatest(most);
}

std::vector<way> const ways =
    support::few ? std::vector{way::scattered, way::last_empty}
                 : std::vector{way::slabs, way::scattered, way::last_empty, way::last_idle, way::first_all};

// y = A x and the diagonal of all parts are those of the whole mesh, to rounding.
template <class Operator>
void applies(way how, sumfac::restriction_options const& options, sumfac::overlap overlap, std::size_t equations = 0)
{
  using T = typename Operator::scalar_type;
  problem<Operator> const p(how, world.rank, world.count, options, {}, {}, equations);
  sumfac::mpi::halo const halo(MPI_COMM_WORLD, p.owners(), p.numbers());
  distributed<Operator, sumfac::restriction<T>, sumfac::mpi::halo> const L(p.A, p.R, halo, {.overlap = overlap});
  auto const x = p.random(7);
  std::vector<T> y(x.size()), d(x.size()), own_y(static_cast<std::size_t>(L.size()), T(99)), own_d = own_y;
  p.A_all.apply(p.R_all, vector_of(x), vector_of(y));
  p.A_all.diagonal(p.R_all, vector_of(d));
  auto const own_x = p.owned(x);
  double const allowed =
      (equations > 0 ? 32 : 8) * reference::roundings(Operator::order) * std::numeric_limits<T>::epsilon();
  for (int twice = 0; twice < 2; ++twice) {
    L.apply(vector_of(own_x), vector_of(own_y));
    CHECK(difference(own_y, p.owned(y)) <= allowed * size_of(d));
  }
  L.diagonal(vector_of(own_d));
  CHECK(difference(own_d, p.owned(d)) <= allowed * size_of(d));
}

template <class Operator>
void applies_all(sumfac::restriction_options const& options)
{
  for (way const how : ways)
    for (auto const overlap : {sumfac::overlap::none, sumfac::overlap::update, sumfac::overlap::both}) {
      CAPTURE(static_cast<int>(how), static_cast<int>(overlap));
      applies<Operator>(how, options, overlap);
    }
}

}  // namespace

TEST_CASE("parts of a mesh apply what the whole mesh applies")
{
  applies_all<sumfac::bp3<2>>({});
  if constexpr (!support::few) applies_all<sumfac::bp3<2>>({.rows = sumfac::constrained_rows::zero});
  applies_all<sumfac::bp3<1, sumfac::host, float>>({.rows = 0.25});
}

TEST_CASE("equations whose terms other processes have are those of the whole mesh, C^T A C")
{
  applies<sumfac::bp3<1, sumfac::host, float>>(way::last_empty, {.rows = 0.25}, sumfac::overlap::none, 20);
  applies<sumfac::bp4<1>>(way::last_idle, {.components_lie = interleaving::slowest}, sumfac::overlap::update, 60);
  for (way const how : {way::scattered, way::last_empty}) {
    applies<sumfac::bp3<2>>(how, {}, sumfac::overlap::both, 120);
    CAPTURE(static_cast<int>(how));
    problem<sumfac::bp3<2>> const p(how, world.rank, world.count, {}, {}, {}, 120);
    sumfac::restriction const free = p.R_all.unconstrained();
    reference::expansion const c(p.all_marks.size(), p.equations);
    sumfac::mpi::halo const halo(MPI_COMM_WORLD, p.owners(), p.numbers());
    distributed const L(p.A, p.R, halo);
    // Rows that elements read have terms at nodes of none of the process' elements.
    std::set<std::int64_t> const of_elements_here(p.s.numbers.table.begin(), p.s.numbers.table.end());
    double const elsewhere = static_cast<double>(p.s.nodes()) - static_cast<double>(of_elements_here.size());
    CHECK((sum_of_all(elsewhere) > 0) == (world.count > 1));
    auto const to_doubles = [](auto const& list) { return std::vector<double>(list.begin(), list.end()); };
    auto const to_reals = [](auto const& list) { return reference::expansion::vector(list.begin(), list.end()); };
    auto const wanted = p.random(4);
    auto const values = to_doubles(c.distributed(to_reals(wanted), true));
    auto own = p.owned(wanted);
    L.distribute(own);
    CHECK(difference(own, p.owned(values)) <= 1e-14 * size_of(values));
    // Their load; what is known of them: fixed entries, and what follows for others.
    std::vector<double> load(values.size()), known(wanted), of_known(load);
    p.A_all.apply(free, values, load);
    for (std::size_t i = 0; i < known.size(); ++i)
      if (p.all_marks[i] == 0) known[i] = 0;
    known = to_doubles(c.distributed(to_reals(known), true));
    p.A_all.apply(free, known, of_known);
    for (std::size_t i = 0; i < load.size(); ++i) load[i] -= of_known[i];
    auto b = to_doubles(c.collected(to_reals(load)));
    for (std::size_t i = 0; i < b.size(); ++i)
      if (p.all_marks[i] != 0 || !c.is_free(i)) b[i] = 0;
    sumfac::restriction const own_free = p.R.unconstrained();
    distributed const L_all(p.A, own_free, halo);
    auto own_b = p.owned(values), own_known = p.owned(wanted), own_of_known = own_b;
    auto const is_fixed = [&](std::size_t i) { return p.own_marks[i] != 0; };
    for (std::size_t i = 0; i < own_known.size(); ++i)
      if (!is_fixed(i)) own_known[i] = 0;
    L.distribute(own_known);
    L_all.apply(p.owned(values), own_b);
    L_all.apply(own_known, own_of_known);
    for (std::size_t i = 0; i < own_b.size(); ++i) own_b[i] -= own_of_known[i];
    L.collect(own_b);
    CHECK(difference(own_b, p.owned(b)) <= 1e-13 * size_of(load));
    std::vector<double> x(own_b.size()), d(x.size());
    L.diagonal(d);
    CHECK(
        sumfac::cg(L, own_b, x, sumfac::jacobi{sumfac::host{}, vector_of(d)}, {.iterations = 500, .tolerance = 1e-13}));
    for (std::size_t i = 0; i < x.size(); ++i)
      if (is_fixed(i)) x[i] = own_known[i];
    L.distribute(x);
    CHECK(difference(x, p.owned(values)) <= 1e-9 * size_of(values));
  }
}

TEST_CASE("equations that processes do not have alike are refused on all")
{
  using Catch::Matchers::Contains;
  if (world.count == 1) return;
  problem<sumfac::bp3<2>> const p(way::slabs, world.rank, world.count, {}, {}, {}, 120);
  sumfac::mpi::halo const halo(MPI_COMM_WORLD, p.owners(), p.numbers());
  auto const says = [&](auto const& change, char const* what) {
    auto equations = p.equations;
    if (world.rank == 0) change(equations);
    sumfac::restriction const r = p.with_rows(equations);
    CHECK_THROWS_WITH((distributed(p.A, r, halo)), Contains(what));
  };
  // A row that process 0 and another one have.
  std::ptrdiff_t shared = -1;
  for (std::size_t i = 0; i < p.equations.size() && shared < 0; ++i) {
    auto const node = static_cast<std::int64_t>(p.equations[i].unknown);
    auto const& list = p.s.nodes_of_mesh;
    double const mine = std::find(list.begin(), list.end(), node) != list.end() ? 1 : 0;
    bool const common = sum_of_all(mine) > 1, first = sum_of_all(world.rank == 0 ? mine : 0) > 0;
    if (common && first && p.equations[i].terms.size() > 1) shared = static_cast<std::ptrdiff_t>(i);
  }
  REQUIRE(shared >= 0);
  says([&](auto& all) { all.erase(all.begin() + shared); }, "is constrained on one process and not on the other (");
  says([&](auto& all) { all[static_cast<std::size_t>(shared)].terms.pop_back(); },
       "has rows of other numbers of terms on two processes (");
  says([&](auto& all) { all[static_cast<std::size_t>(shared)].b += 0.5; },
       "has rows of other weights or values on two processes (");
}

namespace {

// A row of unit squares of degree 2, which processes share out one after another.
struct squares {
  squares(int first, int last, int all) : elements(last - first)
  {
    auto const number = [](int i, int j) { return 3 * i + j; };
    int const lowest = first > 0 ? 2 * first + 1 : 0;
    for (int i = lowest; i <= 2 * last && last > first; ++i)
      for (int j = 0; j < 3; ++j) numbers.push_back(number(i, j)), owner.push_back(1);
    owned = static_cast<int>(numbers.size());
    if (first > 0 && last > first)
      for (int j = 0; j < 3; ++j) numbers.push_back(number(2 * first, j)), owner.push_back(0);
    for (int node : numbers) marks.push_back(node < 3 || node >= 6 * all ? 1 : 0);
    for (int e = first; e < last; ++e) {
      for (int v = 0; v < 4; ++v) vertices.push_back(e + v % 2), vertices.push_back(v / 2);
      for (int p = 0; p < 9; ++p) {
        int const i = 2 * e + p % 3;
        table.push_back(i < lowest ? owned + p / 3 : number(i - lowest, p / 3));
      }
    }
  }
  auto cells() const
  {
    return sumfac::view<double const, sumfac::extents<sumfac::dynamic_extent, 2, 2, 2>>(vertices.data(), elements);
  }
  auto restriction() const
  {
    sumfac::view<int const, sumfac::extents<sumfac::dynamic_extent, 3, 3>> const of_elements(table.data(), elements);
    return sumfac::restriction(sumfac::host{}, of_elements, static_cast<index_t>(numbers.size()), vector_of(marks));
  }

  int elements, owned = 0;
  std::vector<int> numbers, owner, table;
  std::vector<double> vertices;
  std::vector<unsigned char> marks;
};

}  // namespace

TEST_CASE("a sum of operators on parts is that on the whole mesh, by one exchange")
{
  for (way const how : ways)
    for (auto const overlap : {sumfac::overlap::none, sumfac::overlap::update, sumfac::overlap::both}) {
      CAPTURE(static_cast<int>(how), static_cast<int>(overlap));
      problem<sumfac::bp3<2>> const k(how, world.rank, world.count, {});
      problem<sumfac::bp1<2>> const m(how, world.rank, world.count, {});
      sumfac::mpi::halo const of_mpi(MPI_COMM_WORLD, k.owners(), k.numbers());
      watch seen;
      watched_halo const halo{of_mpi, seen};
      sumfac::sum const L{sumfac::part{k.A, k.R, halo, {.overlap = overlap}}, 0.5 * sumfac::part{m.A, m.R, halo}};
      sumfac::sum const all{sumfac::part{k.A_all, k.R_all}, 0.5 * sumfac::part{m.A_all, m.R_all}};
      auto const x = k.random(7);
      std::vector<double> y(x.size()), d(x.size()), own_y(static_cast<std::size_t>(L.size()), 99), own_d = own_y;
      all.apply(x, y);
      all.diagonal(d);
      auto const own_x = k.owned(x);
      double const allowed = 16 * reference::roundings(2) * std::numeric_limits<double>::epsilon() * size_of(d);
      seen.look_at(own_y);
      L.apply(own_x, own_y);
      CHECK(seen.calls == calls_of(overlap));
      CHECK(difference(own_y, k.owned(y)) <= allowed);
      L.diagonal(own_d);
      CHECK(difference(own_d, k.owned(d)) <= allowed);

      std::vector<double> z(x.size()), own_z(own_y.size());
      sumfac::cg_options const options{.iterations = 300, .tolerance = 1e-11};
      auto const whole = sumfac::cg(all, y, z, sumfac::jacobi{sumfac::host{}, d}, options);
      auto const parted = sumfac::cg(L, own_y, own_z, sumfac::jacobi{sumfac::host{}, own_d}, options);
      CHECK(parted);
      CHECK(parted.iterations == whole.iterations);
      CHECK(difference(own_z, own_x) < 1e-8);
    }
}

TEST_CASE("quadrilaterals in parts apply what all of them apply")
{
  using Operator = sumfac::element_operator<sumfac::laplace, sumfac::quadrilateral(2)>;
  int const all = 40;
  squares const whole(0, all, all);
  squares part(all * world.rank / world.count, all * (world.rank + 1) / world.count, all);
  for (int& owner : part.owner) owner = owner == 1 ? world.rank : world.rank - 1;
  Operator const A_all(sumfac::host{}, whole.cells()), A(sumfac::host{}, part.cells());
  auto const R_all = whole.restriction(), R = part.restriction();
  sumfac::mpi::halo const halo(MPI_COMM_WORLD, vector_of(part.owner), vector_of(part.numbers));
  distributed const L(A, R, halo);
  auto const x = support::random<double>(whole.numbers.size(), 3);
  std::vector<double> y(x.size()), own_x, own_y(static_cast<std::size_t>(L.size())), expected;
  A_all.apply(R_all, vector_of(x), vector_of(y));
  for (int i = 0; i < part.owned; ++i) {
    auto const node = static_cast<std::size_t>(part.numbers[static_cast<std::size_t>(i)]);
    own_x.push_back(x[node]), expected.push_back(y[node]);
  }
  L.apply(vector_of(own_x), vector_of(own_y));
  CHECK(difference(own_y, expected) <= 1e-13 * size_of(expected));
}

TEST_CASE("components lie one way or the other")
{
  if constexpr (!support::few) applies_all<sumfac::bp4<2>>({.components_lie = interleaving::fastest});
  applies_all<sumfac::bp4<1>>({.components_lie = interleaving::slowest});
}

namespace {

// Jacobi's preconditioner as one of a user's own.
struct by_reference {
  sumfac::jacobi<> const* p;
  template <class From, class To>
  void apply(From const& r, To const& z) const
  {
    for (index_t i = 0; i < p->size(); ++i) z(i) = p->inverse()[i] * r(i);
  }
};

}  // namespace

TEST_CASE("every solver solves on parts as on the whole mesh")
{
  using Operator = sumfac::bp3<2>;
  for (way const how : ways) {
    CAPTURE(static_cast<int>(how));
    problem<Operator> const p(how, world.rank, world.count, {});
    sumfac::mpi::halo const halo(MPI_COMM_WORLD, p.owners(), p.numbers());
    distributed const L(p.A, p.R, halo);
    sumfac::global_operator const whole(p.A_all, p.R_all);
    auto const b = p.random(11);
    std::vector<double> x(b.size()), d(b.size());
    whole.diagonal(vector_of(d));
    auto const own_b = p.owned(b);
    std::vector<double> own_x(own_b.size()), own_d(own_b.size());
    L.diagonal(vector_of(own_d));
    sumfac::jacobi const P(sumfac::host{}, vector_of(d)), own_P(sumfac::host{}, vector_of(own_d));
    auto const compare = [&](char const* name, auto const& solve) {
      CAPTURE(name);
      std::fill(x.begin(), x.end(), 0), std::fill(own_x.begin(), own_x.end(), 0);
      auto const one = solve(whole, b, x, P), all = solve(L, own_b, own_x, own_P);
      CHECK(one.status == sumfac::solve_status::converged);
      CHECK(all.status == sumfac::solve_status::converged);
      CHECK(std::abs(one.iterations - all.iterations) <= 1);
      CHECK(std::abs(one.initial_residual - all.initial_residual) <= 1e-13 * one.initial_residual);
      CHECK(difference(own_x, p.owned(x)) <= 1e-9 * size_of(x));
    };
    compare("cg", [](auto const& a, auto const& right, auto& to, auto const& by) {
      return sumfac::cg(a, vector_of(right), vector_of(to), by, {.tolerance = 1e-12});
    });
    compare("cg without", [](auto const& a, auto const& right, auto& to, auto const&) {
      return sumfac::cg(a, vector_of(right), vector_of(to), {.tolerance = 1e-12});
    });
    compare("merged cg", [](auto const& a, auto const& right, auto& to, auto const& by) {
      return sumfac::merged_cg(a, vector_of(right), vector_of(to), by, {.tolerance = 1e-12});
    });
    // The way the parts are cut is in products and sums, which cg has seen: one way for what else is made of them.
    if (!support::few && how == ways.front()) {
      compare("merged cg without", [](auto const& a, auto const& right, auto& to, auto const&) {
        return sumfac::merged_cg(a, vector_of(right), vector_of(to), {.tolerance = 1e-12});
      });
      compare("gmres", [](auto const& a, auto const& right, auto& to, auto const& by) {
        return sumfac::gmres(a, vector_of(right), vector_of(to), by, {.tolerance = 1e-12});
      });
      compare("minres", [](auto const& a, auto const& right, auto& to, auto const& by) {
        return sumfac::minres(a, vector_of(right), vector_of(to), by, {.tolerance = 1e-12});
      });
      compare("chebyshev", [](auto const& a, auto const& right, auto& to, auto const& by) {
        using matrix = std::remove_cvref_t<decltype(a)>;
        sumfac::chebyshev_smoother<matrix, by_reference> const s(a, {&by}, {.degree = 3});
        return sumfac::cg(a, vector_of(right), vector_of(to), s, {.tolerance = 1e-12});
      });
    }
  }
}

TEST_CASE("Neumann and periodic problems are solved on parts, told of constants, and what is said without")
{
  using Operator = sumfac::bp5<2>;
  for (bool const periodic : {false, true})
    for (way const how : {way::slabs, way::last_empty, way::last_idle}) {
      if (support::few && (periodic || how != way::last_empty)) continue;
      CAPTURE(periodic, static_cast<int>(how));
      box_of const box{{3, 3, 3}, {periodic, periodic, periodic}, fixed::none};
      problem<Operator> const p(how, world.rank, world.count, {}, {}, box);
      sumfac::mpi::halo const halo(MPI_COMM_WORLD, p.owners(), p.numbers());
      distributed const L(p.A, p.R, halo);
      sumfac::global_operator const whole(p.A_all, p.R_all);
      sumfac::null_space const constants{L}, of_whole{whole};
      auto b = p.random(11);
      of_whole.project(vector_of(b));
      // Each node counts once: the vector of ones has the length of all.
      double square = 0;
      for (index_t i = 0; i < constants.size(); ++i) square += std::pow(constants[0](i), 2);
      CHECK(std::abs(sum_of_all(square) - 1) < 1e-13);
      for (double const mean : {0.0, 0.5}) {
        auto load = b;
        for (double& entry : load) entry += mean;
        auto const own_load = p.owned(load);
        std::vector<double> x(b.size()), own_x(own_load.size());
        auto const compare = [&](char const* name, auto const& solve) {
          CAPTURE(name, mean);
          std::fill(x.begin(), x.end(), 3), std::fill(own_x.begin(), own_x.end(), 3);
          auto const one = solve(whole, load, x, &of_whole), all = solve(L, own_load, own_x, &constants);
          CHECK(one.status == sumfac::solve_status::converged);
          CHECK(all.status == sumfac::solve_status::converged);
          CHECK(difference(own_x, p.owned(x)) <= 1e-8 * size_of(x));
          double sum = 0;
          for (double const entry : own_x) sum += entry;
          CHECK(std::abs(sum_of_all(sum)) <= 1e-12 * static_cast<double>(b.size()) * size_of(x));
          std::fill(own_x.begin(), own_x.end(), 0);
          sumfac::null_space<> const* const none = nullptr;
          auto const alone = solve(L, own_load, own_x, none);
          if (mean == 0) return;
          CHECK(!alone);
          CHECK(alone.free_constants);
        };
        auto const with = [](auto options, auto const* space) {
          options.iterations = 150, options.tolerance = 1e-10;
          if (space != nullptr) options.null_space = *space;
          return options;
        };
        compare("cg", [&](auto const& a, auto const& right, auto& to, auto const* space) {
          return sumfac::cg(a, vector_of(right), vector_of(to), with(sumfac::cg_options{}, space));
        });
        if (!support::few && how == way::slabs) {
          compare("merged cg", [&](auto const& a, auto const& right, auto& to, auto const* space) {
            return sumfac::merged_cg(a, vector_of(right), vector_of(to), with(sumfac::cg_options{}, space));
          });
          compare("minres", [&](auto const& a, auto const& right, auto& to, auto const* space) {
            return sumfac::minres(a, vector_of(right), vector_of(to), {}, with(sumfac::minres_options{}, space));
          });
          compare("gmres", [&](auto const& a, auto const& right, auto& to, auto const* space) {
            return sumfac::gmres(a, vector_of(right), vector_of(to), {}, with(sumfac::gmres_options{}, space));
          });
        }
      }
    }
}

TEST_CASE("sums of vector_ops are those of all processes")
{
  sumfac::mpi::halo const halo(MPI_COMM_WORLD, sumfac::view<int const, sumfac::dextents<1>>(nullptr, 0),
                               sumfac::view<int const, sumfac::dextents<1>>(nullptr, 0));
  CHECK(halo.owned() + halo.ghosts() + halo.neighbors() == 0);
  auto const size = static_cast<index_t>(world.rank == 1 ? 0 : 10);
  sumfac::vector_ops const ops(sumfac::host{}, size, halo.reduction());
  std::vector<double> ones(static_cast<std::size_t>(size), 1.0);
  int const with = world.count > 1 ? world.count - 1 : 1;
  CHECK(ops.dot(vector_of(ones), vector_of(ones)) == 10.0 * with);
  CHECK(ops.norm(vector_of(ones)) == std::sqrt(10.0 * with));
}

TEST_CASE("results have the same bits each time, and for any number of threads")
{
  using Operator = sumfac::bp3<2>;
  std::vector<double> first;
  for (int const threads : {1, 1, 2, 3}) {
    problem<Operator> const p(way::scattered, world.rank, world.count, {}, sumfac::host{threads});
    sumfac::mpi::halo const halo(MPI_COMM_WORLD, p.owners(), p.numbers());
    distributed const L(p.A, p.R, halo);
    auto const b = p.owned(p.random(3));
    std::vector<double> x(b.size());
    sumfac::cg(L, vector_of(b), vector_of(x), {.iterations = 20, .tolerance = 0});
    if (first.empty()) first = x;
    CHECK(difference(x, first) == 0);
    CHECK(greatest(x.empty() ? 0 : std::memcmp(x.data(), first.data(), x.size() * sizeof(double)) != 0) == 0);
  }
}

TEST_CASE("the interior is applied between the beginning and the end of an exchange")
{
  using Operator = sumfac::bp3<2>;
  problem<Operator> const p(way::slabs, world.rank, world.count, {});
  sumfac::mpi::halo const halo(MPI_COMM_WORLD, p.owners(), p.numbers());
  for (auto const overlap : {sumfac::overlap::none, sumfac::overlap::update, sumfac::overlap::both}) {
    watch seen;
    watched_halo const own{halo, seen};
    distributed const L(p.A, p.R, own, {.overlap = overlap});
    auto const x = p.owned(p.random(3));
    std::vector<double> y(x.size(), watch::untouched);
    seen.look_at(y);
    L.apply(vector_of(x), vector_of(y));
    CHECK(seen.calls == calls_of(overlap));
    CHECK(seen.is_beside(overlap));
  }
}

TEST_CASE("few elements wait for ghosts where those are numbered last, and none without")
{
  using Operator = sumfac::bp3<2>;
  problem<Operator> const p(way::slabs, world.rank, world.count, {});
  sumfac::mpi::halo const halo(MPI_COMM_WORLD, p.owners(), p.numbers());
  distributed const L(p.A, p.R, halo);
  CHECK(L.elements() == static_cast<index_t>(p.s.elements.size()));
  CHECK(L.boundary_elements() <= L.elements());
  CHECK((L.boundary_elements() > 0) == (halo.ghosts() > 0));
  CHECK((world.count > 1 || halo.neighbors() == 0));
}

namespace {

// What all processes are told of owners and numbers; empty where nothing is wrong.
std::string told(std::vector<int> const& owner, std::vector<int> const& number)
{
  try {
    sumfac::mpi::halo const halo(MPI_COMM_WORLD, vector_of(owner), vector_of(number));
  } catch (sumfac::argument_error const& e) {
    return e.what();
  }
  return "";
}

}  // namespace

TEST_CASE("partitions that do not match are found by all processes, with both numbers")
{
  using Catch::Matchers::Contains;
  int const next = (world.rank + 1) % world.count;
  CHECK(told({world.rank}, {10 + world.rank}) == "");
  CHECK_THAT(told({world.rank, world.rank}, {10 + world.rank, 10 + world.rank}),
             Contains("process 0: two nodes have the number 10 (of 2 nodes)"));
  CHECK_THAT(told({world.count}, {1}),
             Contains("node 0 has an owner that is no process (" + std::to_string(world.count)));
  CHECK_THAT(told({world.rank}, {}), Contains("1 owners, 0 numbers"));
  if (world.count == 1) return;
  // The last process alone is wrong.
  bool const wrong = world.rank == world.count - 1;
  CHECK_THAT(told({world.rank, next}, {10 + world.rank, wrong ? 77 : 10 + next}),
             Contains("process 0: process " + std::to_string(world.count - 1) +
                      " has node 77 from here, which is not among the 1 nodes owned here"));
  CHECK_THAT(told({world.rank}, {wrong ? 10 : 10 + world.rank}),
             Contains("node 10 is owned by process 0 and by process " + std::to_string(world.count - 1)));
  CHECK_THAT(told({next, world.rank}, {10 + next, 10 + world.rank}), Contains("stands behind a ghost"));
}

TEST_CASE("a restriction of other nodes, and marks that differ, are found by all processes")
{
  using Catch::Matchers::Contains;
  using Operator = sumfac::bp3<2>;
  if (world.count == 1) return;
  problem<Operator> const p(way::slabs, world.rank, world.count, {});
  sumfac::mpi::halo const halo(MPI_COMM_WORLD, p.owners(), p.numbers());
  auto const says = [&](auto const& restriction) -> std::string {
    try {
      distributed const L(p.A, restriction, halo);
    } catch (sumfac::argument_error const& e) {
      return e.what();
    }
    return "";
  };
  sumfac::view<std::int64_t const, sumfac::extents<sumfac::dynamic_extent, 3, 3, 3>> const table(
      p.s.numbers.table.data(), p.s.numbers.elements);
  bool const wrong = world.rank == 1;
  sumfac::restriction const more(sumfac::host{}, table, p.s.nodes() + (wrong ? 2 : 0));
  CHECK_THAT(says(more), Contains("process 1: the restriction has not the nodes of the halo ("));
  auto marks = p.own_marks;
  // Every mark of one process turned round: it has ghosts, or others have its nodes as ghosts.
  if (wrong)
    for (auto& mark : marks) mark = mark != 0 ? 0 : 1;
  sumfac::restriction const other(sumfac::host{}, table, p.s.nodes(),
                                  sumfac::view<unsigned char const, sumfac::dextents<1>>(marks.data(), p.s.nodes()));
  CHECK_THAT(says(other), Contains("is constrained on one process and not on the other ("));
}

TEST_CASE("points on cuts have one owner, and their sources count once")
{
  using Operator = sumfac::bp3<2>;
  constexpr int order = 2;
  for (way const how : ways) {
    CAPTURE(static_cast<int>(how));
    problem<Operator> const p(how, world.rank, world.count, {});
    sumfac::mpi::halo const halo(MPI_COMM_WORLD, p.owners(), p.numbers());
    // Vertices of all elements, many of them on cuts, some of them twice, and a point that is nowhere.
    auto points = p.all_mesh.coordinates;
    points.insert(points.end(), {9, 9, 9});
    auto const count = static_cast<index_t>(points.size() / 3);
    sumfac::view const places(points.data(), count, 3);
    sumfac::locator const search{sumfac::host{}, p.nodes()};
    auto const mine = search.locate(places);
    auto const found = sumfac::mpi::owned_points(MPI_COMM_WORLD, mine);
    std::vector<int> owners(static_cast<std::size_t>(count)), finders(owners.size());
    for (index_t i = 0; i < count; ++i) {
      owners[std::size_t(i)] = found.elements()(i) >= 0, finders[std::size_t(i)] = mine.elements()(i) >= 0;
      if (found.elements()(i) >= 0) CHECK(found.elements()(i) == mine.elements()(i));
    }
    CHECK(found.misses().extent(0) == count - std::count(owners.begin(), owners.end(), 1));
    for (auto* const list : {&owners, &finders})
      MPI_Allreduce(MPI_IN_PLACE, list->data(), static_cast<int>(count), MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    CHECK(std::count(owners.begin(), owners.end() - 1, 1) == count - 1);
    CHECK(owners.back() == 0);
    if (world.count > 1 && how == way::slabs) CHECK(*std::max_element(finders.begin(), finders.end()) > 1);

    auto const f = support::random<double>(static_cast<std::size_t>(count), 3);
    using table = sumfac::view<std::int64_t const, sumfac::extents<sumfac::dynamic_extent, 3, 3, 3>>;
    sumfac::restriction const all(sumfac::host{}, table(p.all_numbers.table.data(), p.all_numbers.elements),
                                  p.all_numbers.nodes);
    auto const whole = sumfac::locator(sumfac::host{}, p.all_nodes()).locate(places);
    std::vector<double> expected(static_cast<std::size_t>(p.all_numbers.nodes));
    sumfac::evaluator_options const options{.misses = sumfac::point_misses::skip, .sources = true};
    sumfac::evaluator<order>(all, whole, options).add_sources(vector_of(f), vector_of(expected));
    std::vector<double> y(static_cast<std::size_t>(p.s.nodes()));
    sumfac::restriction const R(sumfac::host{}, table(p.s.numbers.table.data(), p.s.numbers.elements), p.s.nodes());
    sumfac::evaluator<order>(R, found, options).add_sources(vector_of(f), vector_of(y));
    sumfac::mpi::halo::exchange<double, sumfac::host> exchange(halo, sumfac::host{}, 1, interleaving::fastest);
    double* const ghosts = y.data() + halo.owned();
    exchange.begin_add(ghosts, y.data()), exchange.end_add(ghosts, y.data());
    y.resize(static_cast<std::size_t>(halo.owned()));
    CHECK(difference(y, p.owned(expected)) < 1e-13);
    if (world.count > 1) {
      auto const fewer = search.locate(sumfac::view(points.data(), count - world.rank, 3));
      CHECK_THROWS_WITH(sumfac::mpi::owned_points(MPI_COMM_WORLD, fewer),
                        Catch::Contains("process 1: the number of points is not that of process 0 (expected "));
    }
  }
}
