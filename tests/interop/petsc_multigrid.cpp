// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// PETSc's multigrid with our levels on a mesh in parts, and the assembled matrix that other PCs take.
#include "parted_squares.hpp"
#include "petsc_case.hpp"
#include "plex_meshes.hpp"
#include "shares.hpp"

#include <sumfac/interop/petsc_discretization.hpp>
#include <sumfac/interop/petsc_matrix.hpp>
#include <sumfac/interop/petsc_multigrid.hpp>
#include <sumfac/operator/bake_off.hpp>
#include <sumfac/operator/global_operator.hpp>
#include <sumfac/operator/sum.hpp>
#include <sumfac/solver/cg.hpp>
#include <sumfac/solver/multigrid.hpp>
#include <sumfac/solver/p_levels.hpp>
#include <sumfac/solver/schwarz.hpp>
#include <sumfac/solver/sum_level.hpp>

#include <catch2/catch.hpp>
#include <support/convection.hpp>
#include <support/tolerance.hpp>

#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace shares;

constexpr way ways[] = {way::slabs, way::scattered, way::last_empty, way::last_idle, way::first_all};

// PETSc's coarsest matrix has the entries of one operator, so that no level of a sum may be the coarsest.
using volume = sumfac::global_operator<sumfac::bp3<1>, sumfac::restriction<>, sumfac::petsc::halo>;
using part_of_sum =
    decltype(sumfac::part{std::declval<sumfac::bp3<1> const&>(), std::declval<sumfac::restriction<> const&>(),
                          std::declval<sumfac::petsc::halo const&>()});
using sum_of_two = decltype(sumfac::sum{std::declval<part_of_sum>(), std::declval<part_of_sum>()});
using level_of_sum = decltype(sumfac::level{std::declval<sum_of_two const&>()});
using level_of_one = decltype(sumfac::level{std::declval<volume const&>()});
static_assert(sumfac::detail::is_of_one_operator<level_of_one>);
static_assert(!sumfac::detail::is_of_one_operator<level_of_sum>);

// A KSP with conjugate gradients, and its solution's difference from that of the whole mesh.
template <class Case>
struct solve {
  // With a null space of the whole mesh's matrix the right side has a part in it, and the solution none.
  solve(Case const& of, Mat a, Mat of_pc, sumfac::null_space<> const* space = nullptr)
      : c(of), b(c.p.random(5)), x(b.size())
  {
    if (space != nullptr) space->project(vector_of(b));
    REQUIRE(sumfac::cg(c.whole, vector_of(b), vector_of(x), {.tolerance = 1e-12}));
    if (space != nullptr) space->project(vector_of(x));
    for (double& entry : b) entry += space == nullptr ? 0 : 0.5;
    right = c.vec(b);
    ok(VecDuplicate(right, &to));
    ok(KSPCreate(PETSC_COMM_WORLD, &ksp));
    ok(KSPSetType(ksp, KSPCG));
    ok(KSPSetOperators(ksp, a, of_pc));
    ok(KSPSetTolerances(ksp, 1e-12, 0, PETSC_DEFAULT, 100));
    ok(KSPGetPC(ksp, &pc));
  }
  ~solve()
  {
    KSPDestroy(&ksp);
    VecDestroy(&right);
    VecDestroy(&to);
  }
  int run()
  {
    ok(KSPSetFromOptions(ksp));
    ok(KSPSolve(ksp, right, to));
    KSPConvergedReason reason = KSP_CONVERGED_ITERATING;
    ok(KSPGetConvergedReason(ksp, &reason));
    CHECK(reason > 0);
    CHECK(c.difference(to, x) <= 1e-9 * size_of(x));
    PetscInt count = 0;
    ok(KSPGetIterationNumber(ksp, &count));
    return static_cast<int>(count);
  }

  Case const& c;
  std::vector<double> b, x;
  Vec right = nullptr, to = nullptr;
  KSP ksp = nullptr;
  PC pc = nullptr;
};

