// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// hypre's BoomerAMG behind a sparse matrix, for coarse levels. It needs hypre and MPI (Debian: libhypre-dev).
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/backend/detail/sole_use.hpp>
#include <sumfac/error.hpp>
#include <sumfac/interop/detail/agree.hpp>
#include <sumfac/interop/detail/sparse_solver.hpp>
#include <sumfac/solver/assemble.hpp>
#include <sumfac/solver/detail/any_null_space.hpp>

#include <HYPRE.h>
#include <HYPRE_parcsr_ls.h>
#include <_hypre_parcsr_ls.h>  // of which the levels are
#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace sumfac::SUMFAC_TARGET {

namespace detail {

// While it lives, hypre's memory and work are the host's, also where it was built for devices.
class hypre_on_host {
public:
  hypre_on_host()
  {
    HYPRE_GetMemoryLocation(&memory_);
    HYPRE_GetExecutionPolicy(&work_);
    HYPRE_SetMemoryLocation(HYPRE_MEMORY_HOST);
    HYPRE_SetExecutionPolicy(HYPRE_EXEC_HOST);
  }
  hypre_on_host(hypre_on_host const&) = delete;
  hypre_on_host& operator=(hypre_on_host const&) = delete;
  ~hypre_on_host()
  {
    HYPRE_SetMemoryLocation(memory_);
    HYPRE_SetExecutionPolicy(work_);
  }

private:
  HYPRE_MemoryLocation memory_;
  HYPRE_ExecutionPolicy work_;
};

// A copy of a matrix that one process has.
inline csr_matrix<double> copy_of(hypre_ParCSRMatrix* matrix)
{
  hypre_CSRMatrix const* const a = hypre_ParCSRMatrixDiag(matrix);
  HYPRE_Int const rows = hypre_CSRMatrixNumRows(a);
  HYPRE_Int const *const first = hypre_CSRMatrixI(a), *const columns = hypre_CSRMatrixJ(a);
  std::vector<index_t> firsts{0}, sorted;
  std::vector<double> values;
  std::vector<std::pair<HYPRE_Int, double>> row;
  for (HYPRE_Int r = 0; r < rows; ++r) {
    row.clear();
    for (HYPRE_Int i = first[r]; i < first[r + 1]; ++i) row.emplace_back(columns[i], hypre_CSRMatrixData(a)[i]);
    std::sort(row.begin(), row.end());
    for (auto const& [column, value] : row) sorted.push_back(column), values.push_back(value);
    firsts.push_back(static_cast<index_t>(sorted.size()));
  }
  return {std::move(firsts), std::move(sorted), std::move(values), {}, hypre_CSRMatrixNumCols(a)};
}

}  // namespace detail

struct boomer_amg_options {
  int cycles = 1;                          // V-cycles of an application
  double strong_threshold = 0.25;          // 0.5 is what hypre recommends in three dimensions for larger problems
  detail::any_null_space null_space = {};  // of a singular matrix
};

// z = P r, by V-cycles of BoomerAMG on the processes of MPI_COMM_SELF, set up once: symmetric, for a symmetric positive
// definite A. r and z are in the host's memory, where hypre works, too. MPI must have been started. Empty rows count as
// rows of the identity.
//
// **Errors** argument_error for vectors of another length, cycles below 1, a singular matrix, and what hypre says.
// **Source** Henson and Yang 2002.
class boomer_amg : public detail::sparse_solver {
public:
  template <class Scalar>
  explicit boomer_amg(csr_matrix<Scalar> const& a, boomer_amg_options const& options = {})
      : sparse_solver(here_, a.size(), options.null_space)
  {
    check_at_least_1(here_, "number of cycles", options.cycles);
    detail::matrix_of_int entries(here_, a);
    if (!detail::is_mpi_started()) fail(here_, "MPI is not started: call MPI_Init first");
    HYPRE_Init();
    detail::hypre_on_host const here;
    auto const last = static_cast<HYPRE_BigInt>(size() - 1);
    for (HYPRE_BigInt i = 0; i <= last; ++i) rows_.push_back(i);
    HYPRE_IJMatrixCreate(MPI_COMM_SELF, 0, last, 0, last, &matrix_);
    HYPRE_IJMatrixSetObjectType(matrix_, HYPRE_PARCSR);
    HYPRE_IJMatrixInitialize(matrix_);
    entries.for_each([&](int row, int column, double x) {
      HYPRE_Int one = 1;
      HYPRE_BigInt const r = row, c = column;
      HYPRE_IJMatrixSetValues(matrix_, 1, &one, &r, &c, &x);
    });
    HYPRE_IJMatrixAssemble(matrix_);
    make_vector(last, in_);
    make_vector(last, out_);
    HYPRE_BoomerAMGCreate(&solver_);
    HYPRE_BoomerAMGSetPrintLevel(solver_, 0);
    HYPRE_BoomerAMGSetRelaxType(solver_, 6);  // symmetric Gauss-Seidel, so that P is symmetric
    if (has_null_space()) HYPRE_BoomerAMGSetCycleRelaxType(solver_, 6, 3);  // its last level is singular, too
    HYPRE_BoomerAMGSetStrongThreshold(solver_, options.strong_threshold);
    HYPRE_BoomerAMGSetTol(solver_, 0);
    HYPRE_BoomerAMGSetMaxIter(solver_, options.cycles);
    HYPRE_BoomerAMGSetup(solver_, object<HYPRE_ParCSRMatrix>(matrix_), object(in_), object(out_));
    refuse_errors();
    try {
      refuse_singular(here_, entries, [this](std::vector<double>& x) { solve(x); });
    } catch (...) {
      release();
      throw;
    }
  }
  boomer_amg(boomer_amg const&) = delete;
  boomer_amg& operator=(boomer_amg const&) = delete;
  ~boomer_amg() { release(); }

