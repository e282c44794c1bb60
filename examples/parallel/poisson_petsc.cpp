// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Poisson's problem by PETSc's solvers on PETSc's meshes: files of Gmsh's, of hexahedra, or boxes.
//
// usage: mpirun -n 4 poisson_petsc [MESH.msh...] [-degree N] [-refinements N] [-output NAME] [PETSc's options]
//
// Solves on each mesh, the coarsest first, and on refinements of the last one, and shows the orders of convergence;
// NAME.pvtu is the last solution, for ParaView. PETSc cuts the meshes among the processes, and does what its options
// say: -ksp_monitor, -log_view, -dm_refine 1, -dm_view, -pc_type jacobi, mg, which has sumfac's levels, or gamg, which
// takes the assembled matrix. Curved meshes are not refined, since PETSc makes them straight.
#include "../l2_error.hpp"
#include "write_pvtu.hpp"

#include <sumfac/interop/petsc_discretization.hpp>
#include <sumfac/interop/petsc_matrix.hpp>
#include <sumfac/interop/petsc_multigrid.hpp>
#include <sumfac/sumfac.hpp>

#include <cmath>
#include <cstdio>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#if !defined(POISSON_DEGREES)  // CMake: SUMFAC_POISSON_DEGREES; each has its own kernels, solvers and levels
#define POISSON_DEGREES 3, 4
#endif

