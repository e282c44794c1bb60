// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Solvers of other libraries on multigrid's last level and as preconditioners, for each program that has one.
#include <support/larger.hpp>

#include <sumfac/solver/null_space.hpp>
#include <sumfac/tools/explain/levels.hpp>

#include <interop/coarse.hpp>
#include <solver/multigrid_case.hpp>
#include <solver/solves.hpp>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace {

using checks::global_view, checks::index_t, checks::refused;
using coarse::tested;

template <class Form, int Order, class Scalar = double>
using collocated = sumfac::element_operator<Form, Order, sumfac::gauss_lobatto<Order + 1>, sumfac::host, Scalar>;

// Iterations of cg with it, the solution compared with the oracle's.
template <class Operator>
index_t iterations(double allowed)
{
  using scalar = typename Operator::scalar_type;
  auto s = checks::poisson<Operator>();
  auto const a = s.c.make(s.backend);
  auto const r = s.c.restriction({}, s.backend);
  sumfac::global_operator const l{a, r};
  auto const made = tested.make(sumfac::assemble(a, r));
  coarse::solver const& p = *made;
  auto const result = sumfac::cg(l, global_view(std::as_const(s.b)), global_view(s.x), p, {.tolerance = allowed / 100});
  INFO(result.report());
  CHECK(result);
  auto const exact = s.solution();
  for (std::size_t i = 0; i < exact.size(); ++i) CHECK(std::abs(double(s.x[i]) - double(exact[i])) < allowed);
  // Symmetric, as a preconditioner of cg must be.
  auto const u = support::random<scalar>(s.x.size(), 3), v = support::random<scalar>(s.x.size(), 4);
  std::vector<scalar> pu(u.size()), pv(u.size());
  p.apply(global_view(u), global_view(pu));
  p.apply(global_view(v), global_view(pv));
  double one = 0, two = 0;
  for (std::size_t i = 0; i < u.size(); ++i) one += double(v[i]) * double(pu[i]), two += double(u[i]) * double(pv[i]);
  CHECK(std::abs(one - two) <= (sizeof(scalar) == 8 ? 1e-11 : 1e-4) * (std::abs(one) + 1));
  return result.iterations;
}

TEST_CASE("They precondition conjugate gradients")
{
  // A cycle of algebraic multigrid is not exact.
  CHECK(iterations<collocated<sumfac::laplace, 2>>(1e-9) <= (tested.solves ? 1 : 25));
  CHECK(iterations<collocated<sumfac::laplace, 1>>(1e-9) <= (tested.solves ? 1 : 15));
  CHECK(iterations<collocated<sumfac::vector_laplace<3>, 2>>(1e-9) <= (tested.solves ? 1 : 40));
  CHECK(iterations<collocated<sumfac::laplace, 2, float>>(1e-3) <= (tested.solves ? 2 : 25));
}

// Iterations of cg by multigrid, with the coarse solver and with the usual one; the first the library's, then ours.
template <class Operator, int... Orders>
void solve_by_multigrid(checks::box_problem<Operator> const& p, int allowed)
{
  sumfac::global_operator const l{p.a, p.r};
  auto const solved = [&](auto const& mg) {
    std::vector<double> x(p.b.size()), y(p.b.size());
    auto const result = sumfac::cg(l, global_view(p.b), global_view(x), mg, {.tolerance = 1e-9});
    INFO(result.report());
    CHECK(result);
    l.apply(global_view(std::as_const(x)), global_view(y));
    double most = 0, largest = 0;
    for (std::size_t i = 0; i < y.size(); ++i)
      most = support::larger(most, std::abs(y[i] - p.b[i])), largest = support::larger(largest, std::abs(p.b[i]));
    CHECK(most < 1e-6 * largest);
    return result.iterations;
  };
  auto const usual = solved(sumfac::multigrid{sumfac::p_levels<Orders...>(p.a, p.nodes(), p.r)});
  for (bool const in_float : {false, true}) {
    auto const made = [&](auto levels) {
      auto const last =
          tested.make(sumfac::assemble(levels.coarsest().element_operator(), levels.coarsest().restriction()));
      sumfac::multigrid const mg{std::move(levels), {}, last.get()};
      CHECK(checks::lack_of_symmetry(mg, p) < (in_float ? 1e-5 : 1e-12));
      auto const iterations = solved(mg);
      INFO(iterations << " iterations, " << usual << " by coarse_cg");
      CHECK(iterations <= usual + allowed);
      CHECK(solved(mg) == iterations);  // set up once, used again
    };
    if (in_float)
      made(sumfac::p_levels<float, Orders...>(p.a, p.nodes(), p.r));
    else
      made(sumfac::p_levels<Orders...>(p.a, p.nodes(), p.r));
  }
}

