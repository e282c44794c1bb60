// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What the checked backend finds and counts, as values; and the record of it that all copies of the backend share.
#pragma once

#include <sumfac/backend/detail/own_vector.hpp>

#include <sched.h>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sumfac::SUMFAC_TARGET {

// What the checked backend does with a finding: throws a checked_error, or keeps it in findings() and goes on.
enum class on_finding { raise, collect };

// One thing that a kernel must not do, seen while it ran.
struct checked_finding {
  enum class kind {
    race,           // two threads touched one scratch entry, one of them wrote, no barrier between
    uninitialized,  // a scratch entry was read which nobody had written, or before a copy to it was waited for
    out_of_range,   // an index is not in its extent
    foreign,        // a per_thread entry was touched by a thread which does not own it
    divergence,     // a barrier was not reached by all threads
    unread,         // a scratch entry was copied, and nobody read it before the next copy to it or the end
  };

  kind what;
  std::string message;
  std::string phase;           // as team.phase() named it; empty before the first name
  index_t group;               // the group whose team did it
  std::vector<int> threads;    // who did it; race: the earlier, the later; divergence: those who wait
  int array = -1;              // the scratch array in order of declaration, or -1
  std::vector<index_t> index;  // of the entry, in that array or in a per_thread
};

// A finding as an exception, thrown in the thread that did it where one thread did, so that a debugger stops there.
struct checked_error : std::logic_error {
  explicit checked_error(checked_finding f) : std::logic_error(f.message), finding(std::move(f)) {}

  checked_finding finding;
};

// Scratch traffic in one direction.
struct checked_traffic {
  index_t entries = 0;       // by all threads; a broadcast counts once per thread
  index_t bytes = 0;         // entries times their size
  index_t transactions = 0;  // of the 32 banks: what the warps needed
  index_t conflicts = 0;     // those of them that a conflict-free order would save

  friend constexpr bool operator==(checked_traffic const&, checked_traffic const&) = default;

  constexpr checked_traffic& operator+=(checked_traffic const& other)
  {
    entries += other.entries;
    bytes += other.bytes;
    transactions += other.transactions;
    conflicts += other.conflicts;
    return *this;
  }
};

// What the teams of some groups did; divide by groups for one team, by elements for one element.
struct checked_counts {
  index_t groups = 0;
  index_t elements = 0;  // as many as the kernel says for each group
  index_t barriers = 0;  // per team, not per thread
  checked_traffic reads;
  checked_traffic writes;
  index_t scratch_bytes = 0;  // of one team, the largest seen

  friend constexpr bool operator==(checked_counts const&, checked_counts const&) = default;

  constexpr checked_counts& operator+=(checked_counts const& other)
  {
    groups += other.groups;
    elements += other.elements;
    barriers += other.barriers;
    reads += other.reads;
    writes += other.writes;
    scratch_bytes = scratch_bytes > other.scratch_bytes ? scratch_bytes : other.scratch_bytes;
    return *this;
  }
};

// The share of one phase; barriers count for the phase that they end.
struct checked_phase {
  std::string name;
  checked_counts counts;
};

namespace detail {

// What was counted and found.
struct checked_record {
  static constexpr std::size_t most_findings = 1000;  // kept; further ones are only counted

  checked_counts counts;  // groups, elements and scratch_bytes; the rest is in phases
  own_vector<checked_phase> phases;
  own_vector<checked_finding> findings;
  index_t finding_count = 0;

  // Number of the phase of that name, which is new where there was none.
  std::size_t phase_number(std::string_view name)
  {
    for (std::size_t i = 0; i < phases.size(); ++i)
      if (phases[i].name == name) return i;
    phases.push_back({std::string(name), {}});
    return phases.size() - 1;
  }

  void keep(checked_finding const& finding)
  {
    if (findings.size() < most_findings) findings.push_back(finding);
  }

  checked_record& operator+=(checked_record const& other)
  {
    counts += other.counts;
    for (checked_phase const& phase : other.phases) phases[phase_number(phase.name)].counts += phase.counts;
    for (checked_finding const& finding : other.findings) keep(finding);
    finding_count += other.finding_count;
    return *this;
  }

  checked_counts sum() const
  {
    checked_counts all = counts;
    for (checked_phase const& phase : phases) all += phase.counts;
    return all;
  }
};

// A record with several owners, the last of which deletes it.
class shared_record {
public:
  shared_record() : shared_(new shared) {}
  shared_record(shared_record const& other) : shared_(other.shared_)
  {
    __atomic_add_fetch(&shared_->owners, 1, __ATOMIC_RELAXED);
  }
  shared_record& operator=(shared_record other)
  {
    std::swap(shared_, other.shared_);
    return *this;
  }
  ~shared_record()
  {
    if (__atomic_sub_fetch(&shared_->owners, 1, __ATOMIC_ACQ_REL) == 0) delete shared_;
  }

  // Calls f(record) while no other thread has it.
  template <class Function>
  auto lend(Function const& f) const
  {
    hold const held(shared_->taken);
    return f(shared_->record);
  }

private:
  // The compilers' own atomic operations: <atomic> would take longer to compile than all of this floor.
  struct shared {
    checked_record record;
    bool taken = false;
    int owners = 1;
  };

  struct hold {
    explicit hold(bool& flag) : taken(flag)
    {
      while (__atomic_test_and_set(&taken, __ATOMIC_ACQUIRE)) sched_yield();
    }
    hold(hold const&) = delete;
    ~hold() { __atomic_clear(&taken, __ATOMIC_RELEASE); }

    bool& taken;
  };

  shared* shared_;
};

}  // namespace detail

}  // namespace sumfac
