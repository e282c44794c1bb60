// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Processes that are timed together: how they meet, and a halo whose messages take a time that is given.
#pragma once

#include <sumfac/interop/mpi.hpp>

#include "../report/timing.hpp"

#include <ctime>

// Waits for all processes without keeping a core from them.
inline void meet(MPI_Comm comm)
{
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ibarrier(comm, &request);
  for (int done = 0; done == 0;) {
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    std::timespec const nap{0, 20000};
    if (done == 0) nanosleep(&nap, nullptr);
  }
}

// A halo whose messages take `delay` seconds from when they are begun, whatever the processors do meanwhile: a network
// with hardware of its own, which two processes on one machine have not.
template <class Scalar, class Backend>
struct slow_exchange;
struct slow_halo {
  template <class Scalar, class Backend>
  using exchange = slow_exchange<Scalar, Backend>;

  sumfac::index_t owned() const { return of.owned(); }
  sumfac::index_t ghosts() const { return of.ghosts(); }
  sumfac::reduction reduction() const { return of.reduction(); }
  void agree(char const* where, char const* problem) const { of.agree(where, problem); }

  sumfac::mpi::halo const& of;
  double delay;
};
template <class Scalar, class Backend>
struct slow_exchange {
  slow_exchange(slow_halo const& halo, Backend const& backend, int components, sumfac::interleaving lie)
      : of(halo.of, backend, components, lie), delay(halo.delay)
  {
  }
  void begin_update(Scalar const* x, Scalar* ghosts) { of.begin_update(x, ghosts), begun = sumfac::bench::now(); }
  void begin_add(Scalar const* ghosts, Scalar* y) { of.begin_add(ghosts, y), begun = sumfac::bench::now(); }
  void end_update(Scalar const* x, Scalar* ghosts) { arrive(), of.end_update(x, ghosts); }
  void end_add(Scalar const* ghosts, Scalar* y) { arrive(), of.end_add(ghosts, y); }
  void progress() { of.progress(); }
  void arrive() const
  {
    double const end = begun + delay, left = end - sumfac::bench::now();
    std::timespec const nap{0, long(1e9 * left)};
    if (left > 1e-3) nanosleep(&nap, nullptr);  // which takes some tens of microseconds more
    while (sumfac::bench::now() < end) continue;
  }

  sumfac::mpi::node_exchange<Scalar, Backend> of;
  double delay, begun = 0;
};
