// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What conjugate gradients are given wrongly, or find out on the way: a status and a report, never an endless loop.
#include "history.hpp"

#include <sumfac/solver/cg.hpp>

#include <dofs/global_vectors.hpp>

#include <algorithm>
#include <cmath>
#include <string>

namespace {

using checks::global_view, checks::history, checks::index_t, checks::refused;
using sumfac::solve_status;

double const no_number = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();

// A diagonal matrix that spoils its result from the `spoilt`-th application on.
struct diagonal_operator {
  std::vector<double> entries;
  int spoilt = -1;
  double with = no_number;
  sumfac::host here{};
  mutable int applications = 0;

  template <class X, class Y>
  void apply(X const& x, Y const& y) const
  {
    for (index_t i = 0; i < size(); ++i) y(i) = entries[static_cast<std::size_t>(i)] * x(i);
    if (applications++ == spoilt) y(size() / 2) = with;
  }
  index_t size() const { return static_cast<index_t>(entries.size()); }
  sumfac::host const& backend() const { return here; }
};

struct outcome {
  sumfac::solve_result result;
  std::vector<double> x;
  history heard;
};

outcome solve(diagonal_operator const& a, std::vector<double> const& b, std::vector<double> x,
              sumfac::cg_options const& options = {})
{
  history heard;
  auto const result =
      sumfac::cg(a, global_view(b), global_view(x), sumfac::no_preconditioner{}, options, heard.monitor());
  return {result, x, heard};
}

std::vector<double> ascending(std::size_t size)
{
  std::vector<double> entries(size);
  for (std::size_t i = 0; i < size; ++i) entries[i] = static_cast<double>(i + 1);
  return entries;
}

bool all_finite(std::vector<double> const& x)
{
  return std::all_of(x.begin(), x.end(), [](double value) { return std::isfinite(value); });
}

void says(sumfac::solve_result const& result, std::initializer_list<std::string> parts)
{
  INFO(result.report());
  CHECK(result.report().find("sumfac::cg: ") == 0);
  for (auto const& part : parts) {
    INFO("should say '" << part << "'");
    CHECK(result.report().find(part) != std::string::npos);
  }
}

}  // namespace

TEST_CASE("cg: a right side or first guess that is no number stops it before the first iteration")
{
  std::vector<double> const zero(20);
  for (double const bad : {no_number, infinity, -infinity})
    for (std::size_t const at : {0u, 7u, 19u}) {
      auto b = std::vector<double>(20, 1);
      b[at] = bad;
      auto const right = solve({ascending(20)}, b, zero);
      CHECK(right.result.status == solve_status::not_finite);
      CHECK(!static_cast<bool>(right.result));
      CHECK(right.result.iterations == 0);
      CHECK(right.x == zero);
      says(right.result, {"finite"});

      auto guess = zero;
      guess[at] = bad;
      auto const first = solve({ascending(20)}, std::vector<double>(20, 1), guess);
      CHECK(first.result.status == solve_status::not_finite);
      CHECK(first.result.iterations == 0);
    }
}

TEST_CASE("cg: a fixed count of iterations does not go on with what is no number")
{
  auto b = std::vector<double>(20, 1);
  b[3] = no_number;
  auto const fixed = solve({ascending(20)}, b, std::vector<double>(20), {.iterations = 100000, .tolerance = 0});
  CHECK(fixed.result.status == solve_status::not_finite);
  CHECK(fixed.result.iterations == 0);
}

TEST_CASE("cg: an operator whose result is no number stops it, and x is the last iterate that was")
{
  std::vector<double> const b(20, 1), zero(20);
  for (int const spoilt : {0, 1, 3, 6})
    for (double const bad : {no_number, infinity}) {
      diagonal_operator const good{ascending(20)};
      auto const stopped = solve({ascending(20), spoilt, bad}, b, zero, {.iterations = 50, .tolerance = 1e-12});
      INFO("application " << spoilt << " spoilt, " << stopped.result.iterations << " iterations");
      CHECK(stopped.result.status == solve_status::not_finite);
      CHECK(stopped.result.iterations == spoilt);  // application 0 is for the first residual
      CHECK(all_finite(stopped.x));
      says(stopped.result, {"finite", std::to_string(stopped.result.iterations)});
      // What the iterations before it reached is kept.
      auto const kept = solve(good, b, zero, {.iterations = std::max(spoilt - 1, 0), .tolerance = 0});
      CHECK(stopped.x == kept.x);
    }
}

