// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The configurations of which figures were published, for any backend; a source enters those that it names.
#pragma once

#include "problem.hpp"
#include "program.hpp"

#include <sumfac/solver/multigrid.hpp>
#include <sumfac/solver/schwarz.hpp>

#include <cmath>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace sumfac::bench {

// Bytes of a problem on a device for each unknown: factors or vertices, tables, and seven vectors.
template <int Order, class Points, class Policy>
double bytes_of_unknown(scatter sums)
{
  constexpr double n = Order + 1, g = Points::size, inner = Order - 1;
  double const table = 4 * n * n * n, shared = n * n * n - inner * inner * inner;
  double const geometry = std::is_same_v<Policy, stored> ? 48 * g * g * g : 192;
  double const slots = sums == scatter::atomic ? 0 : table + 12 * shared;
  return (geometry + table + slots) / (Order * Order * Order) + 56;
}

template <class Policy>
std::string how_of(scatter sums)
{
  return std::string(sumfac::detail::name_of_policy<Policy>()) +
         (sums == scatter::atomic ? ", atomic" : ", reproducible");
}

// Sums as those have made them whose figures they are, where the device is one.
template <class Backend>
inline constexpr scatter usual_sums = sumfac::detail::is_device<Backend> ? scatter::atomic : scatter::deterministic;

// u of which x . A x is known: a product of s (1 - s) along each axis of a box, s from 0 to 1.
struct bubble {
  straight box;

  double operator()(mesh::position const& x) const
  {
    double product = 1;
    for (std::size_t d = 0; d < 3; ++d) {
      double const s = (x[d] - box.corner[d]) / box.lengths[d];
      product *= s * (1 - s);
    }
    return product;
  }
  double energy() const  // the integral of the gradient's square
  {
    double sum = 0, volume = 1;
    for (double const length : box.lengths) sum += 1 / (length * length), volume *= length;
    return volume * sum / 2700;
  }
  double square() const  // that of its own
  {
    return box.lengths[0] * box.lengths[1] * box.lengths[2] / 27000;
  }
};

// benchmark-dolfinx' source, which its mesh does not see along z.
inline double dolfinx_source(mesh::position const& x)
{
  double const dx = x[0] - 0.5, dy = x[1] - 0.5;
  return 1000 * std::exp(-(dx * dx + dy * dy) / 0.02);
}

// Seconds of f on a backend, and the least of two samples or more.
template <class Backend, class Function>
double seconds_on(Backend const& backend, Function const& f)
{
  sumfac::detail::wait_for(backend);
  double const begin = now();
  f();
  sumfac::detail::wait_for(backend);
  return now() - begin;
}
template <class Sample>
double least_of(double seconds, Sample const& sample)
{
  std::vector<double> samples;
  for (double const end = now() + seconds; samples.size() < 2 || now() < end;) samples.push_back(sample());
  return *std::min_element(samples.begin(), samples.end());
}

// Times products and iterations of conjugate gradients with a problem's matrix, and checks that x is what r says.
template <class Problem, class Backend>
class timed_problem {
  using vector = typename Problem::vector;

public:
  timed_problem(published_run<Backend>& run, Problem const& problem, vector const& b)
      : run_(run),
        problem_(problem),
        matrix_(problem.on_elements(), problem.restricted()),
        b_(b),
        x_(problem.zeros()),
        workspace_(run.backend, problem.unknowns())
  {
  }

  double product_seconds()
  {
    auto const x = view(b_.data(), problem_.unknowns());
    auto const y = view(x_.data(), problem_.unknowns());
    auto const some = [&](index_t count) {
      return seconds_on(run_.backend, [&] {
        for (index_t i = 0; i < count; ++i) matrix_.apply(x, y);
      });
    };
    some(1);
    index_t const count = run_.options.iterations;
    return least_of(run_.options.seconds, [&] { return some(count) / double(count); });
  }

