// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// PETSc's matrices and solvers around operators on a mesh in parts, and what errors become on the way.
#include "petsc_case.hpp"
#include "shares.hpp"

#include <sumfac/backend/host.hpp>
#include <sumfac/error.hpp>
#include <sumfac/interop/petsc.hpp>
#include <sumfac/operator/bake_off.hpp>
#include <sumfac/operator/block_operator.hpp>
#include <sumfac/operator/global_operator.hpp>
#include <sumfac/operator/sum.hpp>
#include <sumfac/solver/cg.hpp>
#include <sumfac/solver/chebyshev.hpp>
#include <sumfac/solver/preconditioner.hpp>

#include <catch2/catch.hpp>
#include <support/larger.hpp>
#include <support/tolerance.hpp>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#if defined(__GLIBC__)
// Counts what everything in this program allocates, MPI and PETSc with it.
namespace {
long allocations = 0;
}
extern "C" void* __libc_malloc(std::size_t);
extern "C" void* malloc(std::size_t size)
{
  ++allocations;
  return __libc_malloc(size);
}
extern "C" void* __libc_memalign(std::size_t, std::size_t);
extern "C" int posix_memalign(void** result, std::size_t alignment, std::size_t size)
{
  ++allocations;
  *result = __libc_memalign(alignment, size);
  return *result == nullptr ? 12 : 0;
}
extern "C" void* aligned_alloc(std::size_t alignment, std::size_t size)
{
  ++allocations;
  return __libc_memalign(alignment, size);
}
#endif

namespace {

using namespace shares;
using Catch::Matchers::Contains;
using sumfac::index_t;

constexpr way ways[] = {way::slabs, way::scattered, way::last_empty, way::last_idle, way::first_all};

template <class Operator>
void multiplies(way how, std::size_t equations = 0)
{
  with_petsc<Operator> const c(how, {}, {}, equations);
  sumfac::petsc::shell const S(c.p.A, c.p.R, c.halo, {.symmetric = true});
  auto const x = c.p.random(7), z = c.p.random(8);
  std::vector<double> y(x.size()), d(x.size());
  c.whole.apply(vector_of(x), vector_of(y));
  c.whole.diagonal(vector_of(d));
  double const rounding = 8 * reference::roundings(Operator::order) * std::numeric_limits<double>::epsilon();
  double const allowed = rounding * size_of(d);
  Vec const from = c.vec(x), add = c.vec(z);
  Vec to = nullptr;
  ok(MatCreateVecs(S, nullptr, &to));
  ok(MatMult(S, from, to));
  CHECK(c.difference(to, y) <= allowed);
  ok(MatMultTranspose(S, from, to));
  CHECK(c.difference(to, y) <= allowed);
  ok(MatGetDiagonal(S, to));
  CHECK(c.difference(to, d) <= allowed);
  // A matrix that is made already: the operator once and once more, half of it.
  sumfac::sum const twice{sumfac::part{c.p.A, c.p.R, c.halo}, 0.5 * sumfac::part{c.p.A, c.p.R, c.halo}};
  sumfac::petsc::matrix_shell const T(twice);
  sumfac::sum const all{sumfac::part{c.p.A_all, c.p.R_all}, 0.5 * sumfac::part{c.p.A_all, c.p.R_all}};
  std::vector<double> sum(x.size());
  all.apply(x, sum);
  ok(MatMult(T, from, to));
  CHECK(c.difference(to, sum) <= 2 * allowed);
  CHECK(T.matrix().size() == S.matrix().size());

  ok(MatMultAdd(S, from, add, to));
  for (std::size_t i = 0; i < y.size(); ++i) y[i] += z[i];
  CHECK(c.difference(to, y) <= allowed);
  PetscInt block = 0;
  ok(MatGetBlockSize(S, &block));
  CHECK(block == Operator::components);
  for (Vec v : {from, add, to}) ok(VecDestroy(&v));
}

}  // namespace

namespace {

// A matrix in parts that stands between two unknowns of the same nodes.
template <class Matrix>
struct between_two {
  using arithmetic_type = double;
  using from_vector = sumfac::vector_argument<double const>;
  using to_vector = sumfac::vector_argument<double>;

  void apply(from_vector x, to_vector y) const { of.apply(x, y); }
  void apply_transposed(from_vector x, to_vector y) const { of.apply(x, y); }
  void apply_add(from_vector x, to_vector y) const
  {
    std::vector<double> more(static_cast<std::size_t>(of.size()));
    of.apply(x, more);
    for (index_t i = 0; i < of.size(); ++i) y.entries(i) += more[static_cast<std::size_t>(i)];
  }
  void apply_transposed_add(from_vector x, to_vector y) const { apply_add(x, y); }
  index_t rows() const { return of.size(); }
  index_t columns() const { return of.size(); }
  auto const& halo() const { return of.halo(); }
  sumfac::reduction reduction() const { return of.reduction(); }

