// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Linear elasticity by PETSc's solvers: mpirun -n 4 elasticity_petsc -ksp_monitor -pc_type mg
//
// PETSc's multigrid with sumfac's levels solves, unless options say otherwise: -mg_levels_ksp_max_it 3,
// -mg_coarse_pc_type redundant, -pc_mg_cycle_type w; -pc_type jacobi, or gamg, which takes the assembled matrix.
#include "../elasticity_form.hpp"

#include <sumfac/interop/petsc_discretization.hpp>
#include <sumfac/interop/petsc_matrix.hpp>
#include <sumfac/interop/petsc_multigrid.hpp>
#include <sumfac/sumfac.hpp>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

namespace {

constexpr int order = 2;
constexpr double pi = std::numbers::pi, lambda = 2, mu = 1;
constexpr double direction[3] = {1, -0.5, 0.25};

// The displacement is a s(x) for a direction a and s = sin(pi x) sin(pi y) sin(pi z), the force what that asks for:
// -(lambda + mu) grad div u - mu div grad u.
double displacement(double const* x, int c)
{
  return direction[c] * std::sin(pi * x[0]) * std::sin(pi * x[1]) * std::sin(pi * x[2]);
}
double force(double const* x, int c)
{
  double grad_div = 0;
  for (int d = 0; d < 3; ++d) {
    double second = (c == d ? -1 : 1) * pi * pi;                              // of s by x_c and x_d
    for (int k = 0; k < 3; ++k) second *= c != d && (k == c || k == d) ? std::cos(pi * x[k]) : std::sin(pi * x[k]);
    grad_div += direction[d] * second;
  }
  return 3 * pi * pi * mu * displacement(x, c) - (lambda + mu) * grad_div;
}

// Values at the nodes that a process owns, components side by side.
template <class Function>
std::vector<double> at_nodes(sumfac::petsc::discretization<> const& V, Function const& f)
{
  auto const places = V.places();
  std::vector<double> values;
  for (sumfac::index_t node = 0; node < V.owned(); ++node)
    for (int c = 0; c < 3; ++c) values.push_back(f(&places[3 * std::size_t(node)], c));
  return values;
}

PetscErrorCode solve(MPI_Comm comm, PetscInt cells, double& greatest)
{
  PetscInt const along[3] = {cells, cells, cells};
  DM dm = nullptr;
  PetscCall(DMPlexCreateBoxMesh(comm, 3, PETSC_FALSE, along, nullptr, nullptr, nullptr, PETSC_TRUE, &dm));
  PetscCall(DMSetFromOptions(dm));                                            // which shares it out
  sumfac::host const backend;
  sumfac::petsc::discretization<> const V(dm, order, 3);
  sumfac::element_operator<elasticity, order> const A{backend, V.mesh_nodes(), {.lambda = lambda, .mu = mu}};
  sumfac::bp2<order> const M{backend, V.mesh_nodes()};
  auto const clamped = V.marks({sumfac::petsc::whole_boundary()});            // all components on the surface
  auto const R = V.restriction(backend, {sumfac::petsc::whole_boundary()}), everywhere = V.restriction(backend);
  sumfac::petsc::shell const S(A, R, V.halo(), {.symmetric = true});
  sumfac::petsc::shell const all_M(M, everywhere, V.halo());
  Vec f = nullptr, b = nullptr, u = nullptr;
  PetscCall(MatCreateVecs(S, &u, &b));
  PetscCall(VecDuplicate(b, &f));
  std::vector<double> const exact = at_nodes(V, displacement), forces = at_nodes(V, force);
  {
    sumfac::petsc::write_array const entries(f);
    std::copy(forces.begin(), forces.end(), entries.view().data());
  }
  PetscCall(MatMult(all_M, f, b));
  {
    PetscScalar* load = nullptr;
    PetscCall(VecGetArray(b, &load));
    for (std::size_t i = 0; i < exact.size(); ++i)
      if (clamped[i] != 0) load[i] = 0;
    PetscCall(VecRestoreArray(b, &load));
  }

  KSP ksp = nullptr;
  PC pc = nullptr;
  PetscCall(KSPCreate(comm, &ksp));
  PetscCall(KSPSetType(ksp, KSPCG));
  // [multigrid]
  PetscCall(KSPSetOperators(ksp, S, S));
  PetscCall(KSPGetPC(ksp, &pc));
  sumfac::petsc::multigrid const P(pc, sumfac::p_levels<order, 1>(S.matrix(), V.mesh_nodes()));
  PetscCall(KSPSetFromOptions(ksp));                                            // -mg_levels_ksp_max_it, -pc_type ...
  // [multigrid]
  PetscCall(KSPSetTolerances(ksp, 1e-10, 0, PETSC_DEFAULT, 1000));
  PCType type = nullptr;
  PetscCall(PCGetType(pc, &type));
  // [assembled]
  std::unique_ptr<sumfac::petsc::assembled> matrix;                             // for a PC that asks for entries
  bool const by_shell = type == std::string(PCMG) || type == std::string(PCJACOBI) || type == std::string(PCNONE);
  if (!by_shell) {
    matrix = std::make_unique<sumfac::petsc::assembled>(A, R, V.halo());
    PetscCall(KSPSetOperators(ksp, S, *matrix));
  }
  // [assembled]
  PetscCall(KSPSolve(ksp, b, u));

  double error = 0;
  {
    sumfac::petsc::read_array const entries(u);
    for (std::size_t i = 0; i < exact.size(); ++i)
      error = std::max(error, std::abs(entries.view()(sumfac::index_t(i)) - exact[i]));
  }
  MPI_Allreduce(&error, &greatest, 1, MPI_DOUBLE, MPI_MAX, comm);
  int processes = 1;
  MPI_Comm_size(comm, &processes);
  PetscInt iterations = 0;
  PetscCall(KSPGetIterationNumber(ksp, &iterations));
  PetscCall(PetscPrintf(comm, "%2d^3 elements of degree %d, %d processes, PC %s: error %.2e after %d iterations\n",
                        int(cells), order, processes, type, greatest, int(iterations)));
  PetscCall(KSPDestroy(&ksp));
  PetscCall(DMDestroy(&dm));
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
  return std::log2(coarse / fine) > order + 0.5 ? 0 : 1;  // at nodes of order degree + 1 at the least
}
