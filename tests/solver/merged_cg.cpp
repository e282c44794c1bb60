// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Conjugate gradients merged with the operator's sweep: the plain iteration's residuals, iterates and statuses.
#include "solves.hpp"

#include <sumfac/backend/checked.hpp>

#include <support/few.hpp>
#include <support/larger.hpp>

namespace {

using checks::global_view, checks::history, checks::index_t;
using reference::real;

template <class T>
struct outcome {
  sumfac::solve_result result;
  std::vector<T> x;
  history heard;
};

enum class form { plain, merged };

template <class System, class T = typename System::scalar>
outcome<T> solve(System const& s, form way, bool jacobi, sumfac::cg_options const& options,
                 sumfac::restriction_options const& restriction = {}, int threads = 0)
{
  sumfac::host const backend(threads);
  auto const a = s.c.make(backend);
  auto const r = s.c.restriction(restriction, backend);
  sumfac::global_operator const l{a, r};
  auto const b = s.c.laid(s.b, restriction.components_lie);
  outcome<T> found{{}, s.c.laid(s.x, restriction.components_lie), {}};
  std::vector<T> d(b.size());
  l.diagonal(global_view(d));
  sumfac::jacobi<T, sumfac::host> const p(backend, global_view(std::as_const(d)));
  sumfac::cg_workspace<T, sumfac::host> work(backend, l.size());
  auto const run = [&](auto const& preconditioner) {
    if (way == form::plain)
      return sumfac::cg(l, global_view(b), global_view(found.x), preconditioner, options, found.heard.monitor(), work);
    return sumfac::merged_cg(l, global_view(b), global_view(found.x), preconditioner, options, found.heard.monitor(),
                             work);
  };
  found.result = jacobi ? run(p) : run(sumfac::no_preconditioner{});
  found.x = s.c.canonical(found.x, restriction.components_lie);
  return found;
}

template <class System>
void same_as_plain(System const& s, sumfac::restriction_options const& restriction = {})
{
  for (bool const jacobi : {false, true})
    for (int const iterations : {0, 1, 2, 3, 20}) {
      if (support::few && (iterations == 1 || iterations == 2)) continue;
      sumfac::cg_options const options{.iterations = iterations, .tolerance = 0};
      auto const plain = solve(s, form::plain, jacobi, options, restriction);
      auto const merged = solve(s, form::merged, jacobi, options, restriction);
      INFO(iterations << " iterations" << (jacobi ? ", Jacobi" : ""));
      CHECK(merged.result.status == plain.result.status);
      CHECK(merged.result.iterations == iterations);
      CHECK(merged.heard.iterations == plain.heard.iterations);
      if (iterations == 20) {
        checks::follows(s, jacobi, merged.heard, merged.x);
        continue;
      }
      // So early rounding has not grown, but a residual that follows from sums has lost what it is smaller than the
      // last.
      CHECK(merged.result.residual == Approx(plain.result.residual).epsilon(1e-11));
      double off = 0, greatest = 0;
      for (std::size_t i = 0; i < plain.x.size(); ++i) {
        off = support::larger(off, std::abs(merged.x[i] - plain.x[i]));
        greatest = support::larger(greatest, std::abs(plain.x[i]));
      }
      CHECK(off <= 1e-12 * greatest);
    }
}

template <class Operator>
checks::system<Operator> make(mesh::counts counts, mesh::numbering const& numbers, reference::space const& space,
                              reference::integrand<> const& form, bool constrained)
{
  return {counts, numbers, space, form, constrained};
}

}  // namespace

TEST_CASE("merged cg: three components, interleaved or not, atomic or not")
{
  mesh::counts const box{3, 2, 2};
  auto const s =
      make<sumfac::bp2<2>>(box, mesh::by_entities(box, 2), reference::on_gauss(2, 3), reference::mass(), true);
  for (auto const way : {sumfac::interleaving::fastest, sumfac::interleaving::slowest})
    for (auto const policy : {sumfac::scatter::deterministic, sumfac::scatter::atomic})
      same_as_plain(s, {.components_lie = way, .policy = policy, .blocks = 2});
}

