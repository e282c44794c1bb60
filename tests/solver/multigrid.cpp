// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Multigrid in the degree as a preconditioner: iterations, symmetry, cycles, precision, threads, what is refused.
#include "multigrid_case.hpp"

#include <sumfac/backend/checked.hpp>
#include <sumfac/operator/bake_off.hpp>
#include <sumfac/solver/assemble.hpp>
#include <sumfac/solver/gmres.hpp>
#include <sumfac/solver/null_space.hpp>

#include <support/convection.hpp>
#include <support/measured.hpp>

#include <functional>
#include <limits>
#include <string>
#include <thread>

namespace {

using checks::box_problem, checks::global_view, checks::index_t, checks::refused;
using sumfac::solve_status;

// Rules of levels: of Gauss' as few points as the degree takes, of Gauss and Lobatto's as many fewer as it is lower.
template <class Points, int Fine, int Coarse, class Expected>
constexpr bool has_rule = std::is_same_v<typename sumfac::detail::level_rule<Points, Fine, Coarse>::type, Expected>;
static_assert(has_rule<sumfac::gauss<7>, 4, 2, sumfac::gauss<3>> && has_rule<sumfac::gauss<7>, 4, 4, sumfac::gauss<7>>);
static_assert(has_rule<sumfac::gauss_lobatto<7>, 4, 2, sumfac::gauss_lobatto<5>>);
static_assert(has_rule<sumfac::gauss_lobatto<7>, 4, 4, sumfac::gauss_lobatto<7>>);

template <class Problem, class Preconditioner>
sumfac::solve_result solve(Problem const& p, Preconditioner const& preconditioner,
                           sumfac::cg_options const& options = {})
{
  sumfac::global_operator const l{p.a, p.r};
  std::vector<typename Problem::scalar> x(p.b.size());
  auto const result = sumfac::cg(l, global_view(p.b), global_view(x), preconditioner, options);
  // b - A x, computed anew.
  std::vector<typename Problem::scalar> y(x.size());
  l.apply(global_view(std::as_const(x)), global_view(y));
  double left = 0;
  for (std::size_t i = 0; i < y.size(); ++i) left += std::pow(double(p.b[i]) - double(y[i]), 2);
  CHECK(std::sqrt(left) <= 1.01 * result.residual + 1e-12 * result.initial_residual);
  return result;
}

// A smoother as a user may write it.
struct two_degrees {
  template <class Level>
  auto make(Level const& level) const
  {
    return sumfac::chebyshev_smoother(level.matrix(), level.make_jacobi(), sumfac::chebyshev{2});
  }
};

// The inverse, by Gauss and Jordan with row pivots.
struct dense_inverse {
  explicit dense_inverse(sumfac::csr_matrix<> const& a) : n(static_cast<std::size_t>(a.size())), inverse(n * n)
  {
    std::vector<double> m(n * n);
    for (std::size_t row = 0; row < n; ++row) {
      inverse[row * n + row] = 1;
      for (auto i = static_cast<std::size_t>(a.first()[row]); i < static_cast<std::size_t>(a.first()[row + 1]); ++i)
        m[row * n + static_cast<std::size_t>(a.columns()[i])] = a.values()[i];
    }
    for (std::size_t k = 0; k < n; ++k) {
      std::size_t pivot = k;
      for (std::size_t row = k; row < n; ++row)
        if (std::abs(m[row * n + k]) > std::abs(m[pivot * n + k])) pivot = row;
      for (std::size_t j = 0; j < n; ++j) {
        std::swap(m[k * n + j], m[pivot * n + j]);
        std::swap(inverse[k * n + j], inverse[pivot * n + j]);
      }
      double const by = 1 / m[k * n + k];
      for (std::size_t j = 0; j < n; ++j) m[k * n + j] *= by, inverse[k * n + j] *= by;
      for (std::size_t row = 0; row < n; ++row) {
        double const times = m[row * n + k];
        if (row == k || times == 0) continue;
        for (std::size_t j = 0; j < n; ++j)
          m[row * n + j] -= times * m[k * n + j], inverse[row * n + j] -= times * inverse[k * n + j];
      }
    }
  }
  template <class From, class To>
  void apply(From const& r, To const& z) const
  {
    for (std::size_t row = 0; row < n; ++row) {
      double sum = 0;
      for (std::size_t k = 0; k < n; ++k) sum += inverse[row * n + k] * r(static_cast<index_t>(k));
      z(static_cast<index_t>(row)) = sum;
    }
  }
  std::size_t n;
  std::vector<double> inverse;  // (n, n)
};

// Diffusion with coefficients of elements, and of points where there are any.
struct diffusion {
  static constexpr auto trial = sumfac::gradient, test = sumfac::gradient;

  template <class T>
  struct factors {
    sumfac::symmetric<T, 3> metric;
  };

