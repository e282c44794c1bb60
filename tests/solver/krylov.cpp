// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// GMRES, MINRES, flexible conjugate gradients and guesses from earlier solutions, against dense elimination.
#include "history.hpp"

#include <sumfac/solver/cg.hpp>
#include <sumfac/solver/gmres.hpp>
#include <sumfac/solver/guess_history.hpp>
#include <sumfac/solver/minres.hpp>

#include <dofs/global_vectors.hpp>
#include <support/larger.hpp>
#include <support/random.hpp>

#include <cmath>
#include <utility>

namespace {

using checks::dense_operator, checks::global_view, checks::history, checks::index_t, checks::refused;
using sumfac::solve_status;

std::vector<double> numbers(index_t count, unsigned seed)
{
  return support::random<double>(static_cast<std::size_t>(count), seed);
}

// What it is, row by row: random, with so much on the diagonal, and of signs.
dense_operator matrix(index_t rows, bool symmetric, double diagonal, bool signs)
{
  dense_operator a{numbers(rows * rows, 3), rows};
  for (index_t r = 0; r < rows; ++r)
    for (index_t c = 0; c < rows; ++c) {
      double& entry = a.entries[static_cast<std::size_t>(r * rows + c)];
      if (symmetric && c < r) entry = a.entries[static_cast<std::size_t>(c * rows + r)];
      if (c == r) entry += signs && r % 3 == 0 ? -diagonal : diagonal;
    }
  return a;
}

// By elimination with row exchange, in long double: none of the solvers' code.
std::vector<double> solved(dense_operator const& a, std::vector<double> const& b)
{
  std::vector<long double> m(a.entries.begin(), a.entries.end()), x(b.begin(), b.end());
  auto const n = static_cast<std::size_t>(a.rows);
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t r = k; r < n; ++r)
      if (std::abs(m[r * n + k]) > std::abs(m[pivot * n + k])) pivot = r;
    for (std::size_t c = 0; c < n; ++c) std::swap(m[k * n + c], m[pivot * n + c]);
    std::swap(x[k], x[pivot]);
    for (std::size_t r = k + 1; r < n; ++r) {
      long double const factor = m[r * n + k] / m[k * n + k];
      for (std::size_t c = k; c < n; ++c) m[r * n + c] -= factor * m[k * n + c];
      x[r] -= factor * x[k];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t c = k + 1; c < n; ++c) x[k] -= m[k * n + c] * x[c];
    x[k] /= m[k * n + k];
  }
  return {x.begin(), x.end()};
}

double distance(std::vector<double> const& a, std::vector<double> const& b)
{
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = support::larger(most, std::abs(a[i] - b[i]));
  return most;
}

auto seen(std::vector<double> const& x) { return global_view(x); }

// Jacobi that is another one each time it is called.
struct wavering {
  dense_operator const& a;
  mutable int calls = 0;

  template <class R, class Z>
  void apply(R const& r, Z const& z) const
  {
    double const factor = ++calls % 2 == 0 ? 1.5 : 0.6;
    for (index_t i = 0; i < a.rows; ++i) {
      double const neighbour = r(i + 1 < a.rows ? i + 1 : i);
      double const diagonal = std::abs(a.entries[static_cast<std::size_t>(i * a.rows + i)]);
      z(i) = factor * (r(i) + 0.3 * (calls % 3) * neighbour) / diagonal;
    }
  }
};

// A, but half as much again as long as it is told so.
struct misled {
  dense_operator const& a;
  bool const& off;

  index_t size() const { return a.size(); }
  auto const& backend() const { return a.backend(); }
  template <class X, class Y>
  void apply(X const& x, Y const& y) const
  {
    a.apply(x, y);
    for (index_t i = 0; off && i < size(); ++i) y(i) *= 1.5;
  }
};

