// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Conjugate gradients with operators that convert global vectors: the oracle's residuals as far as single rounding lets
// them be, and solutions as good as it allows and no better; what `converged` promises of b - A x, and what it costs.
#include "solves.hpp"

#include <sumfac/math/precision.hpp>
#include <sumfac/solver/minres.hpp>

#include <string>

namespace {

using checks::history, checks::index_t;
using reference::real;
using sumfac::high_low, sumfac::host, sumfac::low_high;

constexpr double single = static_cast<double>(std::numeric_limits<float>::epsilon()) / 2;

// s.x, from what it is, by the merged iteration without a preconditioner.
template <class System, class... Monitor>
sumfac::solve_result solve_merged(System& s, sumfac::cg_options const& options, Monitor&&... monitor)
{
  auto const a = s.c.make(s.backend);
  auto const r = s.c.restriction({.blocks = 3}, s.backend);
  sumfac::global_operator const l{a, r};
  return sumfac::merged_cg(l, checks::global_view(std::as_const(s.b)), checks::global_view(s.x),
                           sumfac::no_preconditioner{}, options, monitor...);
}

real norm(std::vector<real> const& x) { return std::sqrt(reference::inner(x, x)); }

// Greenbaum (SIAM J. Matrix Anal. Appl. 18, 1997): the true residual stops where the roundings of the steps add up to,
// each of |A| |x|; they are as good as independent.
template <class System>
void is_as_good_as_single(System const& s, sumfac::solve_result const& result)
{
  CHECK(result.status == sumfac::solve_status::stagnated);
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

namespace {

// A matrix that counts how often it is applied, and says what it computes in.
template <class Matrix>
struct counted {
  using scalar_type = typename Matrix::scalar_type;
  using arithmetic_type = typename Matrix::arithmetic_type;
  using backend_type = host;
  Matrix const& a;
  int& applied;

  template <class X, class Y>
  void apply(X const& x, Y const& y) const
  {
    ++applied;
    a.apply(x, y);
  }
  index_t size() const { return a.size(); }
  host const& backend() const { return a.backend(); }
  auto const& element_operator() const { return a.element_operator(); }
  sumfac::reduction reduction() const { return {}; }
};

// Calls f(name, solve) for the ways of conjugate gradients and MINRES: solve(b, x, tolerance, absolute), of a matrix.
template <class Matrix, class Function>
void in_all_ways(Matrix const& a, Function const& f)
{
  using scalar = typename Matrix::scalar_type;
  std::vector<scalar> d(static_cast<std::size_t>(a.size()));
  a.a.diagonal(checks::global_view(d));
  sumfac::jacobi<scalar, host> const p(a.backend(), checks::global_view(std::as_const(d)));
  sumfac::no_preconditioner const none;
  auto const cg = [&](auto const& by, bool merged) {
    return [&a, &by, merged](auto b, auto x, double tolerance, double absolute) {
      sumfac::cg_options const options{.iterations = 3000, .tolerance = tolerance, .absolute = absolute};
      return merged ? sumfac::merged_cg(a, b, x, by, options) : sumfac::cg(a, b, x, by, options);
    };
  };
  f("cg", cg(none, false));
  f("cg, Jacobi", cg(p, false));
  f("merged_cg", cg(none, true));
  f("merged_cg, Jacobi", cg(p, true));
  f("minres", [&](auto b, auto x, double tolerance, double absolute) {
    return sumfac::minres(a, b, x, none, {.iterations = 3000, .tolerance = tolerance, .absolute = absolute});
  });
}

template <class System>
double computed_anew(System const& s, std::vector<typename System::scalar> const& x)
{
  auto rest = s.c.exact.apply(std::vector<real>(x.begin(), x.end()));
  for (std::size_t i = 0; i < rest.size(); ++i) rest[i] = s.exact_b[i] - rest[i];
  return static_cast<double>(norm(rest));
}

}  // namespace

TEST_CASE("A solve that is sure to have converged pays no application to see it; one that is not pays one")
{
  mass_system<double> const m;
  poisson_system<double> const p;
  auto const check = [](auto const& s, double tolerance, bool is_sure) {
    auto const a = s.c.make();
    auto const r = s.c.restriction();
    sumfac::global_operator const l{a, r};
    int applied = 0;
    in_all_ways(counted<std::remove_cvref_t<decltype(l)>>{l, applied}, [&](char const* name, auto const& solve) {
      std::vector<double> x(s.b.size());
      applied = 0;
      auto const result = solve(checks::global_view(s.b), checks::global_view(x), tolerance, 0.0);
      std::string const way = name;
      bool const looks = !is_sure || way == "minres" || result.iterations >= 100;
      INFO(name << ", to " << tolerance << ": " << result.report());
      CHECK(result.status == sumfac::solve_status::converged);
      if (way.find("Jacobi") != way.npos) CHECK(result.iterations < 100);
      CHECK(applied == result.iterations + 1 + (looks ? 1 : 0));
    });
  };
  check(m, 1e-8, true);
  check(p, 1e-8, true);
  check(m, 1e-13, false);
}

// The first residual is so large that the roundings behind it are above what is asked for.
TEMPLATE_TEST_CASE("Solves go on from b - A x where a far first guess has led residuals astray", "", double, float)
{
  constexpr double far = sizeof(TestType) == 8 ? 1e9 : 1e4, asked = sizeof(TestType) == 8 ? 1e-9 : 1e-3;
  poisson_system<TestType> const s;
  auto const a = s.c.make();
  auto const r = s.c.restriction();
  sumfac::global_operator const l{a, r};
  double const size = static_cast<double>(norm(s.exact_b));
  int applied = 0;
  in_all_ways(counted<std::remove_cvref_t<decltype(l)>>{l, applied}, [&](char const* name, auto const& solve) {
    auto x = support::random<TestType>(s.b.size(), 5);
    for (TestType& entry : x) entry *= static_cast<TestType>(far);
    applied = 0;
    auto const result = solve(checks::global_view(s.b), checks::global_view(x), 0.0, asked * size);
    INFO(name << ": " << result.report() << ", " << applied << " applications");
    CHECK(result.status == sumfac::solve_status::converged);
    CHECK(applied > result.iterations + 2);
    CHECK(computed_anew(s, x) <= 1.01 * asked * size);
  });
}
