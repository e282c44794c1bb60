// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Conjugate gradients on a device: sums, graphs, and the merged iteration; GMRES and MINRES. The including file names
// `device_backend`.
#pragma once

#include <sumfac/solver/gmres.hpp>
#include <sumfac/solver/minres.hpp>
#include <sumfac/solver/vector_ops.hpp>

#include <dofs/global_vectors.hpp>
#include <solver/solves.hpp>
#include <support/larger.hpp>
#include <support/own_stream.hpp>

#include <algorithm>
#include <limits>

namespace device_cg {

using checks::index_t;

enum class way { plain, merged };

// A solve's end, what a monitor heard, and x.
struct outcome {
  sumfac::solve_result result;
  checks::history heard;
  std::vector<double> x;
};

template <class Operator>
outcome solve(checks::system<Operator> const& s, device_backend const& backend, way by, bool jacobi,
              sumfac::cg_options const& options, sumfac::restriction_options const& restriction = {})
{
  auto const a = s.c.make(backend);
  auto const r = s.c.restriction(restriction, backend);
  sumfac::global_operator const l{a, r};
  auto const on = [&]<class T>(T* data) { return sumfac::view<T, sumfac::dextents<1>>(data, l.size()); };
  auto b = s.c.laid(s.b, restriction.components_lie), diagonal = b;
  outcome found{{}, {}, s.c.laid(s.x, restriction.components_lie)};
  support::on_backend(backend, b, found.x, [&](double const* right, double* x) {
    support::on_backend(backend, diagonal, [&](double* d) {
      l.diagonal(on(d));
      sumfac::jacobi const factors(backend, on(static_cast<double const*>(d)));
      sumfac::cg_workspace workspace(backend, l.size());
      auto const run = [&](auto const& p) {
        if (by == way::plain) return sumfac::cg(l, on(right), on(x), p, options, found.heard.monitor(), workspace);
        return sumfac::merged_cg(l, on(right), on(x), p, options, found.heard.monitor(), workspace);
      };
      found.result = jacobi ? run(factors) : run(sumfac::no_preconditioner{});
    });
  });
  found.x = s.c.canonical(found.x, restriction.components_lie);
  return found;
}

using operator_type = sumfac::bp5<2, device_backend>;

// One launch: the emulated device runs the teams of every other one from the last to the first.
inline void disturb(device_backend const& backend)
{
  std::vector<double> one{1};
  support::on_backend(backend, one, [&](double* p) {
    sumfac::vector_ops<double, device_backend>(backend, 1).fill(0, sumfac::view<double, sumfac::dextents<1>>(p, 1));
  });
}

using vector = sumfac::view<double, sumfac::dextents<1>>;
using const_vector = sumfac::view<double const, sumfac::dextents<1>>;
using operations = sumfac::vector_ops<double, device_backend>;

// A + shift + wind S, where (S x)_i = x_(i + 1) - x_(i - 1): of both signs, or not symmetric.
template <class Matrix>
struct changed {
  Matrix const& a;
  operations const& ops;
  double shift, wind;