TEST_CASE("GMRES solves with matrices that are not symmetric, restarted or not")
{
  for (index_t const rows : {1, 2, 37}) {
    for (int const restart : {1, 5, 40}) {
      // Of few directions it is sure to find a solution only where x . A x is above 0.
      auto const a = matrix(rows, false, restart < 40 ? 9 : 6, restart == 40);
      auto const b = numbers(rows, 5), exact = solved(a, b);
      std::vector<double> x(b.size());
      sumfac::gmres_workspace<> space(a.backend(), rows, restart);
      history heard;
      auto const r = sumfac::gmres(a, seen(b), global_view(x), sumfac::no_preconditioner{},
                                   {.iterations = 5000, .tolerance = 1e-12}, heard.monitor(), space);
      INFO(r.report() << ", " << rows << " rows, restart " << restart);
      CHECK(r.status == solve_status::converged);
      CHECK(distance(x, exact) < 1e-10);
      CHECK(heard.iterations.size() == static_cast<std::size_t>(r.iterations) + 1);
      if (restart > rows) CHECK(r.iterations <= rows);
      for (std::size_t i = 1; i < heard.residuals.size(); ++i)
        CHECK(heard.residuals[i] <= heard.residuals[i - 1] * (1 + 1e-12));
    }
  }
}

TEST_CASE("GMRES takes preconditioners: factors, and one that changes")
{
  index_t const rows = 60;
  auto const a = matrix(rows, false, 9, false);
  auto const b = numbers(rows, 5), exact = solved(a, b);
  std::vector<double> diagonal;
  for (index_t i = 0; i < rows; ++i) diagonal.push_back(a.entries[static_cast<std::size_t>(i * rows + i)]);
  auto const check = [&](auto const& p) {
    std::vector<double> x(b.size(), 1);
    sumfac::gmres_workspace<> space(a.backend(), rows, 12);
    auto const r = sumfac::gmres(a, seen(b), global_view(x), p, {.tolerance = 1e-12}, sumfac::no_monitor{}, space);
    INFO(r.report());
    CHECK(r.status == solve_status::converged);
    CHECK(distance(x, exact) < 1e-10);
  };
  check(sumfac::jacobi(a.backend(), seen(diagonal)));
  check(wavering{a});
}

TEST_CASE("MINRES solves with indefinite matrices in as many iterations as they have rows")
{
  for (index_t const rows : {1, 2, 30}) {
    auto const a = matrix(rows, true, 12, true);
    auto const b = numbers(rows, 5), exact = solved(a, b);
    std::vector<double> magnitudes;
    for (index_t i = 0; i < rows; ++i)
      magnitudes.push_back(std::abs(a.entries[static_cast<std::size_t>(i * rows + i)]));
    auto const check = [&](auto const& p) {
      std::vector<double> x(b.size());
      history heard;
      auto const r = sumfac::minres(a, seen(b), global_view(x), p, {.tolerance = 1e-12}, heard.monitor());
      INFO(r.report() << ", " << rows << " rows");
      CHECK(r.status == solve_status::converged);
      CHECK(distance(x, exact) < 1e-10);
      CHECK(r.iterations <= rows + 8);
      for (std::size_t i = 1; i < heard.residuals.size(); ++i)
        CHECK(heard.residuals[i] <= heard.residuals[i - 1] * (1 + 1e-12));
    };
    check(sumfac::no_preconditioner{});
    check(sumfac::jacobi(a.backend(), seen(magnitudes)));
  }
}

TEST_CASE("MINRES that goes on from b - A x is a new solve")
{
  index_t const rows = 30;
  auto const a = matrix(rows, true, 12, true);
  auto const b = numbers(rows, 5);
  std::vector<double> x(b.size()), y(b.size());
  bool off = true;
  bool const always = true;
  double first = 0;
  auto const r = sumfac::minres(misled{a, off}, seen(b), global_view(x), {}, {.tolerance = 1e-12},
                                [&](index_t i, double residual) {
                                  if (i == 0) first = residual;
                                  off = off && residual > 1e-12 * first;
                                });
  auto const before = sumfac::minres(misled{a, always}, seen(b), global_view(y), {}, {.tolerance = 1e-12});
  CHECK(distance(y, solved(a, b)) > 1e-3);
  auto const after = sumfac::minres(a, seen(b), global_view(y), {}, {.tolerance = 0, .absolute = 1e-12 * first});
  CHECK(r.status == solve_status::converged);
  CHECK(r.iterations == before.iterations + after.iterations);
  CHECK(distance(x, y) == 0);
  CHECK(distance(x, solved(a, b)) < 1e-10);
}

