// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The entries of PETSc's vectors that a process has, as views. Needs PETSc (3.18).
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/config.hpp>
#include <sumfac/interop/detail/petsc_error.hpp>
#include <sumfac/view/view.hpp>

#include <petscvec.h>

namespace sumfac::inline SUMFAC_TARGET::petsc {

// The entries of a Vec that this process has, in the host's memory, to read, until the end of the object's life. PETSc
// copies those of a Vec on a device.
class read_array {
public:
  explicit read_array(Vec x) : vec_(x)
  {
    PetscInt size = 0;
    detail::check_petsc("petsc::read_array", VecGetLocalSize(x, &size));
    detail::check_petsc("petsc::read_array", VecGetArrayRead(x, &entries_));
    size_ = size;
  }
  read_array(read_array const&) = delete;
  read_array& operator=(read_array const&) = delete;
  ~read_array() { VecRestoreArrayRead(vec_, &entries_); }

  auto view() const { return sumfac::view<PetscScalar const, dextents<1>>(entries_, size_); }

private:
  Vec vec_;
  PetscScalar const* entries_ = nullptr;
  index_t size_ = 0;
};

// The same to write all of them: what they were is lost.
class write_array {
public:
  explicit write_array(Vec y) : vec_(y)
  {
    PetscInt size = 0;
    detail::check_petsc("petsc::write_array", VecGetLocalSize(y, &size));
    detail::check_petsc("petsc::write_array", VecGetArrayWrite(y, &entries_));
    size_ = size;
  }
  write_array(write_array const&) = delete;
  write_array& operator=(write_array const&) = delete;
  ~write_array() { VecRestoreArrayWrite(vec_, &entries_); }

  auto view() const { return sumfac::view<PetscScalar, dextents<1>>(entries_, size_); }

private:
  Vec vec_;
  PetscScalar* entries_ = nullptr;
  index_t size_ = 0;
};

}  // namespace sumfac::petsc