  template <class T>
  SUMFAC_FUNCTION factors<T> setup(sumfac::mapping<T> const& x) const
  {
    T const k = by_points ? x.at(of_points) : x.at(of_elements);
    return {k * sumfac::pulled_back_metric(x)};
  }

  template <class T>
  SUMFAC_FUNCTION sumfac::point_values<T> apply(factors<T> const& f, sumfac::point_values<T> const& u) const
  {
    return {.gradient = f.metric * u.gradient};
  }

  sumfac::view<double const, sumfac::dextents<1>> of_elements;
  sumfac::view<double const, sumfac::dextents<4>> of_points;
  bool by_points = false;
};

// (t u, v) with another function t.
struct reads_another : support::measured {
  static constexpr auto trial = sumfac::value, test = sumfac::value;
  using inputs = sumfac::reads<sumfac::input{}>;

  template <class T>
  SUMFAC_FUNCTION sumfac::point_values<T> apply(factors<T> const& f, sumfac::point_values<T> const& u,
                                                sumfac::point_values<T> const& t) const
  {
    return {.value = f.measure * t.value * u.value};
  }
};

}  // namespace

TEST_CASE("multigrid: right sides of any size, also out of float's range; 0 stays 0")
{
  box_problem<sumfac::bp5<2>> const p({3, 3, 3}, mesh::smooth{});
  sumfac::multigrid const mg{sumfac::p_levels<float, 2, 1>(p.a, p.nodes(), p.r)};
  auto const of = [&](double scale) {
    auto r = p.b;
    for (double& x : r) x *= scale;
    std::vector<double> z(r.size(), 7);
    mg.apply(global_view(std::as_const(r)), global_view(z));
    return z;
  };
  auto const one = of(1);
  for (double const scale : {0x1p-300, 0x1p200, 0x1p-60}) {
    auto const z = of(scale);
    for (std::size_t i = 0; i < z.size(); ++i) CHECK(z[i] == scale * one[i]);
  }
  CHECK(of(0) == std::vector<double>(p.b.size(), 0));
}

// Sanitizers look at the one above.
#if !defined(SUMFAC_TESTS_FEW)
TEST_CASE("multigrid: coefficients of elements are those of all levels; those of points are averaged for each")
{
  mesh::counts const counts{4, 4, 4};
  std::vector<double> jumps;
  for (int e = 0; e < counts.elements(); ++e) jumps.push_back(e % 3 == 0 ? 50 : 1);
  auto of_points = support::random<double>(static_cast<std::size_t>(counts.elements() * 27), 8);
  for (std::size_t i = 0; i < of_points.size(); ++i) of_points[i] = (2 + of_points[i]) * jumps[i / 27];
  diffusion form{sumfac::view<double const, sumfac::dextents<1>>(jumps.data(), counts.elements()),
                 sumfac::view<double const, sumfac::dextents<4>>(of_points.data(), counts.elements(), 3, 3, 3)};
  using made = sumfac::element_operator<diffusion, 2, sumfac::gauss_lobatto<3>>;
  box_problem<made> const p(counts, mesh::smooth{}, 3, {}, form);
  auto const result = solve(p, sumfac::multigrid{sumfac::p_levels<float, 2, 1>(p.a, p.nodes(), p.r)});
  INFO(result.report());
  CHECK(result.status == solve_status::converged);
  CHECK(result.iterations <= 20);
  form.by_points = true;
  box_problem<made> const q(counts, mesh::smooth{}, 3, {}, form);
  CHECK(solve(q, sumfac::multigrid{sumfac::p_levels<float, 2, 1>(q.a, q.nodes(), q.r)}).iterations <= 20);
  // At Gauss and Lobatto's 3 points, whose weights are 1/3, 4/3, 1/3, and at 2, with weights 1 each.
  auto const levels = sumfac::p_levels<2, 1>(q.a, q.nodes(), q.r);
  auto const own = levels.coarsest().element_operator().form().of_points;
  REQUIRE(own.extent(3) == 2);
  double const table[2][3] = {{1 / 3., 2 / 3., 0}, {0, 2 / 3., 1 / 3.}};
  for (sumfac::index_t e = 0; e < counts.elements(); ++e)
    for (int to = 0; to < 8; ++to) {
      double sum = 0;
      for (int i = 0; i < 27; ++i)
        sum += table[to & 1][i % 3] * table[to >> 1 & 1][i / 3 % 3] * table[to >> 2][i / 9] *
               form.of_points(e, i / 9, i / 3 % 3, i % 3);
      CHECK(own(e, to >> 2, to >> 1 & 1, to & 1) == Approx(sum).epsilon(1e-13));
    }
}

TEST_CASE("multigrid: functions that a form reads are not those of other degrees: refused by p_levels")
{
  box_problem<sumfac::element_operator<reads_another, 2>> const p({2, 2, 2}, mesh::smooth{});
  refused([&] { static_cast<void>(sumfac::p_levels<2, 1>(p.a, p.nodes(), p.r)); },
          {"sumfac::p_levels: the level of degree 1 cannot be given the functions that the form reads",
           "(1, 0 expected)", "sumfac::levels{"});
}