TEST_CASE("merged cg: single entries constrained, rows of zero, a first guess")
{
  mesh::counts const box{3, 2, 2};
  auto const numbers = mesh::numbered(box, 2, 7);
  auto s = make<sumfac::bp3<2>>(box, numbers, reference::on_gauss(2), reference::stiffness(0.1), false);
  s.c.constrain(checks::random_marks(numbers.nodes, 1, 4, 5));
  same_as_plain(s);

  s.x = support::random<double>(s.b.size(), 3);
  for (std::size_t i = 0; i < s.b.size(); ++i)
    if (s.c.exact.constrained()[i]) s.b[i] = s.x[i] = 0;
  for (auto const rows : {sumfac::constrained_rows::identity, sumfac::constrained_rows::zero}) {
    sumfac::cg_options const options{.iterations = 15, .tolerance = 0};
    auto const plain = solve(s, form::plain, true, options, {.rows = rows});
    auto const merged = solve(s, form::merged, true, options, {.rows = rows});
    // Both start at the same residual and lose as much on the way.
    for (std::size_t k = 0; k < plain.heard.residuals.size(); ++k)
      CHECK(merged.heard.residuals[k] == Approx(plain.heard.residuals[k]).epsilon(1e-9));
    for (std::size_t i = 0; i < s.x.size(); ++i)
      CHECK(std::abs(merged.x[i] - plain.x[i]) <= 1e-9 * (1 + std::abs(plain.x[i])));
  }
}

// Sanitizers look at the two above.
#if !defined(SUMFAC_TESTS_FEW)
TEST_CASE("merged cg: residuals and iterates are the plain iteration's")
{
  mesh::counts const box{3, 2, 2}, flat{5, 1, 1}, one{1, 1, 1};
  same_as_plain(
      make<sumfac::bp5<3>>(box, mesh::numbered(box, 3, 4), reference::collocated(3), reference::laplace(), true));
  same_as_plain(
      make<sumfac::bp5<2>>(box, mesh::by_entities(box, 2), reference::collocated(2), reference::laplace(), true),
      {.rows = sumfac::constrained_rows::identity, .blocks = 3});
  same_as_plain(make<sumfac::bp1<3>>(flat, mesh::numbered(flat, 3), reference::on_gauss(3), reference::mass(), false));
  same_as_plain(make<sumfac::bp1<3>>(one, mesh::numbered(one, 3), reference::on_gauss(3), reference::mass(), false));
}

TEST_CASE("merged cg: every residual is the oracle's, on checked")
{
  auto s = checks::poisson<sumfac::bp5<2, sumfac::checked>>();
  auto const a = s.c.make();
  for (auto const policy : {sumfac::scatter::deterministic, sumfac::scatter::atomic}) {
    auto const r = s.c.restriction({.policy = policy});
    history heard;
    std::fill(s.x.begin(), s.x.end(), 0);
    auto const result = sumfac::merged_cg(sumfac::global_operator{a, r}, global_view(std::as_const(s.b)),
                                          global_view(s.x), {.iterations = 20, .tolerance = 0}, heard.monitor());
    CHECK(static_cast<bool>(result));
    checks::follows(s, false, heard, s.x);
  }
}

