// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Linear elasticity by PETSc's solvers: mpirun -n 4 elasticity_petsc -ksp_monitor -pc_type mg
//
// PETSc's multigrid with sumfac's levels solves, unless options say otherwise: -mg_levels_ksp_max_it 3,
// -mg_coarse_pc_type redundant, -pc_mg_cycle_type w; -pc_type jacobi, or gamg, which takes the assembled matrix.
#include "../elasticity_form.hpp"
#include "slab_views.hpp"

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
double displacement(double const (&x)[3], int c)
{
  return direction[c] * std::sin(pi * x[0]) * std::sin(pi * x[1]) * std::sin(pi * x[2]);
}
double force(double const (&x)[3], int c)
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
std::vector<double> at_nodes(slabs const& mesh, Function const& f)
{
  std::vector<double> cell, values;                                           // Gauss-Lobatto points from 0 to 1
  for (auto const x : sumfac::gauss_lobatto<order + 1>::nodes) cell.push_back((double(x) + 1) / 2);
  for (std::int64_t node = 0; node < mesh.owned; ++node) {
    double x[3];
    for (int d = 0; d < 3; ++d) x[d] = mesh.coordinate(node, d, cell);
    for (int c = 0; c < 3; ++c) values.push_back(f(x, c));
  }
  return values;
}

PetscErrorCode solve(MPI_Comm comm, int cells, double& greatest)
{
  int rank = 0, processes = 1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &processes);
  slabs const mesh(order, cells, rank, processes);
  sumfac::host const backend;
  sumfac::element_operator<elasticity, order> const A{backend, nodes_of(mesh), {.lambda = lambda, .mu = mu}};
  sumfac::bp2<order> const M{backend, nodes_of(mesh)};
  std::vector<unsigned char> clamped;                                         // all components on the surface
  for (unsigned char const mark : mesh.boundary) clamped.insert(clamped.end(), 3, mark);
  sumfac::view<unsigned char const, sumfac::dextents<2>> const marks(clamped.data(), mesh.nodes(), 3);
  sumfac::restriction const R{backend, table_of<order>(mesh), mesh.nodes(), marks, {.components = 3}};
  sumfac::restriction const everywhere{backend, table_of<order>(mesh), mesh.nodes(), {.components = 3}};
  std::vector<std::int64_t> const ghosts = ghost_numbers(mesh);
  sumfac::petsc::halo const halo(comm, mesh.owned, vector_of(ghosts));
  sumfac::petsc::shell const S(A, R, halo, {.symmetric = true});
  sumfac::petsc::shell const all_M(M, everywhere, halo);
  Vec f = nullptr, b = nullptr, u = nullptr;
  PetscCall(MatCreateVecs(S, &u, &b));
  PetscCall(VecDuplicate(b, &f));
  std::vector<double> const exact = at_nodes(mesh, displacement), forces = at_nodes(mesh, force);
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
  sumfac::petsc::multigrid const P(pc, sumfac::p_levels<order, 1>(S.matrix(), nodes_of(mesh)));
  PetscCall(KSPSetFromOptions(ksp));                                            // -mg_levels_ksp_max_it, -pc_type ...
  // [multigrid]
  PetscCall(KSPSetTolerances(ksp, 1e-10, 0, PETSC_DEFAULT, 1000));
  PCType type = nullptr;
  PetscCall(PCGetType(pc, &type));
  // [assembled]
  std::unique_ptr<sumfac::petsc::assembled> matrix;                             // for a PC that asks for entries
  bool const by_shell = type == std::string(PCMG) || type == std::string(PCJACOBI) || type == std::string(PCNONE);
  if (!by_shell) {
    matrix = std::make_unique<sumfac::petsc::assembled>(A, R, halo);
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
  PetscInt iterations = 0;
  PetscCall(KSPGetIterationNumber(ksp, &iterations));
  PetscCall(PetscPrintf(comm, "%2d^3 elements of degree %d, %d processes, PC %s: error %.2e after %d iterations\n",
                        cells, order, processes, type, greatest, int(iterations)));
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
  return std::log2(coarse / fine) > order + 0.5 ? 0 : 1;  // at nodes of order degree + 1 at the least
}
