// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Poisson's problem by several processes, with MPI alone: mpirun -n 4 poisson_mpi
#include <sumfac/interop/mpi.hpp>
#include <sumfac/sumfac.hpp>

#include "problem.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

namespace {

// The greatest error at a node.
double solve(MPI_Comm comm, int cells)
{
  int rank = 0, processes = 1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &processes);
  slabs const mesh(order, cells, rank, processes);
  sumfac::host const backend;

  // [parts]
  stiffness const A{backend, nodes_of(mesh)};                                  // of this process' elements
  mass const M{backend, nodes_of(mesh)};
  sumfac::restriction const R{backend, table_of(mesh), mesh.nodes(), vector_of(mesh.boundary)};
  sumfac::restriction const everywhere{backend, table_of(mesh), mesh.nodes()};
  // [parts]
  // [halo]
  sumfac::mpi::halo const halo(comm, vector_of(mesh.owner), vector_of(mesh.number));
  sumfac::global_operator const L(A, R, halo);                                 // a matrix to solvers
  sumfac::global_operator const all_M(M, everywhere, halo);
  // [halo]

  std::vector<double> const exact = exact_solution(mesh);
  std::vector<double> f(exact), load(exact.size()), solution(exact.size());
  for (double& x : f) x *= 3 * std::numbers::pi * std::numbers::pi;
  auto const b = vector_of(load), u = vector_of(solution);
  all_M.apply(vector_of(f), b);
  for (std::size_t i = 0; i < load.size(); ++i)
    if (mesh.boundary[i] != 0) load[i] = 0;
  // [solve]
  sumfac::jacobi const P{L};
  sumfac::solve_result const result = sumfac::merged_cg(L, b, u, P, {.tolerance = 1e-10});
  sumfac::vector_ops const ops{backend, L.size(), halo.reduction()};           // sums of all processes
  double const length = ops.norm(u);
  // [solve]
  // [multigrid]
  sumfac::multigrid const cycles{sumfac::p_levels<order, 2, 1>(L, nodes_of(mesh))};
  ops.fill(0.0, u);
  sumfac::solve_result const faster = sumfac::cg(L, b, u, cycles, {.tolerance = 1e-10});
  // [multigrid]

  double error = 0, greatest = 0;
  for (std::size_t i = 0; i < exact.size(); ++i) error = std::max(error, std::abs(solution[i] - exact[i]));
  MPI_Allreduce(&error, &greatest, 1, MPI_DOUBLE, MPI_MAX, comm);
  if (rank == 0)
    std::printf("%2d^3 elements of degree %d, %d processes: |u| = %.6f, error %.2e; %s\nwith multigrid %s\n", cells,
                order, processes, length, greatest, result.report().c_str(), faster.report().c_str());
  return result && faster && faster.iterations < result.iterations ? greatest : 1;
}

}  // namespace

// [main]
int main(int argc, char** argv)
{
  return sumfac::mpi::run(argc, argv, [](MPI_Comm comm) {
    double const coarse = solve(comm, 4), fine = solve(comm, 8);
    return std::log2(coarse / fine) > order + 1.5 ? 0 : 1;                      // at nodes of order degree + 2
  });
}
// [main]