// A of x alone, but so many times as much of all other vectors: what a solver says has vanished is then 1 - 1 / times
// of what there was.
struct misled_but_of_x {
  dense_operator const& a;
  double const* x;
  double times;

  index_t size() const { return a.size(); }
  auto const& backend() const { return a.backend(); }
  template <class X, class Y>
  void apply(X const& u, Y const& y) const
  {
    a.apply(u, y);
    for (index_t i = 0; u.data() != x && i < size(); ++i) y(i) *= times;
  }
};
struct identity {
  template <class R, class Z>
  void apply(R const& r, Z const& z) const
  {
    for (index_t i = 0; i < r.extent(0); ++i) z(i) = r(i);
  }
};

TEST_CASE("Solves go on from b - A x as long as it halves")
{
  index_t const rows = 12;
  auto const a = matrix(rows, true, 12, false);
  auto const b = numbers(rows, 5);
  auto const check = [&](auto const& solve) {
    for (double const times : {1.9, 2.1}) {
      std::vector<double> x(b.size());
      auto const r = solve(misled_but_of_x{a, x.data(), times}, x);
      INFO(r.report() << ", " << times);
      CHECK(r.status == (times < 2 ? solve_status::converged : solve_status::stagnated));
      if (times < 2) CHECK(distance(x, solved(a, b)) < 1e-6);
    }
  };
  check([&](auto const& l, auto& x) { return sumfac::cg(l, seen(b), global_view(x), identity{}); });
  check([&](auto const& l, auto& x) { return sumfac::minres(l, seen(b), global_view(x), identity{}); });
  check([&](auto const& l, auto& x) { return sumfac::gmres(l, seen(b), global_view(x), identity{}); });
}

TEST_CASE("A fixed number of iterations goes on to the rounding of a matrix of one's own")
{
  index_t const rows = 37;
  auto const a = matrix(rows, true, 12, true);
  auto const b = numbers(rows, 5);
  std::vector<double> x(b.size()), y(b.size());
  sumfac::gmres_workspace<> space(a.backend(), rows, 60);
  auto const by_gmres = sumfac::gmres(a, seen(b), global_view(x), sumfac::no_preconditioner{},
                                      {.iterations = 60, .tolerance = 0}, sumfac::no_monitor{}, space);
  auto const by_minres = sumfac::minres(a, seen(b), global_view(y), {}, {.iterations = 60, .tolerance = 0});
  for (auto const& r : {by_gmres, by_minres}) {
    INFO(r.report());
    CHECK(bool(r));
    CHECK(r.residual < 1e-13 * r.initial_residual);
  }
}

TEST_CASE("Flexible conjugate gradients bear a preconditioner that changes")
{
  index_t const rows = 80;
  auto a = matrix(rows, true, 0, false);
  for (index_t i = 0; i < rows; ++i) a.entries[static_cast<std::size_t>(i * rows + i)] = 12 + double(i * i) / 4;
  auto const b = numbers(rows, 5), exact = solved(a, b);
  auto const iterations = [&](bool flexible) {
    std::vector<double> x(b.size());
    auto const r = sumfac::cg(a, seen(b), global_view(x), wavering{a},
                              {.iterations = 400, .tolerance = 1e-12, .flexible = flexible});
    if (flexible) {
      INFO(r.report());
      CHECK(r.status == solve_status::converged);
      CHECK(distance(x, exact) < 1e-9);
    }
    return r ? r.iterations : index_t{1000};
  };
  CHECK(iterations(true) < iterations(false));
}

