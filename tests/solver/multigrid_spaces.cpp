// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Multigrid in the degree on quadrilaterals, lines and surfaces, and of discontinuous functions there: iterations,
// visits of levels, symmetry, refusals.
#include "flat_case.hpp"
#include "multigrid_case.hpp"

#include <sumfac/backend/checked.hpp>
#include <sumfac/dofs/function_space.hpp>
#include <sumfac/mesh/box_mesh.hpp>
#include <sumfac/mesh/refined.hpp>
#include <sumfac/operator/element_operator.hpp>
#include <sumfac/operator/interior_operator.hpp>
#include <sumfac/solver/schwarz.hpp>
#include <sumfac/solver/sum_level.hpp>

#include <operator/within_and_between.hpp>
#include <support/few.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

namespace {

using checks::flat_problem, checks::global_view, checks::place, checks::refused;
using sumfac::line, sumfac::quadrilateral, sumfac::surface, sumfac::solve_status;

template <class Form, auto Space>
using on = sumfac::element_operator<Form, Space, sumfac::gauss<Space.degree + 2>>;

constexpr auto nowhere = [](place const&, int) { return false; };

// Iterations of conjugate gradients to 1e-8, and what is left of b - A x, computed anew.
template <class Problem, class Preconditioner>
int iterations(Problem const& p, Preconditioner const& preconditioner)
{
  sumfac::global_operator const l{p.a, p.r};
  std::vector<double> x(p.b.size()), y(x);
  auto const result = sumfac::cg(l, global_view(p.b), global_view(x), preconditioner);
  INFO(result.report());
  CHECK(result.status == solve_status::converged);
  l.apply(global_view(std::as_const(x)), global_view(y));
  double left = 0;
  for (std::size_t i = 0; i < y.size(); ++i) left += (p.b[i] - y[i]) * (p.b[i] - y[i]);
  CHECK(std::sqrt(left) <= 1.01 * result.residual + 1e-12 * result.initial_residual);
  return int(result.iterations);
}

template <class Problem>
auto jacobi_of(Problem const& p)
{
  std::vector<double> d(p.b.size());
  p.a.diagonal(p.r, global_view(d));
  return sumfac::jacobi{p.backend, global_view(std::as_const(d))};
}

}  // namespace

TEST_CASE("multigrid: quadrilaterals take as few iterations in any degree and on any number of elements")
{
  std::vector<int> smooth, thin, by_jacobi;
  auto const count = [&](auto const& of_smooth, auto const& of_thin, auto const& levels_of) {
    smooth.push_back(iterations(of_smooth, sumfac::multigrid{levels_of(of_smooth)}));
    thin.push_back(iterations(of_thin, sumfac::multigrid{levels_of(of_thin), {.smoother = sumfac::chebyshev{5}}}));
    by_jacobi.push_back(iterations(of_smooth, jacobi_of(of_smooth)));
  };
  using of_2 = flat_problem<on<sumfac::laplace, quadrilateral(2)>>;
  using of_4 = flat_problem<on<sumfac::laplace, quadrilateral(4)>>;
  auto const levels_2 = [](auto const& p) { return sumfac::p_levels<float, 2, 1>(p.a, p.nodes(), p.r); };
  auto const levels_4 = [](auto const& p) { return sumfac::p_levels<float, 4, 2, 1>(p.a, p.nodes(), p.r); };
  for (int const cells : {6, 18})
    count(of_2{checks::square({cells, cells}, 2, checks::sheared), checks::is_rim_of_sheared},
          of_2{checks::square({cells, cells}, 2, checks::kershaw), checks::is_rim_of_kershaw}, levels_2);
  for (int const cells : {6, 12})
    count(of_4{checks::square({cells, cells}, 4, checks::sheared), checks::is_rim_of_sheared},
          of_4{checks::square({cells, cells}, 4, checks::kershaw), checks::is_rim_of_kershaw}, levels_4);
  for (std::size_t i = 0; i < smooth.size(); ++i) {
    INFO("case " << i << ": " << smooth[i] << ", thin " << thin[i] << ", Jacobi " << by_jacobi[i]);
    CHECK(smooth[i] <= 9);
    CHECK(thin[i] <= 36);
    if (i % 2 == 1) CHECK(thin[i] <= 2 * thin[i - 1]);  // on more elements
  }
  CHECK(by_jacobi.back() >= 20 * smooth.back());
}