TEST_CASE("cg: an indefinite operator is found, at once or later, and x is the last iterate")
{
  std::vector<double> const zero(2);
  auto const once = solve({{1, -1}}, {1, 2}, zero);
  CHECK(once.result.status == solve_status::indefinite);
  CHECK(!static_cast<bool>(once.result));
  CHECK(once.x == zero);
  says(once.result, {"positive definite", "-3"});  // p . A p = 1 - 4

  auto const later = solve({{1, -1}}, {2, 1}, zero, {.iterations = 50, .tolerance = 0});
  CHECK(later.result.status == solve_status::indefinite);
  CHECK(later.x[0] == Approx(10 / 3.0).epsilon(1e-14));  // alpha = 5 / 3
  CHECK(later.x[1] == Approx(5 / 3.0).epsilon(1e-14));
  says(later.result, {"positive definite"});

  auto const negative = solve({{-1, -2}}, {1, 2}, zero);
  CHECK(negative.result.status == solve_status::indefinite);

  // Zero where b is not: a singular system without a solution.
  auto const singular = solve({{0, 0}}, {1, 2}, zero);
  CHECK(singular.result.status == solve_status::indefinite);
  CHECK(singular.x == zero);
}

TEST_CASE("cg: a diagonal that is negative or no number is refused, a zero counts as one")
{
  sumfac::host const backend;
  auto const make = [&](std::vector<double> const& d) {
    sumfac::jacobi<double, sumfac::host>(backend, global_view(d));
  };
  refused([&] { make({1, 2, -0.25, 3}); }, {"jacobi", "2", "-0.25"});
  refused([&] { make({1, 2, 3, no_number}); }, {"jacobi", "3", "nan"});
  refused([&] { make({infinity, 2, 3, 4}); }, {"jacobi", "0", "inf"});

  diagonal_operator const a{{2, 4, 8}};
  std::vector<double> const b{1, 1, 1}, d{2, 0, 8};
  std::vector<double> x(3);
  sumfac::jacobi<double, sumfac::host> const p(backend, global_view(d));
  auto const result = sumfac::cg(a, global_view(b), global_view(x), p, {.iterations = 1, .tolerance = 0});
  // z = (1/2, 1, 1/8), p . A p = 1/2 + 4 + 1/8, r . z = 13/8: alpha = 13/37
  CHECK(x[0] == Approx(13 / 74.0).epsilon(1e-15));
  CHECK(x[1] == Approx(13 / 37.0).epsilon(1e-15));
  CHECK(result.iterations == 1);
}

TEST_CASE("cg: vectors, preconditioners and workspaces of the wrong size, null and aliased vectors are refused")
{
  sumfac::host const backend;
  diagonal_operator const a{ascending(6)};
  std::vector<double> const b(6, 1), short_b(5, 1), d(5, 1);
  std::vector<double> x(6, 7), long_x(7, 7);
  sumfac::no_preconditioner const none;
  refused([&] { static_cast<void>(sumfac::cg(a, global_view(short_b), global_view(x))); }, {"cg", "b", "6", "5"});
  refused([&] { static_cast<void>(sumfac::cg(a, global_view(b), global_view(long_x))); }, {"cg", "x", "6", "7"});
  sumfac::jacobi<double, sumfac::host> const p(backend, global_view(d));
  refused([&] { static_cast<void>(sumfac::cg(a, global_view(b), global_view(x), p)); }, {"6", "5"});
  sumfac::cg_workspace<double, sumfac::host> work(backend, 5);
  refused(
      [&] { static_cast<void>(sumfac::cg(a, global_view(b), global_view(x), none, {}, sumfac::no_monitor{}, work)); },
      {"cg", "workspace", "6", "5"});
  sumfac::view<double, sumfac::dextents<1>> const no_x(nullptr, 6);
  refused([&] { static_cast<void>(sumfac::cg(a, global_view(b), no_x)); }, {"cg", "x is null", "6"});
  refused([&] { static_cast<void>(sumfac::cg(a, no_x, global_view(x))); }, {"cg", "b is null", "6"});
  CHECK(x == std::vector<double>(6, 7));
  CHECK(a.applications == 0);
}

