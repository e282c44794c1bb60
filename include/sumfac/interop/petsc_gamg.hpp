// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// PETSc's algebraic multigrid behind a sparse matrix, for coarse levels. It needs PETSc (Debian: libpetsc-real-dev).
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/interop/detail/petsc_error.hpp>
#include <sumfac/interop/detail/petsc_null_space.hpp>
#include <sumfac/interop/detail/sparse_solver.hpp>

#include <petscksp.h>

#include <utility>
#include <vector>

#if defined(PETSC_USE_64BIT_INDICES)
#error "sumfac: this PETSc counts in 64 bits: take a build that counts in 32 (Debian: libpetsc-real-dev)"
#endif

namespace sumfac::SUMFAC_TARGET::petsc {

struct gamg_options {
  int cycles = 1;                          // V-cycles of an application
  int block_size = 1;                      // components of a node, where they lie side by side
  detail::any_null_space null_space = {};  // of a singular matrix
  char const* prefix = "sumfac_gamg_";     // of options in PETSc's database, as -sumfac_gamg_pc_gamg_threshold 0.02
};

// z = P r, by V-cycles of PETSc's GAMG on this process alone, set up once: symmetric, for a symmetric positive definite
// A. r and z are in the host's memory. PETSc must have been started. Empty rows count as rows of the identity. A
// singular A takes options.null_space, a sumfac::null_space of the level's or the sparse matrix, which is left out of r
// and of z.
//
// **Errors** argument_error for vectors of another length, cycles or a block size below 1, a singular matrix that is
// not said to be one, and where PETSc is not started; backend_error for what PETSc says.
// **Source** Mandel, Vanek and Brezina, algebraic multigrid by smoothed aggregation, 1996, as PETSc has it.
class gamg : public detail::sparse_solver {
public:
  template <class Scalar>
  explicit gamg(csr_matrix<Scalar> const& a, gamg_options const& options = {})
      : sparse_solver(here_, a.size(), options.null_space), entries_(here_, a)
  {
    check_at_least_1(here_, "number of cycles", options.cycles);
    check_at_least_1(here_, "block size", options.block_size);
    detail::check_petsc_started(here_);
    if (size() == 0) return;
    try {
      set_up(options, !detail::compare_products<Scalar>(a).differ);
      refuse_singular(here_, entries_, [this](std::vector<double>& x) { solve(here_, x); });
    } catch (...) {
      release();
      throw;
    }
  }
  gamg(gamg const&) = delete;
  gamg& operator=(gamg const&) = delete;
  ~gamg() { release(); }

  PC pc() const { return pc_; }  // for PCView and the like; null for a matrix without rows

  template <class From, class To>
  void apply(From const& r, To const& z) const
  {
    constexpr auto here = "petsc::gamg::apply";
    detail::sole_use const sole(owner_, here);
    apply_with(here, r, z, [&](std::vector<double>& x) {
      if (size() > 0) solve(here, x);
    });
  }

  // A copy of the levels behind the matrix: for a cycle elsewhere, as coarse_amg has it on devices.
  std::vector<amg_level> levels() const
  {
    constexpr auto here = "petsc::gamg::levels";
    std::vector<amg_level> copies;
    if (size() == 0) return copies;
    PetscInt count = 0;
    detail::check_petsc(here, PCMGGetLevels(pc_, &count));
    for (PetscInt k = count - 2; k >= 0; --k) {  // PETSc's 0 is the coarsest
      KSP solver = nullptr;
      Mat matrix = nullptr, interpolation = nullptr;
      detail::check_petsc(here, PCMGGetSmoother(pc_, k, &solver));
      detail::check_petsc(here, KSPGetOperators(solver, nullptr, &matrix));
      detail::check_petsc(here, PCMGGetInterpolation(pc_, k + 1, &interpolation));
      copies.push_back({copy_of(here, matrix), copy_of(here, interpolation)});
    }
    return copies;
  }

private:
  static constexpr auto here_ = "petsc::gamg";