namespace {

// -div grad u = f inside, and u given on the boundary: a wave along (6, 3, 4).
double exact_solution(double const* x)
{
  return std::sin(6 * x[0] + 3 * x[1] + 4 * x[2]);
}
double source(double const* x)
{
  return (6 * 6 + 3 * 3 + 4 * 4) * exact_solution(x);
}

void check(PetscErrorCode code)
{
  if (code != 0) throw std::runtime_error("PETSc failed, and has said why");
}

struct result {
  PetscInt elements = 0;
  double error = 0;              // in the norm of L2
  std::vector<double> values{};  // at the nodes of this process, ghosts among them
};

// A vector of PETSc's with the values of a function at the nodes of this process, or only where marks are not 0.
template <class Function>
void fill(Vec v, std::vector<double> const& places, std::vector<unsigned char> const* marks, Function const& f)
{
  sumfac::petsc::write_array const entries(v);
  for (sumfac::index_t i = 0; i < entries.view().extent(0); ++i)
    entries.view()(i) = marks == nullptr || (*marks)[std::size_t(i)] != 0 ? f(&places[3 * std::size_t(i)]) : 0;
}

std::string text_option(char const* name, char const* otherwise)
{
  char text[PETSC_MAX_PATH_LEN] = "";
  PetscBool given = PETSC_FALSE;
  check(PetscOptionsGetString(nullptr, nullptr, name, text, sizeof text, &given));
  if (given == PETSC_TRUE && text[0] == 0) throw std::runtime_error(std::string(name) + ": a value is missing");
  return given == PETSC_TRUE ? text : otherwise;
}

// Levels of multigrid of a matrix in parts, whose degrees are halved, as 5, 3, 2, 1.
template <int Degree, int... Finer, class Matrix, class Nodes>
auto halved_levels(Matrix const& A, Nodes const& nodes)
{
  if constexpr (Degree == 1)
    return sumfac::p_levels<Finer..., 1>(A, nodes);
  else
    return halved_levels<(Degree + 1) / 2, Finer..., Degree>(A, nodes);
}

template <int Degree>
result solve(DM dm)
{
  sumfac::host const backend;
  // [discretization]
  sumfac::petsc::discretization const V(dm, Degree);                           // of hexahedra
  sumfac::element_operator<sumfac::laplace, Degree> const A{backend, V.mesh_nodes()};
  sumfac::bp1<Degree> const M{backend, V.mesh_nodes()};
  auto const R = V.restriction(backend, {sumfac::petsc::whole_boundary()});    // or {{"Face Sets", 7}}
  auto const everywhere = V.restriction(backend);
  // [discretization]
  // [shell]
  sumfac::petsc::shell const S(A, R, V.halo(), {.symmetric = true});           // a Mat
  sumfac::petsc::shell const all_A(A, everywhere, V.halo());
  sumfac::petsc::shell const all_M(M, everywhere, V.halo());
  Vec f = nullptr, g = nullptr, b = nullptr, u = nullptr;
  check(MatCreateVecs(S, &u, &b));
  check(VecDuplicate(b, &f));
  check(VecDuplicate(b, &g));
  // [shell]

  // u is g on the boundary: A (u - g) = M f - A g at all other nodes.
  auto const marks = V.marks({sumfac::petsc::whole_boundary()});
  auto const places = V.places();
  fill(f, places, nullptr, source);
  fill(g, places, &marks, exact_solution);
  check(MatMult(all_A, g, u));
  check(MatMult(all_M, f, b));
  check(VecAXPY(b, -1, u));
  {
    PetscScalar* load = nullptr;
    check(VecGetArray(b, &load));
    for (sumfac::index_t i = 0; i < V.owned(); ++i)
      if (marks[std::size_t(i)] != 0) load[i] = 0;
    check(VecRestoreArray(b, &load));
  }

  // [ksp]
  MPI_Comm const comm = V.halo().communicator();
  sumfac::chebyshev_smoother const smoother(S.matrix(), sumfac::jacobi{S.matrix()});
  KSP ksp = nullptr;
  PC pc = nullptr;
  check(KSPCreate(comm, &ksp));
  check(KSPSetType(ksp, KSPCG));
  check(KSPSetOperators(ksp, S, S));
  check(KSPGetPC(ksp, &pc));
  sumfac::petsc::preconditioner const P(pc, smoother);                         // unless -pc_type says otherwise
  // [ksp]
  // [pc_type]
  using levels = decltype(halved_levels<Degree>(S.matrix(), V.mesh_nodes()));
  std::optional<sumfac::petsc::multigrid<levels>> cycles;
  std::optional<sumfac::petsc::assembled> entries;
  std::string const type = text_option("-pc_type", PCSHELL);
  if (type == PCMG)
    cycles.emplace(pc, halved_levels<Degree>(S.matrix(), V.mesh_nodes()));
  else if (type != PCSHELL && type != PCJACOBI && type != PCNONE)              // gamg, hypre, bjacobi ...
    check(KSPSetOperators(ksp, S, entries.emplace(A, R, V.halo())));
  // [pc_type]
  // [solve]
  check(KSPSetTolerances(ksp, 1e-12, 0, PETSC_DEFAULT, 10000));
  check(KSPSetFromOptions(ksp));
  check(KSPSolve(ksp, b, u));
  // [solve]

  check(VecAXPY(u, 1, g));
  result r{.elements = PetscInt(V.elements())};
  {
    sumfac::petsc::read_array const own(u);
    auto const exact = [](auto const& x) { return exact_solution(&x[0]); };
    r.values = V.with_ghosts(own.view());
    double const mine = l2_error<Degree>(everywhere, V.mesh_nodes(), r.values, exact);
    double square = mine * mine;
    MPI_Allreduce(MPI_IN_PLACE, &square, 1, MPI_DOUBLE, MPI_SUM, comm);
    MPI_Allreduce(MPI_IN_PLACE, &r.elements, 1, MPIU_INT, MPI_SUM, comm);
    r.error = std::sqrt(square);
  }
  PetscInt iterations = 0;
  PCType name = nullptr;
  check(KSPGetIterationNumber(ksp, &iterations));
  check(PCGetType(pc, &name));
  check(PetscPrintf(comm, "%6d  %8lld  %9lld  %10lld  %9s  %10.3e", Degree, static_cast<long long>(r.elements),
                    static_cast<long long>(V.all_nodes()), static_cast<long long>(iterations), name, r.error));
  check(KSPDestroy(&ksp));
  for (Vec v : {f, g, b, u}) check(VecDestroy(&v));
  return r;
}

// The mesh of a file, or the unit cube; PETSc's options refine it and cut it among the processes.
DM read_mesh(MPI_Comm comm, std::string const& file)
{
  DM dm = nullptr;
  PetscInt const cells[3] = {2, 2, 2};
  if (file.empty())
    check(DMPlexCreateBoxMesh(comm, 3, PETSC_FALSE, cells, nullptr, nullptr, nullptr, PETSC_TRUE, &dm));
  else
    check(DMPlexCreateFromFile(comm, file.c_str(), "mesh", PETSC_TRUE, &dm));
  check(DMSetFromOptions(dm));
  check(DMViewFromOptions(dm, nullptr, "-dm_view"));
  return dm;
}

// [output]
// The values at the nodes of each process, for ParaView.
void write_solution(DM dm, int degree, std::vector<double> const& values, std::string const& name)
{
  sumfac::petsc::discretization const V(dm, degree);
  auto const nodes = V.table();
  std::vector<sumfac::index_t> const table(nodes.data(), nodes.data() + nodes.size());
  write_pvtu(V.halo().communicator(), name, {degree, table, V.places(), values});
}
// [output]

bool run(MPI_Comm comm, std::vector<std::string> const& files)
{
  PetscInt degree = 3, refinements = 1;
  check(PetscOptionsGetInt(nullptr, nullptr, "-degree", &degree, nullptr));
  check(PetscOptionsGetInt(nullptr, nullptr, "-refinements", &refinements, nullptr));
  std::string const output = text_option("-output", "");
  check(PetscPrintf(comm, "degree  elements      nodes  iterations         PC    L2 error  order\n"));
  result before;
  double order = degree + 1;
  auto const solve_on = [&](DM dm) {
    using degrees = sumfac::orders<POISSON_DEGREES>;
    auto now = sumfac::dispatch_order<degrees>(int(degree), [&]<int Degree> { return solve<Degree>(dm); });
    if (before.elements > 0) {
      order = std::log(before.error / now.error) / std::log(std::cbrt(double(now.elements) / double(before.elements)));
      check(PetscPrintf(comm, "  %5.2f", order));
    }
    check(PetscPrintf(comm, "\n"));
    before = std::move(now);
  };
  DM dm = nullptr;
  for (std::string const& file : files) {
    check(DMDestroy(&dm));
    dm = read_mesh(comm, file);
    solve_on(dm);
  }
  bool const straight = sumfac::petsc::discretization(dm, 1).mesh_order() == 1;
  for (PetscInt k = 0; k < refinements && straight; ++k) {
    DM fine = nullptr;
    check(DMRefine(dm, comm, &fine));
    check(DMDestroy(&dm));
    dm = fine;
    solve_on(dm);
  }
  if (!output.empty()) write_solution(dm, int(degree), before.values, output);
  check(DMDestroy(&dm));
  return order > degree + 0.5;
}

}  // namespace

int main(int argc, char** argv)
{
  std::vector<std::string> files;
  for (int i = 1; i < argc && argv[i][0] != '-'; ++i) files.emplace_back(argv[i]);
  if (files.empty()) files.emplace_back();
  PetscCall(PetscInitialize(&argc, &argv, nullptr, nullptr));
  bool good = false;
  try {
    good = run(PETSC_COMM_WORLD, files);
  } catch (std::exception const& error) {
    int rank = 0;
    MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
    std::fprintf(stderr, "poisson_petsc: process %d: %s\n", rank, error.what());
    MPI_Abort(PETSC_COMM_WORLD, 1);
  }
  PetscCall(PetscFinalize());
  return good ? 0 : 1;
}
