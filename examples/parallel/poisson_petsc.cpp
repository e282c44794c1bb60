// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Poisson's problem by PETSc's solvers: mpirun -n 4 poisson_petsc -ksp_monitor -pc_type jacobi
#include <sumfac/interop/petsc.hpp>
#include <sumfac/sumfac.hpp>

#include "problem.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

namespace {

// Nodes are numbered plane by plane, and so process by process, as PETSc's rows are.
std::vector<std::int64_t> ghosts_of(slabs const& mesh)
{
  return {mesh.number.begin() + mesh.owned, mesh.number.end()};
}

PetscErrorCode solve(MPI_Comm comm, int cells, double& greatest)
{
  int rank = 0, processes = 1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &processes);
  slabs const mesh(order, cells, rank, processes);
  sumfac::host const backend;
  stiffness const A{backend, nodes_of(mesh)};
  mass const M{backend, nodes_of(mesh)};
  sumfac::restriction const R{backend, table_of(mesh), mesh.nodes(), vector_of(mesh.boundary)};
  sumfac::restriction const everywhere{backend, table_of(mesh), mesh.nodes()};
  std::vector<std::int64_t> const ghosts = ghosts_of(mesh);

  // [shell]
  sumfac::petsc::halo const halo(comm, mesh.owned, vector_of(ghosts));
  sumfac::petsc::shell const S(A, R, halo, {.symmetric = true});               // a Mat
  sumfac::petsc::shell const all_M(M, everywhere, halo);
  Vec f = nullptr, b = nullptr, u = nullptr;
  PetscCall(MatCreateVecs(S, &u, &b));
  PetscCall(VecDuplicate(b, &f));
  // [shell]
  std::vector<double> const exact = exact_solution(mesh);
  {
    sumfac::petsc::write_array const entries(f);
    for (std::size_t i = 0; i < exact.size(); ++i)
      entries.view()(sumfac::index_t(i)) = 3 * std::numbers::pi * std::numbers::pi * exact[i];
  }
  PetscCall(MatMult(all_M, f, b));
  {
    PetscScalar* load = nullptr;
    PetscCall(VecGetArray(b, &load));
    for (std::size_t i = 0; i < exact.size(); ++i)
      if (mesh.boundary[i] != 0) load[i] = 0;
    PetscCall(VecRestoreArray(b, &load));
  }

  // [ksp]
  std::vector<double> diagonal(exact.size());
  S.matrix().diagonal(vector_of(diagonal));
  sumfac::chebyshev_smoother const smoother(S.matrix(), sumfac::jacobi{backend, vector_of(diagonal)});
  KSP ksp = nullptr;
  PC pc = nullptr;
  PetscCall(KSPCreate(comm, &ksp));
  PetscCall(KSPSetType(ksp, KSPCG));
  PetscCall(KSPSetOperators(ksp, S, S));
  PetscCall(KSPGetPC(ksp, &pc));
  sumfac::petsc::preconditioner const P(pc, smoother);                         // unless -pc_type says otherwise
  PetscCall(KSPSetTolerances(ksp, 1e-10, 0, PETSC_DEFAULT, 1000));
  PetscCall(KSPSetFromOptions(ksp));
  PetscCall(KSPSolve(ksp, b, u));
  // [ksp]

  double error = 0;
  {
    sumfac::petsc::read_array const entries(u);
    for (std::size_t i = 0; i < exact.size(); ++i)
      error = std::max(error, std::abs(entries.view()(sumfac::index_t(i)) - exact[i]));
  }
  MPI_Allreduce(&error, &greatest, 1, MPI_DOUBLE, MPI_MAX, comm);
  PetscInt iterations = 0;
  PCType name = nullptr;
  PetscCall(KSPGetIterationNumber(ksp, &iterations));
  PetscCall(PCGetType(pc, &name));
  PetscCall(PetscPrintf(comm, "%2d^3 elements of degree %d, %d processes, PC %s: error %.2e after %d iterations\n",
                        cells, order, processes, name, greatest, int(iterations)));
  PetscCall(KSPDestroy(&ksp));
  for (Vec v : {f, b, u}) PetscCall(VecDestroy(&v));
  return 0;
}

}  // namespace

int main(int argc, char** argv)
{
  PetscCall(PetscInitialize(&argc, &argv, nullptr, nullptr));
  double coarse = 1, fine = 1;
  PetscCallAbort(PETSC_COMM_WORLD, solve(PETSC_COMM_WORLD, 4, coarse));
  PetscCallAbort(PETSC_COMM_WORLD, solve(PETSC_COMM_WORLD, 8, fine));
  PetscCall(PetscFinalize());
  return std::log2(coarse / fine) > order + 1.5 ? 0 : 1;  // at nodes of order degree + 2
}
