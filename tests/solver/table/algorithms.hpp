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
      for (index_t k = 0; k <= 8; ++k) {  // rounding grows with each
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

// A residual that loses most of its digits in one step does not get them back, and as many steps as there are other
// eigenvalues do the rest.
inline void check_steep_falls(solvers const& s)
{
  for (double const alone : {0.7, 1.3, 1.7, 2.3, 2.6, 3.1, 4.9, 7.7})
    for (method const by : methods) {
      CAPTURE(name_of(by), alone);
      auto b = times(1e3 * s.epsilon(), random_numbers(20, 21));
      numbers values(20);
      for (std::size_t i = 0; i < 20; ++i) values[i] = static_cast<double>(1 + i % 4);
      values[0] = alone, b[0] = 1;
      auto const found = s.solve(diagonal(values), b, {.by = by, .iterations = 30, .tolerance = 20 * s.epsilon()});
      INFO(found.result.report());
      CHECK(found.result.status == solve_status::converged);
      CHECK(found.result.iterations <= 6);
      // merged_cg knows its square by sums, to their rounding.
      double const most = by == method::merged_cg ? 4 * std::sqrt(s.epsilon()) : 1e4 * s.epsilon();
      for (std::size_t k = 1; k < found.heard.residuals.size(); ++k)
        CHECK(found.heard.residuals[k] <= most * found.heard.residuals[0]);
    }
}

// 1 - x p(x), what is left of an error after `degree` steps, for the eigenvalue x.
inline double left_of(sumfac::chebyshev const& options, double largest, double x)
{
  // W_k(1 - 2 x / largest) / (2 k + 1), W_k(cos t) = sin((k + 1/2) t) / sin(t / 2)
  if (options.kind == sumfac::chebyshev_kind::fourth) {
    double const t = std::acos(1 - 2 * x / largest);
    return t == 0 ? 1 : std::sin((options.degree + 0.5) * t) / std::sin(t / 2) / (2 * options.degree + 1);
  }
  auto const first_kind = [&](double y) {
    if (std::abs(y) <= 1) return std::cos(options.degree * std::acos(y));
    return std::pow(y < 0 ? -1 : 1, options.degree) * std::cosh(options.degree * std::acosh(std::abs(y)));
  };
  double const least = largest / options.range, middle = (largest + least) / 2, half = (largest - least) / 2;
  return first_kind((middle - x) / half) / first_kind(middle / half);
}

// Chebyshev's polynomials of P A against their closed formulas, from 0 and from any x, and as preconditioners.
inline void check_polynomials(solvers const& s)
{
  using kind = sumfac::chebyshev_kind;
  std::size_t const n = 40;
  numbers const values = from_to(0.05, 4, n), d = from_to(1, 3, n), b = random_numbers(n, 3), x0 = random_numbers(n, 4);
  // D^(-1/2) f(H) D^(-1/2), where H has these eigenvalues: A is D^(1/2) H D^(1/2), and P the inverse of D.
  auto const scaled = [&](double power, auto const& f) -> linear_map {
    numbers of = values;
    for (double& x : of) x = f(x);
    return [power, d, h = with_eigenvalues(of)](numbers x, numbers& y) {
      for (std::size_t i = 0; i < x.size(); ++i) x[i] *= std::pow(d[i], power);
      h(x, y);
      for (std::size_t i = 0; i < x.size(); ++i) y[i] *= std::pow(d[i], power);
    };
  };
  auto const a = scaled(0.5, [](double x) { return x; }), inverse = scaled(-0.5, [](double x) { return 1 / x; });
  numbers of_own = d;
  for (double& x : of_own) x = 1 / x;
  request const by_factors{.jacobi = d}, by_own{.own = diagonal(of_own)};
  numbers const solution = applied(inverse, b);
  for (kind const of : {kind::first, kind::fourth})
    for (int degree = 1; degree <= 7; ++degree)
      for (request const& by : {by_factors, by_own}) {
        CAPTURE(of == kind::first, degree, by.own != nullptr);
        sumfac::chebyshev const options{.degree = degree, .kind = of, .range = 12, .largest = 4.3};
        auto const made = s.smooth(a, b, {}, options, by), improved = s.smooth(a, b, x0, options, by);
        CHECK(made.applications == degree - 1);
        CHECK(improved.applications == degree);
        CHECK(made.preconditionings == (by.own ? degree : 0));
        CHECK(improved.preconditionings == (by.own ? degree : 0));
        auto const left = [&](double x) { return left_of(options, options.largest, x); };
        auto const expected = applied(scaled(-0.5, [&](double x) { return (1 - left(x)) / x; }), b);
        CHECK(norm(minus(made.x, expected)) <= 100 * s.epsilon() * norm(solution));
        // What is left of the error x0 - A^-1 b, which is A^-1 of a residual.
        auto const residual = minus(applied(a, x0), b);
        auto const error = applied(scaled(-0.5, [&](double x) { return left(x) / x; }), residual);
        CHECK(norm(minus(minus(improved.x, solution), error)) <= 100 * s.epsilon() * norm(solution));
      }
  for (method const by : methods) {
    if (by == method::merged_cg) continue;
    CAPTURE(name_of(by));
    request what{.by = by, .tolerance = 1000 * s.epsilon(), .jacobi = d};
    auto const alone = s.solve(a, b, what);
    what.own = [&](numbers const& r, numbers& z) {
      z = s.smooth(a, r, {}, {.degree = 4, .largest = 4.3}, by_factors).x;
    };
    auto const found = s.solve(a, b, what);
    CHECK(found.result.status == solve_status::converged);
    CHECK(3 * found.result.iterations <= 2 * alone.result.iterations);
    CHECK(norm(minus(found.x, solution)) <= 1e5 * s.epsilon() * norm(solution));
  }
}

}  // namespace checks
