// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The processes that a test runs as: MPI from before its main to behind it.
#pragma once

#include <mpi.h>

struct processes {
  processes()
  {
    int level = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &count);
  }
  ~processes() { MPI_Finalize(); }
  int rank = 0, count = 1;
};

// What all of them have together.
inline double sum_of_all(double mine)
{
  double all = 0;
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return all;
}

// The greatest number that one of them has.
inline double greatest(double mine)
{
  double all = 0;
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return all;
}