  void apply(const_vector x, vector y) const
  {
    a.apply(x, y);
    index_t const most = size() - 1;
    ops.axpy(shift, x, y);
    ops.axpy(wind, const_vector(x.data() + 1, most), vector(y.data(), most));
    ops.axpy(-wind, const_vector(x.data(), most), vector(y.data() + 1, most));
  }
  index_t size() const { return a.size(); }
  device_backend const& backend() const { return a.backend(); }
};

// A preconditioner of one's own, in two launches.
struct half {
  operations const& ops;
  void apply(const_vector r, vector z) const
  {
    ops.copy(r, z);
    ops.scale(0.5, z);
  }
};

enum class inner { none, jacobi, own };

// solve(A, b, x, P, monitor) of a changed matrix: how it ended, what was heard, and x.
template <class Solve>
outcome solve_changed(checks::system<operator_type> const& s, device_backend const& backend, double shift, double wind,
                      inner by, Solve const& solve)
{
  auto const a = s.c.make(backend);
  auto const r = s.c.restriction({}, backend);
  sumfac::global_operator const l{a, r};
  index_t const size = l.size();
  operations const ops(backend, size);
  changed<decltype(l)> const matrix{l, ops, shift, wind};
  outcome found{{}, {}, s.x};
  auto b = s.b, diagonal = b;
  support::on_backend(backend, b, found.x, [&](double const* right, double* x) {
    support::on_backend(backend, diagonal, [&](double* d) {
      l.diagonal(vector(d, size));
      auto const run = [&](auto const& p) {
        // Without changes the operator itself, whose sums are made where its elements' results are added up.
        if (shift == 0 && wind == 0)
          found.result = solve(l, const_vector(right, size), vector(x, size), p, found.heard.monitor());
        else
          found.result = solve(matrix, const_vector(right, size), vector(x, size), p, found.heard.monitor());
      };
      if (by == inner::none) run(sumfac::no_preconditioner{});
      if (by == inner::jacobi) run(sumfac::jacobi(backend, const_vector(d, size)));
      if (by == inner::own) run(half{ops});
    });
  });
  return found;
}

// Of looks now and then: the same bits, and the solution by elimination in long double.
template <class Solve>
void check_krylov(double shift, double wind, Solve const& solve)
{
  support::own_stream stream;
  device_backend const backend(stream.handle);
  auto const s = checks::poisson<operator_type>();
  auto dense = s.c.exact.matrix();
  for (int i = 0; i < dense.rows; ++i) {
    dense(i, i) += shift;
    if (i + 1 < dense.rows) dense(i, i + 1) += wind, dense(i + 1, i) -= wind;
  }
  auto const direct = reference::product(reference::inverse(dense).value(), s.exact_b);
  double greatest = 0;
  for (auto const entry : direct) greatest = support::larger(greatest, std::abs(static_cast<double>(entry)));
  for (inner const by : {inner::none, inner::jacobi, inner::own}) {
    auto const of = [&](index_t every) {
      return solve_changed(s, backend, shift, wind, by,
                           [&](auto const&... arguments) { return solve(every, arguments...); });
    };
    auto const expected = of(1);
    INFO(expected.result.report() << ", shift " << shift << ", wind " << wind << ", " << static_cast<int>(by));
    CHECK(expected.result.status == sumfac::solve_status::converged);
    double off = 0;
    for (std::size_t i = 0; i < direct.size(); ++i)
      off = support::larger(off, std::abs(expected.x[i] - static_cast<double>(direct[i])));
    CHECK(off <= 1e-7 * greatest);  // condition times tolerance
    for (index_t const every : {3, 40}) {
      auto const found = of(every);
      INFO("a look every " << every << " iterations");
      CHECK(found.result.status == expected.result.status);
      CHECK(found.result.iterations == expected.result.iterations);
      CHECK(found.x == expected.x);
      for (std::size_t k = 0; k < found.heard.residuals.size(); ++k)
        CHECK(found.heard.residuals[k] ==
              expected.heard.residuals[static_cast<std::size_t>(found.heard.iterations[k])]);
    }
  }
}

// A diagonal matrix of entries of both signs, -7 .. 7 without 0, times `unit`.
template <class T>
struct signed_diagonal {
  template <class U>
  using vector_of = sumfac::view<U, sumfac::dextents<1>>;
  sumfac::vector_ops<T, device_backend> const& ops;
  device_backend const& on;
  vector_of<T const> entries;

  void apply(vector_of<T const> x, vector_of<T> y) const { ops.multiply(entries, x, y); }
  index_t size() const { return entries.extent(0); }
  device_backend const& backend() const { return on; }
};

// MINRES solves by A of that unit, alone and with Jacobi's P of |A|, as far as T's rounding.
template <class T>
void check_minres_of_unit(double unit, double tolerance)
{
  support::own_stream stream;
  device_backend const backend(stream.handle);
  std::size_t const size = 300;
  sumfac::vector_ops<T, device_backend> const ops(backend, 300);
  std::vector<T> entries(size), sizes(size), b(size);
  for (std::size_t i = 0; i < size; ++i) {
    int const whole = 1 + static_cast<int>(i % 7);
    sizes[i] = static_cast<T>(unit * whole), entries[i] = i % 3 != 0 ? sizes[i] : -sizes[i];
    b[i] = static_cast<T>(1 + static_cast<int>(i % 5));
  }
  for (bool const jacobi : {false, true})
    for (index_t const every : {1, 8}) {
      std::vector<T> x(size);
      sumfac::solve_result told;
      support::on_backend(backend, b, x, [&](T const* right, T* solution) {
        support::on_backend(backend, entries, sizes, [&](T const* of_a, T const* of_p) {
          auto const seen = [&]<class U>(U* data) { return sumfac::view<U, sumfac::dextents<1>>(data, 300); };
          signed_diagonal<T> const a{ops, backend, seen(of_a)};
          sumfac::minres_options const options{.iterations = 100, .tolerance = tolerance, .check_every = every};
          told = jacobi ? sumfac::minres(a, seen(right), seen(solution), sumfac::jacobi(backend, seen(of_p)), options)
                        : sumfac::minres(a, seen(right), seen(solution), sumfac::no_preconditioner{}, options);
        });
      });
      INFO("unit " << unit << (jacobi ? ", Jacobi" : "") << ", a look every " << every << ": " << told.report());
      CHECK(told.status == sumfac::solve_status::converged);
      double off = 0;
      for (std::size_t i = 0; i < size; ++i)
        off = std::max(
            off, std::abs(static_cast<double>(x[i]) * static_cast<double>(entries[i]) / static_cast<double>(b[i]) - 1));
      CHECK(off <= 100 * tolerance);  // the condition is 7, and entries of b are 1/16 of its size and more
    }
}

}  // namespace device_cg