  Matrix const& of;
};

}  // namespace

TEST_CASE("a shell of two unknowns has a process' entries of the first, then of the second")
{
  for (way const how : {way::scattered, way::last_empty}) {
    CAPTURE(static_cast<int>(how));
    with_petsc<sumfac::bp3<2>> const c(how);
    sumfac::global_operator const L(c.p.A, c.p.R, c.halo);
    between_two<decltype(L)> const B{L};
    sumfac::block_operator const S{L, B};
    CHECK(&S.halo() == &c.halo);
    sumfac::petsc::matrix_shell const T(S, {.symmetric = true});
    Vec from = nullptr, to = nullptr;
    ok(MatCreateVecs(T, &from, &to));
    PetscInt size = 0, block = 0;
    ok(VecGetSize(from, &size));
    ok(MatGetBlockSize(T, &block));
    CHECK(size == static_cast<PetscInt>(2 * c.whole.size()));
    CHECK(block == 1);
    auto const u = c.p.random(7), p = c.p.random(8);
    auto const both = [&](std::vector<double> const& first, std::vector<double> const& second) {
      auto own = c.p.owned(first);
      for (double const entry : c.p.owned(second)) own.push_back(entry);
      return own;
    };
    {
      sumfac::petsc::write_array const entries(from);
      auto const own = both(u, p);
      for (std::size_t i = 0; i < own.size(); ++i) entries.view()(static_cast<index_t>(i)) = own[i];
    }
    std::vector<double> of_u(u.size()), of_p(u.size()), of_all(u.size()), d(u.size());
    c.whole.apply(u, of_u);
    c.whole.apply(p, of_p);
    c.whole.diagonal(d);
    for (std::size_t i = 0; i < u.size(); ++i) of_all[i] = of_u[i] + of_p[i];
    auto const is = [&](std::vector<double> const& expected) {
      sumfac::petsc::read_array const entries(to);
      double most = 0;
      for (std::size_t i = 0; i < expected.size(); ++i)
        most = support::larger(most, std::abs(entries.view()(static_cast<index_t>(i)) - expected[i]));
      return greatest(most) <= 1e-13 * size_of(d);
    };
    ok(MatMult(T, from, to));
    CHECK(is(both(of_all, of_u)));
    ok(MatMultTranspose(T, from, to));
    CHECK(is(both(of_all, of_u)));
    ok(MatGetDiagonal(T, to));
    CHECK(is(both(d, std::vector<double>(d.size()))));
    for (Vec* v : {&from, &to}) ok(VecDestroy(v));
  }
}

TEST_CASE("petsc: a halo of some of what each node has two of")
{
  // Of three nodes of each process the next one knows the first and the last.
  std::int64_t const before = (world.rank + world.count - 1) % world.count;
  std::vector<std::int64_t> const ghosts =
      world.count > 1 ? std::vector{3 * before, 3 * before + 2} : std::vector<std::int64_t>{};
  sumfac::petsc::halo const nodes(PETSC_COMM_WORLD, 3, vector_of(ghosts));
  std::vector<unsigned char> chosen{0, 1, 0, 0, 1, 0, 0, 1, 1, 0};
  chosen.resize(6 + 2 * ghosts.size());
  auto const some = nodes.subset(vector_of(std::as_const(chosen)), 2);
  REQUIRE(some.owned() == 2);
  REQUIRE(some.ghosts() == index_t(ghosts.size()));
  sumfac::petsc::halo::exchange<double, sumfac::host> exchange(some, sumfac::host{}, 1, sumfac::interleaving::fastest);
  double const x[] = {world.rank + 0.25, world.rank + 0.5};
  std::vector<double> got(ghosts.size()), expected{double(before) + 0.25, double(before) + 0.5};
  expected.resize(ghosts.size());
  exchange.begin_update(x, got.data());
  exchange.end_update(x, got.data());
  CHECK(got == expected);
}

TEST_CASE("a shell is the operator on the whole mesh")
{
  for (way const how : ways) {
    CAPTURE(static_cast<int>(how));
    multiplies<sumfac::bp3<2>>(how);
    multiplies<sumfac::bp4<1>>(how);
  }
  // With equations whose terms other processes have.
  multiplies<sumfac::bp3<2>>(way::scattered, 120);
  multiplies<sumfac::bp4<1>>(way::last_empty, 60);
}