// Options of PETSc's as from a command line, until the end of the object's life.
struct with_options {
  explicit with_options(char const* text)
  {
    ok(PetscOptionsCreate(&options));
    ok(PetscOptionsInsertString(options, text));
    ok(PetscOptionsPush(options));
  }
  with_options(with_options const&) = delete;
  with_options& operator=(with_options const&) = delete;
  ~with_options()
  {
    PetscOptionsPop();
    PetscOptionsDestroy(&options);
  }
  PetscOptions options = nullptr;
};

}  // namespace

TEST_CASE("an assembled matrix is the operator on the whole mesh")
{
  for (way const how : ways) {
    CAPTURE(static_cast<int>(how));
    with_petsc<sumfac::bp4<1>> const c(how, {}, {}, how == way::scattered ? 60 : 0);
    sumfac::petsc::assembled const M(c.p.A, c.p.R, c.halo);
    auto const x = c.p.random(7);
    std::vector<double> y(x.size()), d(x.size());
    c.whole.apply(vector_of(x), vector_of(y));
    c.whole.diagonal(vector_of(d));
    double const rounding = 8 * reference::roundings(1) * std::numeric_limits<double>::epsilon();
    Vec const from = c.vec(x);
    Vec to = nullptr;
    ok(MatCreateVecs(M, nullptr, &to));
    ok(MatMult(M, from, to));
    CHECK(c.difference(to, y) <= rounding * size_of(d));
    ok(MatGetDiagonal(M, to));
    CHECK(c.difference(to, d) <= rounding * size_of(d));
    PetscInt block = 0;
    ok(MatGetBlockSize(M, &block));
    CHECK(block == 3);
    for (Vec v : {from, to}) ok(VecDestroy(&v));
  }
}

TEST_CASE("PETSc's multigrid solves with our levels, and by whose polynomials one likes")
{
  using Operator = sumfac::bp3<3>;
  for (way const how : ways) {
    with_petsc<Operator> const c(how);
    sumfac::petsc::shell const S(c.p.A, c.p.R, c.halo, {.symmetric = true});
    sumfac::multigrid const all_P{sumfac::p_levels<3, 2, 1>(c.p.A_all, c.p.all_nodes(), c.p.R_all),
                                  {.smoother = {.degree = 2}}};
    for (auto const by : {sumfac::petsc::smoother::petsc, sumfac::petsc::smoother::sumfac}) {
      if (by == sumfac::petsc::smoother::petsc && how != way::slabs && how != way::last_idle) continue;
      CAPTURE(static_cast<int>(how), static_cast<int>(by));
      solve s(c, S, S);
      sumfac::petsc::multigrid const P(s.pc, sumfac::p_levels<3, 2, 1>(S.matrix(), c.p.nodes()),
                                       {.smoother = by, .chebyshev = {.degree = 2}});
      int const iterations = s.run();
      std::vector<double> x(s.b.size());
      auto const one = sumfac::cg(c.whole, vector_of(s.b), vector_of(x), all_P, {.tolerance = 1e-12});
      CAPTURE(iterations, one.iterations);
      if (by == sumfac::petsc::smoother::sumfac) CHECK(std::abs(iterations - one.iterations) <= 2);
      CHECK(iterations <= one.iterations + 4);
    }
  }
}

namespace {

struct squares_with_petsc : parted_squares<sumfac::element_operator<sumfac::laplace, sumfac::quadrilateral(2)>> {
  explicit squares_with_petsc(way how)
      : parted_squares(how, world.rank, world.count),
        ghosts(consecutive_ghosts(all_numbers, s, how, world.count, together)),
        halo(PETSC_COMM_WORLD, s.owned, vector_of(ghosts))
  {
  }
  Vec vec(std::vector<double> const& all) const { return vec_of(p.owned(all)); }
  double difference(Vec v, std::vector<double> const& all) const { return difference_of(v, p.owned(all)); }

  std::vector<std::int64_t> ghosts;
  sumfac::petsc::halo halo;
};

}  // namespace

