// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Conjugate gradients against the oracle's: by hand, every residual, solutions, threads; beside GMRES and MINRES.
#include "solves.hpp"

#include <support/larger.hpp>

#include <sumfac/backend/checked.hpp>
#include <sumfac/solver/gmres.hpp>
#include <sumfac/solver/minres.hpp>

namespace {

using checks::dense_operator, checks::global_view, checks::history, checks::index_t;
using checks::finds_the_solution, checks::follows_the_oracle, checks::mass, checks::poisson, checks::solve;
using reference::real;

}  // namespace

TEST_CASE("cg: by hand, with an operator of the user's own")
{
  dense_operator const a{{4, 1, 1, 3}, 2};
  std::vector<double> const b{1, 2}, d{4, 3};
  std::vector<double> x(2);
  auto const one = sumfac::cg(a, global_view(b), global_view(x), {.iterations = 1, .tolerance = 0});
  CHECK(x[0] == Approx(0.25).epsilon(1e-15));
  CHECK(x[1] == Approx(0.5).epsilon(1e-15));
  CHECK(one.iterations == 1);
  CHECK(one.initial_residual == Approx(std::sqrt(5.0)).epsilon(1e-15));
  CHECK(one.residual == Approx(std::sqrt(0.3125)).epsilon(1e-15));

  x = {0, 0};
  sumfac::jacobi<double, sumfac::host> const jacobi(sumfac::host{}, global_view(d));
  auto const scaled = sumfac::cg(a, global_view(b), global_view(x), jacobi, {.iterations = 1, .tolerance = 0});
  CHECK(x[0] == Approx(19 / 92.0).epsilon(1e-15));
  CHECK(x[1] == Approx(38 / 69.0).epsilon(1e-15));
  CHECK(scaled.residual == Approx(std::hypot(26 / 69.0, 13 / 92.0)).epsilon(1e-15));

  // From the textbook's start (2, 1) the solution (1/11, 7/11) in two steps, with the defaults for all else.
  x = {2, 1};
  auto const two = sumfac::cg(a, global_view(b), global_view(x));
  CHECK(two.status == sumfac::solve_status::converged);
  CHECK(two.iterations == 2);
  CHECK(two.initial_residual == Approx(std::sqrt(73.0)).epsilon(1e-15));
  CHECK(x[0] == Approx(1 / 11.0).epsilon(1e-14));
  CHECK(x[1] == Approx(7 / 11.0).epsilon(1e-14));
}

TEST_CASE("cg: every residual is the oracle's, on the host")
{
  follows_the_oracle(poisson<sumfac::bp5<2>>());
  follows_the_oracle(mass<sumfac::bp1<2>>());
  follows_the_oracle(poisson<sumfac::bp6<2>>(sumfac::host{3}));
}

TEST_CASE("cg: every residual is the oracle's, on checked")
{
  follows_the_oracle(poisson<sumfac::bp5<2, sumfac::checked>>());
}

TEST_CASE("cg: the solution is the direct solver's")
{
  finds_the_solution(poisson<sumfac::bp5<2>>());
  finds_the_solution(mass<sumfac::bp1<2>>());
  finds_the_solution(poisson<sumfac::bp5<2, sumfac::checked>>());
}

