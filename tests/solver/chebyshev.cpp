// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Chebyshev's polynomials around operators, and the bound of the largest eigenvalue under attack.
#include "multigrid_case.hpp"
#include "systems.hpp"

#include <sumfac/backend/checked.hpp>
#include <sumfac/operator/bake_off.hpp>
#include <sumfac/solver/assemble.hpp>
#include <sumfac/solver/chebyshev.hpp>
#include <sumfac/solver/schwarz.hpp>

#include <support/layered.hpp>

#include <functional>
#include <limits>
#include <thread>
#include <utility>

namespace {

using checks::dense_operator, checks::global_view, checks::index_t, checks::refused, reference::real;
using sumfac::chebyshev, sumfac::chebyshev_kind;

// A diagonal matrix of a user's own.
template <class T>
struct diagonal_matrix {
  using scalar_type = T;
  std::vector<T> entries;
  mutable int applications = 0;
  sumfac::host here{};
  std::function<void()> meanwhile = {};

  void apply(sumfac::view<T const, sumfac::dextents<1>> x, sumfac::view<T, sumfac::dextents<1>> y) const
  {
    for (index_t i = 0; i < size(); ++i) y(i) = entries[static_cast<std::size_t>(i)] * x(i);
    ++applications;
    if (meanwhile) meanwhile();
  }
  index_t size() const { return static_cast<index_t>(entries.size()); }
  sumfac::host const& backend() const { return here; }
};

template <class T>
sumfac::jacobi<T> unit(std::size_t size)
{
  std::vector<T> const ones(size, 1);
  return sumfac::jacobi<T>{sumfac::host{}, global_view(ones)};
}

template <class T>
double bound(std::vector<T> const& eigenvalues, chebyshev options = {})
{
  diagonal_matrix<T> const a{eigenvalues};
  return sumfac::chebyshev_smoother(a, unit<T>(eigenvalues.size()), options).largest();
}

// A chain of springs in unknowns of two sizes, by turns.
struct spring_chain {
  using scalar_type = double;
  int n;
  sumfac::host here{};

  static double scale(int i) { return i % 2 == 0 ? 1e-5 : 1e6; }
  void apply(sumfac::view<double const, sumfac::dextents<1>> x, sumfac::view<double, sumfac::dextents<1>> y) const
  {
    auto const at = [&](int i) { return i < 0 || i >= n ? 0.0 : scale(i) * x(i); };
    for (int i = 0; i < n; ++i) y(i) = scale(i) * (2 * at(i) - at(i - 1) - at(i + 1));
  }
  index_t size() const { return n; }
  sumfac::host const& backend() const { return here; }
};

// A chain of equal springs, each unknown held by another one: these may change.
struct changing_chain {
  using scalar_type = double;
  index_t n;
  double spring, held;
  sumfac::host here{};
  mutable int applications = 0;

