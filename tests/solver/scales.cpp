// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Right sides of any size: conjugate gradients, plain and merged, are those of a right side near 1, bit for bit.
#include "solves.hpp"

#include <sumfac/backend/checked.hpp>

#include <cmath>

namespace {

using checks::global_view, checks::history, checks::poisson;

template <class T>
struct outcome {
  sumfac::solve_result result;
  std::vector<T> x;
  std::vector<double> residuals;
};

// The system with its right side times `size`.
template <class Operator, class T = typename Operator::scalar_type>
outcome<T> solved(T size, bool jacobi)
{
  auto s = poisson<Operator>();
  for (T& entry : s.b) entry *= size;
  history heard;
  auto const result = checks::solve(s, jacobi, {.iterations = 40, .tolerance = 1e-5}, heard.monitor());
  return {result, s.x, heard.residuals};
}

template <class Operator, class T = typename Operator::scalar_type>
outcome<T> solved_merged(T size, bool jacobi, int threads)
{
  auto s = poisson<Operator>();
  for (T& entry : s.b) entry *= size;
  sumfac::host const backend(threads);
  auto const a = s.c.make(backend);
  auto const r = s.c.restriction({}, backend);
  sumfac::global_operator const l{a, r};
  std::vector<T> d(s.b.size());
  l.diagonal(global_view(d));
  sumfac::jacobi<T, sumfac::host> const p(backend, global_view(std::as_const(d)));
  history heard;
  sumfac::cg_options const options{.iterations = 40, .tolerance = 1e-5};
  auto const b = global_view(std::as_const(s.b));
  auto const result =
      jacobi ? sumfac::merged_cg(l, b, global_view(s.x), p, options, heard.monitor())
             : sumfac::merged_cg(l, b, global_view(s.x), sumfac::no_preconditioner{}, options, heard.monitor());
  return {result, s.x, heard.residuals};
}

template <class Numbers>
Numbers times(double size, Numbers numbers)
{
  for (auto& entry : numbers) entry = static_cast<typename Numbers::value_type>(entry * size);
  return numbers;
}

template <class T>
void same_but_for_the_size(outcome<T> const& found, outcome<T> const& usual, T size)
{
  INFO("size " << size << ": " << found.result.report());
  CHECK(usual.result.status == sumfac::solve_status::converged);
  CHECK(found.result.status == sumfac::solve_status::converged);
  CHECK(found.result.iterations == usual.result.iterations);
  CHECK(found.result.residual == static_cast<double>(size) * usual.result.residual);
  CHECK(found.residuals == times(static_cast<double>(size), usual.residuals));
  CHECK(found.x == times(static_cast<double>(size), usual.x));
}

constexpr double beyond[] = {0x1p-900, 0x1p-500, 0x1p500, 0x1p900};
constexpr float beyond_float[] = {0x1p-90f, 0x1p-50f, 0x1p50f, 0x1p90f};

}  // namespace

TEST_CASE("cg: right sides near 1e-150 and 1e150, and further out, on the host", "[solver][scales]")
{
  for (bool const jacobi : {false, true}) {
    auto const usual = solved<sumfac::bp5<2>>(1.0, jacobi);
    for (double const size : beyond) same_but_for_the_size(solved<sumfac::bp5<2>>(size, jacobi), usual, size);
    using single = sumfac::bp5<2, sumfac::host, float>;
    auto const usual_float = solved<single>(1.0f, jacobi);
    for (float const size : beyond_float) same_but_for_the_size(solved<single>(size, jacobi), usual_float, size);
  }
}

TEST_CASE("cg: right sides near 1e-150 and 1e150, and further out, on checked", "[solver][scales]")
{
  using checked = sumfac::bp5<1, sumfac::checked>;
  for (bool const jacobi : {false, true}) {
    auto const usual = solved<checked>(1.0, jacobi);
    for (double const size : beyond) same_but_for_the_size(solved<checked>(size, jacobi), usual, size);
  }
}

TEST_CASE("merged cg: right sides near 1e-150 and 1e150, and further out", "[solver][scales]")
{
  for (bool const jacobi : {false, true}) {
    auto const usual = solved_merged<sumfac::bp5<2>>(1.0, jacobi, 1);
    for (double const size : beyond)
      for (int const threads : {1, 3})
        same_but_for_the_size(solved_merged<sumfac::bp5<2>>(size, jacobi, threads), usual, size);
  }
}

TEST_CASE("cg: decimal sizes are solved for to the tolerance that was asked for", "[solver][scales]")
{
  for (double const size : {1e-150, 1e150}) {
    auto const one = solved<sumfac::bp5<2>>(size, true);
    auto const merged = solved_merged<sumfac::bp5<2>>(size, true, 2);
    for (auto const* found : {&one, &merged}) {
      CHECK(found->result.status == sumfac::solve_status::converged);
      CHECK(found->result.residual <= 1e-5 * found->result.initial_residual);
      CHECK(found->result.initial_residual > 0);
      CHECK(std::isfinite(found->result.initial_residual));
    }
  }
}

TEST_CASE("vector_ops: norms whose squares are beyond the numbers", "[solver][scales]")
{
  std::vector<double> x(10000);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<double>(i % 7) - 3;
  auto const norm = [&](auto const& numbers) {
    using scalar = typename std::remove_cvref_t<decltype(numbers)>::value_type;
    sumfac::vector_ops<scalar, sumfac::host> const ops(sumfac::host{2}, static_cast<checks::index_t>(numbers.size()));
    return ops.norm(global_view(numbers));
  };
  double const usual = norm(x);
  for (double const size : beyond) CHECK(norm(times(size, x)) == usual * size);
  std::vector<float> const single(x.begin(), x.end());
  float const usual_float = norm(single);
  for (float const size : beyond_float) CHECK(norm(times(size, single)) == usual_float * size);
  CHECK(norm(std::vector<double>(5000)) == 0);
  CHECK(norm(std::vector<double>{0, 0x1p-1074}) == 0x1p-1074);
  CHECK(norm(std::vector<double>(4, 1e307)) == Approx(2e307));
  std::vector<double> with(100, 1e200);
  with[50] = std::numeric_limits<double>::infinity();
  CHECK(norm(with) == std::numeric_limits<double>::infinity());
  with[51] = std::numeric_limits<double>::quiet_NaN();
  CHECK(std::isnan(norm(with)));
}