TEST_CASE("PETSc's multigrid goes on over the meshes that one was cut from")
{
  for (way const how : {way::slabs, way::last_empty, way::last_idle}) {
    squares_with_petsc const c(how);
    sumfac::petsc::shell const S(c.A, c.R, c.halo, {.symmetric = true});
    sumfac::multigrid const all_P{sumfac::p_levels<2, 1>(c.A_all, c.all_mesh, c.R_all), {.smoother = {.degree = 2}}};
    REQUIRE(all_P.levels().meshes().size() == 2);
    for (auto const by : {sumfac::petsc::smoother::petsc, sumfac::petsc::smoother::sumfac}) {
      CAPTURE(static_cast<int>(how), static_cast<int>(by));
      solve s(c, S, S);
      sumfac::petsc::multigrid const P(s.pc, sumfac::p_levels<2, 1>(S.matrix(), c.own_mesh),
                                       {.smoother = by, .chebyshev = {.degree = 2}});
      PetscInt levels = 0;
      ok(PCMGGetLevels(s.pc, &levels));
      CHECK(levels == 4);
      int const iterations = s.run();
      std::vector<double> x(s.b.size());
      auto const one = sumfac::cg(c.whole, vector_of(s.b), vector_of(x), all_P, {.tolerance = 1e-12});
      CAPTURE(iterations, one.iterations);
      CHECK(std::abs(iterations - one.iterations) <= (by == sumfac::petsc::smoother::sumfac ? 2 : 4));
    }
  }
}

TEST_CASE("PETSc's multigrid goes on over the meshes between a DMPlex and its elements, cut twice")
{
  using Operator = sumfac::element_operator<sumfac::laplace, sumfac::quadrilateral(2)>;
  sumfac::host const backend;
  auto const all_mesh = sumfac::refined(sumfac::box_mesh(
                                            {3, 2},
                                            [](auto at) {
                                              at[1] += at[0] * at[0] / 5;
                                              return at;
                                            },
                                            1),
                                        2);
  sumfac::function_space<2> const V{all_mesh, 2, all_mesh.boundary()};
  auto const R_all = V.restriction(backend);
  Operator const A_all{backend, all_mesh};
  std::vector<double> b(static_cast<std::size_t>(V.size()), 1), x(b.size());
  for (index_t i = 0; i < V.nodes(); ++i)
    if (V.is_fixed(i, 0)) b[static_cast<std::size_t>(i)] = 0;
  sumfac::multigrid const all_P{sumfac::p_levels<2, 1>(A_all, all_mesh, R_all), {.smoother = {.degree = 2}}};
  auto const one = sumfac::cg(sumfac::global_operator{A_all, R_all}, b, x, all_P, {.tolerance = 1e-12});
  REQUIRE(one);
  double sum = 0;  // of the solution, whatever numbers nodes have
  for (double const entry : x) sum += entry;

  plex::brick const squares{3, 2, 0, [](plex::place const& at) {
                              return plex::place{at[0] / 3, at[1] / 2 + at[0] * at[0] / 45, 0};
                            }};
  for (plex::way const how : {plex::way::partitioner, plex::way::scattered, plex::way::last_empty}) {
    CAPTURE(static_cast<int>(how));
    auto const dm = plex::shared_out(plex::turned(PETSC_COMM_WORLD, squares, 2), how);
    sumfac::petsc::discretization<2> const of_cells(dm, 8);
    auto const cut = of_cells.cut(2);
    REQUIRE(cut.degree() == 2);
    std::vector<sumfac::petsc::labelled> const fixed{sumfac::petsc::whole_boundary()};
    Operator const A{backend, cut.mesh()};
    auto const R = cut.restriction(backend, fixed);
    sumfac::petsc::shell const S(A, R, of_cells.halo(), {.symmetric = true});
    auto const marks = of_cells.marks(fixed);
    std::vector<double> own(static_cast<std::size_t>(of_cells.owned()));
    for (std::size_t i = 0; i < own.size(); ++i) own[i] = marks[i] == 0 ? 1 : 0;
    Vec const right = vec_of(own);
    Vec to = nullptr;
    KSP ksp = nullptr;
    PC pc = nullptr;
    ok(VecDuplicate(right, &to));
    ok(KSPCreate(PETSC_COMM_WORLD, &ksp));
    ok(KSPSetType(ksp, KSPCG));
    ok(KSPSetOperators(ksp, S, S));
    ok(KSPSetTolerances(ksp, 1e-12, 0, PETSC_DEFAULT, 100));
    ok(KSPGetPC(ksp, &pc));
    {
      sumfac::petsc::multigrid const P(pc, sumfac::p_levels<2, 1>(S.matrix(), cut.mesh()),
                                       {.smoother = sumfac::petsc::smoother::sumfac, .chebyshev = {.degree = 2}});
      REQUIRE(P.levels().meshes().size() == 2);
      ok(KSPSolve(ksp, right, to));
    }
    PetscInt iterations = 0;
    PetscScalar own_sum = 0;
    ok(KSPGetIterationNumber(ksp, &iterations));
    ok(VecSum(to, &own_sum));
    CAPTURE(iterations, one.iterations);
    CHECK(std::abs(iterations - one.iterations) <= 2);
    CHECK(std::abs(own_sum - sum) <= 1e-9 * sum);
    ok(KSPDestroy(&ksp));
    for (Vec v : {right, to}) ok(VecDestroy(&v));
    CHECK_THROWS_WITH(of_cells.cut(4), Catch::Matchers::Contains("degree 8 is not that of elements cut 4 times"));
    CHECK_THROWS_WITH(of_cells.cut(-1), Catch::Matchers::Contains("cut -1 times"));
  }
}