  // What an iteration more takes, by the plain iteration or the merged one.
  double iteration_seconds(bool merged)
  {
    index_t const count = run_.options.iterations;
    solve(merged, count);
    check(merged);
    double once = HUGE_VAL;
    double const twice = least_of(run_.options.seconds, [&] {
      once = std::min(once, solve(merged, count));
      return solve(merged, 2 * count);
    });
    return (twice - once) / double(count);
  }

private:
  double solve(bool merged, index_t count)
  {
    cg_options const options{.iterations = count, .tolerance = 0, .check_every = count, .graph = run_.is_device};
    auto const b = view(b_.data(), problem_.unknowns());
    auto const x = view(x_.data(), problem_.unknowns());
    problem_.ops().fill(0, x);
    double const seconds = seconds_on(run_.backend, [&] {
      result_ = merged ? merged_cg(matrix_, b, x, options, no_monitor{}, workspace_)
                       : cg(matrix_, b, x, options, no_monitor{}, workspace_);
    });
    if (!result_ || result_.iterations != count)
      throw std::runtime_error("conjugate gradients ended early: " + result_.report());
    return seconds;
  }

  // The iteration's residual beside that of x.
  void check(bool merged)
  {
    auto r = problem_.zeros();
    auto const rv = view(r.data(), problem_.unknowns());
    matrix_.apply(view(x_.data(), problem_.unknowns()), rv);
    problem_.ops().xpay(view(b_.data(), problem_.unknowns()), -1, rv);
    double const difference = std::abs(problem_.ops().norm(rv) - result_.residual);
    require_right(difference / (solve_tolerance * result_.initial_residual),
                  merged ? "the merged iteration's residual" : "the residual");
  }

  published_run<Backend>& run_;
  Problem const& problem_;
  global_operator<typename Problem::operator_type, restriction<double, Backend>> matrix_;
  vector const& b_;
  vector x_;
  cg_workspace<double, Backend> workspace_;
  solve_result result_;
};

template <class Problem>
json_object details_of(Problem const& problem)
{
  auto const seconds = problem.set_up_seconds();
  json_object row;
  row("elements", problem.elements())("seconds_of_mesh", seconds[0])("seconds_of_operator", seconds[1]);
  return row("seconds_of_restriction", seconds[2]);
}

template <class Problem>
void print_set_up(char const* configuration, std::string const& how, Problem const& problem)
{
  auto const s = problem.set_up_seconds();
  std::printf("%-10s set-up    %-32s %10lld DoF  %lld elements: mesh %.2f s, operator %.2f, restriction %.2f\n",
              configuration, how.c_str(), static_cast<long long>(problem.unknowns()),
              static_cast<long long>(problem.elements()), s[0], s[1], s[2]);
  std::fflush(stdout);
}

// Products and both iterations, of which the faster one counts; on large problems the merged one alone.
template <class Backend, class Problem>
void time_all(published_run<Backend>& run, char const* name, std::string const& how, Problem const& problem,
              typename Problem::vector const& b, index_t dofs)
{
  timed_problem<Problem, Backend> timed(run, problem, b);
  auto details = details_of(problem);
  run.keep({name, "product", how, dofs, timed.product_seconds(), details});
  double const merged = timed.iteration_seconds(true);
  double const plain = dofs < 80'000'000 ? timed.iteration_seconds(false) : HUGE_VAL;  // seconds are dear
  details("seconds_of_cg", plain)("seconds_of_merged_cg", merged)("iterations", run.options.iterations);
  run.keep({name, "iteration", how, dofs, std::min(plain, merged), details});
}

// A box with an operator, its energy checked.
template <int Order, class Points, class Policy, class Backend>
void on_box(published_run<Backend>& run, char const* name, straight const& box, std::array<index_t, 3> const& sides)
{
  using problem_type = box_problem<laplace, Order, Points, Policy, Backend>;
  constexpr scatter sums = usual_sums<Backend>;
  problem_type const problem(run.backend, sides, box, sums);
  print_set_up(name, how_of<Policy>(sums), problem);
  bubble const known{box};
  auto b = problem.zeros();
  require_near("x . A x", problem.energy(problem.matrix(), problem.values(known), b), known.energy(), 1e-10);
  time_all(run, name, how_of<Policy>(sums), problem, b, problem.unknowns());
}

