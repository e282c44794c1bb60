// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Mats of PETSc's around our matrices and transfers, whose operations are calls of ours.
#pragma once

#include <sumfac/config.hpp>
#include <sumfac/dofs/restriction/options.hpp>
#include <sumfac/error.hpp>
#include <sumfac/interop/detail/petsc_error.hpp>
#include <sumfac/interop/detail/petsc_log.hpp>
#include <sumfac/interop/detail/petsc_vectors.hpp>
#include <sumfac/solver/detail/matrix.hpp>

#include <petscksp.h>

namespace sumfac::SUMFAC_TARGET::detail {

template <class Function>
void set_operation(Mat mat, MatOperation operation, Function* f)
{
  check_petsc("petsc::shell", MatShellSetOperation(mat, operation, reinterpret_cast<void (*)(void)>(f)));
}

template <class Context>
Context const& context_of(Mat mat)
{
  void* context = nullptr;
  check_petsc("petsc::shell", MatShellGetContext(mat, &context));
  if (context == nullptr)
    fail("petsc::shell",
         "what the Mat refers to is gone: it must live until the last call of the Mat, or of a KSP "
         "that has it");
  return *static_cast<Context const*>(context);
}

// Gives up a Mat that others may still have: from here on it refuses.
inline void leave(Mat& mat)
{
  if (mat != nullptr) static_cast<void>(MatShellSetContext(mat, nullptr));
  static_cast<void>(MatDestroy(&mat));
}

// A PC that refers to an object for as long as this lives; from then on it refuses.
class shell_pc {
public:
  shell_pc() = default;
  shell_pc(shell_pc const&) = delete;
  shell_pc& operator=(shell_pc const&) = delete;
  ~shell_pc()
  {
    PetscBool ended = PETSC_FALSE;
    PetscFinalized(&ended);
    if (pc_ == nullptr || ended == PETSC_TRUE) return;
    void* now = nullptr;  // another object's, or that of another type of PC
    if (PCShellGetContext(pc_, &now) == 0 && now == object_) static_cast<void>(PCShellSetContext(pc_, nullptr));
    static_cast<void>(PCDestroy(&pc_));
  }

  void set(char const* where, PC pc, char const* name, void const* object)
  {
    check_petsc(where, PetscObjectReference(reinterpret_cast<PetscObject>(pc)));
    pc_ = pc, object_ = object;
    check_petsc(where, PCSetType(pc, PCSHELL));
    check_petsc(where, PCShellSetContext(pc, const_cast<void*>(object)));
    check_petsc(where, PCShellSetName(pc, name));
  }
  template <class Object>
  static Object const& of(char const* where, PC pc)
  {
    void* context = nullptr;
    check_petsc(where, PCShellGetContext(pc, &context));
    if (context == nullptr)
      fail(where, "what the PC refers to is gone: it must live until the last call of the PC, or of a KSP that has it");
    return *static_cast<Object const*>(context);
  }

private:
  PC pc_ = nullptr;
  void const* object_ = nullptr;
};

inline MPI_Comm comm_of(Mat mat) { return PetscObjectComm(reinterpret_cast<PetscObject>(mat)); }

inline PetscErrorCode refuse_duplicate(Mat mat, MatDuplicateOption, Mat*)
{
  return PetscError(comm_of(mat), __LINE__, "petsc::shell", __FILE__, PETSC_ERR_SUP, PETSC_ERROR_INITIAL,
                    "sumfac::petsc::shell: MatDuplicate has no entries to copy: make another shell of the operator");
}
inline PetscErrorCode refuse_transpose(Mat mat, Vec, Vec)
{
  return PetscError(comm_of(mat), __LINE__, "petsc::shell", __FILE__, PETSC_ERR_SUP, PETSC_ERROR_INITIAL,
                    "sumfac::petsc::shell: the transpose is not known: where the form is symmetric, say so: "
                    "{.symmetric = true}");
}

// A Mat that refers to a distributed matrix.
template <class Matrix>
class matrix_mat {
public:
  matrix_mat(Matrix const& a, MPI_Comm comm, bool symmetric) : matrix_(a), vectors_(a.backend(), a.size(), a.size())
  {
    constexpr auto here = "petsc::shell";
    auto const rows = static_cast<PetscInt>(a.size());
    check_petsc(here, MatCreateShell(comm, rows, rows, PETSC_DETERMINE, PETSC_DETERMINE, this, &mat_));
    check_petsc(here, MatSetBlockSize(mat_, block_size(a)));
    set_operation(mat_, MATOP_MULT, multiply);
    set_operation(mat_, MATOP_GET_DIAGONAL, diagonal);
    set_operation(mat_, MATOP_DUPLICATE, refuse_duplicate);
    set_operation(mat_, MATOP_MULT_TRANSPOSE, symmetric ? multiply : refuse_transpose);
    check_petsc(here, MatSetOption(mat_, MAT_SYMMETRIC, symmetric ? PETSC_TRUE : PETSC_FALSE));
  }
  matrix_mat(matrix_mat const&) = delete;
  matrix_mat& operator=(matrix_mat const&) = delete;
  ~matrix_mat() { leave(mat_); }

