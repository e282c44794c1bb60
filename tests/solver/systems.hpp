// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Systems of equations on global vectors for the solvers, with the oracle's matrix.
#pragma once

#include <support/larger.hpp>

#include <sumfac/operator/global_operator.hpp>
#include <sumfac/solver/merged_cg.hpp>

#include <operator/global_case.hpp>
#include <solver/history.hpp>

#include <cmath>

namespace checks {

// A x = b with A of an operator on a small curved box, its boundary constrained to the identity, b random.
template <class Operator>
struct system {
  using scalar = typename Operator::scalar_type;
  using backend_type = typename Operator::backend_type;

  system(mesh::counts counts, mesh::numbering const& numbers, reference::space const& space,
         reference::integrand<> const& form, bool constrained, backend_type const& backend_ = {})
      : c(counts, numbers, space, form), backend(backend_)
  {
    c.constrain(constrained ? boundary_marks(numbers, Operator::components) : std::vector<std::uint8_t>{});
    b = support::random<scalar>(c.x.size(), 21);
    exact_b.assign(b.begin(), b.end());
    x.assign(b.size(), 0);
  }

  // The oracle's iteration, from x = 0.
  reference::descent<> descent(bool jacobi, int most, double tolerance = 0) const
  {
    return reference::conjugate_gradients<real>([this](auto const& p) { return c.exact.apply(p); }, exact_b,
                                                jacobi ? c.diagonal : std::vector<real>{}, most, real(tolerance));
  }

  std::vector<real> solution() const { return reference::solved(c.exact.matrix(), exact_b).value(); }

  global_case<Operator> c;
  backend_type backend;
  std::vector<scalar> b, x;
  std::vector<real> exact_b;
};

// How far rounding leads conjugate gradients from what they are: soon after the residual of a direction is small, far.
struct reach {
  std::vector<double> residuals;  // |r_k|, relative
  double x = 0;                   // any entry of the last x
};

// Measured on the oracle's own iteration in T, with an operator that is exact but for its result's rounding. Other sums
// and another operator of T's may go a hundred times as far; where that is more than a thousandth, anywhere.
template <class T, class System>
reach rounding(System const& s, bool jacobi, int most)
{
  auto const exact = s.descent(jacobi, most);
  std::vector<T> const b(s.exact_b.begin(), s.exact_b.end());
  std::vector<T> const diagonal(s.c.diagonal.begin(), s.c.diagonal.end());
  auto const rounded = reference::conjugate_gradients<T>(
      [&s](std::vector<T> const& p) {
        auto const ap = s.c.exact.apply(std::vector<real>(p.begin(), p.end()));
        return std::vector<T>(ap.begin(), ap.end());
      },
      b, jacobi ? diagonal : std::vector<T>{}, most);
  reach result;
  double const few = 4.5 * static_cast<double>(std::numeric_limits<T>::epsilon());
  double greatest = few;
  for (std::size_t k = 0; k < exact.residuals.size(); ++k) {
    double const off =
        k < rounded.residuals.size()
            ? std::abs(static_cast<double>(rounded.residuals[k]) / static_cast<double>(exact.residuals[k]) - 1)
            : 1;
    greatest = support::larger(greatest, 100 * off);
    result.residuals.push_back(greatest < 1e-3 ? greatest : std::numeric_limits<double>::infinity());
  }
  double size = 0;
  for (std::size_t i = 0; i < exact.x.size(); ++i) {
    result.x = std::max(result.x, 100 * static_cast<double>(std::abs(real(rounded.x[i]) - exact.x[i])));
    size = support::larger(size, static_cast<double>(std::abs(exact.x[i])));
  }
  result.x += few * size;
  return result;
}

// The residuals of a solve and its x against the oracle's; rounding is that of T.
template <class T = double, class System>
void follows(System const& s, bool jacobi, history const& heard, std::vector<typename System::scalar> const& x)
{
  int const most = static_cast<int>(heard.residuals.size()) - 1;
  auto const exact = s.descent(jacobi, most);
  auto const allowed = rounding<T>(s, jacobi, most);
  REQUIRE(heard.residuals.size() == exact.residuals.size());
  for (std::size_t k = 0; k < exact.residuals.size(); ++k) {
    double const off = std::abs(heard.residuals[k] / static_cast<double>(exact.residuals[k]) - 1);
    INFO("iteration " << k << ": |r| is off by " << off << ", " << allowed.residuals[k] << " allowed");
    CHECK(heard.iterations[k] == static_cast<index_t>(k));
    CHECK(off <= allowed.residuals[k]);
  }
  double off = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    off = support::larger(off, static_cast<double>(std::abs(real(x[i]) - exact.x[i])));
  INFO("x is off by " << off << ", " << allowed.x << " allowed");
  CHECK(off <= allowed.x);
}

}  // namespace checks
