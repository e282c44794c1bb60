// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What an application costs on a backend: seconds, or on `checked` counts; and what the backend's device is called.
#pragma once

#include <sumfac/backend/detail/memory.hpp>

#include <cstdio>
#include <ctime>
#include <string>

namespace sumfac::SUMFAC_TARGET::detail {

// A backend that counts what its teams do.
template <class Backend>
concept counts_work = requires(Backend const& b) {
  b.counts().barriers;
  b.counts().reads.transactions;
};

// A backend whose device has a name and a driver of a version.
template <class Backend>
concept has_driver = requires(Backend const& b) {
  b.name();
  b.driver_version();
};

inline double seconds_now()
{
  std::timespec t{};
#if defined(CLOCK_MONOTONIC)
  clock_gettime(CLOCK_MONOTONIC, &t);
#else
  std::timespec_get(&t, TIME_UTC);
#endif
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

// Transactions of shared memory, and 32 for each barrier: what `checked` can say of a kernel's time.
template <class Backend>
double counted_work(Backend const& backend)
{
  auto const c = backend.counts();
  return static_cast<double>(c.reads.transactions + c.writes.transactions + 32 * c.barriers);
}

// Seconds of `count` calls that are queued one after the other.
template <class Backend, class Run>
double seconds_of(Backend const& backend, int count, Run const& run)
{
  wait_for(backend);
  double const begin = seconds_now();
  for (int i = 0; i < count; ++i) run();
  wait_for(backend);
  return seconds_now() - begin;
}

// The processor's time of this thread, which other programs take no part of; for several threads the time that passes.
inline double seconds_of_work([[maybe_unused]] int threads)
{
#if defined(CLOCK_THREAD_CPUTIME_ID)
  std::timespec t{};
  if (threads == 1 && clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t) == 0)
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
#endif
  return seconds_now();
}

// How many times as fast b() is as a() on the host: the median of some rounds, in which they take turns, together about
// twice so many seconds.
template <class First, class Second>
double gain_in_turns(host const& backend, double seconds, First const& a, Second const& b)
{
  constexpr int rounds = 7;
  auto const time = [&](auto const& run, int count) {
    double const begin = seconds_of_work(backend.threads());
    for (int i = 0; i < count; ++i) run();
    return seconds_of_work(backend.threads()) - begin;
  };
  time(b, 1);
  int count = 1;
  while (time(a, count) < seconds / rounds && count < (1 << 20)) count *= 2;
  double gains[rounds];
  for (int i = 0; i < rounds; ++i) {
    double const of_a = time(a, count), of_b = time(b, count);
    gains[i] = of_b > 0 ? of_a / of_b : 0;
    for (int j = i; j > 0 && gains[j] < gains[j - 1]; --j) {
      double const less = gains[j];
      gains[j] = gains[j - 1], gains[j - 1] = less;
    }
  }
  return gains[rounds / 2];
}

// What run() costs: the least of samples that take about so many seconds together, each of them long enough for the
// clock and for the start of the first launch not to matter; or what is counted of one.
template <class Backend, class Run>
double cost_of(Backend const& backend, double seconds, Run const& run)
{
  if constexpr (counts_work<Backend>) {
    double const before = counted_work(backend);
    run();
    return counted_work(backend) - before;
  } else {
    constexpr int samples = 7;
    int count = 1;
    double once = seconds_of(backend, count, run);
    while (once < seconds / (2 * samples) && count < (1 << 20)) once = seconds_of(backend, count *= 2, run);
    double least = once / count;
    for (int sample = 0; sample < samples; ++sample) {
      double const s = seconds_of(backend, count, run) / count;
      least = s < least ? s : least;
    }
    return least;
  }
}

template <class Backend>
std::string text_of_cost(double cost)
{
  if constexpr (counts_work<Backend>)
    return formatted("%.0f counted", cost);
  else
    return formatted("%.4g us", cost * 1e6);
}

// The model of the processor, as Linux has it.
inline std::string processor_name()
{
  std::string name = "a processor";
  if (std::FILE* const file = std::fopen("/proc/cpuinfo", "r")) {
    char line[300], model[200];
    while (std::fgets(line, sizeof line, file) != nullptr)
      if (std::sscanf(line, "model name : %199[^\n]", model) == 1) {
        name = model;
        break;
      }
    std::fclose(file);
  }
  return name;
}

template <class Backend>
std::string device_name(Backend const& backend)
{
  if constexpr (runs_on_host<Backend>)
    return processor_name() + ", " + std::to_string(backend.threads()) + " threads";
  else if constexpr (requires { backend.name(); })
    return backend.name();
  else if constexpr (counts_work<Backend>)
    return "checked";
  else
    return "a device";
}

// The host's compiler stands for a driver where there is none.
template <class Backend>
std::string driver_name(Backend const& backend)
{
  if constexpr (has_driver<Backend>)
    return "driver " + std::to_string(backend.driver_version());
  else
    return std::string("compiler ") + __VERSION__;
}

}  // namespace sumfac::detail