TEST_CASE("KSP solves with sumfac's own multigrid of levels in parts")
{
  for (way const how : {way::scattered, way::last_idle}) {
    CAPTURE(static_cast<int>(how));
    with_petsc<sumfac::bp3<3>> const c(how);
    sumfac::petsc::shell const S(c.p.A, c.p.R, c.halo, {.symmetric = true});
    sumfac::multigrid const P{sumfac::p_levels<3, 2, 1>(S.matrix(), c.p.nodes()), {.smoother = {.degree = 2}}};
    solve s(c, S, S);
    sumfac::petsc::preconditioner const own(s.pc, P);
    CHECK(s.run() < 20);
  }
}

TEST_CASE("Schwarz with overlap of parts with a petsc::halo is that of the whole mesh")
{
  for (way const how : ways) {
    CAPTURE(static_cast<int>(how));
    with_petsc<sumfac::bp3<3>> const c(how);
    sumfac::petsc::shell const S(c.p.A, c.p.R, c.halo, {.symmetric = true});
    auto const r = c.p.random(7);
    auto const own_r = c.p.owned(r);
    std::vector<double> z(r.size()), own_z(own_r.size());
    sumfac::schwarz_preconditioner(c.whole, sumfac::schwarz<1>{}).apply(vector_of(r), vector_of(z));
    sumfac::schwarz_preconditioner(S.matrix(), sumfac::schwarz<1>{}).apply(vector_of(own_r), vector_of(own_z));
    Vec v = vec_of(own_z);
    CHECK(c.difference(v, z) <= 1e-12 * size_of(z));
    for (index_t node = 0; node < c.halo.owned() + c.halo.ghosts(); ++node)
      CHECK(c.halo.owner(node) == c.p.owners()(node));
    ok(VecDestroy(&v));
  }
}

TEST_CASE("PETSc's options choose smoothers, coarse solvers and other PCs")
{
  with_petsc<sumfac::bp3<3>> const c(way::slabs);
  sumfac::petsc::shell const S(c.p.A, c.p.R, c.halo, {.symmetric = true});
  auto const iterations = [&](char const* options) {
    with_options const set(options);
    solve s(c, S, S);
    sumfac::petsc::multigrid const P(s.pc, sumfac::p_levels<3, 2, 1>(S.matrix(), c.p.nodes()));
    int const count = s.run();
    PCType type = nullptr;
    ok(PCGetType(s.pc, &type));
    CHECK(std::string(type) == (std::string(options) == "-pc_type jacobi" ? "jacobi" : "mg"));
    return count;
  };
  int const usual = iterations("");
  CHECK(iterations("-mg_levels_ksp_max_it 4") < usual);
  CHECK(iterations("-mg_coarse_pc_type redundant") <= usual);
  CHECK(iterations("-pc_type jacobi") > usual);
}