TEST_CASE("multigrid: at most 12 iterations on smooth cubes, where Jacobi needs ten times as many")
{
  box_problem<sumfac::bp5<3>> const p({6, 6, 6}, mesh::smooth{});
  sumfac::global_operator const l{p.a, p.r};
  sumfac::multigrid const in_double{sumfac::p_levels<3, 2, 1>(l, p.nodes()), {.smoother = sumfac::chebyshev{3}}};
  sumfac::multigrid const in_float{sumfac::p_levels<float, 3, 2, 1>(p.a, p.nodes(), p.r)};
  auto const one = solve(p, in_double), two = solve(p, in_float);
  INFO(one.report() << "; " << two.report());
  CHECK(one.status == solve_status::converged);
  CHECK(one.iterations <= 12);
  CHECK(two.status == solve_status::converged);
  CHECK(two.iterations <= one.iterations + 1);
  sumfac::multigrid const fixed{sumfac::p_levels<float, 3, 2, 1>(p.a, p.nodes(), p.r), {}, sumfac::coarse_chebyshev{}};
  CHECK(solve(p, fixed).iterations <= two.iterations + 1);
  CHECK(fixed.coarse_solves().count == 0);
  std::vector<double> d(p.b.size());
  p.a.diagonal(p.r, global_view(d));
  sumfac::jacobi const by_jacobi{p.backend, global_view(std::as_const(d))};
  CHECK(solve(p, by_jacobi).iterations >= 5 * one.iterations);
}

TEST_CASE("multigrid: on thin, slanted elements far fewer iterations than Jacobi")
{
  box_problem<sumfac::bp5<3>> const p({6, 6, 6}, mesh::kershaw{});
  sumfac::multigrid const mg{sumfac::p_levels<float, 3, 2, 1>(p.a, p.nodes(), p.r), {.smoother = sumfac::chebyshev{5}}};
  auto const result = solve(p, mg);
  INFO(result.report());
  CHECK(result.status == solve_status::converged);
  CHECK(result.iterations <= 40);
}

TEST_CASE("multigrid: symmetric, whatever the smoother, the levels, the constrained rows and the components")
{
  sumfac::coarse_cg const exact{.tolerance = 1e-14};
  auto const symmetric = [&](auto const& p, auto&& levels, sumfac::multigrid_options<> const& options) {
    sumfac::multigrid const mg{std::move(levels), options, exact};
    CHECK(checks::lack_of_symmetry(mg, p) <= 1e-12);
  };
  using sumfac::chebyshev, sumfac::chebyshev_kind, sumfac::cycle;
  box_problem<sumfac::bp5<3>> const p({3, 3, 4}, mesh::smooth{});
  for (auto const kind : {chebyshev_kind::first, chebyshev_kind::fourth})
    for (auto const way : {cycle::v, cycle::w})
      symmetric(p, sumfac::p_levels<3, 2, 1>(p.a, p.nodes(), p.r),
                {.smoother = {.degree = 2, .kind = kind}, .cycle = way});
  box_problem<sumfac::bp4<2>> const q({3, 3, 2}, mesh::smooth{}, 3, {.components_lie = sumfac::interleaving::slowest});
  symmetric(q, sumfac::p_levels<2, 1>(q.a, q.nodes(), q.r), {});
  box_problem<sumfac::bp3<2>> const s({3, 2, 3}, mesh::smooth{}, 3, {.rows = sumfac::constrained_rows::zero});
  symmetric(s, sumfac::p_levels<2, 1>(s.a, s.nodes(), s.r), {});
  symmetric(s, sumfac::p_levels<2>(s.a, s.nodes(), s.r), {});  // the coarse solver alone
  // In float as far as float goes.
  sumfac::multigrid const in_float{
      sumfac::p_levels<float, 3, 2, 1>(p.a, p.nodes(), p.r), {}, sumfac::coarse_cg{.tolerance = 1e-6}};
  CHECK(checks::lack_of_symmetry(in_float, p) <= 1e-5);
}