TEST_CASE("multigrid: Schwarz's smoother on thin, slanted quadrilaterals")
{
  using made = on<sumfac::laplace, quadrilateral(4)>;
  flat_problem<made> const p(checks::square({12, 12}, 4, checks::kershaw), checks::is_rim_of_kershaw);
  auto const levels = [&] { return sumfac::p_levels<float, 4, 2, 1>(p.a, p.nodes(), p.r); };
  using smoothed = sumfac::multigrid_options<sumfac::schwarz<1>>;
  int const by_jacobi = iterations(p, sumfac::multigrid{levels()});
  int const by_schwarz = iterations(p, sumfac::multigrid{levels(), smoothed{}});
  INFO(by_jacobi << ", by Schwarz " << by_schwarz);
  CHECK(4 * by_schwarz <= 3 * by_jacobi);
}

namespace {

// Chebyshev's smoother, which counts its calls on each level, the finest last.
struct counting {
  std::vector<std::pair<sumfac::index_t, int>>* calls;

  template <class Smoother>
  struct made {
    template <class T>
    void start(T const* b, T* x) const
    {
      ++at(), smoother.start(b, x);
    }
    template <class T>
    void improve(T const* b, T* x) const
    {
      ++at(), smoother.improve(b, x);
    }
    int& at() const
    {
      for (auto& [entries, count] : *calls)
        if (entries == smoother.size()) return count;
      return calls->emplace_back(smoother.size(), 0).second;
    }
    Smoother smoother;
    std::vector<std::pair<sumfac::index_t, int>>* calls;
  };

  template <class Level>
  auto make(Level const& level) const
  {
    using smoother = decltype(sumfac::chebyshev_smoother(level.matrix(), level.make_jacobi()));
    return made<smoother>{smoother(level.matrix(), level.make_jacobi()), calls};
  }
};

}  // namespace

TEST_CASE("multigrid: V, W and F cycles visit each of four levels as often as they are meant to")
{
  checks::patchwork const row(1, 1, 1, {5, 1}, 4, 2, [](int, double t, double) { return place{t, 0, 0}; });
  flat_problem<on<sumfac::stiffness, line(4)>> const p(row, nowhere, {.lambda = 1});
  std::vector<std::pair<sumfac::index_t, int>> calls;
  auto const visits = [&](sumfac::cycle way) {
    sumfac::multigrid const mg{sumfac::p_levels<4, 3, 2, 1>(p.a, p.nodes(), p.r),
                               sumfac::multigrid_options<counting>{.smoother = {&calls}, .cycle = way}};
    calls.clear();
    std::vector<double> z(p.b.size());
    mg.apply(global_view(p.b), global_view(z));
    std::sort(calls.begin(), calls.end(), std::greater<>());
    std::vector<int> counts;
    for (auto const& [entries, count] : calls) counts.push_back(count);
    counts.push_back(int(mg.coarse_solves().count));
    return counts;
  };
  // The smoother is called twice a visit; the last level is solved.
  CHECK(visits(sumfac::cycle::v) == std::vector<int>{2, 2, 2, 1});
  CHECK(visits(sumfac::cycle::w) == std::vector<int>{2, 4, 8, 4});
  CHECK(visits(sumfac::cycle::f) == std::vector<int>{2, 4, 6, 3});
}

TEST_CASE("multigrid: symmetric on quadrilaterals, components, W cycles; surfaces; lines")
{
  sumfac::coarse_cg const exact{.tolerance = 1e-14};
  using pair = on<sumfac::vector_laplace<2>, quadrilateral(3)>;
  flat_problem<pair> const p(checks::square({4, 5}, 3, checks::sheared), checks::is_rim_of_sheared);
  for (auto const way : {sumfac::cycle::v, sumfac::cycle::w}) {
    sumfac::multigrid const mg{sumfac::p_levels<3, 2, 1>(p.a, p.nodes(), p.r), {.cycle = way}, exact};
    CHECK(checks::lack_of_symmetry(mg, p) <= 1e-12);
    CHECK(iterations(p, mg) <= 9);
  }

  // -div grad u + u on the unit sphere: the spherical harmonic x y z of degree 3 has the eigenvalue 3 4 + 1.
  using beltrami = on<sumfac::stiffness, surface(5)>;
  flat_problem<beltrami> q(checks::sphere(3, 5), nowhere, {.lambda = 1});
  on<sumfac::mass, surface(5)> const m(sumfac::host{}, q.nodes());
  std::vector<double> f, x(q.b.size());
  for (auto const& at : q.mesh.places) f.push_back(at[0] * at[1] * at[2]);
  m.apply(q.r, global_view(std::as_const(f)), global_view(q.b));
  sumfac::multigrid const on_sphere{sumfac::p_levels<5, 1>(q.a, q.nodes(), q.r), {}, exact};
  CHECK(checks::lack_of_symmetry(on_sphere, q) <= 1e-12);
  CHECK(iterations(q, on_sphere) <= 9);
  sumfac::global_operator const l{q.a, q.r};
  CHECK(sumfac::cg(l, global_view(std::as_const(q.b)), global_view(x), on_sphere));
  for (std::size_t i = 0; i < x.size(); ++i) CHECK(x[i] == Approx(f[i] / 13).margin(1e-4));

  flat_problem<on<sumfac::stiffness, line(2)>> const s(checks::patchwork(1, 1, 1, {40, 1}, 2, 2,
                                                                         [](int, double t, double) {
                                                                           return place{t * (1 + t) / 2, 0, 0};
                                                                         }),
                                                       [](place const& at, int) { return at[0] < 1e-9; });
  CHECK(iterations(s, sumfac::multigrid{sumfac::p_levels<2, 1>(s.a, s.nodes(), s.r)}) <= 9);
}