TEST_CASE("KSP solves with PETSc's preconditioners and with sumfac's")
{
  for (way const how : ways) {
    with_petsc<sumfac::bp3<2>> const c(how);
    sumfac::petsc::shell const S(c.p.A, c.p.R, c.halo, {.symmetric = true});
    auto const b = c.p.random(5);
    std::vector<double> x(b.size());
    REQUIRE(sumfac::cg(c.whole, vector_of(b), vector_of(x), {.tolerance = 1e-12}));
    std::vector<double> d(static_cast<std::size_t>(S.matrix().size()));
    S.matrix().diagonal(vector_of(d));
    sumfac::chebyshev_smoother const smoother(S.matrix(), sumfac::jacobi(sumfac::host{}, vector_of(d)));
    Vec const right = c.vec(b);
    for (char const* const by : {"none", "jacobi", "sumfac"}) {
      CAPTURE(static_cast<int>(how), by);
      KSP ksp = nullptr;
      PC pc = nullptr;
      Vec to = nullptr;
      ok(VecDuplicate(right, &to));
      ok(KSPCreate(PETSC_COMM_WORLD, &ksp));
      ok(KSPSetType(ksp, KSPCG));
      ok(KSPSetOperators(ksp, S, S));
      ok(KSPSetTolerances(ksp, 1e-12, 0, PETSC_DEFAULT, 1000));
      ok(KSPGetPC(ksp, &pc));
      sumfac::petsc::preconditioner const own(pc, smoother);
      if (std::string(by) != "sumfac") ok(PCSetType(pc, by));
      ok(KSPSolve(ksp, right, to));
      KSPConvergedReason reason = KSP_CONVERGED_ITERATING;
      ok(KSPGetConvergedReason(ksp, &reason));
      CHECK(reason > 0);
      CHECK(c.difference(to, x) <= 1e-9 * size_of(x));
      PetscInt count = 0;
      ok(KSPGetIterationNumber(ksp, &count));
      if (std::string(by) == "sumfac") CHECK(count < 40);
      ok(KSPDestroy(&ksp));
      ok(VecDestroy(&to));
    }
    // sumfac's own solver on PETSc's halo.
    auto const own_b = c.p.owned(b), own_x = c.p.owned(x);
    std::vector<double> y(own_b.size());
    CHECK(sumfac::cg(S.matrix(), vector_of(own_b), vector_of(y), {.tolerance = 1e-12}));
    double most = 0;
    for (std::size_t i = 0; i < y.size(); ++i) most = support::larger(most, std::abs(y[i] - own_x[i]));
    CHECK(greatest(most) <= 1e-9 * size_of(x));
    Vec gone = right;
    ok(VecDestroy(&gone));
  }
}

#if defined(__GLIBC__)
namespace {

template <class Operator>
long allocated_by_five()
{
  with_petsc<Operator> const c(way::slabs);
  sumfac::petsc::shell const S(c.p.A, c.p.R, c.halo);
  Vec x = c.vec(c.p.random(7)), y = nullptr;
  ok(VecDuplicate(x, &y));
  for (int i = 0; i < 3; ++i) ok(MatMult(S, x, y));
  long const before = allocations;
  CHECK(before > 0);
  for (int i = 0; i < 5; ++i) ok(MatMult(S, x, y));
  long const after = allocations;
  ok(VecDestroy(&x));
  ok(VecDestroy(&y));
  return after - before;
}

}  // namespace

TEST_CASE("MatMult allocates nothing, nor does PETSc meanwhile")
{
  CHECK(allocated_by_five<sumfac::bp3<2>>() == 0);
  CHECK(allocated_by_five<sumfac::bp4<1>>() == 0);
}
#endif

namespace {

// The text of the error that PETSc returns.
std::string text_of(PetscErrorCode code)
{
  CHECK(code != 0);
  char* text = nullptr;
  PetscErrorMessage(code, nullptr, &text);
  return text == nullptr ? "" : text;
}

struct same {
  template <class From, class To>
  void apply(From const& r, To const& z) const
  {
    for (index_t i = 0; i < r.extent(0); ++i) z(i) = r(i);
  }
};

struct refusing {
  template <class From, class To>
  void apply(From const&, To const&) const
  {
    sumfac::failf("refusing", "nothing is applied (got %d, %d expected)", 3, 4);
  }
};

std::string told(index_t owned, std::vector<int> const& ghosts)
{
  try {
    sumfac::petsc::halo const halo(PETSC_COMM_WORLD, owned, vector_of(ghosts));
  } catch (sumfac::argument_error const& e) {
    return e.what();
  }
  return "";
}

}  // namespace