TEST_CASE("merged cg: it converges in as many iterations, to the direct solution")
{
  mesh::counts const box{3, 2, 2};
  auto const s =
      make<sumfac::bp5<2>>(box, mesh::numbered(box, 2, 4), reference::collocated(2), reference::laplace(), true);
  auto const direct = s.solution();
  for (bool const jacobi : {false, true}) {
    sumfac::cg_options const options{.tolerance = 1e-12};
    auto const plain = solve(s, form::plain, jacobi, options), merged = solve(s, form::merged, jacobi, options);
    CHECK(merged.result.status == sumfac::solve_status::converged);
    CHECK(std::abs(merged.result.iterations - plain.result.iterations) <= 1);
    CHECK(merged.result.residual <= 1e-12 * merged.result.initial_residual);
    real greatest = 0;
    for (real const x : direct) greatest = support::larger(greatest, std::abs(x));
    for (std::size_t i = 0; i < direct.size(); ++i)
      CHECK(std::abs(static_cast<real>(merged.x[i]) - direct[i]) <= 1e-8L * greatest);
  }
}

TEST_CASE("merged cg: bit for bit the same for any number of threads, and in every run")
{
  mesh::counts const box{6, 5, 4};
  auto const numbers = mesh::numbered(box, 2, 4);
  auto s = make<sumfac::bp5<2>>(box, numbers, reference::collocated(2), reference::laplace(), true);
  for (bool const jacobi : {false, true})
    for (index_t const blocks : {0, 7}) {
      sumfac::cg_options const options{.iterations = 25, .tolerance = 0};
      auto const serial = solve(s, form::merged, jacobi, options, {.blocks = blocks}, 1);
      for (int const threads : {1, 2, 3, 5}) {
        auto const parallel = solve(s, form::merged, jacobi, options, {.blocks = blocks}, threads);
        INFO(threads << " threads, " << blocks << " blocks");
        CHECK(parallel.x == serial.x);
        CHECK(parallel.heard.residuals == serial.heard.residuals);
      }
    }
}

TEST_CASE("merged cg: what is no number stops it, and so does an indefinite operator")
{
  mesh::counts const box{3, 2, 2};
  auto s = make<sumfac::bp5<2>>(box, mesh::numbered(box, 2, 4), reference::collocated(2), reference::laplace(), true);
  auto const good = s.b;
  for (std::size_t const at : {std::size_t{0}, s.b.size() / 2, s.b.size() - 1}) {
    s.b = good;
    s.b[at] = std::numeric_limits<double>::quiet_NaN();
    auto const result = solve(s, form::merged, false, {.iterations = 100000, .tolerance = 0}).result;
    CHECK(result.status == sumfac::solve_status::not_finite);
    CHECK(result.iterations == 0);
    CHECK(!static_cast<bool>(result));
  }

  // lambda < 0: the Helmholtz operator of a wave short enough.
  auto const numbers = mesh::numbered(box, 2, 4);
  auto const mesh = mesh::box(box);
  sumfac::bp3<2> const wave(sumfac::host{}, checks::nodes_view(mesh), {.lambda = -1000});
  checks::restricted_mesh const numbered{numbers};
  auto const r = numbered.restriction<double, sumfac::host>(sumfac::host{});
  sumfac::global_operator const l{wave, r};
  std::vector<double> const b(numbered.size(), 1);
  std::vector<double> x(b.size()), y(b.size());
  sumfac::cg_workspace<double, sumfac::host> work(sumfac::host{}, l.size());
  auto const merged =
      sumfac::merged_cg(l, global_view(b), global_view(x), {.iterations = 100}, sumfac::no_monitor{}, work);
  auto const plain = sumfac::cg(l, global_view(b), global_view(y), sumfac::no_preconditioner{}, {.iterations = 100});
  CHECK(merged.status == sumfac::solve_status::indefinite);
  CHECK(plain.status == sumfac::solve_status::indefinite);
  CHECK(merged.iterations == plain.iterations);
  CHECK(merged.report().find("sumfac::merged_cg: not positive definite in iteration 1") == 0);
  CHECK(plain.report().find("sumfac::cg: not positive definite in iteration 1") == 0);
  CHECK(x == std::vector<double>(b.size()));
}

