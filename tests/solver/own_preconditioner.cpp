// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Conjugate gradients with a preconditioner of the user's own: anything with apply(r, z).
#include "solves.hpp"

#include <sumfac/backend/checked.hpp>

namespace {

using checks::dense_operator, checks::global_view, checks::history, checks::index_t, checks::refused;
using sumfac::cg_status;

// Jacobi as a user would write it, which counts its applications.
template <class Scalar>
struct own_jacobi {
  std::vector<Scalar> inverse;
  mutable int applications = 0;

  void apply(sumfac::view<Scalar const, sumfac::dextents<1>> r, sumfac::view<Scalar, sumfac::dextents<1>> z) const
  {
    REQUIRE(r.extent(0) == static_cast<index_t>(inverse.size()));
    REQUIRE(z.extent(0) == r.extent(0));
    for (index_t i = 0; i < z.extent(0); ++i) z(i) = inverse[static_cast<std::size_t>(i)] * r(i);
    ++applications;
  }
};

template <class Operator>
void is_jacobi_by_another_name(typename Operator::backend_type const& backend)
{
  using scalar = typename Operator::scalar_type;
  auto s = checks::poisson<Operator>(backend);
  auto const a = s.c.make(s.backend);
  auto const r = s.c.restriction({}, s.backend);
  sumfac::global_operator const l{a, r};
  std::vector<scalar> d(s.b.size());
  l.diagonal(global_view(d));
  sumfac::jacobi const known(s.backend, global_view(std::as_const(d)));
  own_jacobi<scalar> own;
  for (scalar x : d) own.inverse.push_back(1 / x);

  sumfac::cg_options const options{.iterations = 20, .tolerance = 0};
  history heard, expected;
  auto y = s.x;
  auto const one = sumfac::cg(l, global_view(std::as_const(s.b)), global_view(s.x), own, options, heard.monitor());
  auto const two = sumfac::cg(l, global_view(std::as_const(s.b)), global_view(y), known, options, expected.monitor());
  CHECK(one.status == two.status);
  CHECK(own.applications == 21);
  CHECK(heard.iterations == expected.iterations);
  // The same up to what compilers round in other places.
  double const allowed = (sizeof(scalar) == 8 ? 1e-12 : 1e-4);
  for (std::size_t i = 0; i < heard.residuals.size(); ++i)
    CHECK(std::abs(heard.residuals[i] - expected.residuals[i]) <= allowed * heard.residuals[0]);
  double largest = 0, difference = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    largest = std::max(largest, std::abs(double(y[i])));
    difference = std::max(difference, std::abs(double(s.x[i]) - double(y[i])));
  }
  CHECK(difference <= allowed * largest);
}

}  // namespace

TEST_CASE("own preconditioner: Jacobi by another name makes the iterates of jacobi")
{
  is_jacobi_by_another_name<sumfac::bp5<3>>(sumfac::host{});
  is_jacobi_by_another_name<sumfac::bp6<2>>(sumfac::host{3});
  is_jacobi_by_another_name<sumfac::bp5<2, sumfac::host, float>>(sumfac::host{});
  is_jacobi_by_another_name<sumfac::bp5<2, sumfac::checked>>(sumfac::checked{});
}

TEST_CASE("own preconditioner: the inverse of the matrix needs one iteration, from any guess")
{
  dense_operator const a{{4, 1, 1, 3}, 2}, inverse{{3 / 11.0, -1 / 11.0, -1 / 11.0, 4 / 11.0}, 2};
  std::vector<double> const b{1, 2};
  for (std::vector<double> x : {std::vector<double>{0, 0}, {2, 1}, {-7, 30}}) {
    auto const result = sumfac::cg(a, global_view(b), global_view(x), inverse, {.tolerance = 1e-13});
    CHECK(result.status == cg_status::converged);
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
  CHECK(one.status == cg_status::iterations_done);
  CHECK(x[0] == Approx(56 / 179.0).epsilon(1e-15));
  CHECK(x[1] == Approx(70 / 179.0).epsilon(1e-15));
  CHECK(one.residual == Approx(std::hypot(1 - 294 / 179.0, 2 - 266 / 179.0)).epsilon(1e-14));
  // Two unknowns, two iterations.
  x = {0, 0};
  auto const two = sumfac::cg(a, global_view(b), global_view(x), p, {.tolerance = 1e-13});
  CHECK(two.status == cg_status::converged);
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
  CHECK(negative.status == cg_status::indefinite);
  CHECK(negative.iterations == 0);
  CHECK(negative.report().find("(r . P r = -5, residual 2.24): the preconditioner P must be") != std::string::npos);
  CHECK(solve({{0, 0, 0, 0}, 2}).status == cg_status::indefinite);
  double const no_number = std::numeric_limits<double>::quiet_NaN();
  auto const not_finite = solve({{no_number, 0, 0, 1}, 2});
  CHECK(not_finite.status == cg_status::not_finite);
  CHECK(not_finite.report().find("and the preconditioner") != std::string::npos);
  CHECK(x == std::vector<double>{0, 0});

  // P = diag(1, -1/4): r . P r is 3/4 at first and, for r = (1, 1) - 12/59 (15/4, 1/4), below 0 then.
  dense_operator const p{{1, 0, 0, -0.25}, 2};
  std::vector<double> const ones{1, 1};
  auto const later = sumfac::cg(a, global_view(ones), global_view(x), p, {.tolerance = 1e-13});
  CHECK(later.status == cg_status::indefinite);
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
  CHECK(solved.status == cg_status::converged);
  CHECK(solved.iterations == 1);
  CHECK(solved.residual == 0);
  CHECK(sumfac::cg(a, global_view(b), global_view(x), scaled_to_one{}).status == cg_status::converged);
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
