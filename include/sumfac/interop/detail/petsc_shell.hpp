// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Mats of PETSc's around our matrices and transfers, whose operations are calls of ours; its vectors where our kernels
// read and write, and what -log_view says of an application and of its parts.
#pragma once

#include <sumfac/interop/detail/petsc_error.hpp>
#include <sumfac/interop/detail/petsc_null_space.hpp>
#include <sumfac/interop/petsc_vec.hpp>
#include <sumfac/solver/detail/matrix.hpp>

#include <petscksp.h>
#include <petscsys.h>
#include <petscvec.h>
#include <cstddef>

namespace sumfac::SUMFAC_TARGET::detail {

enum class petsc_event { apply, halo, interior, boundary };

// The numbers of our events, which PETSc gives once from PetscInitialize to PetscFinalize.
class petsc_events {
public:
  petsc_events()
  {
    constexpr char const* names[] = {"sumfacApply", "sumfacHalo", "sumfacInterior", "sumfacBoundary"};
    constexpr auto here = "petsc";
    PetscClassId of_sumfac = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      check_petsc(here, PetscLogEventGetId(names[i], &events_[i]));
      if (events_[i] >= 0) continue;
      if (of_sumfac == 0) check_petsc(here, PetscClassIdRegister("sumfac", &of_sumfac));
      check_petsc(here, PetscLogEventRegister(names[i], of_sumfac, &events_[i]));
    }
  }
  void begin(petsc_event e) const { static_cast<void>(PetscLogEventBegin(number(e), 0, 0, 0, 0)); }
  void end(petsc_event e) const { static_cast<void>(PetscLogEventEnd(number(e), 0, 0, 0, 0)); }

private:
  PetscLogEvent number(petsc_event e) const { return events_[static_cast<std::size_t>(e)]; }

  PetscLogEvent events_[4] = {};
};

// An event from here to the end of the object's life.
class petsc_logged {
public:
  petsc_logged(petsc_events const& events, petsc_event event) : events_(events), event_(event) { events.begin(event); }
  petsc_logged(petsc_logged const&) = delete;
  petsc_logged& operator=(petsc_logged const&) = delete;
  ~petsc_logged() { events_.end(event_); }

private:
  petsc_events const& events_;
  petsc_event event_;
};

// Entries of a Vec for kernels of a device: where PETSc has them, if that is a device's memory, else copied to `room`
// and, after finish(), from there.
template <class Backend>
class device_read_array {
public:
  device_read_array(Backend const& backend, Vec x, index_t size, PetscScalar* room) : vec_(x), size_(size)
  {
    PetscMemType type = PETSC_MEMTYPE_HOST;
    check_petsc("petsc::shell", VecGetArrayReadAndMemType(x, &entries_, &type));
    if (!PetscMemTypeHost(type) || size == 0) return;
    backend.copy(entries_, room, size);
    backend.synchronize();
    copied_ = room;
  }
  device_read_array(device_read_array const&) = delete;
  device_read_array& operator=(device_read_array const&) = delete;
  ~device_read_array() { VecRestoreArrayReadAndMemType(vec_, &entries_); }

  auto view() const
  {
    return sumfac::view<PetscScalar const, dextents<1>>(copied_ == nullptr ? entries_ : copied_, size_);
  }

private:
  Vec vec_;
  index_t size_;
  PetscScalar const* entries_ = nullptr;
  PetscScalar* copied_ = nullptr;
};

template <class Backend>
class device_write_array {
public:
  device_write_array(Backend const& backend, Vec y, index_t size, PetscScalar* room)
      : backend_(backend), vec_(y), size_(size)
  {
    PetscMemType type = PETSC_MEMTYPE_HOST;
    check_petsc("petsc::shell", VecGetArrayWriteAndMemType(y, &entries_, &type));
    if (PetscMemTypeHost(type) && size > 0) copied_ = room;
  }
  device_write_array(device_write_array const&) = delete;
  device_write_array& operator=(device_write_array const&) = delete;
  ~device_write_array() { VecRestoreArrayWriteAndMemType(vec_, &entries_); }

  auto view() const { return sumfac::view<PetscScalar, dextents<1>>(copied_ == nullptr ? entries_ : copied_, size_); }
  // Kernels have written: PETSc may read.
  void finish() const
  {
    if (copied_ != nullptr) backend_.copy(copied_, entries_, size_);
    backend_.synchronize();
  }

private:
  Backend const& backend_;
  Vec vec_;
  index_t size_;
  PetscScalar* entries_ = nullptr;
  PetscScalar* copied_ = nullptr;
};

// What a Mat's operations read and write, on the host or on a device, where it keeps room for vectors that are not.
template <class Backend>
class petsc_vectors {
public:
  petsc_vectors(Backend const& backend, index_t rows, index_t columns)
      : backend_(backend), rows_(rows), columns_(columns)
  {
    if constexpr (!on_host) {
      x_ = make_memory<PetscScalar>(backend, columns);
      y_ = make_memory<PetscScalar>(backend, rows);
    }
  }

  // Calls f(x, y) with views of a vector of the Mat's columns and one of its rows.
  void apply(Vec x, Vec y, auto const& f) const { between(x, columns_, x_, y, rows_, y_, f); }
  // The same the other way.
  void apply_transposed(Vec y, Vec x, auto const& f) const { between(y, rows_, y_, x, columns_, x_, f); }
  // Calls f(y).
  template <class Function>
  void write(Vec y, Function const& f) const
  {
    if constexpr (on_host) {
      petsc::write_array const to(y);
      f(to.view());
    } else {
      device_write_array<Backend> const to(backend_, y, rows_, y_.data());
      f(to.view());
      to.finish();
    }
  }

private:
  static constexpr bool on_host = runs_on_host<Backend>;
  using memory = memory_of<PetscScalar, Backend>;

  template <class Function>
  void between(Vec x, [[maybe_unused]] index_t x_size, [[maybe_unused]] memory& x_there, Vec y,
               [[maybe_unused]] index_t y_size, [[maybe_unused]] memory& y_there, Function const& f) const
  {
    if constexpr (on_host) {
      petsc::read_array const from(x);
      petsc::write_array const to(y);
      f(from.view(), to.view());
    } else {
      device_read_array<Backend> const from(backend_, x, x_size, x_there.data());
      device_write_array<Backend> const to(backend_, y, y_size, y_there.data());
      f(from.view(), to.view());
      to.finish();
    }
  }

  Backend backend_;
  index_t rows_, columns_;
  mutable memory x_, y_;
};

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

// A Mat that refers to a distributed matrix, by the name `where` in errors.
template <class Matrix>
class matrix_mat {
public:
  matrix_mat(char const* where, Matrix const& a, MPI_Comm comm, bool symmetric)
      : where_((check_petsc_started(where), where)),
        matrix_(a),
        symmetric_(symmetric),
        vectors_(a.backend(), a.size(), a.size())
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
  operator Mat() const { return mat_; }
  Matrix const& matrix() const { return matrix_; }  // for solvers of sumfac's own

  // Tells PETSc of a sumfac::null_space of matrix(): MatSetNullSpace, and where the form is said to be symmetric
  // MatSetTransposeNullSpace, by which right sides are taken without it.
  void set_null_space(any_null_space const& space) const { detail::set_null_space(where_, mat_, space, symmetric_); }

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

  char const* where_;
  Matrix const& matrix_;
  bool symmetric_;
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
