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
#include <sumfac/interop/detail/petsc_null_space.hpp>
#include <sumfac/interop/detail/sparse_solver.hpp>
#include <sumfac/solver/assemble.hpp>
#include <sumfac/solver/detail/any_null_space.hpp>
#include <sumfac/solver/detail/symmetry.hpp>
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
  detail::any_null_space null_space = {};  // of a singular matrix
  char const* prefix = "sumfac_gamg_";  // of options in PETSc's database, as -sumfac_gamg_pc_gamg_threshold 0.02
};

// z = P r, by V-cycles of PETSc's GAMG on this process alone, set up once: symmetric, for a symmetric positive definite
// A. r and z are in the host's memory. PETSc must have been started. Empty rows count as rows of the identity. A
// singular A takes options.null_space, a sumfac::null_space of the level's or the sparse matrix, which is left out of r
// and of z.
//
// **Errors** argument_error for vectors of another length, cycles or a block size below 1, a singular matrix that is
// not said to be one, and where PETSc is not started; backend_error for what PETSc says.
// **Source** Mandel, Vanek and Brezina, algebraic multigrid by smoothed aggregation, 1996, as PETSc has it.
class gamg {
public:
  template <class Scalar>
  explicit gamg(csr_matrix<Scalar> const& a, gamg_options const& options = {})
      : null_space_(here_, options.null_space, a.size())
  {
    if (options.cycles < 1)
      failf(here_, "the number of cycles is below 1 (got %d, at least 1 expected)", options.cycles);
    if (options.block_size < 1)
      failf(here_, "the block size is below 1 (got %d, at least 1 expected)", options.block_size);
    detail::fits_int(here_, a);
    detail::check_petsc_started(here_);
    size_ = a.size();
    right_.resize(static_cast<std::size_t>(size_));
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
      set_up(options, !detail::compare_products<Scalar>(a).differ);
      if (null_space_.empty())
        detail::refuse_singular(here_, a, [this](std::vector<double>& x) { solve(here_, x); });
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
    for (index_t i = 0; i < size_; ++i) right_[static_cast<std::size_t>(i)] = static_cast<double>(r(i));
    null_space_.project(right_);
    solve(here, right_);
    null_space_.project(right_);
    for (index_t i = 0; i < size_; ++i)
      z(i) = static_cast<typename To::value_type>(right_[static_cast<std::size_t>(i)]);
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
    auto const rows = static_cast<PetscInt>(size_);
    detail::check_petsc(here_, MatCreateSeqAIJWithArrays(PETSC_COMM_SELF, rows, rows, first_.data(), columns_.data(),
                                                         values_.data(), &matrix_));
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

  index_t size_ = 0;
  detail::sparse_null_space null_space_;
  mutable std::vector<double> right_;
  std::vector<PetscInt> first_, columns_;  // which the Mat refers to
  std::vector<PetscScalar> values_;
  Mat matrix_ = nullptr;
  Vec in_ = nullptr, out_ = nullptr;
  PC pc_ = nullptr;
};

}  // namespace sumfac::petsc
