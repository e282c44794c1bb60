// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What the algorithms do, not only that they converge.
#pragma once

#include <solver/any_matrix.hpp>
#include <solver/table/matrices.hpp>

namespace checks {

// As many steps as there are eigenvalues, and no fewer.
inline void check_exact_steps(solvers const& s)
{
  for (bool const signs : {false, true}) {
    numbers values(18);
    for (std::size_t i = 0; i < 18; ++i) values[i] = static_cast<double>(1 + i % 4) * (signs && i % 4 == 1 ? -1 : 1);
    auto const a = with_eigenvalues(values);
    auto const b = random_numbers(18, 12);
    for (method const by : methods) {
      if (signs && is_cg(by)) continue;
      CAPTURE(name_of(by), signs);
      auto const found = s.solve(a, b, {.by = by, .iterations = 4, .tolerance = 100 * s.epsilon()});
      CHECK(found.result.status == solve_status::converged);
      CHECK(found.result.iterations == 4);
      CHECK(found.heard.residuals[3] > 1e-3 * found.heard.residuals[0]);
      CHECK(norm(minus(b, applied(a, found.x))) <= 200 * s.epsilon() * norm(b));
    }
  }
}

// Iterates of the first steps, of which each is the best of its Krylov space: for conjugate gradients b - A x is
// orthogonal to that space, for the others to A times it; and the norm that each makes least falls.
inline void check_best_iterates(solvers const& s)
{
  std::size_t const n = 30;
  auto const positive = with_eigenvalues(from_to(1, 30, n));
  auto const indefinite = with_eigenvalues(from_to(-8, 21, n));
  auto const weights = from_to(1, 0.3, n);
  for (method const by : methods)
    for (bool const factors : {false, true}) {
      CAPTURE(name_of(by), factors);
      auto const& a = is_cg(by) ? positive : indefinite;
      auto const b = random_numbers(n, 14);
      auto const p = [&](numbers x) {
        for (std::size_t i = 0; factors && i < n; ++i) x[i] *= weights[i];
        return x;
      };
      numbers inverse = weights;
      for (double& entry : inverse) entry = 1 / entry;
      std::vector<numbers> residuals;
      double before = std::numeric_limits<double>::infinity();
      for (index_t k = 0; k <= 9; ++k) {
        CAPTURE(k);
        request what{.by = by, .iterations = k, .tolerance = 0};
        if (factors) what.jacobi = inverse;
        auto const found = s.solve(a, b, what);
        auto const r = minus(b, applied(a, found.x));
        auto const measure = by == method::minres ? std::sqrt(product(r, p(r))) : norm(r);
        CHECK(found.result.residual == Approx(measure).epsilon(1e5 * s.epsilon()));
        for (auto const& old : residuals) {
          auto const direction = is_cg(by) ? p(old) : by == method::minres ? p(applied(a, p(old))) : applied(a, p(old));
          CHECK(std::abs(product(direction, r)) <= 1e5 * s.epsilon() * norm(direction) * norm(r));
        }
        double now = measure;
        if (is_cg(by)) {
          // The error in A's norm, by a solve to rounding.
          auto const rest = minus(s.solve(a, b, {.tolerance = 100 * s.epsilon()}).x, found.x);
          now = std::sqrt(product(rest, applied(a, rest)));
        }
        CHECK(now < before);
        before = now;
        residuals.push_back(r);
      }
    }
}

// How often A and P are applied: once for the first residual, once an iteration, and once for b - A x at a restart.
inline void check_calls(solvers const& s)
{
  std::size_t const n = 30;
  auto const a = with_eigenvalues(from_to(1, 30, n));
  auto const b = random_numbers(n, 15);
  for (method const by : methods) {
    CAPTURE(name_of(by));
    request what{.by = by, .iterations = 12, .tolerance = 0, .restart = 5};
    CHECK(s.solve(a, b, what).applications == (by == method::gmres ? 1 + 12 + 3 : 1 + 12));
    what.restart = 12;
    CHECK(s.solve(a, b, what).applications == (by == method::gmres ? 1 + 12 + 1 : 1 + 12));
    if (by == method::merged_cg) continue;
    what.own = diagonal(from_to(1, 2, n));
    CHECK(s.solve(a, b, what).preconditionings == (by == method::gmres ? 12 : 1 + 12));
  }
}

// GMRES' directions, which A is applied to, are orthonormal to rounding however near to each other A leads them; after
// a restart they begin with the residual.
inline void check_directions(solvers const& s)
{
  std::size_t const n = 24;
  numbers values(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = std::pow(0.05, static_cast<double>(i));
  auto const exact = with_eigenvalues(values);
  auto const b = random_numbers(n, 16);
  for (int const restart : {6, 24}) {
    CAPTURE(restart);
    std::vector<numbers> seen;
    linear_map const a = [&](numbers const& x, numbers& y) {
      seen.push_back(x);
      exact(x, y);
    };
    auto const found = s.solve(a, b, {.by = method::gmres, .iterations = 12, .tolerance = 0, .restart = restart});
    REQUIRE(found.result.iterations >= 6);
    int const used = std::min(restart, static_cast<int>(found.result.iterations));
    double most = 0;
    for (int i = 1; i <= used; ++i)
      for (int j = 1; j <= i; ++j)
        most = std::max(most, std::abs(product(seen[std::size_t(i)], seen[std::size_t(j)]) - (i == j ? 1 : 0)));
    INFO("directions are orthonormal to " << most);
    CHECK(most <= 50 * s.epsilon());
    CHECK(norm(minus(seen[1], times(1 / norm(b), b))) <= 50 * s.epsilon());
    if (restart != 6 || found.result.iterations < 7) continue;
    auto const r = minus(b, applied(exact, seen[7]));  // seen[7] is x
    CHECK(norm(minus(seen[8], times(1 / norm(r), r))) <= 1e-2);
  }
}

// A preconditioner that is another one each time: GMRES keeps what it made of each direction, flexible conjugate
// gradients turn by what has changed.
inline void check_changing_preconditioners(solvers const& s)
{
  std::size_t const n = 16;
  auto const a = with_eigenvalues(from_to(1, 30, n));
  auto const b = random_numbers(n, 17);
  auto const solved = [&](method by, bool changes) {
    int calls = 0;
    linear_map const p = [&](numbers const& r, numbers& z) {
      ++calls;
      for (std::size_t i = 0; i < n; ++i)
        z[i] = r[i] * (changes ? 1 + 0.8 * std::sin(static_cast<double>(3 * i) + 2.5 * calls) : 1 + 0.1 * double(i));
    };
    return s.solve(a, b, {.by = by, .iterations = 200, .tolerance = 1000 * s.epsilon(), .own = p});
  };
  auto const by_gmres = solved(method::gmres, true);
  CHECK(by_gmres.result.status == solve_status::converged);
  CHECK(by_gmres.result.iterations <= static_cast<index_t>(n) + 2);
  auto const flexible = solved(method::flexible_cg, true), plain = solved(method::cg, true);
  INFO(flexible.result.report() << "; " << plain.result.report());
  CHECK(flexible.result.status == solve_status::converged);
  CHECK((!plain.result || flexible.result.iterations < plain.result.iterations));
  // With one that stays they are the same.
  auto const one = solved(method::flexible_cg, false), two = solved(method::cg, false);
  REQUIRE(one.heard.residuals.size() >= 10);
  for (std::size_t k = 0; k < 10; ++k)
    CHECK(one.heard.residuals[k] == Approx(two.heard.residuals[k]).epsilon(1e5 * s.epsilon()));
}

}  // namespace checks
