// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Process 1 throws in a preconditioner in the middle of a solve by PETSc's KSP, while the others wait for its sums.
#include <sumfac/config.hpp>
#include <sumfac/error.hpp>
#include <sumfac/interop/petsc.hpp>

namespace {

struct own_preconditioner {
  template <class From, class To>
  void apply(From const& r, To const& z) const
  {
    if (++calls > 2 && rank == 1)
      sumfac::failf("own_preconditioner", "no call is left (%d calls, at most %d expected)", calls, 2);
    for (sumfac::index_t i = 0; i < r.extent(0); ++i) z(i) = r(i);
  }
  int rank;
  mutable int calls = 0;
};

// A diagonal matrix of as many eigenvalues as rows, two for each process: as many iterations.
PetscErrorCode solve(MPI_Comm comm)
{
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  Mat A = nullptr;
  Vec b = nullptr, x = nullptr;
  PetscCall(MatCreateAIJ(comm, 2, 2, PETSC_DETERMINE, PETSC_DETERMINE, 1, nullptr, 0, nullptr, &A));
  for (PetscInt row = 2 * rank; row < 2 * rank + 2; ++row) PetscCall(MatSetValue(A, row, row, row + 1, INSERT_VALUES));
  PetscCall(MatAssemblyBegin(A, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(A, MAT_FINAL_ASSEMBLY));
  PetscCall(MatCreateVecs(A, &x, &b));
  PetscCall(VecSet(b, 1));
  KSP ksp = nullptr;
  PC pc = nullptr;
  PetscCall(KSPCreate(comm, &ksp));
  PetscCall(KSPSetType(ksp, KSPCG));
  PetscCall(KSPSetOperators(ksp, A, A));
  PetscCall(KSPGetPC(ksp, &pc));
  own_preconditioner const own{rank};
  sumfac::petsc::preconditioner const P(pc, own);
  PetscCall(KSPSetTolerances(ksp, 1e-14, 0, PETSC_DEFAULT, 100));
  PetscCall(KSPSolve(ksp, b, x));
  PetscCall(KSPDestroy(&ksp));
  PetscCall(VecDestroy(&b));
  PetscCall(VecDestroy(&x));
  PetscCall(MatDestroy(&A));
  return 0;
}

}  // namespace

int main(int argc, char** argv)
{
  PetscCall(PetscInitialize(&argc, &argv, nullptr, nullptr));
  PetscCallAbort(PETSC_COMM_WORLD, solve(PETSC_COMM_WORLD));
  PetscCall(PetscFinalize());
  return 0;
}