TEST_CASE("cg: no iterations asked for, none made")
{
  diagonal_operator const a{ascending(6)};
  std::vector<double> const b(6, 1);
  std::vector<double> none(6);
  auto const result = sumfac::cg(a, global_view(b), global_view(none), sumfac::no_preconditioner{}, {.iterations = 0});
  CHECK(result.iterations == 0);
  CHECK(result.status == solve_status::iterations_done);
  CHECK(none == std::vector<double>(6));
}

TEST_CASE("cg: reports of what went well say so in numbers")
{
  auto const good = solve({ascending(20)}, std::vector<double>(20, 1), std::vector<double>(20));
  CHECK(good.result.status == solve_status::converged);
  says(good.result, {std::to_string(good.result.iterations)});
  auto const cut =
      solve({ascending(20)}, std::vector<double>(20, 1), std::vector<double>(20), {.iterations = 3, .tolerance = 1e-9});
  CHECK(cut.result.status == solve_status::iterations_done);
  says(cut.result, {"3"});
}

TEST_CASE("cg: a right side whose square is beyond the numbers is solved for as any other")
{
  diagonal_operator const a{ascending(50)};
  auto const usual = solve(a, std::vector<double>(50, 1), std::vector<double>(50));
  // Powers of two round nothing, so each solve is the usual one, bit for bit.
  for (double const size : {0x1p-500, 0x1p-700, 0x1p-900, 0x1p500, 0x1p700, 0x1p900, 0x1p1018}) {
    auto const found = solve(a, std::vector<double>(50, size), std::vector<double>(50));
    INFO(found.result.report());
    CHECK(found.result.status == solve_status::converged);
    CHECK(found.result.iterations == usual.result.iterations);
    CHECK(found.result.residual == size * usual.result.residual);
    CHECK(found.result.initial_residual == size * usual.result.initial_residual);
    auto expected = usual.x;
    for (double& x : expected) x *= size;
    CHECK(found.x == expected);
    auto heard = usual.heard.residuals;
    for (double& r : heard) r *= size;
    CHECK(found.heard.residuals == heard);
  }
  // Near the end of the numbers too: where the sum of |r_i| is beyond them, and where they are denormal.
  for (double const size : {1e307, 1e-310}) {
    auto const found = solve(a, std::vector<double>(50, size), std::vector<double>(50));
    INFO(found.result.report());
    CHECK(found.result.status == solve_status::converged);
    for (int i = 0; i < 50; ++i)
      CHECK(std::abs(found.x[std::size_t(i)] / size * (i + 1) - 1) < 1e-7 + 1e-323 / size * 50);
  }
  // So small is small enough where it was asked for.
  auto const small = solve(a, std::vector<double>(50, 1e-170), std::vector<double>(50), {.absolute = 1e-100});
  CHECK(small.result.status == solve_status::converged);
  CHECK(small.result.iterations == 0);
  auto const halfway =
      solve(a, std::vector<double>(50, 1e-170), std::vector<double>(50), {.tolerance = 0, .absolute = 1e-172});
  CHECK(halfway.result.status == solve_status::converged);
  CHECK(halfway.result.iterations > 0);
  CHECK(halfway.result.residual <= 1e-172);
}