namespace {

// Poisson's equation, or another, for discontinuous functions of a space on a bent square, and continuous ones of
// degree Order.
template <auto Space, int Order, class Backend = sumfac::host, class Forms = two_sided::poisson>
struct jumping_problem {
  static constexpr int n = Space.degree + 1;

  jumping_problem(int cells, int times, Backend const& here = {})
      : backend(here),
        box(sumfac::refined(sumfac::box_mesh(
                                {cells, cells},
                                [](sumfac::vector<double, 2> const& x) {
                                  double const bend = 0.2 * x[0] * x[1] * (1 - x[0]);
                                  return sumfac::vector<double, 2>{x[0] + bend, x[1] - bend};
                                },
                                2),
                            times)),
        k(backend, box, Forms::make_within()),
        b(support::random<double>(std::size_t(a.size()), 3))
  {
  }

  template <int... Orders>
  auto levels() const
  {
    return sumfac::p_levels<Orders...>(a, k, box, r);
  }

  Backend backend;
  sumfac::mesh<2> box;
  sumfac::element_operator<typename Forms::within, Space, Backend> within{backend, box, Forms::make_within()};
  sumfac::interior_operator<typename Forms::between, Space, Backend> between{backend, box,
                                                                             Forms::make_between(1.0 * n * n)};
  sumfac::sum<decltype(within), decltype(between)> a{within, between};
  sumfac::element_operator<typename Forms::within, quadrilateral(Order), Backend> k;  // of continuous functions
  sumfac::restriction<double, Backend> r =
      sumfac::function_space{box, Order, box.boundary(), {.components = decltype(k)::components}}.restriction(backend);
  std::vector<double> b;
};

template <class Problem, class Levels>
int jumping_iterations(Problem const& p, Levels levels)
{
  std::vector<double> x(p.b.size(), 0);
  auto const result = sumfac::cg(p.a, p.b, x, sumfac::multigrid{std::move(levels)});
  INFO(result.report());
  CHECK(result.status == solve_status::converged);
  return int(result.iterations);
}

// P^T A P, of discontinuous functions, is the matrix of continuous ones, which have no jumps.
template <class Problem>
void is_continuous_matrix(Problem const& p)
{
  sumfac::level const fine{p.a};
  sumfac::level const coarse{p.k, p.r};
  auto const between = fine.make_transfer(coarse, p.r);
  auto const size = std::size_t(p.r.size());
  std::vector<double> x = support::random<double>(size, 7), y(size), expected(size), u(p.b.size()), v(p.b.size());
  for (sumfac::index_t i = 0; i < p.r.size(); ++i)
    if (p.r.table().constrained(p.r.node_of(i), p.r.component_of(i))) x[std::size_t(i)] = 0;
  between.prolong(x, u);
  p.a.apply(u, v);
  between.restrict_residual(v, y);
  sumfac::global_operator{p.k, p.r}.apply(x, expected);
  for (std::size_t i = 0; i < size; ++i) CHECK(y[i] == Approx(expected[i]).margin(1e-11));
}

}  // namespace

