// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The processes that a test of PETSc's runs as: PETSc from before its main to behind it.
#pragma once

#include "processes.hpp"

#include <sumfac/interop/detail/petsc_error.hpp>

#include <petscsys.h>

struct petsc_processes {
  petsc_processes()
  {
    PetscInitialize(nullptr, nullptr, nullptr, nullptr);
    PetscPushErrorHandler(PetscReturnErrorHandler, nullptr);  // which writes nothing
    MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
    MPI_Comm_size(PETSC_COMM_WORLD, &count);
  }
  ~petsc_processes() { PetscFinalize(); }
  int rank = 0, count = 1;
};

inline void ok(PetscErrorCode code) { sumfac::detail::check_petsc("test", code); }
