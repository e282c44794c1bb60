// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Where the threads of the host may run: processors, cores, and how many of both they have between them.
#pragma once

#include <sumfac/backend/host.hpp>

#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

#if defined(__linux__)
#include <sched.h>
#endif

namespace sumfac::SUMFAC_TARGET::detail {

// Of each thread, the processors that it may run on; and of each processor, its core. Empty where the system does not
// say.
struct thread_places {
  std::vector<std::vector<int>> allowed;  // by thread
  std::vector<int> core_of;               // by processor of the machine
};

// What follows from it.
struct placement {
  int threads = 1;
  int processors = 1, cores = 1;            // that the program has
  int used_processors = 1, used_cores = 1;  // that the threads can have at once, each one of its own
  double granted = 0;                       // processors' time that a control group grants; 0: no limit
};

// The greatest number of threads that can have a place each, one of their own: a thread that finds its places taken
// asks those who have them for others.
class place_finder {
public:
  explicit place_finder(std::vector<std::vector<int>> const& wanted) : wanted_(wanted)
  {
    for (auto const& list : wanted)
      for (int const place : list)
        if (place >= static_cast<int>(taken_by_.size())) taken_by_.resize(static_cast<std::size_t>(place) + 1, -1);
    for (std::size_t thread = 0; thread < wanted.size(); ++thread) {
      seen_.assign(taken_by_.size(), false);
      if (settle(static_cast<int>(thread))) ++settled_;
    }
  }
  int settled() const { return settled_; }

private:
  bool settle(int thread)
  {
    auto const& list = wanted_[static_cast<std::size_t>(thread)];
    for (int const place : list)
      if (int& by = taken_by_[static_cast<std::size_t>(place)]; by < 0) {
        by = thread;
        return true;
      }
    for (int const place : list) {
      auto const at = static_cast<std::size_t>(place);
      if (seen_[at]) continue;
      seen_[at] = true;
      if (settle(taken_by_[at])) {
        taken_by_[at] = thread;
        return true;
      }
    }
    return false;
  }

  std::vector<std::vector<int>> const& wanted_;
  std::vector<int> taken_by_;
  std::vector<bool> seen_;
  int settled_ = 0;
};

// `processors` are those that the program was started with; threads may have been confined to fewer since.
inline placement placement_of(thread_places const& p, int processors)
{
  placement result;
  result.threads = static_cast<int>(p.allowed.size());
  auto const core = [&](int processor) {
    bool const known = processor < static_cast<int>(p.core_of.size());
    return known ? p.core_of[static_cast<std::size_t>(processor)] : processor;
  };
  std::vector<std::vector<int>> by_core;
  std::vector<int> all_processors, all_cores;
  auto const add = [](std::vector<int>& list, int number) {
    for (int const there : list)
      if (there == number) return;
    list.push_back(number);
  };
  for (auto const& list : p.allowed) {
    auto& cores = by_core.emplace_back();
    for (int const processor : list) {
      add(cores, core(processor));
      add(all_processors, processor);
      add(all_cores, core(processor));
    }
  }
  result.used_processors = place_finder(p.allowed).settled();
  result.used_cores = place_finder(by_core).settled();
  std::vector<int> cores_of_machine;
  for (int const c : p.core_of) add(cores_of_machine, c);
  auto const seen = static_cast<int>(all_processors.size());
  auto const size = static_cast<int>(p.core_of.size());
  result.processors = processors > seen ? processors : seen;
  result.cores = static_cast<int>(all_cores.size());
  // Which the others are is not known: they have as many cores as those of the machine.
  if (processors > seen && size > 0) {
    int const about = processors * static_cast<int>(cores_of_machine.size()) / size;
    result.cores = about > result.cores ? about : result.cores;
  }
  return result;
}

// The first number of a file of the system's; `otherwise` where there is none.
inline int number_of_file(char const* path, int otherwise)
{
  int number = otherwise;
  if (std::FILE* const file = std::fopen(path, "r")) {
    if (std::fscanf(file, "%d", &number) != 1) number = otherwise;
    std::fclose(file);
  }
  return number;
}

// Of the threads that a launch started now would have.
inline thread_places read_places([[maybe_unused]] host const& backend)
{
  thread_places p;
#if defined(__linux__)
  p.allowed.resize(static_cast<std::size_t>(backend.threads()));
  backend.partition(backend.threads(), [&](index_t first, index_t last) {
    for (index_t thread = first; thread < last; ++thread) {
      cpu_set_t set;
      if (sched_getaffinity(0, sizeof set, &set) != 0) continue;
      for (int processor = 0; processor < CPU_SETSIZE; ++processor)
        if (CPU_ISSET(processor, &set)) p.allowed[static_cast<std::size_t>(thread)].push_back(processor);
    }
  });
  for (auto const& list : p.allowed)
    if (list.empty()) return {};
  // Two processors of one core have the same first sibling.
  for (int processor = 0; processor < CPU_SETSIZE; ++processor) {
    std::string const folder = "/sys/devices/system/cpu/cpu" + std::to_string(processor) + "/topology/";
    int const sibling = number_of_file((folder + "thread_siblings_list").c_str(), -1);
    if (sibling < 0) break;
    p.core_of.push_back(sibling);
  }
#endif
  return p;
}

// Processors' time that a control group's file cpu.max, "150000 100000", grants; 0: no limit.
inline double granted_by(char const* path)
{
  double quota = 0, period = 0;
  if (std::FILE* const file = std::fopen(path, "r")) {
    if (std::fscanf(file, "%lf %lf", &quota, &period) != 2) quota = 0;
    std::fclose(file);
  }
  return quota > 0 && period > 0 ? quota / period : 0;
}

inline placement read_placement(host const& backend)
{
  auto const before = static_cast<int>(processors());
  thread_places const places = read_places(backend);
  placement p;
  if (!places.allowed.empty()) {
    p = placement_of(places, before);
    p.granted = granted_by("/sys/fs/cgroup/cpu.max");
  } else {
    p.threads = backend.threads();
    p.processors = p.cores = p.used_processors = p.used_cores = p.threads;
  }
  return p;
}

}  // namespace sumfac::detail
