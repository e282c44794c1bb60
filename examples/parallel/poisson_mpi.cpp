// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Poisson's problem by several processes, with MPI alone: mpirun -n 4 poisson_mpi
#include <sumfac/interop/mpi_space.hpp>
#include <sumfac/sumfac.hpp>

#include <cmath>
#include <cstdio>
#include <numbers>
#include <vector>

namespace {

constexpr int order = 3;
constexpr auto form = integrate(dot(grad(sumfac::weak::u), grad(sumfac::weak::v)));
using stiffness = sumfac::element_operator<decltype(form), order>;

// The error in L2.
double solve(MPI_Comm comm, int cells)
{
  int rank = 0, processes = 1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &processes);
  auto const exact = [](auto const& at) {
    double u = 1;
    for (int d = 0; d < 3; ++d) u *= std::sin(std::numbers::pi * at[d]);
    return u;
  };
  auto const f = [&](auto const& at) { return 3 * std::numbers::pi * std::numbers::pi * exact(at); };
  sumfac::host const backend;

  // [parts]
  sumfac::mesh const cube = sumfac::box_mesh({cells, cells, cells});           // whole, on each process
  sumfac::function_space const V{cube, order, cube.boundary()};
  std::vector<int> process;                                                    // of each element: slabs along z
  for (sumfac::index_t e = 0; e < cube.elements(); ++e) process.push_back(int(e * processes / cube.elements()));
  sumfac::mpi::space_part const part{comm, V, process};
  stiffness const A{backend, part.mesh_nodes(), form};                         // of this process' elements
  auto const R = part.restriction(backend);
  // [parts]
  // [halo]
  sumfac::global_operator const L{A, R, part.halo()};                          // a matrix to solvers
  auto b = part.owned(V.load(f));
  auto u = part.lift(A, exact, b);                                             // exact on the boundary
  // [halo]
  std::vector<double> const first = u;
  // [solve]
  sumfac::jacobi const P{L};
  sumfac::solve_result const result = sumfac::merged_cg(L, b, u, P, {.tolerance = 1e-10});
  sumfac::vector_ops const ops{backend, L.size(), L.reduction()};              // sums of all processes
  double const length = ops.norm(sumfac::view(u.data(), L.size()));
  // [solve]
  // [multigrid]
  sumfac::multigrid const cycles{sumfac::p_levels<order, 2, 1>(L, part.mesh_nodes())};
  u = first;
  sumfac::solve_result const faster = sumfac::cg(L, b, u, cycles, {.tolerance = 1e-10});
  // [multigrid]

  double const error = V.l2_error(part.whole(u), exact);
  if (rank == 0)
    std::printf("%2d^3 elements of degree %d, %d processes: |u| = %.6f, error %.2e; %s\nwith multigrid %s\n", cells,
                order, processes, length, error, result.report().c_str(), faster.report().c_str());
  return result && faster && faster.iterations < result.iterations ? error : 1;
}

}  // namespace

// [main]
int main(int argc, char** argv)
{
  return sumfac::mpi::run(argc, argv, [](MPI_Comm comm) {
    double const coarse = solve(comm, 4), fine = solve(comm, 8);
    return std::log2(coarse / fine) > order + 0.8 ? 0 : 1;                     // in L2 of order degree + 1
  });
}
// [main]
