// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Process 1, one of three that solve on multigrid's last level, throws alone, while the others wait for its messages.
#include <sumfac/error.hpp>
#include <sumfac/interop/detail/gathered_rows.hpp>
#include <sumfac/interop/mpi.hpp>

#include <vector>

int main(int argc, char** argv)
{
  return sumfac::mpi::run(argc, argv, [](MPI_Comm comm) {
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    using groups = sumfac::detail::process_groups;
    groups const each_for_itself(comm, 300, 256, std::vector<bool>(3, true));
    auto const work = [&](int one) {
      return [&, one] {
        if (rank == one) sumfac::fail("merged_cg", "the workspace is of another matrix (got 2, 1 expected)");
        MPI_Barrier(each_for_itself.heads());
      };
    };
    // Nobody throws; all have agreed to throw; one throws alone.
    if (each_for_itself.on_head(groups::heads_are::solving, work(-1)).found()) return 2;
    auto const agreed = [&] { sumfac::detail::agree_on(each_for_itself.heads(), "here", rank == 1 ? "refused" : ""); };
    if (!each_for_itself.on_head(groups::heads_are::solving, agreed).found()) return 3;
    return each_for_itself.on_head(groups::heads_are::solving, work(1)).found() ? 4 : 5;
  });
}