// benchmark-dolfinx: points are Order + 2 of Gauss and Lobatto's (its qmode 1), the box is the unit cube.
template <int Order, class Policy, class Backend>
void dolfinx_case(published_run<Backend>& run, char const* name, index_t published)
{
  using points = gauss_lobatto<Order + 2>;
  if (!run.wants(sumfac::detail::name_of_policy<Policy>())) return;
  index_t const unknowns = run.unknowns(published, bytes_of_unknown<Order, points, Policy>(usual_sums<Backend>));
  on_box<Order, points, Policy>(run, name, {}, sides_for(unknowns, Order));
}

// Factors are made on the host, which takes seconds that are dear: there are fewer unknowns where they are stored.
template <class Backend>
std::vector<published_configuration<Backend>> q3()
{
  return {{"q3", [](published_run<Backend>& run) {
             dolfinx_case<3, trilinear>(run, "q3", 300'000'000);
             dolfinx_case<3, stored>(run, "q3", 60'000'000);
           }}};
}
template <class Backend>
std::vector<published_configuration<Backend>> q6()
{
  return {{"q6", [](published_run<Backend>& run) {
             dolfinx_case<6, trilinear>(run, "q6", 500'000'000);
             dolfinx_case<6, stored>(run, "q6", 60'000'000);
           }}};
}