TEST_CASE("device: with a graph or without, looking often or seldom, the bits are the same")
{
  using namespace device_cg;
  support::own_stream stream;
  device_backend const backend(stream.handle);
  auto const s = checks::poisson<operator_type>();
  for (way const by : {way::plain, way::merged})
    for (bool const jacobi : {false, true}) {
      sumfac::cg_options options{.check_every = 1};
      if (jacobi) options.iterations = 23, options.tolerance = 0;
      auto const expected = solve(s, backend, by, jacobi, options);
      INFO(expected.result.report());
      CHECK(static_cast<bool>(expected.result));
      for (index_t const every : {3, 8, 1000})
        for (bool const graph : {false, true}) {
          options.check_every = every, options.graph = graph;
          auto const found = solve(s, backend, by, jacobi, options);
          INFO("a look every " << every << " iterations" << (graph ? ", graph" : ""));
          CHECK(found.result.status == expected.result.status);
          CHECK(found.result.iterations == expected.result.iterations);
          CHECK(found.result.residual == expected.result.residual);
          CHECK(found.x == expected.x);
          for (std::size_t k = 0; k < found.heard.residuals.size(); ++k)
            CHECK(found.heard.residuals[k] ==
                  expected.heard.residuals[static_cast<std::size_t>(found.heard.iterations[k])]);
        }
    }
}

TEST_CASE("device: every residual of merged conjugate gradients is the oracle's")
{
  using namespace device_cg;
  device_backend const backend;
  auto const follows = [&](auto const& s, sumfac::restriction_options const& restriction = {}) {
    for (bool const jacobi : {false, true}) {
      auto const found =
          solve(s, backend, way::merged, jacobi, {.iterations = 20, .tolerance = 0, .check_every = 1}, restriction);
      CHECK(found.result.status == sumfac::solve_status::iterations_done);
      CHECK(found.result.iterations == 20);
      checks::follows(s, jacobi, found.heard, found.x);
    }
  };
  auto const poisson = checks::poisson<operator_type>();
  auto const mass = checks::mass<sumfac::bp2<2, device_backend>>();
  for (auto const policy : {sumfac::scatter::deterministic, sumfac::scatter::atomic}) {
    follows(poisson, {.policy = policy});
    for (auto const way : {sumfac::interleaving::fastest, sumfac::interleaving::slowest})
      follows(mass, {.components_lie = way, .policy = policy});
  }
}

TEST_CASE("device: conjugate gradients of several teams have the same bits in every run")
{
  using namespace device_cg;
  device_backend const backend;
  mesh::counts const box{7, 6, 6};
  auto const numbers = mesh::numbered(box, 2, 4);
  checks::system<operator_type> const s(box, numbers, reference::collocated(2), reference::laplace(), true);
  REQUIRE(static_cast<index_t>(s.b.size()) > 2 * sumfac::detail::least_of_team);
  for (way const by : {way::plain, way::merged}) {
    sumfac::cg_options const options{.iterations = 11, .tolerance = 0, .check_every = 4};
    auto const once = solve(s, backend, by, true, options);
    disturb(backend);
    auto const again = solve(s, backend, by, true, options);
    CHECK(once.x == again.x);
    CHECK(once.heard.residuals == again.heard.residuals);
    auto const atomic = solve(s, backend, by, true, options, {.policy = sumfac::scatter::atomic});
    double difference = 0, largest = 0;
    for (std::size_t i = 0; i < once.x.size(); ++i) {
      difference = support::larger(difference, std::abs(once.x[i] - atomic.x[i]));
      largest = support::larger(largest, std::abs(once.x[i]));
    }
    CHECK(difference <= 1e-11 * largest);
    CHECK(once.result.residual == Approx(atomic.result.residual).epsilon(1e-9));
  }
}

