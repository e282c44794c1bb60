// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A null_space of sumfac's as a MatNullSpace of PETSc's.
#pragma once

#include <sumfac/interop/detail/agree.hpp>
#include <sumfac/interop/detail/petsc_error.hpp>
#include <sumfac/solver/detail/orthonormal.hpp>

#include <petscmat.h>

#include <cstddef>
#include <vector>

namespace sumfac::SUMFAC_TARGET::detail {

// Whether these, the entries of one vector on this process, are the same number, and so on all processes.
inline bool is_constant(MPI_Comm comm, own_vector<double> const& v)
{
  int same = 1, all = 0;
  for (double const entry : v) same = same == 1 && entry == v[0] ? 1 : 0;
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
  auto const basis = basis_of(space, reduction_over(comm));
  bool const constant = space.count() == 1 && is_constant(comm, basis);
  std::vector<Vec> vectors;
  for (int k = 0; !constant && k < space.count(); ++k) {
    Vec v = nullptr;
    PetscScalar* entries = nullptr;
    check_petsc(where, MatCreateVecs(mat, &v, nullptr));
    check_petsc(where, VecGetArrayWrite(v, &entries));
    for (PetscInt i = 0; i < rows; ++i) entries[i] = basis[static_cast<std::size_t>(index_t{k} * rows + i)];
    check_petsc(where, VecRestoreArrayWrite(v, &entries));
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
