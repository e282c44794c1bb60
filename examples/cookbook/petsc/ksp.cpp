// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// PETSc's solvers on an operator: - div grad u = 1, u is 0 on the boundary. Try ksp -ksp_monitor -ksp_type minres.
#include "session.hpp"

int main(int argc, char** argv)
{
  session const petsc(argc, argv, "-ksp_type cg -pc_type jacobi -ksp_rtol 1e-10");
  sumfac::mesh const mesh = sumfac::box_mesh({3, 3, 3});
  sumfac::function_space const V{mesh, 4, mesh.boundary()};
  sumfac::host const backend;
  sumfac::bp5<4> const A{backend, mesh};
  auto const R = V.restriction(backend);
  std::vector<double> b = V.load([](auto const&) { return 1; }), u(V.size());  // (1, v)
  sumfac::petsc::halo const halo = whole(V.size());
  sumfac::petsc::shell const L(A, R, halo, {.symmetric = true});  // a Mat
  KSP ksp = nullptr;
  KSPCreate(PETSC_COMM_SELF, &ksp);
  KSPSetOperators(ksp, L, L);
  KSPSetFromOptions(ksp);
  KSPSolve(ksp, shared_vec(b), shared_vec(u));
  KSPDestroy(&ksp);
  return compare("u in the middle", *std::max_element(u.begin(), u.end()), 0.05621, 1e-4);
}