TEST_CASE("PETSc's solvers leave out the null spaces of shells, of assembled matrices and of levels")
{
  for (bool const periodic : {false, true})
    for (way const how : {way::slabs, way::last_empty, way::last_idle}) {
      CAPTURE(periodic, static_cast<int>(how));
      box_of const box{{3, 3, 3}, {periodic, periodic, periodic}, fixed::none};
      with_petsc<sumfac::bp5<3>> const c(how, {}, box);
      sumfac::petsc::shell const S(c.p.A, c.p.R, c.halo, {.symmetric = true});
      sumfac::null_space const constants{S.matrix()}, of_whole{c.whole};
      S.set_null_space(constants);
      sumfac::petsc::assembled const M(c.p.A, c.p.R, c.halo, {.symmetric = true, .null_space = constants});
      {
        solve s(c, S, S, &of_whole);
        sumfac::petsc::multigrid const P(s.pc, sumfac::p_levels<3, 2, 1>(S.matrix(), c.p.nodes()),
                                         {.null_space = constants});
        CHECK(s.run() <= 14);
      }
      solve s(c, S, M, &of_whole);
      ok(PCSetType(s.pc, PCGAMG));
      CHECK(s.run() < 60);
    }
  // Constants of each component.
  with_petsc<sumfac::bp6<1>> const c(way::slabs, {}, {{3, 3, 3}, {}, fixed::none});
  sumfac::petsc::shell const S(c.p.A, c.p.R, c.halo);
  sumfac::null_space const constants{S.matrix()};
  S.set_null_space(constants);
  sumfac::petsc::assembled const M(c.p.A, c.p.R, c.halo, {.null_space = constants});
  for (Mat const mat : {S.mat(), M.mat()}) {
    MatNullSpace space = nullptr;
    PetscInt count = 0;
    PetscBool fits = PETSC_FALSE;
    ok(MatGetNullSpace(mat, &space));
    ok(MatNullSpaceGetVecs(space, nullptr, &count, nullptr));
    ok(MatNullSpaceTest(space, mat, &fits));
    CHECK(count == 3);
    CHECK(fits == PETSC_TRUE);
  }
}

TEST_CASE("a form that is not symmetric, and said to be, is refused by PETSc's multigrid")
{
  with_petsc<sumfac::element_operator<support::convection, 2>> const c(way::slabs);
  sumfac::petsc::shell const S(c.p.A, c.p.R, c.halo);
  auto const made = [&](bool symmetric) {
    PC pc = nullptr;
    ok(PCCreate(PETSC_COMM_WORLD, &pc));
    try {
      sumfac::petsc::multigrid const P(pc, sumfac::p_levels<2, 1>(S.matrix(), c.p.nodes()), {.symmetric = symmetric});
      ok(PCDestroy(&pc));
      return std::string();
    } catch (sumfac::argument_error const& e) {
      ok(PCDestroy(&pc));
      return std::string(e.what());
    }
  };
  CHECK(made(false).empty());
  CHECK(made(true).find("sumfac::petsc::multigrid: the form is not symmetric, as options.symmetric says") == 0);
}

TEST_CASE("algebraic multigrid takes the assembled matrix beside a shell")
{
  for (way const how : {way::scattered, way::last_empty}) {
    CAPTURE(static_cast<int>(how));
    with_petsc<sumfac::bp3<2>> const c(how);
    sumfac::petsc::shell const S(c.p.A, c.p.R, c.halo, {.symmetric = true});
    sumfac::petsc::assembled const M(c.p.A, c.p.R, c.halo);
    ok(MatSetOption(M, MAT_SPD, PETSC_TRUE));
    solve s(c, S, M);
    ok(PCSetType(s.pc, PCGAMG));
    CHECK(s.run() < 40);
  }
}
