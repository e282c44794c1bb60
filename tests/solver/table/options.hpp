// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Each solver by each option, on both sides of what it decides.
#pragma once

#include <solver/any_matrix.hpp>
#include <solver/table/matrices.hpp>

namespace checks {

// Tolerances at a residual that was heard, a little above it and below; both kinds, for right sides of any size.
inline void check_tolerances(solvers const& s)
{
  auto const a = with_eigenvalues(from_to(1, 3, 24));
  for (double const size : {1.0, 1 / s.huge(), s.huge()})
    for (method const by : methods)
      for (bool const factors : {false, true}) {
        CAPTURE(size, name_of(by), factors);
        request what{.by = by, .iterations = 7, .tolerance = 0, .jacobi = {}};
        if (factors) what.jacobi = from_to(2, 1, 24);
        // The norm that MINRES makes least by factors is the root of a square that has to be a number.
        if (by == method::minres && size != 1) continue;
        auto const b = times(size, random_numbers(24, 3));
        auto const all = s.solve(a, b, what);
        CHECK(all.result.status == solve_status::iterations_done);
        CHECK(static_cast<bool>(all.result));
        REQUIRE(all.result.iterations == 7);
        REQUIRE(all.heard.residuals.size() == 8);
        for (std::size_t k = 0; k < 8; ++k) CHECK(all.heard.iterations[k] == static_cast<index_t>(k));
        CHECK(all.result.initial_residual == all.heard.residuals[0]);
        auto const& r = all.heard.residuals;
        auto const stops = [&](double tolerance, double absolute, index_t at) {
          CAPTURE(tolerance, absolute, at);
          what.iterations = 1000, what.tolerance = tolerance, what.absolute = absolute;
          auto const found = s.solve(a, b, what);
          INFO(found.result.report());
          CHECK(found.result.status == solve_status::converged);
          CHECK(static_cast<bool>(found.result));
          CHECK(found.result.iterations == at);
          CHECK(found.result.residual <= std::max(tolerance * r[0], absolute));
          CHECK(found.heard.residuals.size() == static_cast<std::size_t>(at) + 1);
          // One iteration less is not enough, and as many are.
          if (at == 0) return;
          what.iterations = at;
          CHECK(s.solve(a, b, what).result.status == solve_status::converged);
          what.iterations = at - 1;
          auto const cut = s.solve(a, b, what);
          CHECK(cut.result.status == solve_status::iterations_done);
          CHECK(!static_cast<bool>(cut.result));
          CHECK(cut.result.iterations == at - 1);
          CHECK(cut.result.residual == Approx(cut.heard.residuals.back()).epsilon(1e4 * s.epsilon()));
        };
        double const little = 1e-2, above = 1 + little, below = 1 - little;
        for (std::size_t const k : {1u, 4u}) {
          REQUIRE(r[k] < below * below * r[k - 1]);
          REQUIRE(r[k + 1] < below * below * r[k]);
          auto const at = static_cast<index_t>(k);
          stops(above * r[k] / r[0], 0, at);
          stops(below * r[k] / r[0], 0, at + 1);
          stops(0, above * r[k], at);
          stops(0, below * r[k], at + 1);
          // Both: whichever is met first.
          stops(above * r[k] / r[0], r[k + 1], at);
          stops(r[k + 1] / r[0], above * r[k], at);
          stops(below * r[k] / r[0], below * r[k + 1], at + 1);
        }
        stops(above, 0, 0);
        stops(below, 0, 1);
        stops(0, above * r[0], 0);
        stops(0, below * r[0], 1);
      }
}

// The first guess is where a solve begins: what it is told not to touch, it does not.
inline void check_guesses(solvers const& s)
{
  auto const a = with_eigenvalues(from_to(1, 3, 20));
  auto const x = random_numbers(20, 9), b = applied(a, x), other = random_numbers(20, 10);
  for (method const by : methods) {
    CAPTURE(name_of(by));
    double const most = 1e4 * s.epsilon();
    auto const near = s.solve(a, b, x, {.by = by, .tolerance = 0, .absolute = 100 * s.epsilon() * norm(b)});
    CHECK(near.result.status == solve_status::converged);
    CHECK(near.result.iterations == 0);
    CHECK(near.applications == 1);
    CHECK(norm(minus(near.x, x)) <= s.epsilon() * norm(x));
    auto const none = s.solve(a, b, other, {.by = by, .iterations = 0});
    CHECK(none.result.status == solve_status::iterations_done);
    CHECK(none.result.iterations == 0);
    CHECK(none.x == other);
    auto const far = s.solve(a, b, other, {.by = by, .tolerance = 0, .absolute = most});
    CHECK(far.result.status == solve_status::converged);
    CHECK(far.result.initial_residual == Approx(norm(minus(b, applied(a, other)))).epsilon(10 * s.epsilon()));
    CHECK(norm(minus(far.x, x)) <= 2 * most);
    // No right side: nothing to do from 0.
    auto const zero = s.solve(a, numbers(20), {.by = by});
    CHECK(zero.result.status == solve_status::converged);
    CHECK(zero.result.iterations == 0);
    CHECK(zero.x == numbers(20));
  }
}

inline void check_refusals(solvers const& s)
{
  auto const a = diagonal(numbers(6, 1));
  numbers const b(6, 1);
  using Catch::Matchers::Contains;
  for (method const by : methods) {
    auto const says = [&](request what, numbers const& x0, std::string const& part) {
      what.by = by;
      CHECK_THROWS_WITH(s.solve(a, b, x0, what), Contains(std::string("sumfac::") + name_of(by) + ": " + part));
    };
    numbers const zero(6);
    says({.iterations = -1}, zero, "the number of iterations is negative (got -1, at least 0 expected)");
    says({.tolerance = -1e-9}, zero, "the tolerance is not positive or 0 (got -1e-09)");
    says({.tolerance = no_number}, zero, "the tolerance is not positive or 0 (got ");
    says({.absolute = -1e-9}, zero, "the absolute tolerance is not positive or 0 (got -1e-09)");
    says({.absolute = no_number}, zero, "the absolute tolerance is not positive or 0 (got ");
    says({}, numbers(7), "length of x does not match (expected 6, got 7)");
    says({.workspace = 5}, zero, "length of the workspace does not match (expected 6, got 5)");
    says({.jacobi = numbers(5, 1)}, zero, "length of the preconditioner does not match (expected 6, got 5)");
    says({.iterations = 0, .tolerance = 0, .absolute = 0, .workspace = 7}, zero, "length of the workspace");
    CHECK(s.solve(a, b, {.by = by, .iterations = 0, .tolerance = 0}).result.iterations == 0);
  }
}

// Constants, or vectors of one's own, that A takes to 0: b may have a part in them, x ends without.
inline void check_null_spaces(solvers const& s)
{
  std::size_t const n = 21;
  auto const a = free_line();
  auto b = random_numbers(n, 4);
  for (double& entry : b) entry += 0.7;
  // Two lines that nothing joins.
  linear_map const two = [](numbers const& x, numbers& y) {
    for (double& entry : y) entry = 0;
    for (std::size_t i = 0; i + 1 < x.size(); ++i) {
      if (i == 6) continue;
      y[i] -= x[i + 1] - x[i], y[i + 1] += x[i + 1] - x[i];
    }
  };
  numbers parts(2 * n);
  for (std::size_t i = 0; i < n; ++i) parts[i < 7 ? i : n + i] = 2;
  for (method const by : methods)
    for (bool const factors : {false, true}) {
      CAPTURE(name_of(by), factors);
      double const tolerance = 1000 * s.epsilon();
      request what{.by = by, .iterations = 200, .tolerance = tolerance};
      if (factors) what.jacobi = from_to(1, 2, n);
      auto const alone = s.solve(a, b, what);
      INFO(alone.result.report());
      CHECK(!static_cast<bool>(alone.result));
      CHECK(alone.result.free_constants);
      CHECK(alone.result.report().find("nothing is constrained: constants?") != std::string::npos);
      auto const mean = [](numbers const& x, std::size_t first, std::size_t last) {
        double sum = 0;
        for (std::size_t i = first; i < last; ++i) sum += x[i];
        return sum / static_cast<double>(last - first);
      };
      auto const check = [&](linear_map const& matrix, std::size_t split) {
        auto const found = s.solve(matrix, b, times(1e3, numbers(n, 1)), what);
        INFO(found.result.report());
        CHECK(found.result.status == solve_status::converged);
        CHECK(found.result.iterations < 2 * static_cast<index_t>(n));
        auto rest = minus(b, applied(matrix, found.x));
        for (auto const& [first, last] : {std::pair<std::size_t, std::size_t>{0, split}, {split, n}}) {
          if (first == last) continue;
          CHECK(std::abs(mean(found.x, first, last)) <= 100 * s.epsilon() * norm(found.x));
          double const part = mean(rest, first, last);
          for (std::size_t i = first; i < last; ++i) rest[i] -= part;
        }
        CHECK(norm(rest) <= 100 * tolerance * norm(b));
      };
      what.without_constants = true;
      check(a, n);
      what.without_constants = false, what.null_vectors = parts;
      check(two, 7);
    }
}

// Factors of one's own make the iterates of those that the library has.
inline void check_own_factors(solvers const& s)
{
  auto const a = with_eigenvalues(from_to(1, 30, 20));
  auto const b = random_numbers(20, 5), d = from_to(1, 3, 20);
  numbers inverse = d;
  for (double& entry : inverse) entry = 1 / entry;
  for (method const by : methods) {
    if (by == method::merged_cg) continue;
    CAPTURE(name_of(by));
    auto const known = s.solve(a, b, {.by = by, .iterations = 9, .tolerance = 0, .jacobi = d});
    auto const own = s.solve(a, b, {.by = by, .iterations = 9, .tolerance = 0, .own = diagonal(inverse)});
    CHECK(known.result.status == own.result.status);
    CHECK(known.heard.iterations == own.heard.iterations);
    double const allowed = 1e4 * s.epsilon();
    for (std::size_t i = 0; i < own.heard.residuals.size(); ++i)
      CHECK(std::abs(own.heard.residuals[i] - known.heard.residuals[i]) <= allowed * known.heard.residuals[0]);
    CHECK(norm(minus(own.x, known.x)) <= allowed * norm(known.x));
  }
}

}  // namespace checks
