// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Preloaded, makes a program's clock count the processor time of its own: for one thread on a machine that others use.
//
//     g++ -O2 -shared -fPIC bench/report/processor_time.cpp -o build/processor_time.so
//     LD_PRELOAD=build/processor_time.so build/bench/bench/bps --threads 1

#include <sys/syscall.h>
#include <unistd.h>
#include <ctime>

extern "C" int clock_gettime(clockid_t clock, timespec* time) noexcept
{
  clockid_t const asked = clock == CLOCK_MONOTONIC ? CLOCK_PROCESS_CPUTIME_ID : clock;
  return static_cast<int>(syscall(SYS_clock_gettime, asked, time));
}