TEST_CASE("cg: gmres and minres come to the same, and make the same steps on checked as on the host")
{
  auto const solved = [](auto const& backend, index_t iterations, double tolerance) {
    using backend_type = std::remove_cvref_t<decltype(backend)>;
    auto s = poisson<sumfac::bp5<2, backend_type>>(backend);
    auto const a = s.c.make(s.backend);
    auto const r = s.c.restriction({}, s.backend);
    sumfac::global_operator const l{a, r};
    std::vector<double> d(s.b.size());
    l.diagonal(global_view(d));
    sumfac::jacobi const p(s.backend, global_view(std::as_const(d)));
    std::vector<std::vector<double>> x(3, s.x);
    auto const b = global_view(std::as_const(s.b));
    CHECK(sumfac::cg(l, b, global_view(x[0]), p, {.iterations = iterations, .tolerance = tolerance}));
    CHECK(sumfac::gmres(l, b, global_view(x[1]), p, {.iterations = iterations, .tolerance = tolerance}));
    CHECK(sumfac::minres(l, b, global_view(x[2]), p, {.iterations = iterations, .tolerance = tolerance}));
    return x;
  };
  auto const distance = [](std::vector<double> const& x, std::vector<double> const& y) {
    double most = 0;
    for (std::size_t i = 0; i < x.size(); ++i) most = support::larger(most, std::abs(x[i] - y[i]));
    return most;
  };
  auto const whole = solved(sumfac::host{}, 1000, 1e-12);
  CHECK(distance(whole[0], whole[1]) < 1e-9);
  CHECK(distance(whole[0], whole[2]) < 1e-9);
  auto const here = solved(sumfac::host{}, 4, 0), there = solved(sumfac::checked{}, 4, 0);
  for (std::size_t k = 0; k < here.size(); ++k) CHECK(distance(here[k], there[k]) < 1e-11);
}

TEST_CASE("cg: a restriction of other elements is no operator's")
{
  mesh::counts const few{2, 1, 1}, many{3, 1, 1};
  auto const mesh = mesh::box(few);
  sumfac::bp5<2> const a(sumfac::host{}, checks::nodes_view(mesh));
  auto const made_of = [&](checks::restricted_mesh const& numbered) {
    auto const r = numbered.restriction<double, sumfac::host>(sumfac::host{});
    static_cast<void>(sumfac::global_operator{a, r});
  };
  using checks::refused;
  refused([&] { made_of({mesh::numbered(many, 2)}); }, {"global_operator", "number of elements", "expected 2, got 3"});
  refused([&] { made_of({mesh::numbered(few, 3)}); }, {"global_operator", "nodes per direction", "expected 3, got 4"});
  refused([&] { made_of({mesh::numbered(few, 2), 3}); }, {"global_operator", "components", "expected 1, got 3"});
  made_of({mesh::numbered(few, 2)});
}

TEST_CASE("cg: in single precision it reaches single precision")
{
  auto s = poisson<sumfac::bp5<2, sumfac::host, float>>();
  auto const direct = s.solution();
  auto const result = solve(s, true, {.iterations = 500, .tolerance = 1e-6});
  CHECK(result.status == sumfac::solve_status::converged);
  real greatest = 0, off = 0;
  for (std::size_t i = 0; i < direct.size(); ++i) {
    greatest = support::larger(greatest, std::abs(direct[i]));
    off = support::larger(off, std::abs(static_cast<real>(s.x[i]) - direct[i]));
  }
  CHECK(off <= 1e-3L * greatest);
}

TEST_CASE("cg: from a first guess it corrects what is missing")
{
  auto s = poisson<sumfac::bp5<2>>();
  auto const guess = support::random<double>(s.b.size(), 33);
  // A e = b - A guess, from 0, by the oracle.
  auto const a_guess = s.c.exact.apply(std::vector<real>(guess.begin(), guess.end()));
  for (std::size_t i = 0; i < s.exact_b.size(); ++i) s.exact_b[i] -= a_guess[i];
  s.x = guess;
  history heard;
  static_cast<void>(solve(s, false, {.iterations = 15, .tolerance = 0}, heard.monitor()));
  auto correction = s.x;
  for (std::size_t i = 0; i < guess.size(); ++i) correction[i] -= guess[i];
  checks::follows(s, false, heard, correction);

  // From the solution there is nothing to do.
  s.exact_b.assign(s.b.begin(), s.b.end());
  auto const direct = s.solution();
  for (std::size_t i = 0; i < direct.size(); ++i) s.x[i] = static_cast<double>(direct[i]);
  auto const result = solve(s, false, {.tolerance = 0, .absolute = 1e-10});
  CHECK(result.status == sumfac::solve_status::converged);
  CHECK(result.iterations == 0);
}

