// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The backend that runs device kernels on the CPU, thread by thread, and reports what a GPU would only suffer.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/backend/checked/arrays.hpp>
#include <sumfac/backend/checked/fibers.hpp>
#include <sumfac/backend/checked/finding.hpp>
#include <sumfac/backend/checked/monitor.hpp>
#include <sumfac/backend/concepts.hpp>
#include <sumfac/backend/policy.hpp>

#include <cstddef>
#include <string_view>
#include <vector>

namespace sumfac::SUMFAC_TARGET {

namespace detail {

// What a scratch struct tells its names to; members that are no arrays in this instance have none.
struct array_namer {
  template <class T, int... Extents>
  void operator()(std::string_view name, checked_shared<T, Extents...>& array) const
  {
    array.name(name);
  }
  template <class Absent>
  void operator()(std::string_view, Absent const&) const
  {
  }
};

template <class Scalar, int Threads>
class checked_team;

}  // namespace detail

// Runs a kernel as teams of as many separate threads of execution as it asks for, group after group, each thread
// executing the whole kernel, and watches them. It reports races on scratch, reads of scratch that nobody wrote, copies
// to scratch that are read before they are waited for or never, indices out of range, barriers not reached by all and
// per_thread entries touched by others; it counts barriers, scratch traffic and bank conflicts. Copies share one
// record, and several host threads may launch at once.
//
// Messages give the arrays of a scratch struct by number, in order of declaration, or by the names which the struct
// says in an optional function that no other backend calls:
//   template <class Name> void names(Name const& name) { name("u", u); name("flux", flux); }
//
// **Work** some 0.2 us per thread and barrier, some 0.05 us per access to scratch
// **Errors** checked_error for a finding, unless told to collect; backend_error for a stack too small or a scratch
// struct that holds more than shared arrays; whatever the kernel throws
class checked {
public:
  struct options {
    on_finding findings = on_finding::raise;
    std::size_t stack_bytes = detail::fiber_crew::default_stack_bytes;  // of each thread of a team
  };

  template <class Kernel>
  using team = detail::checked_team<detail::kernel_scalar<Kernel>, detail::kernel_threads<Kernel>>;

  checked() : checked(options()) {}
  explicit checked(on_finding policy) : checked(options{policy, detail::fiber_crew::default_stack_bytes}) {}
  explicit checked(options const& o) : options_(o) {}

  // Calls kernel(team, scratch, group) for group = 0 .. groups - 1.
  template <class Kernel>
  void launch(Kernel const& kernel, index_t groups) const
  {
    check_kernel<Kernel, team<Kernel>>();
    if (groups < 0)
      failf("checked::launch", "groups is negative (%lld): pass the number of teams to run",
            static_cast<long long>(groups));
    if (detail::kernel_monitor::current() != nullptr)
      throw backend_error("sumfac::checked: launch inside a kernel (1 team runs already) launch from the host");
    detail::kernel_monitor watch(detail::kernel_threads<Kernel>, options_.findings);
    detail::kernel_monitor::current() = &watch;
    try {
      for (index_t group = 0; group < groups; ++group) run_group(kernel, watch, group);
    } catch (...) {
      finish(watch);
      throw;
    }
    finish(watch);
  }

  // What was counted since the start or clear().
  checked_counts counts() const
  {
    return record_.lend([](detail::checked_record& r) { return r.sum(); });
  }

  // The same for each phase, in order of first use; what belongs to no phase is counted under an empty name.
  std::vector<checked_phase> phases() const
  {
    return record_.lend(
        [](detail::checked_record& r) { return std::vector<checked_phase>(r.phases.begin(), r.phases.end()); });
  }

  // What was found since the start or clear(), the first 1000.
  std::vector<checked_finding> findings() const
  {
    return record_.lend(
        [](detail::checked_record& r) { return std::vector<checked_finding>(r.findings.begin(), r.findings.end()); });
  }

  // How many there were.
  index_t finding_count() const
  {
    return record_.lend([](detail::checked_record& r) { return r.finding_count; });
  }

  void clear() const
  {
    record_.lend([](detail::checked_record& r) { r = {}; });
  }

private:
  template <class Kernel>
  void run_group(Kernel const& kernel, detail::kernel_monitor& watch, index_t group) const
  {
    using scratch = typename Kernel::template scratch<team<Kernel>>;
    watch.begin_group(group, detail::kernel_elements<Kernel>);
    scratch s;
    watch.expect_only_arrays(sizeof(scratch), sizeof(detail::checked_shared<double, 1>));
    if constexpr (requires { s.names(detail::array_namer{}); }) s.names(detail::array_namer{});
    detail::fiber_crew& crew = detail::fiber_crew::local();
    auto const thread = [&](int rank) { kernel(team<Kernel>(watch, crew, rank), s, group); };
    crew.start(detail::kernel_threads<Kernel>, options_.stack_bytes, thread);
    try {
      do crew.take_turns();
      while (watch.pass_barrier([&](int rank) { return crew.ended(rank); }));
    } catch (...) {
      crew.unwind();
      throw;
    }
    crew.unwind();
  }

  void finish(detail::kernel_monitor const& watch) const
  {
    detail::kernel_monitor::current() = nullptr;
    record_.lend([&](detail::checked_record& r) { r += watch.record(); });
  }

  options options_;
  detail::shared_record record_;
};

// One thread of a checked team, as the kernel sees it.
template <class Scalar, int Threads>
class detail::checked_team {
public:
  using scalar = Scalar;
  static constexpr int threads = Threads;

  template <class T, int... Extents>
  using shared = detail::checked_shared<T, Extents...>;

  template <class T, int... Extents>
  using per_thread = detail::checked_per_thread<checked_team, T, Extents...>;

  checked_team(detail::kernel_monitor& watch, detail::fiber_crew& crew, int rank)
      : watch_(watch), crew_(crew), rank_(rank)
  {
    watch_.run_as(rank_);
  }

  // Calls f with the indices of every item of the box that is this thread's.
  template <int... Extents, class Function>
  void each(box<Extents...>, Function&& f) const
  {
    using items = box<Extents...>;
    constexpr int rounds = (items::size + Threads - 1) / Threads;
    for (int round = 0; round < rounds; ++round) {
      watch_.next_step();
      if (int const position = round * Threads + rank_; position < items::size) items::visit(position, f);
    }
    watch_.next_step();
  }

  // Lets the other threads run until they wait here too.
  void sync(char const* file = __builtin_FILE(), int line = __builtin_LINE()) const
  {
    watch_.arrive(file, line);
    crew_.wait();
    watch_.run_as(rank_);
  }

  // Copies to this thread's own entries of scratch; each comes at the wait for its group, and not before.
  template <class T, class Array, class... Indices>
  void copy_ahead(T const* from, Array& to, Indices... i) const
  {
    to.copy_ahead(from, i...);
  }
  void end_copies() const { watch_.end_copies(); }
  template <int Most>
  void await_copies() const
  {
    watch_.await_copies(Most);
  }

  // Names what follows, to the end of the kernel or the next name.
  void phase(std::string_view name) const { watch_.enter_phase(name); }

private:
  detail::kernel_monitor& watch_;
  detail::fiber_crew& crew_;
  int rank_;
};

}  // namespace sumfac