TEST_CASE("multigrid: a polynomial on the last level takes every error to its tolerance, and is symmetric")
{
  box_problem<sumfac::bp3<2>> const p({3, 2, 3}, mesh::smooth{}, 3, {.rows = sumfac::constrained_rows::zero});
  sumfac::global_operator const l{p.a, p.r};
  auto const energy_of = [&](std::vector<double> const& x) {
    std::vector<double> y(x.size());
    l.apply(global_view(x), global_view(y));
    return std::sqrt(checks::inner_product(x, y));
  };
  std::vector<double> right(p.b.size()), z(p.b.size());
  l.apply(global_view(p.b), global_view(right));
  for (double const tolerance : {0.3, 0.1, 1e-3, 1e-9}) {
    CAPTURE(tolerance);
    sumfac::multigrid const alone{sumfac::p_levels<2>(p.a, p.nodes(), p.r), {}, sumfac::coarse_chebyshev{tolerance}};
    alone.apply(global_view(std::as_const(right)), global_view(z));
    for (std::size_t i = 0; i < z.size(); ++i) z[i] -= p.b[i];
    CHECK(energy_of(z) <= 1.05 * tolerance * energy_of(p.b));
    CHECK(energy_of(z) >= 0.01 * tolerance * energy_of(p.b));
    CHECK(checks::lack_of_symmetry(alone, p) <= 1e-12);
  }
  for (double const tolerance : {0.0, 1.0, std::numeric_limits<double>::quiet_NaN()})
    refused(
        [&] {
          sumfac::multigrid{sumfac::p_levels<2>(p.a, p.nodes(), p.r), {}, sumfac::coarse_chebyshev{tolerance}};
        },
        {"sumfac::multigrid: the tolerance of coarse_chebyshev is not between 0 and 1"});
}

TEST_CASE("multigrid: W and F cycles need no more iterations than V, F by flexible conjugate gradients")
{
  box_problem<sumfac::bp5<3>> const p({3, 3, 3}, mesh::kershaw{});
  auto const iterations = [&](sumfac::cycle way) {
    sumfac::multigrid const mg{sumfac::p_levels<3, 2, 1>(p.a, p.nodes(), p.r), {.cycle = way}};
    auto const result = solve(p, mg, {.flexible = way == sumfac::cycle::f});
    CHECK(result.status == solve_status::converged);
    return result.iterations;
  };
  auto const v = iterations(sumfac::cycle::v);
  CHECK(iterations(sumfac::cycle::w) <= v);
  CHECK(iterations(sumfac::cycle::f) <= v);
}

TEST_CASE("multigrid: a form with a wind is refused by coarse_cg, and solved by GMRES as well as by elimination")
{
  mesh::counts const counts{4, 4, 3};
  sumfac::gmres_options const options{.iterations = 100};
  for (double const speed : {1., 10., 30., 100.}) {
    CAPTURE(speed);
    box_problem<sumfac::element_operator<support::convection, 2>> const p(counts, mesh::smooth{}, 3, {}, {speed});
    sumfac::global_operator const l{p.a, p.r};
    auto const levels = [&] { return sumfac::p_levels<2, 1>(p.a, p.nodes(), p.r); };
    auto const iterations = [&](auto const& mg) {
      std::vector<double> x(p.b.size()), y(p.b.size());
      auto const result = sumfac::gmres(l, global_view(p.b), global_view(x), mg, options);
      INFO(result.report());
      CHECK(result);
      l.apply(global_view(std::as_const(x)), global_view(y));
      for (std::size_t i = 0; i < y.size(); ++i) y[i] -= p.b[i];
      CHECK(checks::inner_product(y, y) <= 1e-15 * checks::inner_product(p.b, p.b));
      CHECK(mg.coarse_solves().failed == 0);
      return result.iterations;
    };
    refused([&] { sumfac::multigrid{levels()}; },
            {"sumfac::multigrid: coarse_cg cannot solve", "is not symmetric", "y . A z = ", "sumfac::coarse_gmres"});
    refused(
        [&] {
          sumfac::multigrid{levels(), {}, sumfac::coarse_chebyshev{}};
        },
        {"sumfac::multigrid: coarse_chebyshev cannot solve", "is not symmetric", "sumfac::coarse_gmres"});
    auto all = levels();
    dense_inverse const elimination(sumfac::assemble(all.coarsest().element_operator(), all.coarsest().restriction()));
    auto const exact = iterations(
        sumfac::multigrid{std::move(all), sumfac::multigrid_options<sumfac::gmres_smoother>{}, &elimination});
    auto const by_gmres = iterations(sumfac::multigrid{levels(), {}, sumfac::coarse_gmres{}});
    CAPTURE(exact);
    CHECK(2 * by_gmres <= 3 * exact);
    CHECK(exact <= 25);
    sumfac::multigrid const in_float{sumfac::p_levels<float, 2, 1>(p.a, p.nodes(), p.r), {}, sumfac::coarse_gmres{}};
    CHECK(iterations(in_float) <= by_gmres + 1);
    // Lower degrees of another operator: the first level is A's, the last one that of the other.
    box_problem<sumfac::element_operator<support::convection, 2>> const q(counts, mesh::smooth{}, 3, {}, {2 * speed});
    auto const mixed = sumfac::p_levels<2, 1>(p.a, q.a, p.nodes(), p.r);
    auto const others = sumfac::p_levels<2, 1>(q.a, p.nodes(), p.r);
    CHECK(&mixed.finest().element_operator() == &p.a);
    auto const last = [](auto const& of) {
      std::vector<double> const ones(static_cast<std::size_t>(of.coarsest().size()), 1);
      std::vector<double> y(ones.size());
      of.coarsest().matrix().apply(global_view(ones), global_view(y));
      return y;
    };
    CHECK(last(mixed) == last(others));
    CHECK(last(mixed) != last(levels()));
    // Chebyshev's polynomials are for matrices that are nearly symmetric.
    auto const polynomials = [&] {
      return sumfac::multigrid{levels(), {.smoother = sumfac::chebyshev{}}, &elimination};
    };
    if (speed == 1)
      CHECK(iterations(polynomials()) <= 12);
    else if (speed == 100)
      refused([&] { polynomials(); }, {"sumfac::multigrid: the smoother does not smooth", "degree 2",
                                       "at most 0.8 expected", "sumfac::gmres_smoother"});
  }
}

