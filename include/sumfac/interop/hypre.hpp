// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// hypre's BoomerAMG behind a sparse matrix, for coarse levels. It needs hypre and MPI (Debian: libhypre-dev).
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/error.hpp>
#include <sumfac/geometry/vectors/element_vector.hpp>
#include <sumfac/interop/detail/sparse_solver.hpp>
#include <sumfac/solver/assemble.hpp>
#include <sumfac/solver/detail/any_null_space.hpp>
#include <sumfac/view/view.hpp>

#include <HYPRE.h>
#include <HYPRE_parcsr_ls.h>
#include <mpi.h>

#include <cstddef>
#include <vector>

namespace sumfac::inline SUMFAC_TARGET {

struct boomer_amg_options {
  int cycles = 1;                  // V-cycles of an application
  double strong_threshold = 0.25;  // 0.5 is what hypre recommends in three dimensions for larger problems
  detail::any_null_space null_space = {};  // of a singular matrix
};

// z = P r, by V-cycles of BoomerAMG on the processes of MPI_COMM_SELF, set up once: symmetric, for a symmetric positive
// definite A. r and z are in the host's memory. MPI must have been started. Empty rows count as rows of the identity.
//
// **Errors** argument_error for vectors of another length, cycles below 1, a singular matrix, and what hypre says.
// **Source** Henson and Yang 2002.
class boomer_amg {
public:
  template <class Scalar>
  explicit boomer_amg(csr_matrix<Scalar> const& a, boomer_amg_options const& options = {})
      : size_(a.size()),
        null_space_("boomer_amg", options.null_space, a.size()),
        right_(static_cast<std::size_t>(size_)),
        rows_(static_cast<std::size_t>(size_))
  {
    if (options.cycles < 1)
      failf("boomer_amg", "the number of cycles is below 1 (got %d, at least 1 expected)", options.cycles);
    detail::fits_int("boomer_amg", a);
    int started = 0;
    MPI_Initialized(&started);
    if (started == 0) fail("boomer_amg", "MPI is not started: call MPI_Init first");
    HYPRE_Init();
    auto const last = static_cast<HYPRE_BigInt>(size_ - 1);
    for (index_t i = 0; i < size_; ++i) rows_[static_cast<std::size_t>(i)] = static_cast<HYPRE_BigInt>(i);
    HYPRE_IJMatrixCreate(MPI_COMM_SELF, 0, last, 0, last, &matrix_);
    HYPRE_IJMatrixSetObjectType(matrix_, HYPRE_PARCSR);
    HYPRE_IJMatrixInitialize(matrix_);
    detail::for_each_entry(a, [&](index_t row, index_t column, double x) {
      HYPRE_Int one = 1;
      auto const r = static_cast<HYPRE_BigInt>(row), c = static_cast<HYPRE_BigInt>(column);
      HYPRE_IJMatrixSetValues(matrix_, 1, &one, &r, &c, &x);
    });
    HYPRE_IJMatrixAssemble(matrix_);
    make_vector(last, in_);
    make_vector(last, out_);
    HYPRE_BoomerAMGCreate(&solver_);
    HYPRE_BoomerAMGSetPrintLevel(solver_, 0);
    HYPRE_BoomerAMGSetRelaxType(solver_, 6);  // symmetric Gauss-Seidel, so that P is symmetric
    if (!null_space_.empty()) HYPRE_BoomerAMGSetCycleRelaxType(solver_, 6, 3);  // its last level is singular, too
    HYPRE_BoomerAMGSetStrongThreshold(solver_, options.strong_threshold);
    HYPRE_BoomerAMGSetTol(solver_, 0);
    HYPRE_BoomerAMGSetMaxIter(solver_, options.cycles);
    HYPRE_BoomerAMGSetup(solver_, object<HYPRE_ParCSRMatrix>(matrix_), object(in_), object(out_));
    refuse_errors();
    if (!null_space_.empty()) return;
    try {
      detail::refuse_singular("boomer_amg", a, [this](std::vector<double>& x) { solve(x); });
    } catch (...) {
      release();
      throw;
    }
  }
  boomer_amg(boomer_amg const&) = delete;
  boomer_amg& operator=(boomer_amg const&) = delete;
  ~boomer_amg() { release(); }

  index_t size() const { return size_; }

  template <class From, class To>
  void apply(From const& r, To const& z) const
  {
    detail::check_extent("boomer_amg::apply", "r", 0, "entries", size_, r.extent(0));
    detail::check_extent("boomer_amg::apply", "z", 0, "entries", size_, z.extent(0));
    for (index_t i = 0; i < size_; ++i) right_[static_cast<std::size_t>(i)] = static_cast<double>(r(i));
    null_space_.project(right_);
    solve(right_);
    null_space_.project(right_);
    for (index_t i = 0; i < size_; ++i)
      z(i) = static_cast<typename To::value_type>(right_[static_cast<std::size_t>(i)]);
  }

private:
  // x = P x
  void solve(std::vector<double>& x) const
  {
    auto const count = static_cast<HYPRE_Int>(size_);
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
    failf("boomer_amg", "hypre refuses the matrix: %s", text);
  }
  void release()
  {
    if (solver_ != nullptr) HYPRE_BoomerAMGDestroy(solver_);
    if (matrix_ != nullptr) HYPRE_IJMatrixDestroy(matrix_);
    for (HYPRE_IJVector vector : {in_, out_})
      if (vector != nullptr) HYPRE_IJVectorDestroy(vector);
    solver_ = nullptr, matrix_ = nullptr, in_ = out_ = nullptr;
  }

  index_t size_;
  detail::sparse_null_space null_space_;
  mutable std::vector<double> right_;
  std::vector<HYPRE_BigInt> rows_;
  HYPRE_IJMatrix matrix_ = nullptr;
  HYPRE_IJVector in_ = nullptr, out_ = nullptr;
  HYPRE_Solver solver_ = nullptr;
};

}  // namespace sumfac