  void apply(sumfac::view<double const, sumfac::dextents<1>> x, sumfac::view<double, sumfac::dextents<1>> y) const
  {
    auto const at = [&](index_t i) { return i < 0 || i >= n ? 0.0 : x(i); };
    for (index_t i = 0; i < n; ++i) y(i) = held * at(i) + spring * (2 * at(i) - at(i - 1) - at(i + 1));
    ++applications;
  }
  void diagonal(sumfac::view<double, sumfac::dextents<1>> d) const
  {
    for (index_t i = 0; i < n; ++i) d(i) = held + 2 * spring;
  }
  index_t size() const { return n; }
  sumfac::host const& backend() const { return here; }
};

// What apply(x, y) multiplies by, of a matrix or of a preconditioner of one's own.
template <class T, class Matrix>
reference::table<real> dense(Matrix const& a, std::size_t n)
{
  int const size = int(n);
  reference::table<real> result(size, size);
  std::vector<T> x(n), y(n);
  for (std::size_t c = 0; c < n; ++c) {
    x[c] = 1;
    a.apply(global_view(std::as_const(x)), global_view(y));
    for (std::size_t r = 0; r < n; ++r) result(int(r), int(c)) = y[r];
    x[c] = 0;
  }
  return result;
}
template <class T>
reference::table<real> dense(sumfac::jacobi<T> const& p, std::size_t n)
{
  int const size = int(n);
  reference::table<real> result(size, size);
  for (std::size_t i = 0; i < n; ++i) result(int(i), int(i)) = p.inverse()[i];
  return result;
}

// Whether x is above all eigenvalues of P A: x P - P A P is positive definite then.
bool is_above(real x, reference::table<real> const& a, reference::table<real> const& p)
{
  int const n = a.rows;
  reference::table<real> ap(n, n), difference(n, n);
  for (int r = 0; r < n; ++r)
    for (int k = 0; k < n; ++k)
      if (a(r, k) != 0)
        for (int c = 0; c < n; ++c) ap(r, c) += a(r, k) * p(k, c);
  for (int r = 0; r < n; ++r) {
    for (int c = 0; c < n; ++c) difference(r, c) = x * p(r, c);
    for (int k = 0; k < n; ++k)
      if (p(r, k) != 0)
        for (int c = 0; c < n; ++c) difference(r, c) -= p(r, k) * ap(k, c);
  }
  return reference::solved(difference, std::vector<real>(static_cast<std::size_t>(n))).has_value();
}

// The bound is at least the largest eigenvalue, and at most 1.2 of it.
template <class Matrix, class Inner>
void bound_holds(Matrix const& a, Inner inner)
{
  using scalar = typename Matrix::scalar_type;
  auto const n = static_cast<std::size_t>(a.size());
  sumfac::chebyshev_smoother const smoother{a, std::move(inner)};
  double const got = smoother.largest();
  auto const of_a = dense<scalar>(a, n), of_p = dense<scalar>(smoother.inner(), n);
  INFO("the bound is " << got);
  CHECK(is_above(real(got) * (1 + 1e-6L), of_a, of_p));
  CHECK(!is_above(real(got) / 1.2L, of_a, of_p));
}

// Of Jacobi and Schwarz on a box, half of whose elements have another coefficient, with rows of three kinds.
template <class T>
void bounds_of_layers(double one, double other)
{
  std::vector<double> const coefficient{one, other, one, other, one, one, other, other};
  support::layered const form{sumfac::view<double const, sumfac::dextents<1>>(coefficient.data(), 8)};
  for (sumfac::constrained_rows const rows : {1.0, 0.0, other}) {
    using made = sumfac::element_operator<support::layered, 2, sumfac::gauss<3>, sumfac::host, T>;
    checks::box_problem<made> const q({2, 2, 2}, mesh::smooth{}, 3, {.rows = rows}, form);
    sumfac::global_operator const l{q.a, q.r};
    std::vector<T> d(q.b.size());
    l.diagonal(global_view(d));
    INFO("coefficients " << one << " and " << other << " in numbers of " << sizeof(T) << " bytes");
    bound_holds(l, sumfac::jacobi<T>{q.backend, global_view(std::as_const(d))});
    bound_holds(l, sumfac::schwarz_preconditioner{l, sumfac::schwarz<1>{}});
  }
}

}  // namespace

TEST_CASE("chebyshev: the inner preconditioner, as factors and of one's own, and an element operator's sweep")
{
  checks::box_problem<sumfac::bp5<3>> const p({3, 3, 4}, mesh::smooth{});
  sumfac::global_operator const l{p.a, p.r};
  std::vector<double> d(p.b.size());
  l.diagonal(global_view(d));
  auto const by_factors = [&] { return sumfac::jacobi{p.backend, global_view(std::as_const(d))}; };
  struct own {
    std::vector<double> const& d;
    void apply(sumfac::view<double const, sumfac::dextents<1>> r, sumfac::view<double, sumfac::dextents<1>> z) const
    {
      for (index_t i = 0; i < r.extent(0); ++i) z(i) = r(i) / d[static_cast<std::size_t>(i)];
    }
  };
  // The same matrix as a user's own, which no sweep is merged with.
  struct wrapped {
    using scalar_type = double;
    decltype(l) const& of;
    void apply(sumfac::view<double const, sumfac::dextents<1>> x, sumfac::view<double, sumfac::dextents<1>> y) const
    {
      of.apply(x, y);
    }
    index_t size() const { return of.size(); }
    sumfac::host const& backend() const { return of.backend(); }
  } const w{l};
  for (auto const kind : {chebyshev_kind::first, chebyshev_kind::fourth}) {
    chebyshev const options{.degree = 4, .kind = kind};
    sumfac::chebyshev_smoother const merged{l, by_factors(), options};
    sumfac::chebyshev_smoother const by_passes{w, by_factors(), options};
    auto as_merged = options;
    as_merged.largest = merged.largest();
    sumfac::chebyshev_smoother const of_own{l, own{d}, as_merged};
    CHECK(of_own.largest() == merged.largest());
    CHECK(sumfac::chebyshev_smoother(l, own{d}, options).largest() == Approx(merged.largest()).epsilon(0.03));
    auto const start = support::random<double>(p.b.size(), 8);
    auto const after = [&](auto const& smoother) {
      auto x = start, z = start;
      smoother.improve(p.b.data(), x.data());
      smoother.apply(global_view(p.b), global_view(z));
      for (std::size_t i = 0; i < x.size(); ++i) x[i] += 3 * z[i];
      return x;
    };
    auto const x = after(merged), y = after(by_passes), z = after(of_own);
    CHECK(by_passes.largest() == Approx(merged.largest()).epsilon(1e-9));
    for (std::size_t i = 0; i < x.size(); ++i) {
      CHECK(x[i] == Approx(y[i]).epsilon(1e-7).margin(1e-9));
      CHECK(x[i] == Approx(z[i]).epsilon(1e-7).margin(1e-9));
    }
    CHECK(checks::lack_of_symmetry(merged, p) <= 1e-14);
    CHECK(checks::lack_of_symmetry(of_own, p) <= 1e-14);
  }
}