TEST_CASE("multigrid: solves on the last level that fail are counted, and reports say so")
{
  box_problem<sumfac::bp5<2>> const p({4, 4, 4}, mesh::smooth{});
  auto const levels = [&] { return sumfac::p_levels<2, 1>(p.a, p.nodes(), p.r); };
  auto const result_of = [&](auto const& mg) { return solve(p, mg, {.iterations = 20}); };
  sumfac::multigrid const well{levels()};
  auto const converged = result_of(well);
  CHECK(well.coarse_solves().count == converged.inner.count);
  CHECK(converged.inner.count > converged.iterations);
  CHECK(converged.inner.failed == 0);
  CHECK(converged.report().find("inside") == std::string::npos);
  sumfac::multigrid const stopped{levels(), {}, sumfac::coarse_cg{.iterations = 1}};
  for (int twice = 0; twice < 2; ++twice) {  // of each solve its own
    auto const result = result_of(stopped);
    INFO(result.report());
    CHECK(result.inner.failed == result.inner.count);
    CHECK(result.inner.status == solve_status::iterations_done);
    CHECK(result.report().find(" solves inside of the preconditioner ") != std::string::npos);
    CHECK(result.report().find("the last: sumfac::merged_cg: stopped after 1 iterations") != std::string::npos);
  }
  // One of one's own says it by what it returns.
  sumfac::multigrid const own{levels(), {}, [](auto const& r, auto const& z) {
                                for (index_t i = 0; i < z.extent(0); ++i) z(i) = r(i);
                                sumfac::solve_result ended;
                                ended.status = solve_status::diverged;
                                return ended;
                              }};
  auto const result = result_of(own);
  CHECK(result.inner.failed == result.inner.count);
  CHECK(result.inner.status == solve_status::diverged);
}

TEST_CASE("multigrid: Neumann and periodic problems, told of constants")
{
  for (bool const periodic : {false, true}) {
    CAPTURE(periodic);
    checks::free_problem<sumfac::bp5<3>> p({4, 3, 3}, periodic);
    sumfac::null_space const constants{p.l};
    auto const levels = [&] { return sumfac::p_levels<3, 2, 1>(p.a, p.nodes(), p.r); };
    auto consistent = p.b;
    constants.project(global_view(consistent));
    auto const solved = [&](auto const& mg, int most) {
      std::vector<double> x(p.b.size()), y(p.b.size());
      auto const result = sumfac::gmres(p.l, global_view(std::as_const(consistent)), global_view(x), mg);
      INFO(result.report());
      CHECK(result);
      CHECK(result.iterations <= most);
      CHECK(mg.coarse_solves().failed == 0);
      // Where A is applied to what is not 0 in the mean, or b is so itself, nothing becomes large.
      double const size = std::sqrt(checks::inner_product(x, x));
      CHECK(std::abs(checks::mean_of(x)) <= size);
      mg.apply(global_view(std::as_const(p.b)), global_view(y));
      auto const of_b = y;
      mg.apply(global_view(std::as_const(consistent)), global_view(y));
      CHECK(std::sqrt(checks::inner_product(of_b, of_b)) <= 10 * std::sqrt(checks::inner_product(y, y)));
      CHECK(mg.coarse_solves().failed == 0);
    };
    solved(sumfac::multigrid{levels(), {.null_space = constants}}, 10);
    solved(sumfac::multigrid{levels(), {.cycle = sumfac::cycle::w, .null_space = constants}}, 10);
    solved(sumfac::multigrid{levels(), {.null_space = constants}, sumfac::coarse_gmres{}}, 10);
    solved(sumfac::multigrid{levels(), {.null_space = constants}, sumfac::coarse_chebyshev{}}, 10);
    solved(sumfac::multigrid{sumfac::p_levels<float, 3, 2, 1>(p.a, p.nodes(), p.r), {.null_space = constants}}, 10);
    // Vectors of one's own are the last level's.
    auto own_levels = levels();
    auto const count = own_levels.coarsest().size();
    std::vector<double> const ones(static_cast<std::size_t>(count), 2), fine_ones(p.b.size(), 2);
    auto const row = [](std::vector<double> const& x) {
      return sumfac::view<double const, sumfac::dextents<2>>(x.data(), 1, static_cast<index_t>(x.size()));
    };
    sumfac::null_space const fine{p.l, row(fine_ones)}, last{own_levels.coarsest().matrix(), row(ones)};
    refused(
        [&] {
          sumfac::multigrid{levels(), {.null_space = fine}};
        },
        {"sumfac::multigrid: options.null_space has vectors of your own", "not of the last level",
         "levels.coarsest().matrix()"});
    solved(sumfac::multigrid{std::move(own_levels), {.null_space = last}}, 10);
    // Untold, the coarse solver cannot solve for what constants are in, and says so.
    sumfac::multigrid const untold{levels()};
    std::vector<double> z(p.b.size());
    untold.apply(global_view(std::as_const(p.b)), global_view(z));
    CHECK(untold.coarse_solves().failed == 1);
  }
  box_problem<sumfac::bp5<3>> const fixed({2, 2, 2}, mesh::smooth{});
  checks::free_problem<sumfac::bp5<3>> const other({4, 3, 3}, false);
  sumfac::null_space const none_of_its{other.l};
  refused(
      [&] {
        sumfac::multigrid{sumfac::p_levels<3, 1>(fixed.a, fixed.nodes(), fixed.r), {.null_space = none_of_its}};
      },
      {"sumfac::null_space: A does not take constants to 0"});
}

