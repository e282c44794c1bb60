// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The record that all copies of a checked backend share, on whichever host threads they launch.
#pragma once

#include <sumfac/backend/checked/finding.hpp>
#include <sumfac/backend/detail/own_vector.hpp>

#include <sched.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace sumfac::SUMFAC_TARGET::detail {

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

}  // namespace sumfac::detail