TEST_CASE("chebyshev: the bound is above the largest eigenvalue, and not far above")
{
  // Spectra without gaps are what few steps know least of.
  for (std::size_t const n : {1u, 2u, 3u, 10u, 1000u, 100000u})
    for (int const power : {1, 2, 4}) {
      std::vector<double> even(n);
      for (std::size_t i = 0; i < n; ++i) even[i] = 1 - std::pow((double(i) + 0.5) / double(n), power) * (1 - 1e-6);
      double const largest = *std::max_element(even.begin(), even.end());
      for (int const steps : {5, 10, 20}) {
        double const got = bound(even, {.steps = steps});
        INFO(n << " eigenvalues, power " << power << ", " << steps << " steps: " << got << " for " << largest);
        CHECK(got >= largest);
        CHECK(got <= 1.35 * largest);
      }
    }
  // Multiple ones, and one alone at the far end, of which a vector that looks random has little.
  std::vector<double> spread(50000, 1);
  CHECK(bound(spread) == Approx(1.05).epsilon(1e-9));
  for (double const alone : {1.0001, 1.1, 2.0, 100.0}) {
    for (std::size_t const place : {0u, 777u, 49999u}) {
      auto with = spread;
      with[place] = alone;
      double const got = bound(with);
      INFO(alone << " at " << place << ": " << got);
      CHECK(got >= alone);
      CHECK(got <= 1.06 * alone);
      std::vector<float> const rounded(with.begin(), with.end());
      CHECK(bound(rounded) >= double(float(alone)));
    }
  }
}

TEST_CASE("chebyshev: Lanczos' residual is in the bound, so that few steps are enough without any safety")
{
  support::generator next(23);
  for (auto const& [steps, least] : {std::pair(4, 0.98), std::pair(8, 0.995), std::pair(10, 0.995)}) {
    double worst = 2;
    for (int trial = 0; trial < 120; ++trial) {
      std::vector<double> eigenvalues(20 + next.bits() % 5000);
      int const power = 1 + int(next.bits() % 12);
      for (double& x : eigenvalues) {
        double const u = std::abs(next());
        x = trial % 3 == 0 ? 1e-6 + std::pow(u, power) : trial % 3 == 1 ? 2 - std::pow(u, power) : std::exp(power * u);
      }
      double const largest = *std::max_element(eigenvalues.begin(), eigenvalues.end());
      worst = std::min(worst, bound(eigenvalues, {.steps = steps, .safety = 1}) / largest);
    }
    INFO(steps << " steps: " << worst);
    CHECK(worst >= least);  // Lanczos' value alone is 0.93, 0.97 and 0.98 of it
  }
}