TEST_CASE("gmres_smoother: the least residual of its polynomials, in one step or more")
{
  box_problem<sumfac::bp5<2>> const p({3, 3, 3}, mesh::kershaw{});
  sumfac::level const fine{p.a, p.r};
  auto const left = [&](auto const& smoother) {
    auto const made = sumfac::detail::make_smoother(smoother, fine);
    std::vector<double> x(p.b.size()), y(p.b.size());
    double sizes[2];
    for (int twice = 0; twice < 2; ++twice) {
      if (twice == 0)
        made.start(p.b.data(), x.data());
      else
        made.improve(p.b.data(), x.data());
      fine.matrix().apply(global_view(std::as_const(x)), global_view(y));
      for (std::size_t i = 0; i < y.size(); ++i) y[i] -= p.b[i];
      sizes[twice] = std::sqrt(checks::inner_product(y, y) / checks::inner_product(p.b, p.b));
    }
    CHECK(sizes[1] <= sizes[0]);
    return sizes[0];
  };
  double before = 1;
  for (int steps = 1; steps <= 10; ++steps) {
    CAPTURE(steps);
    double const least = left(sumfac::gmres_smoother{steps});
    CHECK(least <= before);
    CHECK(least <= left(sumfac::chebyshev{steps}));
    // What GMRES itself reaches in as many iterations.
    std::vector<double> x(p.b.size());
    auto const same = sumfac::gmres(fine.matrix(), global_view(p.b), global_view(x), fine.make_jacobi(),
                                    {.iterations = steps, .tolerance = 0});
    CHECK(least == Approx(same.residual / same.initial_residual).epsilon(steps <= 5 ? 1e-6 : 1e-3));
    before = least;
  }
  for (int const steps : {0, 11})
    refused([&] { sumfac::gmres_smoother{steps}.make(fine); },
            {"sumfac::gmres_smoother: the number of steps does not fit (got ", "1 to 10 expected)"});
  // In float the last powers of a strong wind's matrix leave the numbers: the steps before them are made.
  box_problem<sumfac::element_operator<support::convection, 2, float>> const windy({3, 3, 3}, mesh::smooth{}, 3, {},
                                                                                   {1e6});
  sumfac::level const in_float{windy.a, windy.r};
  std::vector<float> few(windy.b.size()), all(few);
  sumfac::gmres_smoother{1}.make(in_float).start(windy.b.data(), few.data());
  sumfac::gmres_smoother{10}.make(in_float).start(windy.b.data(), all.data());
  auto const residual = [&](std::vector<float> const& x) {
    std::vector<float> y(x.size());
    in_float.matrix().apply(global_view(x), global_view(y));
    for (std::size_t i = 0; i < y.size(); ++i) y[i] -= windy.b[i];
    return std::sqrt(checks::inner_product(y, y));
  };
  CHECK(residual(all) <= residual(few));
  // No residual is left to improve: x stays, and nothing becomes NaN.
  std::vector<double> const none(p.b.size());
  std::vector<double> x(p.b.size());
  sumfac::gmres_smoother{}.make(fine).improve(none.data(), x.data());
  CHECK(x == none);
}

TEST_CASE("multigrid: the same bits for any number of threads")
{
  std::vector<double> first;
  for (int const threads : {1, 2, 3}) {  // vectors of two chunks
    box_problem<sumfac::bp5<3>> const p({6, 5, 5}, mesh::smooth{}, 3, {.blocks = 6}, {}, sumfac::host{threads});
    sumfac::multigrid const mg{sumfac::p_levels<float, 3, 2, 1>(p.a, p.nodes(), p.r)};
    std::vector<double> z(p.b.size());
    mg.apply(global_view(p.b), global_view(z));
    if (first.empty()) first = z;
    CHECK(z == first);
  }
}

