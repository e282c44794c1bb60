// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A vortex in a gas by discontinuous Galerkin on several processes and on one: mpirun -n 3 discontinuous_mpi
#include <sumfac/interop/mpi_space.hpp>
#include <sumfac/sumfac.hpp>

#include "../bent_square.hpp"
#include "../gas.hpp"
#include "../runge_kutta.hpp"

#include <cmath>
#include <cstdio>
#include <vector>

namespace {

constexpr int order = 3, n = order + 1, cells = 8, nodes_of_element = n * n;
constexpr auto space = sumfac::quadrilateral(order);
using sumfac::index_t;

using sumfac::function_space, sumfac::mpi::space_part;

// What the vortex is at a time at the nodes of a process' elements, (E, 4, n, n).
std::vector<double> vortex(space_part<2, 2, sumfac::cell_shape::lines> const& own, double time)
{
  gas::vortex const exact{time};
  std::vector<double> u;
  for (index_t e = 0; e < own.elements(); ++e)
    for (int c = 0; c < 4; ++c)
      for (int p = 0; p < nodes_of_element; ++p) {
        double const* const x = own.space().mesh().data() + (own.element(e) * nodes_of_element + p) * 2;
        u.push_back(exact({x[0], x[1]})[c]);
      }
  return u;
}

// u of this process' elements at the time 0.4.
std::vector<double> carried(MPI_Comm comm, space_part<2, 2, sumfac::cell_shape::lines> const& own)
{
  sumfac::host const backend;
  auto const nodes = own.mesh_nodes();
  // [part]
  sumfac::mpi::mesh_with_ghosts<2> const part(comm, own, own.halo());          // own: a space_part
  // [part]
  // [operators]
  using flux = gas::between<gas::vortex>;
  sumfac::element_operator<gas::within, space, sumfac::gauss<n>> const A{backend, nodes};
  sumfac::interior_operator<flux, space, sumfac::gauss<n>, sumfac::mpi::halo> const F{backend, part.nodes(),
                                                                                      part.pairs(), part.halo()};
  sumfac::sum const terms{A, F};                                               // exchanges what F reads beside A
  // [operators]
  sumfac::inverse_mass<space> const inverse{backend, nodes};
  auto u = vortex(own, 0);
  auto const rate = [&](std::vector<double> const& from, std::vector<double>& r) {
    terms.apply(from, r);
    sumfac::view const v(r.data(), own.elements(), 4, n, n);
    inverse.apply(v, v);
    for (double& x : r) x = -x;
  };
  constexpr int steps = 30;
  advance(u, 0.4 / steps, steps, rate);
  return u;
}

double greatest(MPI_Comm comm, std::vector<double> const& a, double const* b)
{
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::fmax(most, std::abs(a[i] - b[i]));
  MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_DOUBLE, MPI_MAX, comm);
  return most;
}

}  // namespace

int main(int argc, char** argv)
{
  return sumfac::mpi::run(argc, argv, [](MPI_Comm comm) {
    int rank = 0, processes = 1;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &processes);
    auto const box = bent_square(cells, order);
    function_space const V{box, 1};                                            // of any degree: its elements are shared
    std::vector<int> process;                                                  // of each element: slabs
    for (index_t e = 0; e < box.elements(); ++e) process.push_back(int(e * processes / box.elements()));
    space_part const own{comm, V, process}, all{MPI_COMM_SELF, V, std::vector<int>(process.size(), 0)};
    auto const u = carried(comm, own), by_one = carried(MPI_COMM_SELF, all);
    double const error = greatest(comm, u, vortex(own, 0.4).data());
    index_t const before = own.elements() > 0 ? own.element(0) : 0;
    double const difference = greatest(comm, u, by_one.data() + before * 4 * nodes_of_element);
    if (rank == 0)
      std::printf("%d processes: error %.2e, %.1e from the result of one\n", processes, error, difference);
    return error < 1e-2 && difference < 1e-12 ? 0 : 1;
  });
}
