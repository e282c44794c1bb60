// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Each solver to each status; what has one is beside what nearly has.
#pragma once

#include <solver/any_matrix.hpp>
#include <solver/table/matrices.hpp>

namespace checks {

// How solves end of matrices that are what the solvers are for, nearly so, and not; with sizes on both sides.
inline void check_statuses(solvers const& s)
{
  constexpr auto ok = solve_status::converged, bad = solve_status::indefinite, no = solve_status::diverged;
  struct row {
    char const* name;
    linear_map a;
    numbers b;
    expected status;
  };
  numbers const one(8, 1);
  auto const values = [](double last) {
    auto v = from_to(1, 2, 8);
    v[7] = last;
    return v;
  };
  auto rotated = [](numbers const& x, numbers& y) {
    for (std::size_t i = 0; i < x.size(); ++i) y[i] = x[i] + 2 * (i % 2 == 0 ? x[i + 1] : -x[i - 1]);
  };
  numbers but_last(8, 1);
  but_last[7] = 0;
  double const small = 1e-3;
  std::vector<row> const rows{
      {"positive definite", diagonal(values(2)), one, {ok, ok, ok}},
      {"just above 0", diagonal(values(small)), one, {ok, ok, ok}},
      {"just below 0", diagonal(values(-small)), one, {bad, ok, ok}},
      {"one row of 0, none of b there", diagonal(values(0)), but_last, {ok, ok, ok}},
      {"one row of 0, b there", diagonal(values(0)), one, {no, fails, fails}},
      {"0", diagonal(numbers(8)), one, {bad, no, no}},
      {"negative definite", diagonal(from_to(-2, -1, 8)), one, {bad, ok, ok}},
      {"of both signs", diagonal(from_to(-2, 3, 8)), one, {bad, ok, ok}},
      {"of both signs, p . A p = 0", diagonal({1, -1, 1, -1, 1, -1, 1, -1}), one, {bad, ok, ok}},
      {"not symmetric", rotated, one, {solve_status::not_symmetric, fails, ok}},
  };
  for (auto const& [name, a, b, status] : rows)
    for (method const by : methods)
      for (double const size : {1.0, 1e-3 * s.huge()}) {
        if (by == method::minres && size != 1) continue;
        CAPTURE(name, name_of(by), size);
        double const tolerance = 1000 * s.epsilon();
        auto const found = s.solve(a, times(size, b), {.by = by, .iterations = 60, .tolerance = tolerance});
        // What grows without end may leave the numbers first.
        (size == 1 || status.of_cg != no ? status : expected{fails, fails, fails}).check(by, found.result);
        CHECK((all_finite(found.x) || found.result.status == solve_status::not_finite));
        if (!found.result) continue;
        CHECK(norm(minus(times(size, b), applied(a, found.x))) <= 2 * tolerance * size * norm(b));
      }
}

// Preconditioners that are what they must be, and not.
inline void check_preconditioners(solvers const& s)
{
  constexpr auto ok = solve_status::converged, bad = solve_status::indefinite;
  std::size_t const n = 12;
  auto const a = with_eigenvalues(from_to(1, 4, n));
  auto const b = random_numbers(n, 6);
  auto const values = [](double last) {
    auto v = from_to(1, 2, 12);
    v[11] = last;
    return v;
  };
  struct row {
    char const* name;
    linear_map p;
    expected status;
  };
  std::vector<row> const rows{
      {"positive definite", with_eigenvalues(values(2)), {ok, ok, ok}},
      {"just above 0", diagonal(values(1e-3)), {ok, ok, ok}},
      {"negative", diagonal(from_to(-2, -1, n)), {bad, bad, ok}},
      {"one eigenvalue below 0", diagonal(values(-40)), {bad, bad, ok}},
      {"0", diagonal(numbers(n)), {bad, solve_status::out_of_range, solve_status::diverged}},
      // What it leaves of b it never sees: MINRES' norm of that is 0, and it must not be taken for the residual's.
      {"semidefinite", diagonal(values(0)), {fails, bad, fails}},
      {"no number",
       diagonal(values(no_number)),
       {solve_status::not_finite, solve_status::not_finite, solve_status::not_finite}},
  };
  for (auto const& [name, p, status] : rows)
    for (method const by : methods) {
      if (by == method::merged_cg) continue;
      CAPTURE(name, name_of(by));
      auto const found = s.solve(a, b, {.by = by, .iterations = 60, .tolerance = 1000 * s.epsilon(), .own = p});
      CHECK(all_finite(found.x));
      // In float what is left of it may be as small for a preconditioner of any use.
      if (by == method::minres && std::string(name) == "semidefinite" && s.epsilon() > 1e-10) continue;
      status.check(by, found.result);
      if (found.result) CHECK(norm(minus(b, applied(a, found.x))) <= 1e5 * s.epsilon() * norm(b));
    }
}

// What is no number, wherever it comes from and whenever, ends the solve with numbers in x.
inline void check_no_numbers(solvers const& s)
{
  std::size_t const n = 16;
  auto const good = from_to(1, 9, n);
  auto const b = random_numbers(n, 2);
  for (method const by : methods)
    for (double const value : {no_number, std::numeric_limits<double>::infinity()}) {
      CAPTURE(name_of(by), value);
      for (std::size_t const at : {std::size_t{0}, n - 1}) {
        auto broken = b;
        broken[at] = value;
        auto const right = s.solve(diagonal(good), broken, {.by = by});
        CHECK(right.result.status == solve_status::not_finite);
        CHECK(right.result.iterations == 0);
        CHECK(right.x == numbers(n));
        numbers guess(n);
        guess[at] = value;
        CHECK(s.solve(diagonal(good), b, guess, {.by = by}).result.status == solve_status::not_finite);
      }
      for (int const spoilt : {0, 1, 4})
        for (bool const fixed : {false, true}) {
          CAPTURE(spoilt, fixed);
          int calls = 0;
          linear_map const a = [&](numbers const& x, numbers& y) {
            diagonal(good)(x, y);
            if (calls++ == spoilt) y[5] = value;
          };
          auto const found = s.solve(a, b, {.by = by, .iterations = 9, .tolerance = fixed ? 0 : 100 * s.epsilon()});
          INFO(found.result.report());
          CHECK(found.result.status == solve_status::not_finite);
          CHECK(!static_cast<bool>(found.result));
          CHECK(found.result.iterations == spoilt);  // application 0 is for the first residual
          CHECK(all_finite(found.x));
          CHECK(found.result.report().find("not finite") != std::string::npos);
          if (spoilt == 0 || by == method::merged_cg) continue;
          // What the iterations before reached is kept; of GMRES what those before the restart did.
          if (by == method::gmres) {
            CHECK(found.x == numbers(n));
            continue;
          }
          auto const kept = s.solve(diagonal(good), b, {.by = by, .iterations = spoilt - 1, .tolerance = 0});
          CHECK(norm(minus(kept.x, found.x)) <= 100 * s.epsilon() * norm(kept.x));
        }
    }
}

// More than the numbers have is not reached, and not said to be: b - A x is what counts.
inline void check_limits(solvers const& s)
{
  std::size_t const n = 40;
  numbers values(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = std::pow(10, -0.5 * std::log10(1 / s.epsilon()) * double(i) / n);
  auto const a = with_eigenvalues(values);
  auto const b = random_numbers(n, 8);
  // A first guess so far away that b is in its rounding.
  auto const far = times(1e4 / s.epsilon(), random_numbers(n, 18));
  for (method const by : methods) {
    CAPTURE(name_of(by));
    auto const check = [&](numbers const& x0, double tolerance, index_t iterations) {
      auto const found = s.solve(a, b, x0, {.by = by, .iterations = iterations, .tolerance = tolerance, .restart = 50});
      INFO(found.result.report());
      double const first = norm(minus(b, applied(a, x0))), left = norm(minus(b, applied(a, found.x)));
      double const rounding = 10 * s.epsilon() * norm(found.x);
      CHECK(found.result.initial_residual == Approx(first).epsilon(1e3 * s.epsilon()));
      // What is said of the residual is true, whatever the status.
      CHECK(left <= 1.1 * found.result.residual + rounding);
      if (found.result.status == solve_status::converged && tolerance > 0)
        CHECK(left <= 1.1 * tolerance * first + rounding);
      return found.result.status;
    };
    CHECK(check(numbers(n), 30 * std::sqrt(s.epsilon()), 2000) == solve_status::converged);
    auto const too_much = check(numbers(n), 1e-3 * s.epsilon(), 2000);
    CHECK((too_much == solve_status::stagnated || (by == method::minres && too_much == solve_status::iterations_done)));
    check(far, 0.5 * s.epsilon(), 500);
    for (index_t const iterations : {30, 45, 60, 100}) check(numbers(n), 0, iterations);
    for (index_t const iterations : {30, 45, 60, 100}) check(numbers(n), 1e-3 * s.epsilon(), iterations);
  }
}

}  // namespace checks