TEST_CASE("They solve multigrid's last level: as many iterations as by coarse_cg")
{
  int const allowed = tested.solves ? 0 : 2;  // a V-cycle does not solve
  solve_by_multigrid<collocated<sumfac::laplace, 2>, 2, 1>({{7, 6, 5}, mesh::smooth{}}, allowed);
  solve_by_multigrid<collocated<sumfac::vector_laplace<3>, 2>, 2, 1>(
      {{4, 3, 5}, mesh::smooth{}, 3, {.rows = sumfac::constrained_rows::zero}}, allowed);
}

// The library as coarse_amg makes it.
class by_library {
public:
  template <class Scalar>
  explicit by_library(sumfac::csr_matrix<Scalar> const& a) : made_(tested.make(a))
  {
  }
  template <class From, class To>
  void apply(From const& r, To const& z) const
  {
    made_->apply(r, z);
  }

private:
  std::unique_ptr<coarse::solver const> made_;
};

TEST_CASE("coarse_amg takes them for many unknowns and right sides, else conjugate gradients, and explain says why")
{
  checks::box_problem<collocated<sumfac::laplace, 2>> const p({7, 6, 5}, mesh::smooth{});
  using chosen = sumfac::coarse_amg<by_library>;
  auto const applied = [&](auto const& last) {
    auto levels = sumfac::p_levels<2, 1>(p.a, p.nodes(), p.r);
    sumfac::multigrid mg{std::move(levels), {}, last};
    std::vector<double> z(p.b.size());
    mg.update();
    mg.apply(global_view(p.b), global_view(z));
    CHECK(mg.coarse_solves().failed == 0);
    return std::pair(z, sumfac::explain(mg));
  };
  auto levels = sumfac::p_levels<2, 1>(p.a, p.nodes(), p.r);
  auto const matrix = sumfac::assemble(levels.coarsest().element_operator(), levels.coarsest().restriction());
  auto const made = tested.make(matrix);
  auto const [amg, of_amg] = applied(chosen{.right_sides = 5, .unknowns = matrix.size()});
  CHECK(amg == applied(made.get()).first);
  std::string const size = std::to_string(matrix.size());
  INFO(of_amg);
  CHECK(of_amg.find("; an algebraic multigrid of the assembled matrix, for " + size +
                    " unknowns and 5 right sides (") != std::string::npos);
  auto const cg = applied(sumfac::coarse_cg{}).first;
  for (auto const& few : {chosen{.right_sides = 4, .unknowns = matrix.size()}, chosen{.right_sides = 100}}) {
    auto const [z, text] = applied(few);
    CHECK(z == cg);
    INFO(text);
    CHECK(text.find("; conjugate gradients with Jacobi's preconditioner, for " + size + " unknowns and ") !=
          std::string::npos);
    CHECK(text.find(" pays from " + std::to_string(few.unknowns) + " and 5)") != std::string::npos);
  }
  refused([&] { applied(chosen{.right_sides = 0}); }, {"sumfac::coarse_amg: ", "got 0, at least 1 expected"});
  // Of a sparse matrix, as mpi::gathered has it.
  std::vector<double> r = support::random<double>(static_cast<std::size_t>(matrix.size()), 3), z(r), y(r);
  chosen{.right_sides = 5, .unknowns = 1}(matrix).apply(global_view(std::as_const(r)), global_view(z));
  made->apply(global_view(std::as_const(r)), global_view(y));
  CHECK(z == y);
  auto const few = chosen{.otherwise = {.tolerance = 1e-12}}(matrix);
  CHECK(few.apply(global_view(std::as_const(r)), global_view(z)));
  matrix.apply(global_view(std::as_const(z)), global_view(y));
  for (std::size_t i = 0; i < r.size(); ++i) CHECK(std::abs(y[i] - r[i]) <= 1e-9);
}

