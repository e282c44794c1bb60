// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// PETSc's solvers on an operator: - div grad u = 1, u is 0 on the boundary. Try ksp -ksp_monitor -ksp_type minres.
#include "session.hpp"

int main(int argc, char** argv)
{
  session const petsc(argc, argv, "-ksp_type cg -pc_type jacobi -ksp_rtol 1e-10");
  cube<4> const mesh(3);
  sumfac::host const backend;
  sumfac::bp5<4> const A{backend, mesh.nodes()};
  sumfac::restriction const everywhere{backend, mesh.table(), mesh.count};
  sumfac::restriction const R{backend, mesh.table(), mesh.count, mesh.marks()};
  std::vector<double> one(mesh.count, 1), b(mesh.count), u(mesh.count);
  sumfac::bp1<4>{backend, mesh.nodes()}.apply(everywhere, on(one), on(b));  // (1, v)
  for (int i = 0; i < mesh.count; ++i)
    if (mesh.boundary[i]) b[i] = 0;
  sumfac::petsc::halo const halo = whole(mesh.count);
  sumfac::petsc::shell const L(A, R, halo, {.symmetric = true});  // a Mat
  KSP ksp = nullptr;
  KSPCreate(PETSC_COMM_SELF, &ksp);
  KSPSetOperators(ksp, L, L);
  KSPSetFromOptions(ksp);
  KSPSolve(ksp, shared_vec(b), shared_vec(u));
  KSPDestroy(&ksp);
  return compare("u in the middle", mesh.middle(u), 0.05621, 1e-4);
}
