// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Solvers of other libraries behind sparse matrices, where they are installed; shared/coarse.cpp has the tests of all.
// part eigen: WITH_EIGEN=1
// part hypre: WITH_HYPRE=1
// part petsc: WITH_PETSC=1
#if WITH_EIGEN
#include <support/larger.hpp>

#include <sumfac/interop/eigen.hpp>
#elif WITH_HYPRE
#include <sumfac/interop/hypre.hpp>
#else
#include <sumfac/interop/petsc_gamg.hpp>
#endif

#include <dofs/global_vectors.hpp>
#include <interop/coarse.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

namespace {

using checks::global_view, checks::refused;

#if WITH_EIGEN
using coarse_solver = sumfac::eigen_ldlt;
char const* const name = "sumfac::eigen_ldlt";
struct started {};
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
[[maybe_unused]] started const running;

#if WITH_EIGEN
auto options_of(coarse::options const& told) { return sumfac::eigen_ldlt_options{.null_space = told.null_space}; }
#elif WITH_HYPRE
auto options_of(coarse::options const& told)
{
  return sumfac::boomer_amg_options{.cycles = told.cycles, .null_space = told.null_space};
}
#else
auto options_of(coarse::options const& told)
{
  return sumfac::petsc::gamg_options{.cycles = told.cycles, .null_space = told.null_space};
}
#endif

class behind_door final : public coarse::solver {
public:
  template <class Scalar>
  behind_door(sumfac::csr_matrix<Scalar> const& a, coarse::options const& told) : solver_(a, options_of(told))
  {
  }
  void apply(coarse::vector<double const> const& r, coarse::vector<double> const& z) const override
  {
    solver_.apply(r, z);
  }
  void apply(coarse::vector<float const> const& r, coarse::vector<float> const& z) const override
  {
    solver_.apply(r, z);
  }
  sumfac::index_t size() const override { return solver_.size(); }

private:
  coarse_solver solver_;
};

// As coarse_amg makes them.
static_assert(std::is_constructible_v<coarse_solver, sumfac::csr_matrix<double> const&>);
static_assert(std::is_constructible_v<coarse_solver, sumfac::csr_matrix<float> const&>);

template <class Scalar>
std::unique_ptr<coarse::solver const> made(sumfac::csr_matrix<Scalar> const& a, coarse::options const& told)
{
  return std::make_unique<behind_door>(a, told);
}

}  // namespace

#if WITH_EIGEN
coarse::library const coarse::tested{name, true, made<double>, made<float>};
#else
coarse::library const coarse::tested{name, false, made<double>, made<float>};
#endif