TEST_CASE("cg: huge and tiny right sides with zeros, infinities, NaN and a matrix that is none")
{
  diagonal_operator const a{ascending(50)};
  for (double const size : {1e-170, 1e170}) {
    for (double const value : {no_number, infinity}) {
      std::vector<double> b(50, size);
      b[20] = value;
      CHECK(solve(a, b, std::vector<double>(50)).result.status == solve_status::not_finite);
    }
    std::vector<double> one(50);
    one[20] = size;
    CHECK(solve(a, one, std::vector<double>(50)).x[20] == Approx(size / 21));
    auto minus = ascending(50);
    for (double& entry : minus) entry = -entry;
    auto const indefinite = solve({minus}, std::vector<double>(50, size), std::vector<double>(50));
    CHECK(indefinite.result.status == solve_status::indefinite);
    says(indefinite.result, {"A and the preconditioner must be"});
  }
  auto const zero = solve(a, std::vector<double>(50), std::vector<double>(50));
  CHECK(zero.result.status == solve_status::converged);
  CHECK(zero.result.iterations == 0);
}

TEST_CASE("cg: a preconditioner may be huge or tiny")
{
  for (double const size : {1e-120, 1e120}) {
    diagonal_operator const a{std::vector<double>(50, size)};
    sumfac::jacobi const p(a.here, global_view(std::as_const(a.entries)));
    for (double const of_b : {1e-100, 1.0, 1e100}) {
      std::vector<double> const b(50, of_b);
      std::vector<double> x(50);
      auto const found = sumfac::cg(a, global_view(b), global_view(x), p);
      INFO(found.report());
      CHECK(found.status == solve_status::converged);
      CHECK(x[7] == Approx(of_b / size));
    }
  }
}

TEST_CASE("cg: a tolerance whose square is 0 is a tolerance, which the numbers end before")
{
  auto const converge = [](sumfac::cg_options options) {
    return solve({ascending(50)}, std::vector<double>(50, 1), std::vector<double>(50), options).result.status;
  };
  CHECK(converge({.tolerance = 0}) == solve_status::converged);
  CHECK(converge({.tolerance = 1e-200}) == solve_status::out_of_range);
  CHECK(converge({.tolerance = 0, .absolute = 1e-200}) == solve_status::out_of_range);
}

TEST_CASE("cg: a matrix whose p . A p is too small for the numbers is not called indefinite")
{
  // Not for the sake of b, which is divided by a power of two, ...
  auto const tiny = solve({std::vector<double>(20, 1e-200)}, std::vector<double>(20, 1e-100), std::vector<double>(20));
  CHECK(tiny.result.status == solve_status::converged);
  CHECK(tiny.x[7] == Approx(1e100));
  // ... but where the residual goes down far enough beside a matrix that small.
  std::vector<double> entries(20, 1e-158);
  entries[7] = 2e-158;
  auto const found = solve({entries}, std::vector<double>(20, 1), std::vector<double>(20), {.tolerance = 1e-160});
  CHECK(found.result.status == solve_status::out_of_range);
  says(found.result, {"too small"});
  // One that is 0 is not positive definite.
  auto const zero = solve({std::vector<double>(20)}, std::vector<double>(20, 1), std::vector<double>(20));
  CHECK(zero.result.status == solve_status::indefinite);
}

TEST_CASE("cg: a solution beyond the numbers is no solution")
{
  std::vector<double> entries(20, 1);
  entries[7] = 1e-200;
  auto b = std::vector<double>(20);
  b[7] = 1e140;
  auto const found = solve({entries}, b, std::vector<double>(20));
  CHECK(!all_finite(found.x));
  CHECK(found.result.status == solve_status::not_finite);
  CHECK(!static_cast<bool>(found.result));
}

TEST_CASE("cg: a tolerance of 1 and more is met at the start")
{
  for (double const tolerance : {1.0, 2.0, infinity}) {
    auto const found =
        solve({ascending(20)}, std::vector<double>(20, 1), std::vector<double>(20), {.tolerance = tolerance});
    CHECK(found.result.status == solve_status::converged);
    CHECK(found.result.iterations == 0);
  }
}

TEST_CASE("jacobi: an entry that has no finite inverse is refused by number")
{
  auto diagonal = ascending(9);
  diagonal[4] = 1e-310;
  refused([&] { sumfac::jacobi(sumfac::host{}, global_view(diagonal)); }, {"jacobi", "entry 4", "1e-310"});
}
