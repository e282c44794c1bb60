// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A vortex in a gas by discontinuous Galerkin on several processes and on one: mpirun -n 3 discontinuous_mpi
#include <sumfac/interop/mpi.hpp>
#include <sumfac/sumfac.hpp>

#include "../bent_square.hpp"
#include "../gas.hpp"
#include "../runge_kutta.hpp"

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

namespace {

constexpr int order = 3, n = order + 1, cells = 8, nodes_of_element = n * n;
constexpr auto space = sumfac::quadrilateral(order);
using sumfac::index_t;

// The rows of elements that a process has of a square of 8 x 8: their numbers, and those of their vertices, in the
// whole square.
struct rows {
  index_t first, last;
  std::vector<std::int64_t> number, table;  // (E), (E, 2, 2)

  rows(int rank, int processes) : first(cells * rank / processes * cells), last(cells * (rank + 1) / processes * cells)
  {
    for (index_t e = first; e < last; ++e) {
      number.push_back(e);
      for (int v = 0; v < 4; ++v) table.push_back((e / cells + v / 2) * (cells + 1) + e % cells + v % 2);
    }
  }
  index_t elements() const { return last - first; }
};

// What the vortex is at a time at the nodes of these elements, (E, 4, n, n).
std::vector<double> vortex(sumfac::mesh<2> const& box, rows const& own, double time)
{
  gas::vortex const exact{time};
  std::vector<double> u;
  for (index_t e = own.first; e < own.last; ++e)
    for (int c = 0; c < 4; ++c)
      for (int p = 0; p < nodes_of_element; ++p) {
        double const* const x = box.data() + (e * nodes_of_element + p) * 2;
        u.push_back(exact({x[0], x[1]})[c]);
      }
  return u;
}

// u of this process' elements at the time 0.4.
std::vector<double> carried(MPI_Comm comm, sumfac::mesh<2> const& box, rows const& own)
{
  sumfac::host const backend;
  // [part]
  sumfac::mesh_view const nodes(sumfac::view(box.data() + own.first * nodes_of_element * 2, own.elements(), n, n, 2),
                                box.node_set());
  sumfac::view const table(own.table.data(), own.elements(), 2, 2);            // of nodes in the whole mesh
  sumfac::view const numbers(own.number.data(), own.elements());               // of elements
  sumfac::mpi::mesh_with_ghosts<2> const part(comm, nodes, table, numbers);
  // [part]
  // [operators]
  using flux = gas::between<gas::vortex>;
  sumfac::element_operator<gas::within, space, sumfac::gauss<n>> const A{backend, nodes};
  sumfac::interior_operator<flux, space, sumfac::gauss<n>, sumfac::mpi::halo> const F{backend, part.nodes(),
                                                                                      part.pairs(), part.halo()};
  sumfac::sum const terms{A, F};                                               // exchanges what F reads beside A
  // [operators]
  sumfac::inverse_mass<space> const inverse{backend, nodes};
  auto u = vortex(box, own, 0);
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
    rows const own(rank, processes), all(0, 1);
    auto const u = carried(comm, box, own), by_one = carried(MPI_COMM_SELF, box, all);
    double const error = greatest(comm, u, vortex(box, own, 0.4).data());
    double const difference = greatest(comm, u, by_one.data() + own.first * 4 * nodes_of_element);
    if (rank == 0)
      std::printf("%d processes: error %.2e, %.1e from the result of one\n", processes, error, difference);
    return error < 1e-2 && difference < 1e-12 ? 0 : 1;
  });
}
