// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// PETSc's algebraic multigrid behind a sparse matrix, for coarse levels. It needs PETSc (Debian: libpetsc-real-dev).
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/error.hpp>
#include <sumfac/geometry/vectors/element_vector.hpp>
#include <sumfac/interop/detail/petsc_error.hpp>
#include <sumfac/interop/detail/sparse_solver.hpp>
#include <sumfac/solver/assemble.hpp>
#include <sumfac/view/view.hpp>

#include <petscksp.h>

#include <cstddef>
#include <vector>

#if defined(PETSC_USE_64BIT_INDICES)
#error "sumfac: this PETSc counts in 64 bits: take a build that counts in 32 (Debian: libpetsc-real-dev)"
#endif

namespace sumfac::inline SUMFAC_TARGET::petsc {

struct gamg_options {
  int cycles = 1;      // V-cycles of an application
  int block_size = 1;  // components of a node, where they lie side by side
  char const* prefix = "sumfac_gamg_";  // of options in PETSc's database, as -sumfac_gamg_pc_gamg_threshold 0.02
};

// z = P r, by V-cycles of PETSc's GAMG on this process alone, set up once: symmetric, for a symmetric positive definite
// A. r and z are in the host's memory. PETSc must have been started. Empty rows count as rows of the identity.
//
// **Errors** argument_error for vectors of another length, cycles or a block size below 1, and where PETSc is not
// started; backend_error for what PETSc says.
// **Source** Mandel, Vanek and Brezina, algebraic multigrid by smoothed aggregation, 1996, as PETSc has it.
class gamg {
public:
  template <class Scalar>
  explicit gamg(csr_matrix<Scalar> const& a, gamg_options const& options = {})
  {
    if (options.cycles < 1)
      failf(here_, "the number of cycles is below 1 (got %d, at least 1 expected)", options.cycles);
    if (options.block_size < 1)
      failf(here_, "the block size is below 1 (got %d, at least 1 expected)", options.block_size);
    detail::fits_int(here_, a);
    detail::check_petsc_started(here_);
    size_ = a.size();
    first_.push_back(0);
    index_t last_row = 0;
    detail::for_each_entry(a, [&](index_t row, index_t column, double x) {
      for (; last_row < row; ++last_row) first_.push_back(static_cast<PetscInt>(columns_.size()));
      columns_.push_back(static_cast<PetscInt>(column));
      values_.push_back(x);
    });
    for (; last_row < size_; ++last_row) first_.push_back(static_cast<PetscInt>(columns_.size()));
    if (size_ == 0) return;
    try {
      set_up(options);
    } catch (...) {
      release();
      throw;
    }
  }
  gamg(gamg const&) = delete;
  gamg& operator=(gamg const&) = delete;
  ~gamg() { release(); }

  index_t size() const { return size_; }
  PC pc() const { return pc_; }  // for PCView and the like; null for a matrix without rows

  template <class From, class To>
  void apply(From const& r, To const& z) const
  {
    constexpr auto here = "petsc::gamg::apply";
    detail::check_extent(here, "r", 0, "entries", size_, r.extent(0));
    detail::check_extent(here, "z", 0, "entries", size_, z.extent(0));
    if (size_ == 0) return;
    PetscScalar* in = nullptr;
    detail::check_petsc(here, VecGetArrayWrite(in_, &in));
    for (index_t i = 0; i < size_; ++i) in[i] = static_cast<PetscScalar>(r(i));
    detail::check_petsc(here, VecRestoreArrayWrite(in_, &in));
    detail::check_petsc(here, PCApply(pc_, in_, out_));
    PetscScalar const* out = nullptr;
    detail::check_petsc(here, VecGetArrayRead(out_, &out));
    for (index_t i = 0; i < size_; ++i) z(i) = static_cast<typename To::value_type>(out[i]);
    detail::check_petsc(here, VecRestoreArrayRead(out_, &out));
  }

private:
  static constexpr auto here_ = "petsc::gamg";

  // PETSc's own handler prints where an error went through, besides.
  struct quiet_errors {
    quiet_errors() { PetscPushErrorHandler(PetscReturnErrorHandler, nullptr); }
    quiet_errors(quiet_errors const&) = delete;
    quiet_errors& operator=(quiet_errors const&) = delete;
    ~quiet_errors() { PetscPopErrorHandler(); }
  };

  void set_up(gamg_options const& options)
  {
    quiet_errors const quiet;
    auto const rows = static_cast<PetscInt>(size_);
    detail::check_petsc(here_, MatCreateSeqAIJWithArrays(PETSC_COMM_SELF, rows, rows, first_.data(), columns_.data(),
                                                         values_.data(), &matrix_));
    if (options.block_size > 1) detail::check_petsc(here_, MatSetBlockSize(matrix_, options.block_size));
    detail::check_petsc(here_, MatSetOption(matrix_, MAT_SPD, PETSC_TRUE));
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

  index_t size_ = 0;
  std::vector<PetscInt> first_, columns_;  // which the Mat refers to
  std::vector<PetscScalar> values_;
  Mat matrix_ = nullptr;
  Vec in_ = nullptr, out_ = nullptr;
  PC pc_ = nullptr;
};

}  // namespace sumfac::petsc
