// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Conjugate gradients with operators that convert global vectors: the oracle's residuals as far as single rounding lets
// them be, and solutions as good as it allows and no better.
#include "solves.hpp"

#include <sumfac/math/precision.hpp>

namespace {

using checks::history, checks::index_t;
using reference::real;
using sumfac::high_low, sumfac::host, sumfac::low_high;

constexpr double single = static_cast<double>(std::numeric_limits<float>::epsilon()) / 2;

// s.x, from what it is, by the merged iteration without a preconditioner.
template <class System, class... Monitor>
sumfac::cg_result solve_merged(System& s, sumfac::cg_options const& options, Monitor&&... monitor)
{
  auto const a = s.c.make(s.backend);
  auto const r = s.c.restriction({.blocks = 3}, s.backend);
  sumfac::global_operator const l{a, r};
  return sumfac::merged_cg(l, checks::global_view(std::as_const(s.b)), checks::global_view(s.x),
                           sumfac::no_preconditioner{}, options, monitor...);
}

real norm(std::vector<real> const& x)
{
  return std::sqrt(reference::inner(x, x));
}

// Greenbaum (SIAM J. Matrix Anal. Appl. 18, 1997): the true residual stops where the roundings of the steps add up to,
// each of |A| |x|; they are as good as independent.
template <class System>
void is_as_good_as_single(System const& s, sumfac::cg_result const& result)
{
  CHECK(result.status == sumfac::cg_status::stagnated);
  CHECK(result.recursion <= 1e-10 * result.initial_residual);
  std::vector<real> const x(s.x.begin(), s.x.end());
  auto const ax = s.c.exact.apply(x);
  auto const matrix = s.c.exact.matrix();
  std::vector<real> rest(x.size()), moduli(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    rest[i] = s.exact_b[i] - ax[i];
    for (std::size_t j = 0; j < x.size(); ++j)
      moduli[i] += std::abs(matrix(static_cast<int>(i), static_cast<int>(j)) * x[j]);
  }
  double const size = static_cast<double>(norm(moduli)), off = static_cast<double>(norm(rest));
  double const steps = static_cast<double>(result.iterations), each = reference::roundings(System::degree);
  INFO(result.iterations << " iterations: off by " << off << ", " << off / (single * size) << " roundings of |A| |x|");
  CHECK(off <= std::sqrt(steps * each) * single * size);
  CHECK(off > 0.01 * single * size);
  CHECK(std::abs(result.residual - off) <= each * single * size);
}

template <class Scalar>
struct poisson_system : checks::system<sumfac::bp5<2, host, Scalar>> {
  static constexpr int degree = 2;
  poisson_system() : checks::system<sumfac::bp5<2, host, Scalar>>(checks::poisson<sumfac::bp5<2, host, Scalar>>()) {}
};
template <class Scalar>
struct mass_system : checks::system<sumfac::bp1<3, host, Scalar>> {
  static constexpr int degree = 3;
  mass_system() : checks::system<sumfac::bp1<3, host, Scalar>>(checks::mass<sumfac::bp1<3, host, Scalar>>()) {}
};

template <class System>
void reaches_single()
{
  sumfac::cg_options const options{.iterations = 500, .tolerance = 1e-10};
  for (bool const jacobi : {false, true}) {
    System s;
    is_as_good_as_single(s, checks::solve(s, jacobi, options));
  }
  System s;
  is_as_good_as_single(s, solve_merged(s, options));
}

template <class System>
void merged_follows_the_oracle()
{
  System s;
  history heard;
  static_cast<void>(solve_merged(s, {.iterations = 20, .tolerance = 0, .check_every = 1}, heard.monitor()));
  checks::follows<float>(s, false, heard, s.x);
}

}  // namespace

TEMPLATE_TEST_CASE("cg: every residual is the oracle's, with vectors that are converted", "", low_high, high_low)
{
  checks::follows_the_oracle<float>(checks::poisson<sumfac::bp5<2, host, TestType>>());
  checks::follows_the_oracle<float>(checks::mass<sumfac::bp1<3, host, TestType>>());
  merged_follows_the_oracle<poisson_system<TestType>>();
  merged_follows_the_oracle<mass_system<TestType>>();
}

TEMPLATE_TEST_CASE("cg: with vectors that are converted it gets as far as single precision does", "", low_high,
                   high_low)
{
  reaches_single<poisson_system<TestType>>();
  reaches_single<mass_system<TestType>>();
}

TEMPLATE_TEST_CASE("merged cg: bit for bit the same for any number of threads, with vectors that are converted", "",
                   low_high, high_low)
{
  mesh::counts const box{6, 5, 4};
  auto const numbers = mesh::numbered(box, 2, 4);
  checks::restricted_mesh const numbered{numbers, 1, checks::boundary_marks(numbers, 1)};
  auto const mesh = mesh::jittered(box, 0.2);
  using scalar = sumfac::vector_scalar<TestType>;
  auto const b = support::random<scalar>(numbered.size(), 7);
  auto const solved = [&](int threads) {
    host const backend(threads);
    sumfac::bp5<2, host, TestType> const a(backend, checks::nodes_view(mesh));
    auto const r = numbered.template restriction<scalar, host>(backend, {.blocks = 7});
    sumfac::global_operator const l{a, r};
    std::vector<scalar> x(b.size());
    static_cast<void>(sumfac::merged_cg(l, checks::global_view(b), checks::global_view(x), sumfac::no_preconditioner{},
                                        {.iterations = 25, .tolerance = 0}));
    return x;
  };
  auto const serial = solved(1);
  for (int const threads : {2, 3, 5}) CHECK(solved(threads) == serial);
}