TEST_CASE("cg: constrained entries take b's values, or stay as they were where rows are zero")
{
  auto s = poisson<sumfac::bp5<2>>();
  CHECK(solve(s, true, {.tolerance = 1e-12}).status == sumfac::solve_status::converged);
  for (std::size_t i = 0; i < s.x.size(); ++i)
    if (s.c.exact.constrained()[i]) CHECK(std::abs(s.x[i] - s.b[i]) <= 1e-11);

  auto const inside = s.x;
  for (std::size_t i = 0; i < s.b.size(); ++i)
    if (s.c.exact.constrained()[i]) s.b[i] = 0;
  auto const a = s.c.make();
  auto const r = s.c.restriction({.rows = sumfac::constrained_rows::zero});
  sumfac::global_operator const l{a, r};
  CHECK(l.size() == static_cast<index_t>(s.b.size()));
  std::vector<double> d(s.b.size());
  l.diagonal(global_view(d));  // 0 at constrained entries: jacobi takes it for 1
  sumfac::jacobi<double, sumfac::host> const p(sumfac::host{}, global_view(std::as_const(d)));
  std::fill(s.x.begin(), s.x.end(), 0);
  CHECK(sumfac::cg(l, global_view(std::as_const(s.b)), global_view(s.x), p, {.tolerance = 1e-12}).status ==
        sumfac::solve_status::converged);
  for (std::size_t i = 0; i < s.x.size(); ++i)
    CHECK(std::abs(s.x[i] - (s.c.exact.constrained()[i] ? 0 : inside[i])) <= 1e-8);
}

TEST_CASE("cg: no right side, no iteration")
{
  auto s = poisson<sumfac::bp5<2>>();
  std::fill(s.b.begin(), s.b.end(), 0);
  for (double const tolerance : {0.0, 1e-8}) {
    history heard;
    auto const result = solve(s, false, {.iterations = 10, .tolerance = tolerance}, heard.monitor());
    CHECK(static_cast<bool>(result));
    CHECK(result.iterations == 0);
    CHECK(result.residual == 0);
    CHECK(heard.residuals == std::vector<double>{0});
    CHECK(s.x == std::vector<double>(s.x.size()));
  }
}

TEST_CASE("cg: bit for bit the same for any number of threads, in every run, and with a workspace used before")
{
  using operator_type = sumfac::bp5<2>;
  mesh::counts const counts{9, 8, 7};
  auto const mesh = mesh::jittered(counts, 0.2);
  checks::restricted_mesh numbered{mesh::numbered(counts, 2, 3)};
  numbered.marks = checks::boundary_marks(numbered.numbers, 1);
  auto const b = support::random<double>(numbered.size(), 4);
  auto const solved = [&](int threads, bool jacobi) {
    sumfac::host const backend(threads);
    operator_type const a(backend, checks::nodes_view(mesh));
    auto const r = numbered.restriction<double, sumfac::host>(backend);
    sumfac::global_operator const l{a, r};
    std::vector<double> d(b.size(), 1), x;
    l.diagonal(global_view(d));
    sumfac::jacobi<double, sumfac::host> const p(backend, global_view(std::as_const(d)));
    sumfac::cg_workspace<double, sumfac::host> work(backend, static_cast<index_t>(b.size()));
    sumfac::cg_options const options{.iterations = 25, .tolerance = 0};
    history heard;
    for (int repeat = 0; repeat < 2; ++repeat) {
      x.assign(b.size(), 0);
      heard = {};
      if (jacobi)
        static_cast<void>(sumfac::cg(l, global_view(b), global_view(x), p, options, heard.monitor(), work));
      else
        static_cast<void>(sumfac::cg(l, global_view(b), global_view(x), options, heard.monitor(), work));
      x.insert(x.end(), heard.residuals.begin(), heard.residuals.end());
    }
    return x;
  };
  for (bool const jacobi : {false, true}) {
    auto const serial = solved(1, jacobi);
    for (int const threads : {1, 2, 3, 5}) {
      INFO(threads << " threads");
      CHECK(solved(threads, jacobi) == serial);
    }
  }
}