  // x = P x
  void solve(char const* here, std::vector<double>& x) const
  {
    PetscScalar* in = nullptr;
    detail::check_petsc(here, VecGetArrayWrite(in_, &in));
    for (std::size_t i = 0; i < x.size(); ++i) in[i] = static_cast<PetscScalar>(x[i]);
    detail::check_petsc(here, VecRestoreArrayWrite(in_, &in));
    detail::check_petsc(here, PCApply(pc_, in_, out_));
    PetscScalar const* out = nullptr;
    detail::check_petsc(here, VecGetArrayRead(out_, &out));
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<double>(out[i]);
    detail::check_petsc(here, VecRestoreArrayRead(out_, &out));
  }

  static csr_matrix<double> copy_of(char const* here, Mat matrix)
  {
    PetscInt rows = 0, width = 0;
    detail::check_petsc(here, MatGetSize(matrix, &rows, &width));
    std::vector<index_t> first{0}, columns;
    std::vector<double> values;
    for (PetscInt row = 0; row < rows; ++row) {
      PetscInt count = 0;
      PetscInt const* of_row = nullptr;
      PetscScalar const* entries = nullptr;
      detail::check_petsc(here, MatGetRow(matrix, row, &count, &of_row, &entries));
      for (PetscInt i = 0; i < count; ++i) columns.push_back(of_row[i]), values.push_back(entries[i]);
      detail::check_petsc(here, MatRestoreRow(matrix, row, &count, &of_row, &entries));
      first.push_back(static_cast<index_t>(columns.size()));
    }
    return {std::move(first), std::move(columns), std::move(values), {}, width};
  }

  // PETSc's own handler prints where an error went through, besides.
  struct quiet_errors {
    quiet_errors() { PetscPushErrorHandler(PetscReturnErrorHandler, nullptr); }
    quiet_errors(quiet_errors const&) = delete;
    quiet_errors& operator=(quiet_errors const&) = delete;
    ~quiet_errors() { PetscPopErrorHandler(); }
  };

  void set_up(gamg_options const& options, bool symmetric)
  {
    quiet_errors const quiet;
    PetscInt const rows = entries_.rows();
    detail::check_petsc(here_, MatCreateSeqAIJWithArrays(PETSC_COMM_SELF, rows, rows, entries_.first.data(),
                                                         entries_.columns.data(), entries_.values.data(), &matrix_));
    if (options.block_size > 1) detail::check_petsc(here_, MatSetBlockSize(matrix_, options.block_size));
    if (symmetric) detail::check_petsc(here_, MatSetOption(matrix_, MAT_SPD, PETSC_TRUE));
    detail::set_null_space(here_, matrix_, options.null_space, symmetric);
    detail::check_petsc(here_, MatCreateVecs(matrix_, &in_, &out_));
    detail::check_petsc(here_, PCCreate(PETSC_COMM_SELF, &pc_));
    detail::check_petsc(here_, PCSetOperators(pc_, matrix_, matrix_));
    detail::check_petsc(here_, PCSetType(pc_, PCGAMG));
    detail::check_petsc(here_, PCSetOptionsPrefix(pc_, options.prefix));
    detail::check_petsc(here_, PCSetFromOptions(pc_));
    detail::check_petsc(here_, PCSetUp(pc_));
    if (options.cycles > 1) detail::check_petsc(here_, PCMGMultiplicativeSetCycles(pc_, options.cycles));
  }
  void release()
  {
    PCDestroy(&pc_);
    VecDestroy(&in_);
    VecDestroy(&out_);
    MatDestroy(&matrix_);
  }

  detail::matrix_of_int entries_;  // which the Mat refers to
  detail::work_owner owner_;
  Mat matrix_ = nullptr;
  Vec in_ = nullptr, out_ = nullptr;
  PC pc_ = nullptr;
};

}  // namespace sumfac::petsc