TEST_CASE("Guesses are exact for combinations of the right sides before")
{
  index_t const rows = 90;
  auto a = matrix(rows, true, 0, false);
  for (index_t i = 0; i < rows; ++i) a.entries[static_cast<std::size_t>(i * rows + i)] = 14 + double(i);
  std::vector<std::vector<double>> modes;
  for (unsigned k = 0; k < 4; ++k) modes.push_back(numbers(rows, 30 + k));
  sumfac::guess_history<> history(a.backend(), rows, 6);
  for (int step = 0; step < 15; ++step) {
    std::vector<double> b(modes[0].size()), x(b.size()), left(b.size());
    for (std::size_t i = 0; i < b.size(); ++i)
      for (int k = 0; k < 4; ++k) b[i] += std::cos(1.7 * step * k + k) * modes[static_cast<std::size_t>(k)][i];
    history.guess(seen(b), global_view(x));
    a.apply(seen(x), global_view(left));
    double const off = distance(left, b);
    auto const r = sumfac::cg(a, seen(b), global_view(x), {.tolerance = 0, .absolute = 1e-12});
    CHECK(r);
    CHECK(distance(x, solved(a, b)) < 1e-11);
    history.add(a, global_view(x));
    INFO("step " << step << ": the guess leaves " << off);
    CHECK(history.kept() == std::min(step + 1, 4));
    if (step == 0) CHECK(off > 1);
    if (step >= 4) CHECK(off < 1e-8);  // the four modes are known by then
  }
  history.clear();
  CHECK(history.kept() == 0);
}

TEST_CASE("Solutions that no guess was made for are taken in, too")
{
  index_t const rows = 25;
  auto const a = matrix(rows, true, 15, false);
  sumfac::guess_history<> history(a.backend(), rows, 4);
  std::vector<double> sum(static_cast<std::size_t>(rows)), x(sum.size());
  for (unsigned k = 0; k < 3; ++k) {
    auto b = numbers(rows, k);
    for (std::size_t i = 0; i < b.size(); ++i) b[i] += k > 0 ? sum[i] : 0, sum[i] += b[i];
    x = solved(a, b);
    history.add(a, global_view(x));
  }
  CHECK(history.kept() == 3);
  history.guess(seen(sum), global_view(x));
  CHECK(distance(x, solved(a, sum)) < 1e-11);
}

TEST_CASE("A history that is full begins anew")
{
  index_t const rows = 20;
  auto const a = matrix(rows, true, 15, false);
  sumfac::guess_history<> history(a.backend(), rows, 2);
  for (unsigned k = 0; k < 5; ++k) {
    auto const b = numbers(rows, k);
    std::vector<double> x(b.size()), again(b.size());
    history.guess(seen(b), global_view(x));
    REQUIRE(sumfac::cg(a, seen(b), global_view(x), {.tolerance = 1e-13}));
    history.add(a, global_view(x));
    CHECK(history.kept() == int(k % 2) + 1);
    history.guess(seen(b), global_view(again));
    CHECK(distance(x, again) < 1e-10);
  }
}