TEST_CASE("multigrid: levels one by one, a coarse solver of one's own, a smoother of one's own")
{
  box_problem<sumfac::bp5<2>> const p({4, 4, 4}, mesh::smooth{}, 0);
  box_problem<sumfac::bp5<1>> const q({4, 4, 4}, mesh::smooth{}, 0);
  auto const solution = [](auto const& mg, auto const& problem) {
    std::vector<double> z(problem.b.size());
    mg.apply(global_view(problem.b), global_view(z));
    return z;
  };
  sumfac::coarse_cg const exact{.tolerance = 1e-13};
  sumfac::multigrid const made{sumfac::p_levels<2, 1>(p.a, p.nodes(), p.r), {}, exact};
  sumfac::multigrid const listed{sumfac::levels{sumfac::level{p.a, p.r}, sumfac::level{q.a, q.r}}, {}, exact};
  int calls = 0;
  std::function<void()> meanwhile;
  sumfac::global_operator const l{q.a, q.r};
  auto const own = [&](sumfac::view<double const, sumfac::dextents<1>> r, sumfac::view<double, sumfac::dextents<1>> z) {
    for (index_t i = 0; i < z.extent(0); ++i) z(i) = 0;
    sumfac::cg(l, r, z, sumfac::cg_options{.tolerance = 1e-13});
    ++calls;
    if (meanwhile) meanwhile();
  };
  sumfac::multigrid const by_own{sumfac::p_levels<2, 1>(p.a, p.nodes(), p.r), {}, own};
  auto const expected = solution(made, p), one = solution(listed, p), two = solution(by_own, p);
  CHECK(calls == 1);
  // Used by another thread, and by what it calls itself, while it is at work.
  std::vector<double> z(p.b.size());
  auto const again = [&] { by_own.apply(global_view(p.b), global_view(z)); };
  auto const is_refused = [&](char const* who) {
    refused(again, {"sumfac::multigrid: ", who, " is at work with it, and its memory is for one: make one for each"});
  };
  for (bool const by_thread : {true, false}) {
    meanwhile = [&] {
      if (by_thread)
        std::thread(is_refused, "another thread").join();
      else
        is_refused("a call around this one");
    };
    CHECK(solution(by_own, p) == two);
  }
  meanwhile = {};
  CHECK(solution(by_own, p) == two);
  CHECK(calls == 4);
  // By the address of what has apply(r, z), as boomer_amg and eigen_ldlt do.
  struct with_apply {
    decltype(own) const& solve;
    void apply(sumfac::view<double const, sumfac::dextents<1>> r, sumfac::view<double, sumfac::dextents<1>> z) const
    {
      solve(r, z);
    }
    index_t size() const { return 125; }
  } const kept{own};
  sumfac::multigrid const by_address{sumfac::p_levels<2, 1>(p.a, p.nodes(), p.r), {}, &kept};
  CHECK(solution(by_address, p) == two);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CHECK(one[i] == Approx(expected[i]).epsilon(1e-9).margin(1e-10));
    CHECK(two[i] == Approx(expected[i]).epsilon(1e-9).margin(1e-10));
  }

  sumfac::multigrid const smoothed{sumfac::p_levels<2, 1>(p.a, p.nodes(), p.r),
                                   sumfac::multigrid_options<two_degrees>{}, exact};
  sumfac::multigrid const described{
      sumfac::p_levels<2, 1>(p.a, p.nodes(), p.r), {.smoother = sumfac::chebyshev{2}}, exact};
  CHECK(solution(smoothed, p) == solution(described, p));
}

TEST_CASE("multigrid: a level's transfer weighs residuals as a cycle does")
{
  box_problem<sumfac::bp5<2>> const p({3, 2, 2}, mesh::smooth{});
  auto const levels = sumfac::p_levels<2, 1>(p.a, p.nodes(), p.r);
  auto const& coarse = levels.at<1>();
  auto const P = levels.at<0>().make_transfer(coarse, coarse.restriction());
  auto weighted = p.b;
  for (std::size_t i = 0; i < weighted.size(); ++i) weighted[i] *= P.weights()[i];
  std::vector<double> x(static_cast<std::size_t>(coarse.size())), y(x.size());
  P.restrict_residual(global_view(p.b), global_view(x));
  P.restrict_weighted(weighted.data(), y.data());
  CHECK(x == y);
}

