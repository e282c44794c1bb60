// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Process 1 throws in the middle of a solve, while the others wait for its part of the ghosts.
#include <sumfac/backend/host.hpp>
#include <sumfac/interop/mpi.hpp>
#include <sumfac/solver/vector_ops.hpp>
#include <sumfac/view/view.hpp>

#include <vector>

int main(int argc, char** argv)
{
  return sumfac::mpi::run(argc, argv, [](MPI_Comm comm) {
    int rank = 0, count = 1;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &count);
    // Two nodes for each process, and the next one's as ghosts.
    int const next = (rank + 1) % count;
    std::vector<int> const owner{rank, rank, next}, number{2 * rank, 2 * rank + 1, 2 * next};
    using list = sumfac::view<int const, sumfac::dextents<1>>;
    sumfac::mpi::halo const halo(comm, list(owner.data(), 3), list(number.data(), 3));
    sumfac::vector_ops const ops(sumfac::host{}, 2, halo.reduction());
    std::vector<double> x(2, 1.0);
    sumfac::view<double, sumfac::dextents<1>> const all(x.data(), 2), too_few(x.data(), 1);
    double sum = 0;
    for (int i = 0; i < 100; ++i) sum += ops.dot(all, rank == 1 && i == 50 ? too_few : all);
    return sum > 0 ? 0 : 2;
  });
}
