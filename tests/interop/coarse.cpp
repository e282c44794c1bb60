// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Solvers of other libraries behind assembled matrices, where they are installed.
// part eigen: WITH_EIGEN=1
// part hypre: WITH_HYPRE=1
// part petsc: WITH_PETSC=1
#if WITH_EIGEN
#include <sumfac/interop/eigen.hpp>
#elif WITH_HYPRE
#include <sumfac/interop/hypre.hpp>
#else
#include <sumfac/interop/petsc_gamg.hpp>
#endif

#include <sumfac/solver/null_space.hpp>

#include <solver/multigrid_case.hpp>
#include <solver/solves.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace {

using checks::global_view, checks::index_t, checks::refused;

#if WITH_EIGEN
using coarse_solver = sumfac::eigen_ldlt;
char const* const name = "sumfac::eigen_ldlt";
struct started {
};
#elif WITH_HYPRE
using coarse_solver = sumfac::boomer_amg;
char const* const name = "sumfac::boomer_amg";
struct started {
  started() { MPI_Init(nullptr, nullptr); }
  ~started()
  {
    HYPRE_Finalize();
    MPI_Finalize();
  }
};
#else
using coarse_solver = sumfac::petsc::gamg;
char const* const name = "sumfac::petsc::gamg";
struct started {
  started()
  {
    // Before PETSc is started, nothing can be made.
    try {
      coarse_solver(sumfac::csr_matrix<>({0, 1}, {0}, {1}));
    } catch (sumfac::argument_error const& e) {
      refusal = e.what();
    }
    PetscInitialize(nullptr, nullptr, nullptr, nullptr);
  }
  ~started() { PetscFinalize(); }
  std::string refusal;
};
#endif
started const library;

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
  coarse_solver const p(sumfac::assemble(a, r));
  auto const result =
      sumfac::cg(l, global_view(std::as_const(s.b)), global_view(s.x), p, {.tolerance = allowed / 100});
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
#if WITH_EIGEN
  CHECK(iterations<collocated<sumfac::laplace, 2>>(1e-9) <= 1);
  CHECK(iterations<collocated<sumfac::vector_laplace<3>, 1>>(1e-9) <= 1);
  CHECK(iterations<collocated<sumfac::laplace, 2, float>>(1e-3) <= 2);
#else  // by algebraic multigrid
  CHECK(iterations<collocated<sumfac::laplace, 2>>(1e-9) <= 25);
  CHECK(iterations<collocated<sumfac::laplace, 1>>(1e-9) <= 15);
  CHECK(iterations<collocated<sumfac::laplace, 2, float>>(1e-3) <= 25);
#endif
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
      most = std::max(most, std::abs(y[i] - p.b[i])), largest = std::max(largest, std::abs(p.b[i]));
    CHECK(most < 1e-6 * largest);
    return result.iterations;
  };
  auto const usual = solved(sumfac::multigrid{sumfac::p_levels<Orders...>(p.a, p.nodes(), p.r)});
  for (bool const in_float : {false, true}) {
    auto const made = [&](auto levels) {
      coarse_solver const coarse(
          sumfac::assemble(levels.coarsest().element_operator(), levels.coarsest().restriction()));
      sumfac::multigrid const mg{std::move(levels), {}, &coarse};
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
#if WITH_EIGEN
  constexpr int allowed = 0;
#else
  constexpr int allowed = 2;  // a V-cycle does not solve
#endif
  solve_by_multigrid<collocated<sumfac::laplace, 2>, 2, 1>({{7, 6, 5}, mesh::smooth{}}, allowed);
  solve_by_multigrid<collocated<sumfac::vector_laplace<3>, 3>, 3, 1>(
      {{4, 3, 5}, mesh::smooth{}, 3, {.rows = sumfac::constrained_rows::zero}}, allowed);
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
      auto const made = [&](auto levels) {
        auto const matrix = sumfac::assemble(levels.coarsest().element_operator(), levels.coarsest().restriction());
        if (!in_float)
          refused([&] { coarse_solver{matrix}; },
                  {std::string(name).append(": the matrix is singular ("), "options.null_space, a sumfac::null_space"});
        sumfac::null_space const last{levels.coarsest().matrix()}, of_sparse{matrix};
        coarse_solver const coarse(matrix, {.null_space = last}), same(matrix, {.null_space = of_sparse});
        // By itself, also for what constants are in: z has none.
        auto const r = support::random<typename decltype(last)::scalar_type>(static_cast<std::size_t>(last.size()), 3);
        auto z = r, y = r;
        coarse.apply(global_view(r), global_view(z));
        same.apply(global_view(r), global_view(y));
        double const size = std::sqrt(checks::inner_product(z, z));
        CHECK(std::abs(checks::mean_of(z)) <= (in_float ? 1e-6 : 1e-13) * size);
        for (std::size_t i = 0; i < z.size(); ++i) CHECK(std::abs(double(z[i]) - double(y[i])) <= 1e-5 * size);
        sumfac::multigrid const mg{std::move(levels), {.null_space = constants}, &coarse};
        std::vector<double> x(b.size());
        auto const result =
            sumfac::cg(p.l, global_view(std::as_const(p.b)), global_view(x), mg, {.tolerance = 1e-9});
        INFO(result.report());
        CHECK(result);
        CHECK(result.iterations <= 20);
      };
      if (in_float)
        made(sumfac::p_levels<float, 2, 1>(p.a, p.nodes(), p.r));
      else
        made(sumfac::p_levels<2, 1>(p.a, p.nodes(), p.r));
    }
    sumfac::csr_matrix<> const two({0, 1, 2}, {0, 1}, {1, 1});
    refused([&] { coarse_solver(two, {.null_space = constants}); },
            {std::string(name).append(": length of options.null_space does not match (expected 2")});
  }
}

