// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A null_space of sumfac's as a MatNullSpace of PETSc's.
#pragma once

#include <sumfac/config.hpp>
#include <sumfac/error.hpp>
#include <sumfac/interop/detail/petsc_error.hpp>
#include <sumfac/solver/detail/any_null_space.hpp>

#include <petscmat.h>

#include <cstddef>
#include <vector>

namespace sumfac::inline SUMFAC_TARGET::detail {

// Whether the one vector has the same number everywhere, on all processes.
inline bool is_constant(MPI_Comm comm, any_null_space const& space)
{
  int same = space.count() == 1 ? 1 : 0;
  if (same == 1) {
    auto const v = space.vector(0);
    for (std::size_t i = 0; i < v.size(); ++i) same = same == 1 && v[i] == v[0] ? 1 : 0;
  }
  int all = 0;
  MPI_Allreduce(&same, &all, 1, MPI_INT, MPI_MIN, comm);
  return all == 1;
}

// Gives the space, where there is one, to a Mat: solvers leave it out, where the Mat is symmetric of right sides, too.
// It is the near null space besides, whose functions algebraic multigrid keeps on its coarse levels.
inline void set_null_space(char const* where, Mat mat, any_null_space const& space, bool symmetric)
{
  if (!space) return;
  MPI_Comm const comm = PetscObjectComm(reinterpret_cast<PetscObject>(mat));
  PetscInt rows = 0;
  check_petsc(where, MatGetLocalSize(mat, &rows, nullptr));
  check_equal(where, "length of options.null_space", static_cast<index_t>(rows), space.size());
  bool const constant = is_constant(comm, space);
  std::vector<Vec> vectors;
  for (int k = 0; !constant && k < space.count(); ++k) {
    Vec v = nullptr;
    PetscScalar* entries = nullptr;
    check_petsc(where, MatCreateVecs(mat, &v, nullptr));
    check_petsc(where, VecGetArrayWrite(v, &entries));
    auto const numbers = space.vector(k);
    for (std::size_t i = 0; i < numbers.size(); ++i) entries[i] = numbers[i];
    check_petsc(where, VecRestoreArrayWrite(v, &entries));
    check_petsc(where, VecNormalize(v, nullptr));
    vectors.push_back(v);
  }
  MatNullSpace made = nullptr;
  check_petsc(where, MatNullSpaceCreate(comm, constant ? PETSC_TRUE : PETSC_FALSE,
                                        static_cast<PetscInt>(vectors.size()), vectors.data(), &made));
  for (Vec& v : vectors) check_petsc(where, VecDestroy(&v));
  check_petsc(where, MatSetNullSpace(mat, made));
  check_petsc(where, MatSetNearNullSpace(mat, made));
  if (symmetric) check_petsc(where, MatSetTransposeNullSpace(mat, made));
  check_petsc(where, MatNullSpaceDestroy(&made));
}

}  // namespace sumfac::detail