  Mat mat() const { return mat_; }

private:
  // The entries of a node, where they lie side by side; two unknowns in one vector have no common size.
  static PetscInt block_size(Matrix const& a)
  {
    PetscInt size = 1;
    if constexpr (has_restriction<Matrix>)
      if (a.restriction().options().components_lie == interleaving::fastest) size = a.restriction().components();
    return size;
  }
  static PetscErrorCode multiply(Mat mat, Vec x, Vec y)
  {
    return petsc_result("petsc::shell", [&] {
      auto const& self = context_of<matrix_mat>(mat);
      petsc_logged const apply(self.events_, petsc_event::apply);
      self.vectors_.apply(x, y, [&](auto const& from, auto const& to) { self.matrix_.apply(from, to); });
    });
  }
  static PetscErrorCode diagonal(Mat mat, Vec d)
  {
    return petsc_result("petsc::shell", [&] {
      auto const& self = context_of<matrix_mat>(mat);
      self.vectors_.write(d, [&](auto const& to) { self.matrix_.diagonal(to); });
    });
  }

  Matrix const& matrix_;
  petsc_vectors<typename Matrix::backend_type> vectors_;
  petsc_events events_;
  Mat mat_ = nullptr;
};

// A Mat that refers to a transfer in parts: MatMult prolongs, MatMultTranspose restricts residuals.
template <class Transfer, class Backend>
class transfer_mat {
public:
  transfer_mat(Transfer const& transfer, Backend const& backend, MPI_Comm comm)
      : transfer_(transfer), vectors_(backend, transfer.fine_entries(), transfer.coarse_entries())
  {
    constexpr auto here = "petsc::multigrid";
    auto const rows = static_cast<PetscInt>(transfer.fine_entries());
    auto const columns = static_cast<PetscInt>(transfer.coarse_entries());
    check_petsc(here, MatCreateShell(comm, rows, columns, PETSC_DETERMINE, PETSC_DETERMINE, this, &mat_));
    set_operation(mat_, MATOP_MULT, prolong);
    set_operation(mat_, MATOP_MULT_TRANSPOSE, restrict_residual);
    set_operation(mat_, MATOP_DUPLICATE, refuse_duplicate);
  }
  transfer_mat(transfer_mat const&) = delete;
  transfer_mat& operator=(transfer_mat const&) = delete;
  ~transfer_mat() { leave(mat_); }

  Mat mat() const { return mat_; }

private:
  static PetscErrorCode prolong(Mat mat, Vec x, Vec y)
  {
    return petsc_result("petsc::multigrid", [&] {
      auto const& self = context_of<transfer_mat>(mat);
      self.vectors_.apply(x, y, [&](auto const& from, auto const& to) { self.transfer_.prolong(from, to); });
    });
  }
  static PetscErrorCode restrict_residual(Mat mat, Vec r, Vec y)
  {
    return petsc_result("petsc::multigrid", [&] {
      auto const& self = context_of<transfer_mat>(mat);
      self.vectors_.apply_transposed(
          r, y, [&](auto const& from, auto const& to) { self.transfer_.restrict_residual(from, to); });
    });
  }

  Transfer const& transfer_;
  petsc_vectors<Backend> vectors_;
  Mat mat_ = nullptr;
};

}  // namespace sumfac::detail
