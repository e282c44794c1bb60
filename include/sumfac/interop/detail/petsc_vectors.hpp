// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// PETSc's vectors where kernels of a backend read and write: in place, or by way of a device's memory of its own.
#pragma once

#include <sumfac/backend/detail/memory.hpp>
#include <sumfac/backend/host.hpp>
#include <sumfac/config.hpp>
#include <sumfac/interop/detail/petsc_error.hpp>
#include <sumfac/interop/petsc_vec.hpp>
#include <sumfac/view/view.hpp>

#include <petscvec.h>

namespace sumfac::SUMFAC_TARGET::detail {

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
  template <class Function>
  void apply(Vec x, Vec y, Function const& f) const
  {
    between(x, columns_, x_, y, rows_, y_, f);
  }
  // The same the other way.
  template <class Function>
  void apply_transposed(Vec y, Vec x, Function const& f) const
  {
    between(y, rows_, y_, x, columns_, x_, f);
  }
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

}  // namespace sumfac::detail