// benchmark-dolfinx' own checks, of about 10000 unknowns: the norm of A b, and of x with A x = b, its A being twice the
// Laplacian, b the integrals of its source's interpolant.
template <class Backend>
std::vector<published_configuration<Backend>> norms()
{
  return {{"norms", [](published_run<Backend>& run) {
             using points = gauss_lobatto<5>;
             auto const sides = sides_for(10'000, 3);
             box_problem<laplace, 3, points, stored, Backend> const problem(run.backend, sides, straight{},
                                                                            scatter::deterministic);
             box_problem<mass, 3, points, trilinear, Backend> const masses(run.backend, sides, straight{},
                                                                           scatter::deterministic);
             index_t const places = problem.elements() * 64;
             auto const f = problem.values(dolfinx_source);
             auto u = problem.zeros(places), v = problem.zeros(places);
             auto b = problem.zeros(), y = problem.zeros();
             auto const as_vector = [&](auto& x) { return view(x.data(), problem.unknowns()); };
             problem.restricted().unconstrained().gather(as_vector(f), problem.as_elements(u));
             masses.on_elements().apply(problem.as_elements(u), problem.as_elements(v));
             problem.restricted().scatter(problem.as_elements(v), as_vector(b));
             auto const a = problem.matrix();
             a.apply(as_vector(b), as_vector(y));
             double const product = 2 * problem.norm(y);
             problem.ops().fill(0, as_vector(y));
             auto const result = cg(a, as_vector(b), as_vector(y), {.iterations = 1000, .tolerance = 1e-13});
             if (!result) throw std::runtime_error(result.report());
             double const solution = problem.norm(y) / 2;
             std::printf("norms %lld DoF: of A b %.9f (1.141577508 published), of x %.7f (167.5924472)\n",
                         static_cast<long long>(problem.unknowns()), product, solution);
             require_near("the norm of A b", product, 1.141577508, 1e-9);
             require_near("the norm of x", solution, 167.5924472, 1e-9);
             json_object row;
             run.rows.push_back(row("configuration", "norms")("of A b", product)("of x", solution));
           }}};
}

// deal.II's, where 67.6 million unknowns are 128 x 128 x 64 cubes.
template <class Backend>
std::vector<published_configuration<Backend>> bp3()
{
  return {{"bp3", [](published_run<Backend>& run) {
             constexpr int order = 4;
             auto const each = [&]<class Policy>(Policy) {
               if (!run.wants(sumfac::detail::name_of_policy<Policy>())) return;
               index_t side = 64;
               auto const unknowns = [&] { return (8 * side + 1) * (8 * side + 1) * (4 * side + 1); };
               index_t const most =
                   run.unknowns(unknowns(), bytes_of_unknown<order, gauss<6>, Policy>(usual_sums<Backend>));
               while (side > 1 && unknowns() > most) side /= 2;
               on_box<order, gauss<6>, Policy>(run, "bp3", {{-1, -1, -1}, {3.8, 3.8, 1.9}}, {2 * side, 2 * side, side});
             };
             each(stored{});
             each(trilinear{});
           }}};
}

// Products of the bake-off's operators on global vectors whose geometry is recomputed from elements' vertices, with
// both ways of adding up.
template <int Order, class Form, class Points, class Backend>
void recomputed_case(published_run<Backend>& run, char const* problem_name, double energy)
{
  for (scatter const sums : {scatter::atomic, scatter::deterministic}) {
    index_t const unknowns = run.unknowns(6'000'000, bytes_of_unknown<Order, Points, trilinear>(sums));
    using problem_type = box_problem<Form, Order, Points, trilinear, Backend>;
    problem_type const problem(run.backend, sides_for(unknowns, Order), straight{}, sums);
    auto b = problem.zeros();
    require_near("x . A x", problem.energy(problem.matrix(), problem.values(bubble{}), b), energy, 1e-10);
    timed_problem<problem_type, Backend> timed(run, problem, b);
    std::string const how = std::string(problem_name) + " N " + std::to_string(Order) + ", ";
    run.keep({"recomputed", "product", how + how_of<trilinear>(sums), problem.unknowns(), timed.product_seconds(),
              details_of(problem)});
  }
}
template <class Backend, int Order>
std::vector<published_configuration<Backend>> recomputed()
{
  return {{"recomputed", [](published_run<Backend>& run) {
             bubble const known{};
             recomputed_case<Order, mass, gauss<Order + 2>>(run, "BP1", known.square());
             recomputed_case<Order, laplace, gauss<Order + 2>>(run, "BP3", known.energy());
             recomputed_case<Order, laplace, gauss_lobatto<Order + 1>>(run, "BP5", known.energy());
           }}};
}

// nekRS' Kershaw mesh: 20 x 20 x 20 elements of degree 7, trilinear, points at the nodes, DoF as it counts them. Its
// right side is what elements have of 3 pi^2 sin(pi x) sin(pi y) sin(pi z) at their nodes, added up, with no integral.
inline double nek_source(mesh::position const& x)
{
  double const pi = 3.14159265358979323846;
  return 3 * pi * pi * std::sin(pi * x[0]) * std::sin(pi * x[1]) * std::sin(pi * x[2]);
}

template <class Policy, class Backend>
class kershaw_case {
public:
  static constexpr int order = 7;
  using points = gauss_lobatto<order + 1>;
  using problem_type = box_problem<laplace, order, points, Policy, Backend>;

  kershaw_case(published_run<Backend>& run, char const* name)
      : run_(run),
        name_(name),
        how_(how_of<Policy>(usual_sums<Backend>)),
        problem_(run.backend, sides(run), kershaw_around_origin{{.eps_y = 0.3, .eps_z = 0.3}}, usual_sums<Backend>),
        b_(problem_.zeros())
  {
    print_set_up(name, how_, problem_);
    auto const all = [this](auto& x) { return view(x.data(), problem_.unknowns()); };
    // x + 2 y + 3 z, whose energy is 14 times the volume.
    auto const free = problem_.restricted().unconstrained();
    auto const line = problem_.values([](mesh::position const& x) { return x[0] + 2 * x[1] + 3 * x[2]; });
    require_near("x . A x", problem_.energy(global_operator{problem_.on_elements(), free}, line, b_), 14, 1e-10);
    auto const f = problem_.values(nek_source);
    auto u = problem_.zeros(problem_.elements() * (order + 1) * (order + 1) * (order + 1));
    free.gather(all(f), problem_.as_elements(u));
    problem_.restricted().scatter(problem_.as_elements(u), all(b_));
  }

  void time_iterations() { time_all(run_, name_, how_, problem_, b_, dofs()); }

  // To 1e-8 by a cycle of multigrid.
  template <class Cycle>
  void time_solves(Cycle const& cycle, std::string const& smoother, double set_up)
  {
    auto const a = problem_.matrix();
    auto x = problem_.zeros();
    cg_workspace<double, Backend> workspace(run_.backend, problem_.unknowns());
    auto const bv = view(b_.data(), problem_.unknowns());
    auto const xv = view(x.data(), problem_.unknowns());
    solve_result result;
    auto const solve = [&] {
      problem_.ops().fill(0, xv);
      return seconds_on(run_.backend,
                        [&] { result = cg(a, bv, xv, cycle, {.check_every = 1}, no_monitor{}, workspace); });
    };
    solve();  // not timed
    if (!result) throw std::runtime_error(result.report());
    auto r = problem_.zeros();
    auto const rv = view(r.data(), problem_.unknowns());
    a.apply(xv, rv);
    problem_.ops().xpay(bv, -1, rv);
    double const residual = problem_.ops().norm(rv) / problem_.ops().norm(bv);
    if (!(residual <= 1.01e-8)) throw std::runtime_error("the residual is " + std::to_string(residual));
    double const seconds = least_of(run_.options.seconds, solve);
    auto details = details_of(problem_);
    details("iterations", result.iterations)("residual", residual)("seconds_of_levels", set_up);
    std::printf("%-10s %s, levels made in %.2f s: %s\n", name_, smoother.c_str(), set_up, result.report().c_str());
    run_.keep({name_, "solve", how_ + ", " + smoother, dofs(), seconds, details});
  }

  problem_type const& problem() const { return problem_; }

private:
  static std::array<index_t, 3> sides(published_run<Backend> const& run)
  {
    index_t const unknowns =
        run.unknowns(20 * 20 * 20 * 343, bytes_of_unknown<order, points, Policy>(usual_sums<Backend>));
    index_t const side = std::max(2L, std::lround(std::cbrt(double(unknowns) / 343)));
    return {side, side, side};
  }
  index_t dofs() const { return problem_.elements() * order * order * order; }

  published_run<Backend>& run_;
  char const* name_;
  std::string how_;
  problem_type problem_;
  typename problem_type::vector b_;
};

template <class Backend>
std::vector<published_configuration<Backend>> bp5()
{
  return {{"bp5", [](published_run<Backend>& run) {
             if (run.wants("stored")) kershaw_case<stored, Backend>(run, "bp5").time_iterations();
             if (run.wants("trilinear")) kershaw_case<trilinear, Backend>(run, "bp5").time_iterations();
           }}};
}

// By cycles of multigrid whose levels are in float, smoothed by polynomials of several degrees around Jacobi's
// preconditioner and around additive Schwarz, which nekRS has: higher ones take fewer iterations, and fewer solves on
// the last level.
template <class Backend>
std::vector<published_configuration<Backend>> bps5()
{
  return {{"bps5", [](published_run<Backend>& run) {
             kershaw_case<stored, Backend> solved(run, "bps5");
             auto const& problem = solved.problem();
             auto const a = problem.matrix();
             auto const time = [&](std::string const& smoother, auto const& options) {
               double const begin = now();
               multigrid const cycle{
                   p_levels<float, 7, 4, 2, 1>(a.element_operator(), problem.mesh().vertices(), a.restriction()),
                   options};
               solved.time_solves(cycle, smoother, now() - begin);
             };
             for (int const degree : {5, 8})
               time("chebyshev " + std::to_string(degree), multigrid_options<>{.smoother = {degree}});
             for (int const degree : {2, 3, 4})
               time("schwarz " + std::to_string(degree),
                    multigrid_options<schwarz<1>>{.smoother = {.polynomial = {degree}}});
           }}};
}

}  // namespace sumfac::bench
