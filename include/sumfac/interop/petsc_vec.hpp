// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The entries of PETSc's vectors that a process has, as views. Needs PETSc (3.18).
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/interop/detail/petsc_error.hpp>

#include <petscvec.h>

#include <type_traits>

namespace sumfac::SUMFAC_TARGET::petsc {

// The entries of a Vec that this process has, in the host's memory, until the end of the object's life: to read, of T
// const, or to write all of them, of T, where what they were is lost. PETSc copies those of a Vec on a device.
template <class T>
class vec_array {
public:
  explicit vec_array(Vec x) : vec_(x)
  {
    PetscInt size = 0;
    detail::check_petsc(here_, VecGetLocalSize(x, &size));
    if constexpr (reads)
      detail::check_petsc(here_, VecGetArrayRead(x, &entries_));
    else
      detail::check_petsc(here_, VecGetArrayWrite(x, &entries_));
    size_ = size;
  }
  vec_array(vec_array const&) = delete;
  vec_array& operator=(vec_array const&) = delete;
  ~vec_array()
  {
    if constexpr (reads)
      VecRestoreArrayRead(vec_, &entries_);
    else
      VecRestoreArrayWrite(vec_, &entries_);
  }

  auto view() const { return sumfac::view<T, dextents<1>>(entries_, size_); }

private:
  static constexpr bool reads = std::is_const_v<T>;
  static constexpr auto here_ = reads ? "petsc::read_array" : "petsc::write_array";

  Vec vec_;
  T* entries_ = nullptr;
  index_t size_ = 0;
};

using read_array = vec_array<PetscScalar const>;
using write_array = vec_array<PetscScalar>;

}  // namespace sumfac::petsc