TEST_CASE("A singular matrix is refused, or solved without its null space")
{
  for (bool const periodic : {false, true}) {
    CAPTURE(periodic);
    checks::free_problem<collocated<sumfac::laplace, 2>> p({5, 4, 4}, periodic);
    sumfac::null_space const constants{p.l};
    auto const b = p.b;
    constants.project(global_view(p.b));
    for (bool const in_float : {false, true}) {
      auto const check = [&](auto levels) {
        auto const matrix = sumfac::assemble(levels.coarsest().element_operator(), levels.coarsest().restriction());
        if (!in_float)
          refused([&] { tested.make(matrix); }, {std::string(tested.name).append(": the matrix is singular ("),
                                                 "options.null_space, a sumfac::null_space"});
        sumfac::null_space const last{levels.coarsest().matrix()}, of_sparse{matrix};
        auto const made = tested.make(matrix, {.null_space = last});
        auto const same = tested.make(matrix, {.null_space = of_sparse});
        // By itself, also for what constants are in: z has none.
        using scalar = typename decltype(last)::scalar_type;
        auto const r = support::random<scalar>(static_cast<std::size_t>(last.size()), 3);
        auto z = r, y = r;
        made->apply(global_view(r), global_view(z));
        same->apply(global_view(r), global_view(y));
        double const size = std::sqrt(checks::inner_product(z, z));
        CHECK(std::abs(checks::mean_of(z)) <= (in_float ? 1e-6 : 1e-13) * size);
        for (std::size_t i = 0; i < z.size(); ++i) CHECK(std::abs(double(z[i]) - double(y[i])) <= 1e-5 * size);
        sumfac::multigrid const mg{std::move(levels), {.null_space = constants}, made.get()};
        std::vector<double> x(b.size());
        auto const result = sumfac::cg(p.l, global_view(std::as_const(p.b)), global_view(x), mg, {.tolerance = 1e-9});
        INFO(result.report());
        CHECK(result);
        CHECK(result.iterations <= 20);
      };
      if (in_float)
        check(sumfac::p_levels<float, 2, 1>(p.a, p.nodes(), p.r));
      else
        check(sumfac::p_levels<2, 1>(p.a, p.nodes(), p.r));
    }
    sumfac::csr_matrix<> const two({0, 1, 2}, {0, 1}, {1, 1});
    refused([&] { tested.make(two, {.null_space = constants}); },
            {std::string(tested.name).append(": length of options.null_space does not match (expected 2")});
  }
}

TEST_CASE("More cycles solve better")
{
  if (tested.solves) return;
  using poisson = collocated<sumfac::laplace, 1>;
  checks::box_problem<poisson> const p({9, 8, 9}, mesh::smooth{});
  auto const a = sumfac::assemble(p.a, p.r);
  auto const left = [&](int cycles) {
    auto const solver = tested.make(a, {.cycles = cycles});
    std::vector<double> x(p.b.size()), y(p.b.size());
    solver->apply(global_view(p.b), global_view(x));
    a.apply(global_view(std::as_const(x)), global_view(y));
    for (std::size_t i = 0; i < y.size(); ++i) y[i] -= p.b[i];
    return std::sqrt(checks::inner_product(y, y) / checks::inner_product(p.b, p.b));
  };
  double const one = left(1), three = left(3);
  INFO(one << " is left after a cycle, " << three << " after three");
  CHECK(one < 0.5);
  CHECK(three < one * one);
}

}  // namespace