  template <class From, class To>
  void apply(From const& r, To const& z) const
  {
    detail::sole_use const sole(owner_, here_);
    apply_with("boomer_amg::apply", r, z, [this](std::vector<double>& x) { solve(x); });
  }

  // A copy of the levels behind the matrix: for a cycle elsewhere, as coarse_amg has it on devices.
  std::vector<amg_level> levels() const
  {
    auto const* const of = reinterpret_cast<hypre_ParAMGData const*>(solver_);
    std::vector<amg_level> copies;
    for (HYPRE_Int k = 1; k < hypre_ParAMGDataNumLevels(of); ++k)
      copies.push_back(
          {detail::copy_of(hypre_ParAMGDataAArray(of)[k]), detail::copy_of(hypre_ParAMGDataPArray(of)[k - 1])});
    return copies;
  }

private:
  static constexpr auto here_ = "boomer_amg";

  // x = P x
  void solve(std::vector<double>& x) const
  {
    detail::hypre_on_host const here;
    auto const count = static_cast<HYPRE_Int>(size());
    HYPRE_IJVectorSetValues(in_, count, rows_.data(), x.data());
    for (double& entry : x) entry = 0;
    HYPRE_IJVectorSetValues(out_, count, rows_.data(), x.data());
    HYPRE_BoomerAMGSolve(solver_, object<HYPRE_ParCSRMatrix>(matrix_), object(in_), object(out_));
    HYPRE_ClearAllErrors();  // that no tolerance was reached is one of them
    HYPRE_IJVectorGetValues(out_, count, rows_.data(), x.data());
  }

  static void make_vector(HYPRE_BigInt last, HYPRE_IJVector& vector)
  {
    HYPRE_IJVectorCreate(MPI_COMM_SELF, 0, last, &vector);
    HYPRE_IJVectorSetObjectType(vector, HYPRE_PARCSR);
    HYPRE_IJVectorInitialize(vector);
    HYPRE_IJVectorAssemble(vector);
  }
  template <class Object>
  static Object object(HYPRE_IJMatrix matrix)
  {
    void* found = nullptr;
    HYPRE_IJMatrixGetObject(matrix, &found);
    return static_cast<Object>(found);
  }
  static HYPRE_ParVector object(HYPRE_IJVector vector)
  {
    void* found = nullptr;
    HYPRE_IJVectorGetObject(vector, &found);
    return static_cast<HYPRE_ParVector>(found);
  }

  void refuse_errors()
  {
    HYPRE_Int const error = HYPRE_GetError();
    if (error == 0) return;
    char text[256] = {};
    HYPRE_DescribeError(error, text);
    HYPRE_ClearAllErrors();
    release();
    failf(here_, "hypre refuses the matrix: %s", text);
  }
  void release()
  {
    if (solver_ != nullptr) HYPRE_BoomerAMGDestroy(solver_);
    if (matrix_ != nullptr) HYPRE_IJMatrixDestroy(matrix_);
    for (HYPRE_IJVector vector : {in_, out_})
      if (vector != nullptr) HYPRE_IJVectorDestroy(vector);
    solver_ = nullptr, matrix_ = nullptr, in_ = out_ = nullptr;
  }

  detail::work_owner owner_;
  std::vector<HYPRE_BigInt> rows_;
  HYPRE_IJMatrix matrix_ = nullptr;
  HYPRE_IJVector in_ = nullptr, out_ = nullptr;
  HYPRE_Solver solver_ = nullptr;
};

}  // namespace sumfac