TEST_CASE("What they cannot solve has a status")
{
  double const none = std::numeric_limits<double>::quiet_NaN();
  dense_operator const singular{{1, 0, 0, 0, 1, 0, 0, 0, 0}, 3};
  std::vector<double> const beyond{1, 2, 3}, within{1, 2, 0}, broken{1, none, 0};
  std::vector<double> x(3);
  CHECK(sumfac::gmres(singular, seen(beyond), global_view(x)).status == solve_status::diverged);
  x.assign(3, 0);
  CHECK(sumfac::minres(singular, seen(beyond), global_view(x)).status == solve_status::diverged);
  for (bool const symmetric : {false, true}) {
    x.assign(3, 0);
    auto const r = symmetric ? sumfac::minres(singular, seen(within), global_view(x))
                             : sumfac::gmres(singular, seen(within), global_view(x));
    CHECK(r.status == solve_status::converged);
    CHECK(distance(x, within) < 1e-14);
    x.assign(3, 0);
    auto const s = symmetric ? sumfac::minres(singular, seen(broken), global_view(x))
                             : sumfac::gmres(singular, seen(broken), global_view(x));
    CHECK(s.status == solve_status::not_finite);
    CHECK(s.report().find(symmetric ? "sumfac::minres" : "sumfac::gmres") == 0);
    x.assign(3, 7);
    std::vector<double> const zero(3);
    auto const t = symmetric ? sumfac::minres(singular, seen(zero), global_view(x), {}, {.iterations = 0})
                             : sumfac::gmres(singular, seen(zero), global_view(x), {}, {.iterations = 0});
    CHECK(t.status == solve_status::iterations_done);
    CHECK(x == std::vector<double>(3, 7));
  }
  // A rotation: GMRES needs both directions, the residual stays as it is in between.
  dense_operator const rotation{{0, 1, -1, 0}, 2};
  std::vector<double> const e{1, 0};
  std::vector<double> y(2);
  CHECK(sumfac::gmres(rotation, seen(e), global_view(y)).iterations == 2);
  CHECK(distance(y, {0, 1}) < 1e-14);
  struct negative {
    void apply(sumfac::view<double const, sumfac::dextents<1>> r, sumfac::view<double, sumfac::dextents<1>> z) const
    {
      for (index_t i = 0; i < r.extent(0); ++i) z(i) = -r(i);
    }
  };
  x.assign(3, 0);
  CHECK(sumfac::minres(singular, seen(within), global_view(x), negative{}).status == solve_status::indefinite);
}

TEST_CASE("Vectors of any size are solved with")
{
  auto const a = matrix(12, true, 8, true);
  for (double const size : {1e-290, 1e290}) {
    auto b = numbers(12, 5);
    for (double& entry : b) entry *= size;
    auto const exact = solved(a, b);
    std::vector<double> x(b.size());
    auto const r = sumfac::gmres(a, seen(b), global_view(x), {}, {.tolerance = 1e-12});
    INFO(r.report());
    CHECK(r);
    CHECK(distance(x, exact) < 1e-10 * size);
  }
}

TEST_CASE("Bad arguments are refused before any work")
{
  auto const a = matrix(4, true, 8, false);
  std::vector<double> b(4), x(4), short_one(3);
  sumfac::guess_history<> history(a.backend(), 4, 2);
  refused([&] { sumfac::gmres(a, seen(short_one), global_view(x)); },
          {"sumfac::gmres: length of b does not match (expected 4, got 3)"});
  refused([&] { sumfac::minres(a, seen(b), global_view(short_one)); },
          {"sumfac::minres: length of x does not match (expected 4, got 3)"});
  refused([&] { sumfac::gmres(a, seen(b), global_view(x), {}, {.tolerance = -1}); },
          {"sumfac::gmres: the tolerance is not positive or 0 (got -1)"});
  refused([&] { sumfac::minres(a, seen(b), global_view(x), {}, {.iterations = -2}); },
          {"sumfac::minres: the number of iterations is negative (got -2, at least 0 expected)"});
  refused([&] { sumfac::gmres(a, seen(b), global_view(x), {}, {.check_every = 0}); },
          {"sumfac::gmres: the iterations between two looks, options.check_every, are below 1 (got 0, at least 1"});
  refused([&] { sumfac::minres(a, seen(b), global_view(x), {}, {.check_every = -3}); },
          {"sumfac::minres: the iterations between two looks, options.check_every, are below 1 (got -3, at least 1"});
  refused([&] { sumfac::gmres_workspace<>(a.backend(), 4, 0); },
          {"sumfac::gmres_workspace: the restart is below 1 (got 0, at least 1 expected)"});
  refused([&] { sumfac::guess_history<>(a.backend(), 4, 0); },
          {"sumfac::guess_history: it keeps less than one solution (got 0, at least 1 expected)"});
  refused([&] { history.guess(seen(short_one), global_view(x)); },
          {"sumfac::guess_history::guess: extent 0 (entries) of b does not match (expected 4, got 3)"});
  refused([&] { history.add(matrix(5, true, 8, false), global_view(x)); },
          {"sumfac::guess_history::add: size of A does not match (expected 4, got 5)"});
}

}  // namespace