namespace {

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

TEST_CASE("A matrix without rows is solved")
{
  coarse_solver const none(sumfac::csr_matrix<>({0}, {}, {}));
  std::vector<double> const nothing;
  std::vector<double> nowhere;
  none.apply(global_view(nothing), global_view(nowhere));
}

#if !WITH_EIGEN
// Seven points on a grid.
sumfac::csr_matrix<> differences(int side)
{
  std::vector<sumfac::index_t> first{0}, columns;
  std::vector<double> values;
  int const rows = side * side * side;
  for (int row = 0; row < rows; ++row) {
    int const at[3] = {row % side, row / side % side, row / (side * side)};
    auto const add = [&](int axis, int step) {
      int const strides[3] = {1, side, side * side};
      if (at[axis] + step < 0 || at[axis] + step >= side) return;
      columns.push_back(row + step * strides[axis]), values.push_back(-1);
    };
    for (int axis = 2; axis >= 0; --axis) add(axis, -1);
    columns.push_back(row), values.push_back(6);
    for (int axis = 0; axis < 3; ++axis) add(axis, 1);
    first.push_back(static_cast<sumfac::index_t>(columns.size()));
  }
  return {first, columns, values};
}

std::vector<std::vector<double>> dense(sumfac::csr_matrix<> const& a)
{
  std::vector<std::vector<double>> rows(static_cast<std::size_t>(a.size()),
                                        std::vector<double>(static_cast<std::size_t>(a.width())));
  for (std::size_t row = 0; row < rows.size(); ++row)
    a.for_each_of(static_cast<sumfac::index_t>(row),
                  [&](sumfac::index_t column, double x) { rows[row][static_cast<std::size_t>(column)] = x; });
  return rows;
}

TEST_CASE("Levels are Galerkin's products, of fewer and fewer rows")
{
  auto const finest = differences(9);
  auto const levels = coarse_solver(finest).levels();
  REQUIRE(levels.size() >= 2);
  auto const* finer = &finest;
  for (auto const& [matrix, interpolation] : levels) {
    INFO(matrix.size() << " rows behind " << finer->size());
    REQUIRE(interpolation.size() == finer->size());
    REQUIRE(interpolation.width() == matrix.size());
    CHECK(matrix.size() < finer->size());
    CHECK(matrix.size() > 0);
    auto const p = dense(interpolation), a = dense(*finer), coarse = dense(matrix);
    std::size_t const rows = p.size(), columns = coarse.size();
    std::vector<std::vector<double>> product(rows, std::vector<double>(columns));
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t j = 0; j < rows; ++j)
        for (std::size_t k = 0; a[i][j] != 0 && k < columns; ++k) product[i][k] += a[i][j] * p[j][k];
    double most = 0;
    for (std::size_t i = 0; i < columns; ++i)
      for (std::size_t k = 0; k < columns; ++k) {
        double sum = 0;
        for (std::size_t j = 0; j < rows; ++j) sum += p[j][i] * product[j][k];
        most = support::larger(most, std::abs(sum - coarse[i][k]));
      }
    CHECK(most < 1e-12 * std::abs(coarse[0][0]));
    finer = &matrix;
  }
}
#endif

TEST_CASE("What does not fit is refused")
{
  coarse_solver const p(sumfac::csr_matrix<>({0, 1, 2}, {0, 1}, {1, 1}));
  std::vector<double> r(3), z(2);
  refused([&] { p.apply(global_view(r), global_view(z)); },
          {std::string(name).append("::apply: extent 0 (entries) of r does not match (expected 2, got 3)")});
  refused(
      [&] {
        coarse_solver{sumfac::csr_matrix<>({0, 1, 2}, {0, 2}, {1, 1}, {}, 3)};
      },
      {std::string(name).append(": number of the matrix' columns does not match (expected 2, got 3)")});
#if WITH_EIGEN
  refused(
      [&] {
        coarse_solver{sumfac::csr_matrix<>({0, 1, 2}, {0, 1}, {1, -1})};
      },
      {"sumfac::eigen_ldlt: the matrix is not positive definite (pivot -1 in row 1, whose diagonal is -1)"});
  // A star: its first row is eliminated behind others.
  refused(
      [&] {
        coarse_solver{
            sumfac::csr_matrix<>({0, 4, 6, 8, 10}, {0, 1, 2, 3, 0, 1, 0, 2, 0, 3}, {1, 2, 2, 2, 2, 3, 2, 4, 2, 5})};
      },
      {"sumfac::eigen_ldlt: the matrix is not positive definite (pivot ", " in row 0, whose diagonal is 1)"});
  refused(
      [&] {
        coarse_solver{sumfac::csr_matrix<>({0, 2, 4}, {0, 1, 0, 1}, {2, 1, -1, 2})};
      },
      {"sumfac::eigen_ldlt: the matrix is not symmetric (row ", "sumfac::coarse_gmres"});
#else
  refused(
      [&] {
        coarse_solver(sumfac::csr_matrix<>({0, 1}, {0}, {1}), {.cycles = 0});
      },
      {name + std::string(": the number of cycles is below 1 (got 0, at least 1 expected)")});
#endif
#if WITH_PETSC
  CHECK(running.refusal == "sumfac::petsc::gamg: PETSc is not started: call PetscInitialize first");
  refused(
      [&] {
        coarse_solver(sumfac::csr_matrix<>({0, 1}, {0}, {1}), {.block_size = 0});
      },
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
