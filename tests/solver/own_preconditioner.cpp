// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Conjugate gradients with a preconditioner of the user's own: anything with apply(r, z).
#include "history.hpp"

#include <sumfac/solver/cg.hpp>

#include <dofs/global_vectors.hpp>

#include <cmath>

namespace {

using checks::dense_operator, checks::global_view, checks::index_t, checks::refused;
using sumfac::solve_status;

}  // namespace

TEST_CASE("own preconditioner: the inverse of the matrix needs one iteration, from any guess")
{
  dense_operator const a{{4, 1, 1, 3}, 2}, inverse{{3 / 11.0, -1 / 11.0, -1 / 11.0, 4 / 11.0}, 2};
  std::vector<double> const b{1, 2};
  for (std::vector<double> x : {std::vector<double>{0, 0}, {2, 1}, {-7, 30}}) {
    auto const result = sumfac::cg(a, global_view(b), global_view(x), inverse, {.tolerance = 1e-13});
    CHECK(result.status == solve_status::converged);
    CHECK(result.iterations == 1);
    CHECK(x[0] == Approx(1 / 11.0).epsilon(1e-13));
    CHECK(x[1] == Approx(7 / 11.0).epsilon(1e-13));
  }
}

TEST_CASE("own preconditioner: by hand, one that is not diagonal")
{
  // r = b = (1, 2), z = P r = (4, 5), A z = (21, 19), alpha = 14 / 179.
  dense_operator const a{{4, 1, 1, 3}, 2}, p{{2, 1, 1, 2}, 2};
  std::vector<double> const b{1, 2};
  std::vector<double> x{0, 0};
  auto const one = sumfac::cg(a, global_view(b), global_view(x), p, {.iterations = 1, .tolerance = 0});
  CHECK(one.status == solve_status::iterations_done);
  CHECK(x[0] == Approx(56 / 179.0).epsilon(1e-15));
  CHECK(x[1] == Approx(70 / 179.0).epsilon(1e-15));
  CHECK(one.residual == Approx(std::hypot(1 - 294 / 179.0, 2 - 266 / 179.0)).epsilon(1e-14));
  // Two unknowns, two iterations.
  x = {0, 0};
  auto const two = sumfac::cg(a, global_view(b), global_view(x), p, {.tolerance = 1e-13});
  CHECK(two.status == solve_status::converged);
  CHECK(two.iterations == 2);
  CHECK(x[0] == Approx(1 / 11.0).epsilon(1e-13));
}

TEST_CASE("own preconditioner: one that is not positive definite, or no number, ends the solve")
{
  dense_operator const a{{4, 1, 1, 3}, 2};
  std::vector<double> const b{1, 2};
  std::vector<double> x{0, 0};
  auto const solve = [&](dense_operator const& p) { return sumfac::cg(a, global_view(b), global_view(x), p); };
  auto const negative = solve({{-1, 0, 0, -1}, 2});
  CHECK(negative.status == solve_status::indefinite);
  CHECK(negative.iterations == 0);
  CHECK(negative.report().find("(r . P r = -5, residual 2.24): the preconditioner P must be") != std::string::npos);
  CHECK(solve({{0, 0, 0, 0}, 2}).status == solve_status::indefinite);
  double const no_number = std::numeric_limits<double>::quiet_NaN();
  auto const not_finite = solve({{no_number, 0, 0, 1}, 2});
  CHECK(not_finite.status == solve_status::not_finite);
  CHECK(not_finite.report().find("and the preconditioner") != std::string::npos);
  CHECK(x == std::vector<double>{0, 0});

  // P = diag(1, -1/4): r . P r is 3/4 at first and, for r = (1, 1) - 12/59 (15/4, 1/4), below 0 then.
  dense_operator const p{{1, 0, 0, -0.25}, 2};
  std::vector<double> const ones{1, 1};
  auto const later = sumfac::cg(a, global_view(ones), global_view(x), p, {.tolerance = 1e-13});
  CHECK(later.status == solve_status::indefinite);
  CHECK(later.iterations == 1);
  CHECK(later.report().find("r . P r = -") != std::string::npos);
}

namespace {

// Scales r to a length of 1, as in mixed precision: of a residual of 0 it makes NaN.
struct scaled_to_one {
  void apply(sumfac::view<double const, sumfac::dextents<1>> r, sumfac::view<double, sumfac::dextents<1>> z) const
  {
    double sum = 0;
    for (index_t i = 0; i < r.extent(0); ++i) sum += r(i) * r(i);
    for (index_t i = 0; i < r.extent(0); ++i) z(i) = r(i) / std::sqrt(sum);
  }
};

}  // namespace

TEST_CASE("own preconditioner: what it makes of a residual of 0 is not looked at")
{
  dense_operator const a{{2, 0, 0, 2}, 2};
  std::vector<double> const b{4, 0};  // r = (4, 0), z = (1, 0), alpha = 4 / 2
  std::vector<double> x{0, 0};
  auto const solved = sumfac::cg(a, global_view(b), global_view(x), scaled_to_one{});
  CHECK(solved.status == solve_status::converged);
  CHECK(solved.iterations == 1);
  CHECK(solved.residual == 0);
  CHECK(sumfac::cg(a, global_view(b), global_view(x), scaled_to_one{}).status == solve_status::converged);
}

TEST_CASE("own preconditioner: of another size is refused with both numbers")
{
  dense_operator const a{{4, 1, 1, 3}, 2}, p{{1, 0, 0, 0, 1, 0, 0, 0, 1}, 3};
  std::vector<double> const b{1, 2};
  std::vector<double> x{7, 7};
  refused([&] { sumfac::cg(a, global_view(b), global_view(x), p); },
          {"sumfac::cg", "size of the preconditioner", "expected 2", "got 3"});
  CHECK(x == std::vector<double>{7, 7});
}