TEMPLATE_TEST_CASE("cg, merged cg: iterations that the numbers cannot resolve are not made, and x stays", "", float,
                   double)
{
  using operator_type = sumfac::bp5<2, sumfac::host, TestType>;
  mesh::counts const box{4, 4, 4};
  auto s = make<operator_type>(box, mesh::numbered(box, 2), reference::collocated(2), reference::laplace(), true);
  for (std::size_t i = 0; i < s.b.size(); ++i) s.b[i] = static_cast<TestType>(std::sin(static_cast<double>(i)));
  for (form const way : {form::plain, form::merged})
    for (bool const jacobi : {false, true}) {
      auto const good = solve(s, way, jacobi, {.iterations = 60, .tolerance = 0}).x;
      for (index_t const iterations : {200, 500, 1000, 20000}) {
        auto const found = solve(s, way, jacobi, {.iterations = iterations, .tolerance = 0});
        INFO(found.result.report());
        CHECK(static_cast<bool>(found.result));
        if (iterations >= 1000) CHECK(found.result.iterations < 1000);
        double difference = 0, size = 0;
        for (std::size_t i = 0; i < good.size(); ++i) {
          difference = support::larger(difference, std::abs(static_cast<double>(found.x[i] - good[i])));
          size = support::larger(size, std::abs(static_cast<double>(good[i])));
        }
        CHECK(difference <= 1e-5 * size);
      }
    }
}

TEST_CASE("merged cg: what is wrong with its arguments is said in its name")
{
  mesh::counts const box{3, 2, 2};
  auto s = make<sumfac::bp5<1>>(box, mesh::numbered(box, 1), reference::collocated(1), reference::laplace(), true);
  auto const a = s.c.make();
  auto const r = s.c.restriction();
  sumfac::global_operator const l{a, r};
  std::vector<double> const b(s.b.size()), short_b(s.b.size() - 1);
  std::vector<double> x(s.b.size());
  checks::refused([&] { sumfac::merged_cg(l, global_view(short_b), global_view(x)); },
                  {"sumfac::merged_cg", "length of b", "expected 36, got 35"});
  checks::refused([&] { sumfac::merged_cg(l, global_view(b), global_view(x), {.tolerance = -1}); },
                  {"sumfac::merged_cg", "tolerance", "-1"});
}

TEST_CASE("merged cg: blocks of several steps, shared nodes and all")
{
  mesh::counts const box{9, 8, 7};
  auto const numbers = mesh::numbered(box, 3, 4);
  auto const mesh = mesh::box(box);
  checks::restricted_mesh const numbered{numbers, 1, checks::random_marks(numbers.nodes, 1, 5, 3)};
  auto b = support::random<double>(static_cast<std::size_t>(numbers.nodes), 4);
  for (std::size_t i = 0; i < b.size(); ++i)
    if (numbered.marks[i] != 0) b[i] = 0;
  sumfac::host const backend{2};
  sumfac::bp5<3> const a(backend, checks::nodes_view(mesh));
  sumfac::cg_options const options{.iterations = 20, .tolerance = 0};
  for (auto const policy : {sumfac::scatter::deterministic, sumfac::scatter::atomic})
    for (index_t const blocks : {1, 3, 0}) {
      auto const r = numbered.restriction<double, sumfac::host>(backend, {.policy = policy, .blocks = blocks});
      sumfac::global_operator const l{a, r};
      std::vector<double> x(b.size()), y(b.size());
      auto const plain = sumfac::cg(l, global_view(std::as_const(b)), global_view(x), options);
      auto const merged = sumfac::merged_cg(l, global_view(std::as_const(b)), global_view(y), options);
      INFO(blocks << " blocks");
      CHECK(merged.residual == Approx(plain.residual).epsilon(1e-10));
      double off = 0, greatest = 0;
      for (std::size_t i = 0; i < x.size(); ++i) {
        off = support::larger(off, std::abs(x[i] - y[i]));
        greatest = support::larger(greatest, std::abs(x[i]));
      }
      CHECK(off <= 1e-10 * greatest);
    }
}
#endif
