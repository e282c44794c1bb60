// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A solve with factors of single precision inside a residual correction in double reaches double accuracy.
#include "systems.hpp"

#include <support/larger.hpp>

#include <sumfac/math/precision.hpp>

TEST_CASE("precision: single factors inside a residual correction in double reach double accuracy")
{
  using checks::global_view;
  using cheap_operator = sumfac::bp5<2, sumfac::host, sumfac::precision<double, float, double>>;
  mesh::counts const counts{3, 2, 2};
  checks::system<sumfac::bp5<2>> s(counts, mesh::numbered(counts, 2, 4), reference::collocated(2), reference::laplace(),
                                   true);
  auto const a = s.c.make();
  cheap_operator const cheap(sumfac::host{}, checks::nodes_view(s.c.mesh));
  auto const r = s.c.restriction();
  sumfac::global_operator const exact{a, r};
  sumfac::global_operator const rough{cheap, r};

  auto const residual = [&] {
    auto rest = s.b;
    std::vector<double> ax(s.b.size());
    exact.apply(global_view(std::as_const(s.x)), global_view(ax));
    for (std::size_t i = 0; i < rest.size(); ++i) rest[i] -= ax[i];
    return rest;
  };
  auto const norm = [](std::vector<double> const& x) { return std::sqrt(checks::dot(x, x)); };
  double const first = norm(s.b);

  // Alone it does not get there: its residual in the true operator stays at single's rounding.
  CHECK(sumfac::cg(rough, global_view(std::as_const(s.b)), global_view(s.x), sumfac::no_preconditioner{},
                   {.tolerance = 1e-13})
            .status == sumfac::solve_status::converged);
  double const alone = norm(residual()) / first;
  CHECK(alone > 1e-10);
  CHECK(alone < 1e-5);

  // Each correction gains the digits that single factors have.
  std::fill(s.x.begin(), s.x.end(), 0);
  std::vector<double> correction(s.x.size());
  double last = 1;
  for (int outer = 0; outer < 4 && last > 1e-14; ++outer) {
    auto const rest = residual();
    std::fill(correction.begin(), correction.end(), 0);
    static_cast<void>(sumfac::cg(rough, global_view(rest), global_view(correction), sumfac::no_preconditioner{},
                                 {.tolerance = 1e-6}));
    for (std::size_t i = 0; i < s.x.size(); ++i) s.x[i] += correction[i];
    double const now = norm(residual()) / first;
    INFO("correction " << outer << ": residual " << now);
    CHECK(now < 1e-4 * last + 1e-14);
    last = now;
  }
  CHECK(last < 1e-14);
  auto const direct = s.solution();
  double off = 0, greatest = 0;
  for (std::size_t i = 0; i < direct.size(); ++i) {
    off = support::larger(off, std::abs(static_cast<double>(static_cast<reference::real>(s.x[i]) - direct[i])));
    greatest = support::larger(greatest, std::abs(static_cast<double>(direct[i])));
  }
  CHECK(off <= 1e-11 * greatest);  // condition times rounding
}
