// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Each solver by each option to each status, in double and in float; matrices are numbers.
#include <solver/any_matrix.hpp>
#include <solver/table/algorithms.hpp>
#include <solver/table/options.hpp>
#include <solver/table/parts.hpp>
#include <solver/table/statuses.hpp>

#include <sumfac/backend/checked.hpp>
#include <sumfac/error.hpp>

#include <functional>
#include <string>
#include <thread>
#include <utility>

namespace {

// Calls f with solvers of both number types.
template <class Function>
void for_all(Function const& f)
{
  checks::solvers_of<double, sumfac::host> const in_double(sumfac::host{1});
  checks::solvers_of<float, sumfac::host> const in_float(sumfac::host{1});
  f(in_double);
  f(in_float);
}

}  // namespace

TEST_CASE("solvers: tolerances, relative and absolute, on both sides of a residual")
{
  for_all(checks::check_tolerances);
}
TEST_CASE("solvers: first guesses, and none to improve") { for_all(checks::check_guesses); }
TEST_CASE("solvers: options and lengths that do not fit are refused in the solver's name")
{
  for_all(checks::check_refusals);
}
TEST_CASE("solvers: factors of one's own are as the library's") { for_all(checks::check_own_factors); }
TEST_CASE("solvers: null spaces, found and given") { for_all(checks::check_null_spaces); }
TEST_CASE("solvers: matrices that are positive definite, nearly, and not") { for_all(checks::check_statuses); }
TEST_CASE("solvers: preconditioners that are positive definite, nearly, and not")
{
  for_all(checks::check_preconditioners);
}
TEST_CASE("solvers: what is no number ends a solve") { for_all(checks::check_no_numbers); }
TEST_CASE("solvers: near rounding the residual that is said is b - A x") { for_all(checks::check_limits); }
TEST_CASE("solvers: as many steps as there are eigenvalues")
{
  for_all(checks::check_exact_steps);
  checks::solvers_of<double, sumfac::checked> const on_checked;
  checks::check_exact_steps(on_checked);
  for (checks::method const by : checks::methods) {
    auto const broken = on_checked.solve(checks::free_line(1), {1, checks::no_number}, {.by = by});
    CHECK(broken.result.status == checks::solve_status::not_finite);
    CHECK(broken.x == checks::numbers(2));
  }
}
TEST_CASE("solvers: each iterate is the best of its Krylov space") { for_all(checks::check_best_iterates); }
TEST_CASE("solvers: a residual that falls by most of its digits at once") { for_all(checks::check_steep_falls); }
TEST_CASE("solvers: applications of A and P")
{
  for_all(checks::check_calls);
  checks::check_calls(checks::solvers_of<double, sumfac::checked>());
}
TEST_CASE("gmres: directions are orthonormal where A is ill-conditioned")
{
  for_all(checks::check_directions);
  checks::check_directions(checks::solvers_of<double, sumfac::checked>());
}
TEST_CASE("chebyshev: polynomials of both kinds, as smoothers and as every solver's preconditioner")
{
  for_all(checks::check_polynomials);
}
TEST_CASE("solvers: preconditioners that change, where that is allowed")
{
  for_all(checks::check_changing_preconditioners);
  checks::check_changing_preconditioners(checks::solvers_of<double, sumfac::checked>());
}
TEST_CASE("null_space: one at a time may use it")
{
  using checks::numbers;
  struct meeting {
    std::function<void()> then;
    static void add_up(void const* context, double*, int) { static_cast<meeting const*>(context)->then(); }
  } meanwhile{[] {}};
  auto const a = checks::free_line();
  int calls = 0;
  sumfac::host const backend;
  checks::moved_map<double, sumfac::host> const matrix(backend, 9, a, calls, {&meeting::add_up, &meanwhile});
  sumfac::null_space const constants{matrix};
  numbers x = checks::random_numbers(9, 1), y = x;
  auto const project = [&](numbers& of) { constants.project(sumfac::view<double, sumfac::dextents<1>>(of.data(), 9)); };
  using Catch::Matchers::Contains;
  int refused = 0;
  bool first = true;
  meanwhile.then = [&] {
    if (!std::exchange(first, false)) return;
    CHECK_THROWS_WITH(project(y), Contains("sumfac::null_space: a call around this one is at work with it"));
    std::thread([&] {
      try {
        project(y);
      } catch (sumfac::argument_error const& e) {
        refused = std::string(e.what()).find("sumfac::null_space: another thread is at work with it") == 0;
      }
    }).join();
  };
  project(x);
  CHECK(refused == 1);
  project(y);  // it is free again
  CHECK(x == y);
}
TEST_CASE("solvers: vectors in parts come to the same end") { for_all(checks::check_parts); }
