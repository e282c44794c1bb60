// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A process that waits for messages sleeps, where Open MPI would ask again and again.
//
// Preloaded by tests that run several processes. Open MPI polls, and calls sched_yield() where it is told that there
// are more processes than cores; to Linux's scheduler that is work like any other, so that on two cores processes that
// wait take their share of the time from those that work: test.interop.mpi by three took 141 s, and takes 22.

#include <sched.h>
#include <time.h>

extern "C" int sched_yield() noexcept
{
  timespec const pause{.tv_sec = 0, .tv_nsec = 20'000};
  return nanosleep(&pause, nullptr);
}