TEST_CASE("chebyshev: the bound holds for hundreds of random spectra in double and float")
{
  support::generator next(17);
  int short_ones = 0;
  for (int trial = 0; trial < 300; ++trial) {
    std::size_t const n = 20 + next.bits() % 3000;
    std::vector<double> eigenvalues(n);
    int const power = 1 + int(next.bits() % 12);
    for (double& x : eigenvalues) x = 1e-6 + std::pow(std::abs(next()), power);
    if (trial % 3 == 0)  // repeated ones at the end
      for (std::size_t i = 0; i < n / 7; ++i) eigenvalues[i * 7] = eigenvalues[0];
    double const largest = *std::max_element(eigenvalues.begin(), eigenvalues.end());
    short_ones += bound(eigenvalues) < largest ? 1 : 0;
    std::vector<float> const rounded(eigenvalues.begin(), eigenvalues.end());
    short_ones += bound(rounded) < double(*std::max_element(rounded.begin(), rounded.end())) ? 1 : 0;
  }
  CHECK(short_ones == 0);
}

TEST_CASE("chebyshev: the bound of element operators, with constrained rows of both kinds, and on thin elements")
{
  auto const largest_of = [](auto const& p) {
    using scalar = typename std::remove_cvref_t<decltype(p)>::scalar;
    using backend = typename std::remove_cvref_t<decltype(p)>::backend_type;
    sumfac::global_operator const l{p.a, p.r};
    std::vector<scalar> d(p.b.size());
    l.diagonal(global_view(d));
    auto const j = [&] { return sumfac::jacobi<scalar, backend>{p.backend, global_view(std::as_const(d))}; };
    double const few = sumfac::chebyshev_smoother(l, j(), chebyshev{.steps = 10}).largest();
    double const many = sumfac::chebyshev_smoother(l, j(), chebyshev{.steps = 60, .safety = 1}).largest();
    INFO(few << " by ten steps, " << many << " by sixty");
    CHECK(few >= 0.9999 * many);  // sixty steps know it to as much
    CHECK(few <= 1.25 * many);
  };
  for (auto const rows : {sumfac::constrained_rows::identity, sumfac::constrained_rows::zero}) {
    largest_of(checks::box_problem<sumfac::bp5<4>>({4, 4, 5}, mesh::smooth{}, 3, {.rows = rows}));
    largest_of(checks::box_problem<sumfac::bp5<2>>({6, 6, 6}, mesh::kershaw{}, 3, {.rows = rows}));
    largest_of(checks::box_problem<sumfac::bp3<3, sumfac::host, float>>({4, 4, 4}, mesh::smooth{}, 3, {.rows = rows}));
  }
}

TEST_CASE("chebyshev: the bound at any scale of the matrix, beside rows of 1 and of 0")
{
  for (double const k : {1e-30, 8.85e-12, 1.0, 1e30}) {
    bounds_of_layers<double>(k, k);
    bounds_of_layers<float>(k, k);
  }
  bounds_of_layers<double>(1e-11, 1e11);
  bounds_of_layers<double>(1, 1e-22);
  bounds_of_layers<float>(1e-11, 1e11);
  // Without a preconditioner eigenvalues are what is of any size.
  for (double const scale : {1e-30, 1e-3, 1e30}) {
    CHECK(bound<double>({scale, 2 * scale, 3 * scale, 0}) == Approx(3.15 * scale));
    CHECK(bound<float>({float(scale), float(2 * scale), float(3 * scale)}) == Approx(3.15 * scale).epsilon(1e-5));
  }
  CHECK(bound<double>({1e-200, 2e-200}) == Approx(2.1e-200).epsilon(1e-9));
  // Rows of a chain that are 1e22 apart from their neighbours, and rows of the identity alone.
  constexpr int n = 60;
  spring_chain chain{n};
  std::vector<double> d(n, 2);
  for (int i = 0; i < n; ++i) d[std::size_t(i)] *= chain.scale(i) * chain.scale(i);
  bound_holds(chain, sumfac::jacobi<double>{sumfac::host{}, global_view(std::as_const(d))});
  CHECK(bound(std::vector<double>(30, 1)) == Approx(1.05));
}

TEST_CASE("chebyshev: the bound of few rows, of which vectors of 1 and -1 are eigenvectors")
{
  for (int const rows : {2, 3, 4, 6})
    for (double const beside : {-0.3, 0.3}) {
      std::vector<index_t> first{0}, columns;
      std::vector<double> values;
      for (int r = 0; r < rows; ++r) {  // a ring
        for (int c = 0; c < rows; ++c) {
          bool const next = (r + 1) % rows == c || (c + 1) % rows == r;
          if (r == c || next) columns.push_back(c), values.push_back(r == c ? 1 : beside);
        }
        first.push_back(index_t(columns.size()));
      }
      INFO(rows << " rows, " << beside << " beside the diagonal");
      bound_holds(sumfac::csr_matrix<double>(first, columns, values), unit<double>(std::size_t(rows)));
    }
}

