// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// An operator on parts of a mesh beside the same on the whole one with as many threads, timed in turns, under mpirun.
//
// usage: mpirun -n 2 --bind-to none matmult CELLS [ROUNDS]    with OMP_NUM_THREADS=1
#include <sumfac/interop/mpi.hpp>
#if defined(WITH_PETSC)
#include <sumfac/interop/petsc.hpp>
#endif
#include <sumfac/sumfac.hpp>

#include "slabs.hpp"
#include "slow_halo.hpp"

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

namespace {

using sumfac::bench::median;
using sumfac::bench::now;

template <class T>
auto vector_of(std::vector<T>& x)
{
  return sumfac::view<T, sumfac::dextents<1>>(x.data(), static_cast<sumfac::index_t>(x.size()));
}

template <class Operator>
struct part {
  static constexpr int n = Operator::order + 1;

  part(int cells, int rank, int processes, sumfac::host const& threads)
      : mesh(Operator::order, cells, rank, processes),
        A(threads, sumfac::view<double const, sumfac::extents<sumfac::dynamic_extent, 2, 2, 2, 3>>(mesh.vertices.data(),
                                                                                                   mesh.elements())),
        R(threads,
          sumfac::view<std::int32_t const, sumfac::extents<sumfac::dynamic_extent, n, n, n>>(mesh.table.data(),
                                                                                             mesh.elements()),
          mesh.nodes(), vector_of(mesh.boundary)),
        x(static_cast<std::size_t>(mesh.owned)),
        y(x.size())
  {
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<double>(mesh.number[i] % 17) - 8;
  }
  slabs mesh;
  Operator A;
  sumfac::restriction<double> R;
  std::vector<double> x, y;
};

template <class Operator>
void measure(MPI_Comm comm, char const* name, int cells, int rounds)
{
  int rank = 0, count = 1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &count);
  part<Operator> mine(cells, rank, count, sumfac::host{1});
  std::unique_ptr<part<Operator>> whole;
  if (rank == 0) whole = std::make_unique<part<Operator>>(cells, 0, 1, sumfac::host{count});
  sumfac::mpi::halo const halo(comm, vector_of(mine.mesh.owner), vector_of(mine.mesh.number));
  using matrix = sumfac::distributed<Operator, sumfac::restriction<double>, sumfac::mpi::halo>;
  matrix const none(mine.A, mine.R, halo, {.overlap = sumfac::overlap::none});
  matrix const update(mine.A, mine.R, halo, {.overlap = sumfac::overlap::update});
  matrix const both(mine.A, mine.R, halo, {.overlap = sumfac::overlap::both});
  // Messages that take a tenth of an application.
  both.apply(vector_of(mine.x), vector_of(mine.y));
  double const began = now();
  both.apply(vector_of(mine.x), vector_of(mine.y));
  double took_once = now() - began, delay = 0;
  MPI_Allreduce(&took_once, &delay, 1, MPI_DOUBLE, MPI_MIN, comm);
  delay /= 10;
  slow_halo const slow{halo, delay};
  using slow_matrix = sumfac::distributed<Operator, sumfac::restriction<double>, slow_halo>;
  slow_matrix const slow_none(mine.A, mine.R, slow, {.overlap = sumfac::overlap::none});
  slow_matrix const slow_update(mine.A, mine.R, slow, {.overlap = sumfac::overlap::update});
  slow_matrix const slow_both(mine.A, mine.R, slow, {.overlap = sumfac::overlap::both});
  sumfac::mpi::node_exchange<double, sumfac::host> exchange(halo, sumfac::host{1}, 1, sumfac::interleaving::fastest);
  std::vector<double> ghosts(static_cast<std::size_t>(halo.ghosts()) + 1), z(mine.y);
  auto const x = vector_of(mine.x), y = vector_of(mine.y);