TEST_CASE("Empty rows count as the identity's")
{
  coarse_solver const p(sumfac::csr_matrix<>({0, 1, 1, 2}, {0, 2}, {4, 2}));
  std::vector<double> const r{1, 3, 1};
  std::vector<double> z(3);
  p.apply(global_view(r), global_view(z));
  CHECK(std::abs(z[0] - 0.25) < 1e-14);
  CHECK(std::abs(z[1] - 3) < 1e-14);
  CHECK(std::abs(z[2] - 0.5) < 1e-14);
}

TEST_CASE("More cycles solve better, and a matrix without rows is solved")
{
  coarse_solver const none(sumfac::csr_matrix<>({0}, {}, {}));
  std::vector<double> const nothing;
  std::vector<double> nowhere;
  none.apply(global_view(nothing), global_view(nowhere));
#if !WITH_EIGEN
  using poisson = collocated<sumfac::laplace, 1>;
  checks::box_problem<poisson> const p({9, 8, 9}, mesh::smooth{});
  auto const a = sumfac::assemble(p.a, p.r);
  auto const left = [&](int cycles) {
    coarse_solver const solver(a, {.cycles = cycles});
    std::vector<double> x(p.b.size()), y(p.b.size());
    solver.apply(global_view(p.b), global_view(x));
    a.apply(global_view(std::as_const(x)), global_view(y));
    for (std::size_t i = 0; i < y.size(); ++i) y[i] -= p.b[i];
    return std::sqrt(checks::inner_product(y, y) / checks::inner_product(p.b, p.b));
  };
  double const one = left(1), three = left(3);
  INFO(one << " is left after a cycle, " << three << " after three");
  CHECK(one < 0.5);
  CHECK(three < one * one);
#endif
}

TEST_CASE("What does not fit is refused")
{
  coarse_solver const p(sumfac::csr_matrix<>({0, 1, 2}, {0, 1}, {1, 1}));
  std::vector<double> r(3), z(2);
  refused([&] { p.apply(global_view(r), global_view(z)); },
          {std::string(name).append("::apply: extent 0 (entries) of r does not match (expected 2, got 3)")});
#if WITH_EIGEN
  refused([&] { coarse_solver{sumfac::csr_matrix<>({0, 1, 2}, {0, 1}, {1, -1})}; },
          {"sumfac::eigen_ldlt: the matrix is not positive definite (pivot -1 in row 1, whose diagonal is -1)"});
  refused([&] { coarse_solver{sumfac::csr_matrix<>({0, 2, 4}, {0, 1, 0, 1}, {2, 1, -1, 2})}; },
          {"sumfac::eigen_ldlt: the matrix is not symmetric (row ", "sumfac::coarse_gmres"});
#else
  refused([&] { coarse_solver(sumfac::csr_matrix<>({0, 1}, {0}, {1}), {.cycles = 0}); },
          {name + std::string(": the number of cycles is below 1 (got 0, at least 1 expected)")});
#endif
#if WITH_PETSC
  CHECK(library.refusal == "sumfac::petsc::gamg: PETSc is not started: call PetscInitialize first");
  refused([&] { coarse_solver(sumfac::csr_matrix<>({0, 1}, {0}, {1}), {.block_size = 0}); },
          {"sumfac::petsc::gamg: the block size is below 1 (got 0, at least 1 expected)"});
  // What PETSc itself says.
  try {
    coarse_solver(sumfac::csr_matrix<>({0, 1, 2, 3}, {0, 1, 2}, {1, 1, 1}), {.block_size = 2});
    CHECK(false);
  } catch (sumfac::backend_error const& e) {
    std::string const said = e.what();
    INFO(said);
    CHECK(said.find("sumfac::petsc::gamg: PETSc says: ") == 0);
    CHECK(said.find("Local size 3 not compatible with block size 2") != std::string::npos);
  }
#endif
}

}  // namespace
