// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The least eigenvalues by SLEPc: - div grad u = lambda u, u is 0 on the boundary. Try eigenvalues -eps_monitor.
// LOBPCG iterates vectors together, as a block, which finds the second eigenvalue as often as it is one: three times.
// Each residual goes through a cycle of multigrid.
#include "slepc.hpp"

int main(int argc, char** argv)
{
  session<SlepcInitialize, SlepcFinalize> const slepc(
      argc, argv, "-eps_type lobpcg -eps_gen_hermitian -eps_nev 4 -eps_smallest_real -eps_max_it 30 "
                  "-st_type precond -st_ksp_type preonly");
  sumfac::mesh const mesh = sumfac::box_mesh({2, 2, 2});
  sumfac::function_space const V{mesh, 5, mesh.boundary()};
  sumfac::host const backend;
  sumfac::bp5<5> const A{backend, mesh};
  sumfac::bp1<5> const M{backend, mesh};
  auto const R = V.restriction(backend, {.rows = 1e4});  // over 1: eigenvalues of the boundary, far from the least
  auto const of_mass = V.restriction(backend);
  sumfac::petsc::halo const halo = whole(V.size());
  sumfac::petsc::shell const K(A, R, halo, {.symmetric = true});
  sumfac::petsc::shell const B(M, of_mass, halo, {.symmetric = true});
  EPS eps = nullptr;
  EPSCreate(PETSC_COMM_SELF, &eps);
  EPSSetOperators(eps, K, B);
  sumfac::multigrid const P{sumfac::p_levels<5, 2, 1>(A, mesh, R)};
  sumfac::petsc::preconditioner const by_levels(pc_of(eps), P);
  EPSSetFromOptions(eps);
  EPSSolve(eps);
  double lambda[4] = {}, pi2 = std::acos(-1.) * std::acos(-1.);
  for (int i = 0; i < 4; ++i) EPSGetEigenvalue(eps, i, &lambda[i], nullptr);
  EPSDestroy(&eps);
  return compare("the first", lambda[0], 3 * pi2, 1e-4) + compare("the fourth", lambda[3], 6 * pi2, 1e-3);
}