  std::vector<std::string> names;
  std::vector<std::vector<double>> seconds, cpu;  // of the slowest process; of all together
  auto const time = [&](std::size_t which, char const* label, bool alone, auto const& f) {
    if (seconds.size() <= which) seconds.emplace_back(), cpu.emplace_back(), names.emplace_back(label);
    meet(comm);
    double const start = now(), cpu_start = sumfac::bench::processor_seconds();
    if (!alone || rank == 0) f();
    double took = now() - start, longest = 0, used = sumfac::bench::processor_seconds() - cpu_start, all = 0;
    meet(comm);
    MPI_Allreduce(&took, &longest, 1, MPI_DOUBLE, MPI_MAX, comm);
    MPI_Allreduce(&used, &all, 1, MPI_DOUBLE, MPI_SUM, comm);
    seconds[which].push_back(longest);
    cpu[which].push_back(all);
  };
#if defined(WITH_PETSC)
  std::vector<std::int64_t> numbers;  // of PETSc: here those of the cube, plane after plane
  for (auto i = std::size_t(mine.mesh.owned); i < mine.mesh.number.size(); ++i) numbers.push_back(mine.mesh.number[i]);
  sumfac::petsc::halo const sf(comm, mine.mesh.owned, vector_of(numbers));
  sumfac::petsc::shell const shell(mine.A, mine.R, sf, {.symmetric = true});
  Vec from = nullptr, to = nullptr;
  MatCreateVecs(shell, &from, &to);
  VecSet(from, 1);
#endif
  constexpr int repeats = 5;
  for (int round = 0; round < rounds + 1; ++round) {
    if (round == 1) seconds.clear(), cpu.clear(), names.clear();
    time(0, "whole, threads", true, [&] {
      for (int i = 0; i < repeats; ++i) whole->A.apply(whole->R, vector_of(whole->x), vector_of(whole->y));
    });
    auto const apply = [&](auto const& a) {
      return [&] {
        for (int i = 0; i < repeats; ++i) a.apply(x, y);
      };
    };
    time(1, "parts, no overlap", false, apply(none));
    time(2, "parts, update overlapped", false, apply(update));
    time(3, "parts, both overlapped", false, apply(both));
    time(4, "exchange alone", false, [&] {
      for (int i = 0; i < repeats; ++i) {
        exchange.begin_update(mine.x.data(), ghosts.data());
        exchange.end_update(mine.x.data(), ghosts.data());
        exchange.begin_add(ghosts.data(), z.data());
        exchange.end_add(ghosts.data(), z.data());
      }
    });
    time(5, "slow, no overlap", false, apply(slow_none));
    time(6, "slow, update overlapped", false, apply(slow_update));
    time(7, "slow, both overlapped", false, apply(slow_both));
#if defined(WITH_PETSC)
    time(8, "PETSc's MatMult", false, [&] {
      for (int i = 0; i < repeats; ++i) MatMult(shell, from, to);
    });
#endif
  }
#if defined(WITH_PETSC)
  VecDestroy(&from);
  VecDestroy(&to);
#endif
  if (rank != 0) return;
  std::printf("%s, degree %d, %lld nodes, %d processes\n", name, Operator::order,
              static_cast<long long>(whole->mesh.owned), count);
  for (std::size_t k : {std::size_t{6}, std::size_t{7}}) {
    std::vector<double> hidden;
    for (std::size_t i = 0; i < seconds[k].size(); ++i)
      hidden.push_back((seconds[5][i] - seconds[k][i]) / (2 * delay * repeats));
    std::printf("  %s: %.0f %% of two messages of %.2f ms hidden\n", names[k].c_str(), 100 * median(hidden),
                1e3 * delay);
  }
  for (std::size_t k = 0; k < names.size(); ++k) {
    std::vector<double> ratio, of_cpu;
    for (std::size_t i = 0; i < seconds[k].size(); ++i) {
      ratio.push_back(seconds[0][i] / seconds[k][i]);
      of_cpu.push_back(cpu[0][i] / cpu[k][i]);
    }
    std::printf("  %-26s %9.3f ms, %.3f of the threads' rate; %.3f by processors' time\n", names[k].c_str(),
                1e3 * median(seconds[k]) / repeats, median(ratio), median(of_cpu));
  }
}

}  // namespace

int main(int argc, char** argv)
{
  return sumfac::mpi::run(argc, argv, [&](MPI_Comm comm) {
#if defined(WITH_PETSC)
    PetscInitialize(nullptr, nullptr, nullptr, nullptr);
#endif
    int const cells = argc > 1 ? std::atoi(argv[1]) : 24, rounds = argc > 2 ? std::atoi(argv[2]) : 15;
    measure<sumfac::bp3<2>>(comm, "BP3.0", 2 * cells, rounds);
    measure<sumfac::bp3<4>>(comm, "BP3.0", cells, rounds);
    measure<sumfac::bp35<4>>(comm, "BP3.5", cells, rounds);
#if defined(WITH_PETSC)
    PetscFinalize();
#endif
    return 0;
  });
}