TEST_CASE("chebyshev: the bound of few eigenvalues apart from many, as a part of the mesh may have them")
{
  support::generator next(29);
  for (double const apart : {1.02, 1.05, 1.1, 1.15, 1.2, 1.3, 2.0})
    for (int trial = 0; trial < 8; ++trial) {
      std::vector<double> eigenvalues(100000);
      for (double& x : eigenvalues) x = std::abs(next());
      for (int i = 0; i <= trial % 3; ++i) eigenvalues[next.bits() % eigenvalues.size()] = apart;
      double const got = bound(eigenvalues);
      INFO(got << " for " << apart << ", trial " << trial);
      CHECK(got >= apart);
      CHECK(got <= 1.2 * apart);
    }
}

TEST_CASE("chebyshev: a bound of one's own is taken unless it is seen to be too small, and eigenvalues are asked anew")
{
  diagonal_matrix<double> a{{0.5, 1, 2, 4}};
  sumfac::chebyshev_smoother p{a, unit<double>(4), {.largest = 7}};
  CHECK(p.largest() == 7);
  CHECK(a.applications == 3);
  p.update();
  CHECK(p.largest() == Approx(4.2));
  for (double& x : a.entries) x *= 1e9;
  std::vector<double> const d(4, 1e9);
  p.update(sumfac::jacobi<double>{sumfac::host{}, global_view(d)});
  CHECK(p.largest() == Approx(4.2));
  p.update(unit<double>(4));
  CHECK(p.largest() == Approx(4.2e9));
  auto const with = [](double largest) {
    return [largest] { static_cast<void>(bound<double>({1, 2, 3}, {.largest = largest})); };
  };
  refused(with(1.5), {"sumfac::chebyshev_smoother", "too small (got 1.5, P A has one of at least 2."});
  using limits = std::numeric_limits<double>;
  for (double const nonsense : {-1.0, limits::infinity(), limits::quiet_NaN()})
    refused(with(nonsense), {"the largest eigenvalue is not a finite number above 0 (got ", "0 to have it estimated"});
  refused([&] { p.update(unit<double>(3)); }, {"length of the preconditioner", "expected 4", "got 3"});
}

TEST_CASE("chebyshev: a bound follows a matrix that changes, by an application, and Lanczos' anew after a leap")
{
  constexpr std::size_t n = 80;
  changing_chain a{n, 1, 10};
  std::vector<double> d(n);
  a.diagonal(global_view(d));
  sumfac::chebyshev_smoother p{a, sumfac::jacobi<double>{sumfac::host{}, global_view(std::as_const(d))}, {}, true};
  auto const follow = [&] {
    int const before = a.applications;
    p.follow();
    int const made = a.applications - before;
    auto const of_a = dense<double>(a, n), of_p = dense<double>(p.inner(), n);
    INFO("held by " << a.held << " the bound is " << p.largest());
    CHECK(p.inner().inverse()[7] == 1 / (a.held + 2 * a.spring));
    CHECK(is_above(real(p.largest()), of_a, of_p));
    CHECK(!is_above(real(p.largest()) / 1.1L, of_a, of_p));
    return made;
  };
  // The largest eigenvalue grows from 1.17 to 1.4.
  for (double const held : {8.0, 6.0, 5.0, 4.0, 3.5, 3.0}) {
    a.held = held;
    CHECK(follow() == 1);
  }
  // To 2, and of any size.
  a.held = 0;
  CHECK(follow() > 10);
  a.spring = 1e9;
  CHECK(follow() == 1);
  a.held = -1e10;
  refused([&] { p.follow(); }, {"sumfac::jacobi: entry 0 of the diagonal is not a finite number above 0"});
  a.n = n - 1;
  refused([&] { p.follow(); }, {"sumfac::jacobi: size of the matrix", "expected 80", "got 79"});
}

