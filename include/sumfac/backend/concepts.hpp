// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What a team offers a kernel, what a kernel is, and what a backend offers an operator.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/backend/policy.hpp>

#include <concepts>

namespace sumfac::SUMFAC_TARGET {

namespace detail {

// Stands for the body of a phase over a 2 x 3 box.
struct visitor {
  SUMFAC_FUNCTION constexpr void operator()(int, int) const {}
};

}  // namespace detail

// The threads that compute one group of elements together: a thread block on a GPU, a loop nest on the host, fibers
// on `checked`. Syntax only; what the calls mean is said beside each:
//   scalar                  what one thread computes in
//   threads                 how many there are
//   each(box<A, B>{}, f)    f(a, b) once for every item of the box, by the thread of that rank; no barrier after it
//   sync()                  all threads wait for all; what was written to scratch before is seen after
//   phase("name")           names what follows in messages
//   shared<T, A, B>         a member of scratch, (a, b) -> reference; uninitialized at the start of a group
//   per_thread<T, A, B>     a local of the kernel, (a, b) -> T& of the thread which owns item (a, b) of box<A, B>
// Teams of devices and of `checked` have copies to scratch that come while a thread goes on, in groups:
//   copy_ahead(from, array, a, b)   starts one of *from to array(a, b), which this thread alone reads, behind the next
//   end_copies(), await_copies<N>()   ends a group; waits for all but the thread's last N groups
template <class Team>
concept team = requires(Team const& t, typename Team::template per_thread<typename Team::scalar, 2, 3> mine,
                        typename Team::template shared<typename Team::scalar, 2, 3>& common) {
  { Team::threads } -> std::convertible_to<int>;
  t.each(box<2, 3>{}, detail::visitor{});
  t.sync();
  t.phase("name");
  { mine(0, 0) } -> std::same_as<typename Team::scalar&>;
  common(0, 0) = typename Team::scalar(common(0, 0));
};

// An object that computes one group when called with a team: (team, scratch, group). It is copied to the device, so
// it holds values, views and pointers. Optional: `scalar` (double where absent) and `static constexpr int threads`.
template <class Kernel, class Team>
concept kernel_for = team<Team> && requires(Kernel const& k, Team const& t, typename Kernel::template scratch<Team>& s,
                                            index_t group) { k(t, s, group); };

namespace detail {

// The kernel that does nothing, to ask a backend whether it launches kernels.
struct idle_kernel {
  static constexpr int threads = 1;

  template <class Team>
  struct scratch {};

  template <class Team>
  SUMFAC_FUNCTION void operator()(Team const&, scratch<Team>&, index_t) const
  {
  }
};

}  // namespace detail

// Where kernels run. launch(kernel, groups) calls the kernel for group = 0 .. groups - 1, a team each, in any order;
// a backend is a cheap copy of a handle and launches on a const object, from several threads at once.
template <class Backend>
concept backend = std::copyable<Backend> && requires(Backend const& b) { b.launch(detail::idle_kernel{}, index_t{0}); };

namespace detail {

// Who can read some memory: the host, a device's kernels, or both.
enum class memory_side { host, device, both };

}  // namespace detail

// A backend whose kernels work in memory of a device's own, which the host cannot touch; it says so by having stream().
//   stream(), device()     where its work is queued, and on which of several devices
//   copy(from, to, size)   queues a copy of entries, from and to either memory
//   synchronize()          waits for all that was queued
//   prepare<Kernel>()      readies a kernel for launches to come, so that they allocate nothing
//   built_for              the architecture that its kernels are compiled for, for tunings
// Besides, buffer<T, Backend> owns its memory. What it may have, and the library does without:
//   side_of(p)             who can read the memory at p; where it is not said, host and device
//   teams_at_once<Kernel>(), cache_bytes()   for the distance at which kernels prefetch
//   resources<Kernel>()    registers and scratch of a kernel, for tools
//   graphs_of<Backend>     (`backend/detail/graphs.hpp`) work that is queued once and launched again
template <class Backend>
concept device_backend = std::copyable<Backend> && requires(Backend const& b, double const* from, double* to) {
  b.stream();
  b.copy(from, to, index_t{0});
  b.synchronize();
  b.template prepare<detail::idle_kernel>();
  { b.device() == b.device() } -> std::convertible_to<bool>;
  Backend::built_for;
};

class host;

// The backend whose kernels run on the processor's own threads, in packs, with tables that are constants.
template <class Backend>
concept runs_on_host = std::same_as<Backend, host>;

// One readable diagnostic for each promise that Backend does not keep; the door of operators.
template <class Backend>
constexpr bool check_backend()
{
  constexpr bool copied = std::copyable<Backend>;
  static_assert(copied, "sumfac::backend: it cannot be copied: make it a handle");
  constexpr bool has_teams = requires { typename Backend::template team<detail::idle_kernel>; };
  static_assert(has_teams, "sumfac::backend: no member template team<Kernel>: say what runs a kernel");
  constexpr bool launches = requires(Backend const& b) { b.launch(detail::idle_kernel{}, index_t{0}); };
  static_assert(launches, "sumfac::backend: launch(kernel, groups) const cannot be called");
  if constexpr (requires(Backend const& b) { b.stream(); }) {
    constexpr bool is_device = device_backend<Backend>;
    static_assert(is_device,
                  "sumfac::backend: with stream() it is a device's, and then needs device(), copy(from, to, "
                  "size), synchronize(), prepare<Kernel>() and built_for: see sumfac::device_backend");
    return copied && has_teams && launches && is_device;
  }
  return copied && has_teams && launches;
}

// The team of Backend for Kernel: `Backend::team<Kernel>`.
template <class Backend, class Kernel>
using team_of = typename Backend::template team<Kernel>;

// One readable diagnostic for each promise that Team does not keep; put it beside the definition of a team.
template <class Team>
constexpr void check_team()
{
  static_assert(
      requires { typename Team::scalar; }, "sumfac::team: no type scalar: say what one thread computes in");
  static_assert(
      requires {
        { Team::threads } -> std::convertible_to<int>;
      }, "sumfac::team: no constant threads: say how many threads the team has");
  static_assert(
      requires(Team const& t) { t.each(box<2, 3>{}, detail::visitor{}); },
      "sumfac::team: each(box<A, B>{}, f) cannot be called on a const team");
  static_assert(
      requires(Team const& t) { t.sync(); }, "sumfac::team: sync() cannot be called on a const team");
  static_assert(
      requires(Team const& t) { t.phase("name"); }, "sumfac::team: phase(\"name\") cannot be called on a const team");
  static_assert(team<Team>,
                "sumfac::team: shared<T, A, B> or per_thread<T, A, B> is missing or cannot be indexed by "
                "(a, b): shared gives something that reads and assigns a T, per_thread gives a T&");
}

// The same for a kernel on a team; call it at the door of launch().
template <class Kernel, class Team>
constexpr void check_kernel()
{
  check_team<Team>();
  static_assert(
      requires { typename Kernel::template scratch<Team>; },
      "sumfac::kernel: no member template scratch<Team>: write an empty struct where nothing is shared");
  static_assert(kernel_for<Kernel, Team>,
                "sumfac::kernel: operator()(Team const&, scratch<Team>&, index_t) const cannot be called");
  static_assert(detail::kernel_threads<Kernel> > 0 && detail::kernel_threads<Kernel> <= 1024,
                "sumfac::kernel: threads is not in 1..1024: a thread block has no more; let each() stride instead");
}

}  // namespace sumfac