TEST_CASE("multigrid: discontinuous functions, with continuous ones behind them")
{
  using of_2 = jumping_problem<quadrilateral(2), 2>;
  of_2 const coarse(3, 0), fine(3, 2);
  is_continuous_matrix(coarse);
  int const few = jumping_iterations(coarse, coarse.levels<2, 1>());
  int const many = jumping_iterations(fine, fine.levels<2, 1>());
  INFO(few << " iterations on 9 elements, " << many << " on 144");
  CHECK(many <= 8);
  CHECK(many <= few + 1);
  CHECK(jumping_iterations(fine, fine.levels<2, 2, 1>()) <= many + 1);  // degree 2 on the coarser mesh first
  // Symmetric, as the cycle between them is.
  sumfac::multigrid const P{fine.levels<2, 1>(), {}, sumfac::coarse_chebyshev{}};
  auto const other = support::random<double>(fine.b.size(), 8);
  std::vector<double> z(fine.b.size()), w(z);
  P.apply(global_view(fine.b), global_view(z));
  P.apply(global_view(other), global_view(w));
  double one = 0, two = 0;
  for (std::size_t i = 0; i < z.size(); ++i) one += other[i] * z[i], two += fine.b[i] * w[i];
  CHECK(one == Approx(two).epsilon(1e-12));
  if constexpr (!support::few) {
    // All levels in float, the first one too, for a matrix in double.
    using forms = two_sided::poisson;
    sumfac::host const host;
    sumfac::element_operator<forms::within, quadrilateral(2), float> const within{host, fine.box, forms::make_within()};
    sumfac::interior_operator<forms::between, quadrilateral(2), float> const between{host, fine.box,
                                                                                     forms::make_between(9.0)};
    sumfac::sum const in_float{within, between};
    auto const r = sumfac::function_space{fine.box, 2, fine.box.boundary()}.restriction<float>(host);
    CHECK(jumping_iterations(fine, sumfac::p_levels<2, 1>(in_float, within, fine.box, r)) <= many + 1);
    // At Gauss points, where continuous functions have no nodes, and in float behind the first level.
    jumping_problem<quadrilateral(3, sumfac::node_placement::gauss), 3> const placed(4, 0);
    is_continuous_matrix(placed);
    CHECK(jumping_iterations(placed, sumfac::p_levels<float, 3, 1>(placed.a, placed.k, placed.box, placed.r)) <= 9);
  }
}

TEST_CASE("multigrid: discontinuous functions of several components")
{
  using elastic_2 = jumping_problem<quadrilateral(2), 2, sumfac::host, two_sided::elasticity>;
  elastic_2 const p(3, 1);
  is_continuous_matrix(p);
  // As continuous ones: it is their problem that is harder than Poisson's.
  int const jumping = jumping_iterations(p, p.levels<2, 1>());
  sumfac::global_operator const l{p.k, p.r};
  std::vector<double> b = support::random<double>(std::size_t(p.r.size()), 3), x(b.size(), 0);
  for (sumfac::index_t i = 0; i < p.r.size(); ++i)
    if (p.r.table().constrained(p.r.node_of(i), p.r.component_of(i))) b[std::size_t(i)] = 0;
  auto const of_continuous = sumfac::cg(l, b, x, sumfac::multigrid{sumfac::p_levels<2, 1>(p.k, p.box, p.r)});
  INFO(jumping << " iterations, " << of_continuous.report());
  CHECK(jumping <= of_continuous.iterations + 2);
  CHECK(jumping <= 10);
  if constexpr (!support::few) {
    jumping_problem<quadrilateral(1), 1, sumfac::checked, two_sided::elasticity> const watched(3, 0);
    CHECK(jumping_iterations(watched, watched.levels<1>()) <= 9);
  }
  auto const one = sumfac::function_space{p.box, 2, p.box.boundary()}.restriction(p.backend);
  refused([&] { static_cast<void>(sumfac::p_levels<2, 1>(p.a, p.k, p.box, one)); },
          {"sumfac::p_levels", "components of the restriction", "expected 2", "got 1"});
}

TEST_CASE("multigrid: a restriction of other elements is refused")
{
  using made = on<sumfac::laplace, quadrilateral(2)>;
  flat_problem<made> const p(checks::square({2, 2}, 2, checks::sheared), nowhere);
  checks::patchwork const row(1, 1, 1, {4, 1}, 2, 2, [](int, double t, double) { return place{t, 0, 0}; });
  auto const of_lines = checks::restriction_of<1>(row.numbers, {});
  refused([&] { static_cast<void>(sumfac::p_levels<2, 1>(p.a, p.nodes(), of_lines)); },
          {"sumfac::p_levels", "directions of the restriction", "expected 2", "got 1"});
  auto const higher = checks::square({2, 2}, 3, checks::sheared);
  auto const of_3 = checks::restriction_of<2>(higher.numbers, {});
  refused([&] { static_cast<void>(sumfac::p_levels<2, 1>(p.a, p.nodes(), of_3)); },
          {"sumfac::p_levels", "nodes per direction of the restriction", "expected 3", "got 4"});
}