TEST_CASE("chebyshev: one at a time, also workspaces of solvers: another thread, or a call inside a call, is refused")
{
  diagonal_matrix<double> a{{0.5, 1, 2, 4}};
  std::vector<double> const b{1, 2, 3, 4};
  std::vector<double> x(4), y(4), expected(4);
  sumfac::chebyshev_smoother p{a, unit<double>(4)};
  p.apply(global_view(b), global_view(expected));
  auto const try_out = [&](auto const& use, char const* where) {
    int tries = 0;
    auto const is_refused = [&](char const* who) { refused(use, {where, who, "is at work with", "one for each"}); };
    a.meanwhile = [&] {
      auto const this_one = std::exchange(a.meanwhile, {});
      if (++tries % 2 == 0)
        is_refused("a call around this one");
      else
        std::thread(is_refused, "another thread").join();
      if (tries == 1) a.meanwhile = this_one;
    };
    use();
    a.meanwhile = {};
    CHECK(tries == 2);
    use();
  };
  try_out([&] { p.apply(global_view(b), global_view(x)); }, "sumfac::chebyshev_smoother");
  CHECK(x == expected);
  try_out([&] { p.improve(b.data(), y.data()); }, "sumfac::chebyshev_smoother");
  try_out([&] { p.update(); }, "sumfac::chebyshev_smoother");
  sumfac::cg_workspace w{a.backend(), 4};
  auto const none = [](index_t, double) {};
  try_out([&] { sumfac::cg(a, global_view(b), global_view(x), unit<double>(4), {}, none, w); }, "sumfac::cg: ");
}

TEST_CASE("chebyshev: options out of range, and matrices that are not positive definite, are refused")
{
  auto const with = [](chebyshev options) {
    return [options] { static_cast<void>(bound<double>({1, 2, 3}, options)); };
  };
  refused(with({.degree = 0}), {"sumfac::chebyshev_smoother", "the degree is less than 1 (got 0"});
  refused(with({.range = 1}), {"the range is not greater than 1 (got 1)"});
  refused(with({.steps = 1}), {"Lanczos' steps", "got 1, 2 to 64"});
  refused(with({.steps = 65}), {"got 65, 2 to 64"});
  refused(with({.safety = 0.9}), {"the safety is less than 1 (got 0.9"});
  refused([] { static_cast<void>(bound<double>({1, -2, 3})); }, {"the matrix is not positive definite", "p . A p = -"});
  double const none = std::numeric_limits<double>::quiet_NaN();
  refused([&] { static_cast<void>(bound<double>({1, none, 3})); }, {"is not finite", "in the operator"});
  diagonal_matrix<double> const a{{1, 2, 3}};
  dense_operator const negative{{-1, 0, 0, 0, -1, 0, 0, 0, -1}, 3}, small{{1, 0, 0, 1}, 2};
  refused([&] { sumfac::chebyshev_smoother(a, negative); }, {"the inner preconditioner is not positive definite"});
  refused([&] { sumfac::chebyshev_smoother(a, unit<double>(2)); },
          {"length of the preconditioner", "expected 3", "got 2"});
  CHECK(bound<double>({}) == Approx(1.05));
  CHECK(bound<double>({0, 0}) == Approx(1.05));
}

TEST_CASE("chebyshev: as cg's preconditioner it needs fewer iterations than Jacobi; on checked, too")
{
  checks::box_problem<sumfac::bp5<4>> const p({4, 4, 4}, mesh::smooth{});
  sumfac::global_operator const l{p.a, p.r};
  std::vector<double> d(p.b.size()), x(p.b.size()), y(p.b.size());
  l.diagonal(global_view(d));
  auto const j = [&] { return sumfac::jacobi{p.backend, global_view(std::as_const(d))}; };
  auto const one = sumfac::cg(l, global_view(p.b), global_view(x), j());
  auto const two = sumfac::cg(l, global_view(p.b), global_view(y), sumfac::chebyshev_smoother{l, j(), chebyshev{4}});
  CHECK(two.status == sumfac::solve_status::converged);
  CHECK(3 * two.iterations < one.iterations + 3);
  for (std::size_t i = 0; i < x.size(); ++i) CHECK(x[i] == Approx(y[i]).margin(1e-6));

  checks::box_problem<sumfac::bp5<2, sumfac::checked>> const q({2, 2, 2}, mesh::smooth{});
  sumfac::global_operator const m{q.a, q.r};
  std::vector<double> e(q.b.size()), z(q.b.size());
  m.diagonal(global_view(e));
  sumfac::chebyshev_smoother const P{m, sumfac::jacobi{q.backend, global_view(std::as_const(e))}, {3}};
  auto const three = sumfac::cg(m, global_view(q.b), global_view(z), P);
  CHECK(three.status == sumfac::solve_status::converged);
}