TEST_CASE("multigrid: levels in numbers of their own")
{
  box_problem<sumfac::bp5<3>> const p({4, 4, 4}, mesh::smooth{}, 0);
  box_problem<sumfac::bp5<2, sumfac::host, float>> const q({4, 4, 4}, mesh::smooth{}, 0);
  box_problem<sumfac::bp5<1>> const s({4, 4, 4}, mesh::smooth{}, 0);
  for (auto const way : {sumfac::cycle::v, sumfac::cycle::w}) {
    sumfac::multigrid const mixed{
        sumfac::levels{sumfac::level{p.a, p.r}, sumfac::level{q.a, q.r}, sumfac::level{s.a, s.r}}, {.cycle = way}};
    sumfac::multigrid const in_double{sumfac::p_levels<3, 2, 1>(p.a, p.nodes(), p.r), {.cycle = way}};
    auto const one = solve(p, mixed), two = solve(p, in_double);
    CHECK(one.status == solve_status::converged);
    CHECK(one.iterations <= two.iterations + 1);
  }
}

TEST_CASE("multigrid: subsets, nodes of no element, one component of three constrained, on checked")
{
  box_problem<sumfac::bp5<2>> p({4, 4, 4}, mesh::smooth{});
  auto const part = p.r.subset(0, 20);
  sumfac::multigrid const mg{sumfac::p_levels<2, 1>(p.a, p.nodes(), part)};
  std::vector<double> in = p.b, x(in.size());
  std::vector<bool> met(in.size());
  for (std::size_t i = 0; i < 20 * 27; ++i) met[static_cast<std::size_t>(p.numbered.numbers.table[i])] = true;
  for (std::size_t i = 0; i < in.size(); ++i)
    if (!met[i]) in[i] = 0;  // no equation there
  sumfac::global_operator const l{p.a, part};
  auto const result = sumfac::cg(l, global_view(std::as_const(in)), global_view(x), mg);
  INFO(result.report());
  CHECK(result.status == solve_status::converged);
  CHECK(result.iterations <= 12);

  box_problem<sumfac::bp5<2, sumfac::checked>> const q({3, 2, 2}, mesh::smooth{});
  box_problem<sumfac::bp5<2>> const on_host({3, 2, 2}, mesh::smooth{});
  auto const there = solve(q, sumfac::multigrid{sumfac::p_levels<2, 1>(q.a, q.nodes(), q.r)});
  auto const here = solve(on_host, sumfac::multigrid{sumfac::p_levels<2, 1>(on_host.a, on_host.nodes(), on_host.r)});
  CHECK(there.status == solve_status::converged);
  CHECK(there.iterations == here.iterations);
}

TEST_CASE("multigrid: what does not fit, or is not positive definite, is refused or reported")
{
  box_problem<sumfac::bp5<2>> const p({3, 3, 3}, mesh::smooth{});
  box_problem<sumfac::bp5<1>> const fewer({3, 3, 2}, mesh::smooth{}), other({27, 1, 1}, mesh::smooth{});
  sumfac::level const fine{p.a, p.r};
  refused(
      [&] {
        sumfac::levels{sumfac::level{p.a, p.r}, sumfac::level{fewer.a, fewer.r}};
      },
      {"sumfac::levels", "number of elements", "expected 27", "got 18"});
  refused(
      [&] {
        sumfac::multigrid{sumfac::levels{sumfac::level{p.a, p.r}, sumfac::level{other.a, other.r}}};
      },
      {"sumfac::transfer", "of two meshes"});
  sumfac::multigrid const mg{sumfac::p_levels<2, 1>(p.a, p.nodes(), p.r)};
  std::vector<double> b = p.b, z(b.size()), longer(b.size() + 1);
  refused([&] { mg.apply(global_view(b), global_view(longer)); },
          {"sumfac::multigrid::apply", "of z does not match", "343", "344"});
  refused([&] { mg.apply(global_view(b), global_view(b)); }, {"sumfac::multigrid::apply", "r and z"});
  // What is not a number is cg's to say.
  b[b.size() / 2] = std::numeric_limits<double>::quiet_NaN();
  sumfac::global_operator const l{p.a, p.r};
  CHECK(sumfac::cg(l, global_view(std::as_const(b)), global_view(z), mg).status == solve_status::not_finite);
  // A negative reaction makes A indefinite: seen in Lanczos' steps or, where few eigenvalues are negative, by cg.
  box_problem<sumfac::bp3<2>> const negative({3, 3, 3}, mesh::smooth{}, 3, {}, {.lambda = -1e4});
  refused([&] { sumfac::multigrid{sumfac::p_levels<2, 1>(negative.a, negative.nodes(), negative.r)}; },
          {"sumfac::jacobi", "is not a finite number above 0"});
  box_problem<sumfac::bp3<2>> const little({3, 3, 3}, mesh::smooth{}, 3, {}, {.lambda = -60});
  std::string said;
  try {
    said = solve(little, sumfac::multigrid{sumfac::p_levels<2, 1>(little.a, little.nodes(), little.r)}).report();
  } catch (sumfac::argument_error const& error) {
    said = error.what();
  }
  INFO(said);
  CHECK(said.find("positive definite") != std::string::npos);
}
#endif
