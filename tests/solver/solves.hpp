// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Solves of small systems on any backend, compared with the oracle's iteration and with its direct solver.
#pragma once

#include "systems.hpp"

#include <support/larger.hpp>

#include <algorithm>

namespace checks {

// Curved and small.
template <class Operator>
checks::system<Operator> poisson(typename Operator::backend_type const& backend = {})
{
  mesh::counts const counts{3, 2, 2};
  return {counts,
          mesh::numbered(counts, Operator::order, 4),
          reference::collocated(Operator::order, Operator::components),
          reference::laplace(),
          true,
          backend};
}
template <class Operator>
checks::system<Operator> mass(typename Operator::backend_type const& backend = {})
{
  mesh::counts const counts{3, 2, 1};
  return {counts,
          mesh::by_entities(counts, Operator::order),
          reference::on_gauss(Operator::order, Operator::components),
          reference::mass(),
          false,
          backend};
}

// s.x, from what it is, by conjugate gradients.
template <class System, class... More>
sumfac::solve_result solve(System& s, bool jacobi, sumfac::cg_options const& options, More&&... more)
{
  using scalar = typename System::scalar;
  using backend = typename System::backend_type;
  auto const a = s.c.make(s.backend);
  auto const r = s.c.restriction({}, s.backend);
  sumfac::global_operator const l{a, r};
  auto const entries = [&]<class T>(T* data) {
    return sumfac::view<T, sumfac::dextents<1>>(data, static_cast<index_t>(s.b.size()));
  };
  sumfac::solve_result result;
  support::on_backend(s.backend, s.b, s.x, [&](scalar const* b, scalar* x) {
    if (!jacobi) {
      result = sumfac::cg(l, entries(b), entries(x), sumfac::no_preconditioner{}, options, more...);
      return;
    }
    std::vector<scalar> none(s.b.size());
    support::on_backend(s.backend, none, [&](scalar* d) {
      l.diagonal(entries(d));
      sumfac::jacobi<scalar, backend> const p(s.backend, entries(static_cast<scalar const*>(d)));
      result = sumfac::cg(l, entries(b), entries(x), p, options, more...);
    });
  });
  return result;
}

template <class T = double, class System>
void follows_the_oracle(System s)
{
  for (bool const jacobi : {false, true}) {
    INFO((jacobi ? "Jacobi" : "no preconditioner"));
    history heard;
    std::fill(s.x.begin(), s.x.end(), 0);
    auto const result = solve(s, jacobi, {.iterations = 20, .tolerance = 0, .check_every = 1}, heard.monitor());
    CHECK(result.status == sumfac::solve_status::iterations_done);
    CHECK(static_cast<bool>(result));
    CHECK(result.iterations == 20);
    REQUIRE(heard.residuals.size() == 21);
    CHECK(result.initial_residual == heard.residuals.front());
    CHECK(result.residual == heard.residuals.back());
    checks::follows<T>(s, jacobi, heard, s.x);
  }
}

template <class System>
void finds_the_solution(System s)
{
  auto const direct = s.solution();
  for (bool const jacobi : {false, true}) {
    std::fill(s.x.begin(), s.x.end(), 0);
    auto const result = solve(s, jacobi, {.iterations = 500, .tolerance = 1e-13});
    CHECK(result.status == sumfac::solve_status::converged);
    CHECK(result.residual <= 1e-13 * result.initial_residual);
    real greatest = 0, off = 0;
    for (std::size_t i = 0; i < direct.size(); ++i) {
      greatest = support::larger(greatest, std::abs(direct[i]));
      off = support::larger(off, std::abs(static_cast<real>(s.x[i]) - direct[i]));
    }
    INFO("off by " << static_cast<double>(off) << " of " << static_cast<double>(greatest));
    CHECK(off <= 1e-9L * greatest);  // condition times tolerance
  }
}

}  // namespace checks
