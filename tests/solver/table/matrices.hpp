// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What the table of solvers is made of: matrices by their eigenvalues, and vectors of numbers.
#pragma once

#include <solver/any_matrix.hpp>
#include <support/random.hpp>

#include <catch2/catch.hpp>

#include <cmath>

namespace checks {

using sumfac::solve_status;

inline double const no_number = std::numeric_limits<double>::quiet_NaN();

inline numbers random_numbers(std::size_t size, unsigned seed) { return support::random<double>(size, seed); }
inline long double exact_product(numbers const& x, numbers const& y)
{
  long double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += static_cast<long double>(x[i]) * static_cast<long double>(y[i]);
  return sum;
}
inline double product(numbers const& x, numbers const& y) { return static_cast<double>(exact_product(x, y)); }
inline double norm(numbers const& x) { return static_cast<double>(std::sqrt(exact_product(x, x))); }
inline numbers applied(linear_map const& a, numbers const& x)
{
  numbers y(x.size());
  a(x, y);
  return y;
}
inline numbers minus(numbers x, numbers const& y)
{
  for (std::size_t i = 0; i < x.size(); ++i) x[i] -= y[i];
  return x;
}
inline numbers times(double factor, numbers x)
{
  for (double& entry : x) entry *= factor;
  return x;
}

// I - 2 v v^T / v.v turns a diagonal into a full symmetric matrix of the same eigenvalues.
inline linear_map with_eigenvalues(numbers const& values)
{
  numbers const v = random_numbers(values.size(), 40);
  return [v, values, square = product(v, v)](numbers const& x, numbers& y) {
    double const of_x = 2 * product(v, x) / square;
    for (std::size_t i = 0; i < x.size(); ++i) y[i] = values[i] * (x[i] - of_x * v[i]);
    double const of_y = 2 * product(v, y) / square;
    for (std::size_t i = 0; i < x.size(); ++i) y[i] -= of_y * v[i];
  };
}
inline numbers from_to(double first, double last, std::size_t count)
{
  numbers values(count);
  for (std::size_t i = 0; i < count; ++i)
    values[i] = first + (last - first) * static_cast<double>(i) / static_cast<double>(count - 1);
  return values;
}

// Springs along a line, which constants do not stretch.
inline linear_map free_line(std::size_t fixed = 0)
{
  return [fixed](numbers const& x, numbers& y) {
    for (double& entry : y) entry = 0;
    for (std::size_t i = 0; i + 1 < x.size(); ++i) {
      double const force = (x[i + 1] - x[i]) * static_cast<double>(1 + i % 3);
      y[i] -= force, y[i + 1] += force;
    }
    for (std::size_t i = 0; i < fixed; ++i) y[i] += x[i];
  };
}

inline bool is_cg(method by) { return by == method::cg || by == method::flexible_cg || by == method::merged_cg; }
inline bool all_finite(numbers const& x)
{
  return std::all_of(x.begin(), x.end(), [](double entry) { return std::isfinite(entry); });
}

// A status by solver: of those of conjugate gradients, of minres and of gmres. Where rounding decides which one it is,
// none that is a success.
struct expected {
  std::optional<solve_status> of_cg, of_minres, of_gmres;
  void check(method by, sumfac::solve_result const& result) const
  {
    auto const status = by == method::gmres ? of_gmres : by == method::minres ? of_minres : of_cg;
    INFO(result.report());
    if (status) CHECK(result.status == *status);
    CHECK(static_cast<bool>(result) == (status == solve_status::converged));
    CHECK(result.report().find(std::string("sumfac::") + name_of(by) + ": ") == 0);
  }
};
constexpr std::nullopt_t fails = std::nullopt;

}  // namespace checks