TEST_CASE("errors keep their text both ways")
{
  with_petsc<sumfac::bp3<2>> const c(way::slabs);
  sumfac::petsc::shell const S(c.p.A, c.p.R, c.halo);
  Vec x = c.vec(c.p.random(7)), y = nullptr;
  ok(VecDuplicate(x, &y));
  Mat copy = nullptr;
  CHECK_THAT(text_of(MatDuplicate(S, MAT_COPY_VALUES, &copy)), Contains("MatDuplicate has no entries to copy"));
  CHECK_THAT(text_of(MatMultTranspose(S, x, y)), Contains("{.symmetric = true}"));
  PC pc = nullptr;
  ok(PCCreate(PETSC_COMM_WORLD, &pc));
  ok(PCSetOperators(pc, S, S));
  refusing const none;
  sumfac::petsc::preconditioner const own(pc, none);
  CHECK_THAT(text_of(PCApply(pc, x, y)), Contains("sumfac::refusing: nothing is applied (got 3, 4 expected)"));
  ok(PCDestroy(&pc));
  CHECK_THROWS_WITH(ok(VecSetType(y, "no such type")), Contains("PETSc says: ") && Contains("no such type"));
  ok(VecDestroy(&x));
  ok(VecDestroy(&y));
}

TEST_CASE("a Mat and a PC that outlive what they refer to refuse")
{
  with_petsc<sumfac::bp3<2>> const c(way::slabs);
  Vec x = c.vec(c.p.random(7)), y = nullptr;
  ok(VecDuplicate(x, &y));
  Mat kept = nullptr;
  PC pc = nullptr;
  {
    sumfac::petsc::shell const S(c.p.A, c.p.R, c.halo, {.symmetric = true});
    kept = S;
    ok(PetscObjectReference(reinterpret_cast<PetscObject>(kept)));
    ok(MatMult(kept, x, y));
    ok(PCCreate(PETSC_COMM_WORLD, &pc));
    ok(PCSetOperators(pc, S, S));
    same const first;
    sumfac::petsc::preconditioner const own(pc, first);
    {
      same const other;
      sumfac::petsc::preconditioner const taken_back(pc, other);
    }
    CHECK_THAT(text_of(PCApply(pc, x, y)), Contains("what the PC refers to is gone"));
    sumfac::petsc::preconditioner const again(pc, first);
    ok(PCApply(pc, x, y));
  }
  CHECK_THAT(text_of(MatMult(kept, x, y)), Contains("what the Mat refers to is gone"));
  CHECK_THAT(text_of(MatMultTranspose(kept, x, y)), Contains("what the Mat refers to is gone"));
  CHECK_THAT(text_of(MatGetDiagonal(kept, y)), Contains("what the Mat refers to is gone"));
  CHECK_THAT(text_of(PCApply(pc, x, y)), Contains("what the PC refers to is gone"));
  ok(PCDestroy(&pc));
  ok(MatDestroy(&kept));
  ok(VecDestroy(&x));
  ok(VecDestroy(&y));
}

TEST_CASE("vectors of another size are refused")
{
  with_petsc<sumfac::bp3<2>> const c(way::slabs);
  sumfac::petsc::shell const S(c.p.A, c.p.R, c.halo, {.symmetric = true});
  Vec x = c.vec(c.p.random(7)), small = nullptr;
  ok(VecCreateMPI(PETSC_COMM_WORLD, 3, PETSC_DETERMINE, &small));
  CHECK(MatMult(S, small, x) != 0);
  CHECK(MatMult(S, x, small) != 0);
  for (Vec v : {x, small}) ok(VecDestroy(&v));
}

TEST_CASE("ghosts that are none are found by all processes")
{
  CHECK(told(2, {}) == "");
  CHECK_THAT(told(2, {2 * world.count}),
             Contains("process 0: ghost 0 is no node (number " + std::to_string(2 * world.count) + ", 0 to " +
                      std::to_string(2 * world.count - 1) + " expected)"));
  CHECK_THAT(told(2, {2 * world.rank + 1}), Contains("process 0: ghost 0 is owned here (number 1, 0 to 1 are)"));
}

TEST_CASE("components that lie apart are no blocks of PETSc's")
{
  with_petsc<sumfac::bp4<1>> const c(way::slabs, {.components_lie = sumfac::interleaving::slowest});
  CHECK_THROWS_WITH(sumfac::petsc::shell(c.p.A, c.p.R, c.halo), Contains("interleaving::fastest"));
}