TEST_CASE("device: sums of many entries are those of all")
{
  using namespace device_cg;
  using sumfac::detail::chunk_of_team, sumfac::detail::most_teams_of;
  device_backend const backend;
  for (index_t const size : {0, 1, 1023, 1024, 1025, 20000}) {
    std::vector<double> x(static_cast<std::size_t>(size));
    double expected = 0;  // of whole numbers, exactly
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<double>(i % 9) - 3, expected += x[i] * x[i];
    sumfac::vector_ops<double, device_backend> const ops(backend, 20000);
    support::on_backend(backend, x, [&](double* p) {
      sumfac::view<double, sumfac::dextents<1>> const on(p, size);
      CHECK(ops.dot(on, on) == expected);
      CHECK(ops.dot(on, on) == expected);
    });
  }
  for (index_t size = 1; size < index_t{1} << 33; size += 1 + size / 3) {
    index_t const teams = (size + chunk_of_team(size) - 1) / chunk_of_team(size);
    CHECK(teams <= most_teams_of(size));
    CHECK(most_teams_of(size) >= most_teams_of(size - 1));
    CHECK(most_teams_of(size) <= 1024);
  }
}

TEST_CASE("device: merged conjugate gradients say what is wrong")
{
  using namespace device_cg;
  device_backend const backend;
  auto s = checks::poisson<operator_type>();
  s.b[s.b.size() / 2] = std::numeric_limits<double>::quiet_NaN();
  auto const bad = solve(s, backend, way::merged, false, {.iterations = 50, .tolerance = 0});
  CHECK(bad.result.status == sumfac::solve_status::not_finite);
  CHECK(bad.result.iterations == 0);

  // lambda < 0: the Helmholtz operator of a wave short enough.
  mesh::counts const box{3, 2, 2};
  auto const numbers = mesh::numbered(box, 2, 4);
  auto const mesh = mesh::box(box);
  sumfac::bp3<2, device_backend> const wave(backend, checks::nodes_view(mesh), {.lambda = -1000});
  checks::restricted_mesh const numbered{numbers};
  auto const r = numbered.restriction<double, device_backend>(backend);
  sumfac::global_operator const l{wave, r};
  std::vector<double> const b(numbered.size(), 1);
  std::vector<double> x(b.size());
  auto const on = [&]<class T>(T* data) { return sumfac::view<T, sumfac::dextents<1>>(data, l.size()); };
  support::on_backend(backend, b, x, [&](double const* right, double* solution) {
    auto const result = sumfac::merged_cg(l, on(right), on(solution), {.iterations = 100});
    CHECK(result.status == sumfac::solve_status::indefinite);
    CHECK(result.iterations == 1);
  });
  CHECK(x == std::vector<double>(b.size()));
}

TEST_CASE("device: GMRES finds the solution with looks now and then, restarted or not")
{
  using namespace device_cg;
  for (int const restart : {9, 40})
    check_krylov(0, restart == 9 ? 0.4 : 0,
                 [&](index_t every, auto const& a, auto b, auto x, auto const& p, auto const& monitor) {
                   sumfac::gmres_workspace space(a.backend(), a.size(), restart);
                   sumfac::gmres_options const options{.tolerance = 1e-10, .check_every = every};
                   return sumfac::gmres(a, b, x, p, options, monitor, space);
                 });
}

TEST_CASE("device: MINRES finds the solution with looks now and then, of both signs, too")
{
  using namespace device_cg;
  for (double const shift : {0.0, -0.3})
    check_krylov(shift, 0, [&](index_t every, auto const& a, auto b, auto x, auto const& p, auto const& monitor) {
      sumfac::minres_options const options{.tolerance = 1e-10, .check_every = every};
      return sumfac::minres(a, b, x, p, options, monitor);
    });
}

TEST_CASE("device: MINRES of matrices in any unit, up to those whose products have no room in the numbers")
{
  using namespace device_cg;
  for (double const unit : {1.0, 1e-12, 1e-16, 1e12, 1e16}) check_minres_of_unit<float>(unit, 1e-5);
  for (double const unit : {1.0, 1e-110, 1e-145, 1e110, 1e145}) check_minres_of_unit<double>(unit, 1e-11);
}
