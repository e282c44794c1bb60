// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The threads of a checked team as fibers: exceptions, unwinding, stacks, several host threads.
#include <sumfac/backend/checked.hpp>

#include <algorithm>
#include <catch2/catch.hpp>
#include <stdexcept>
#include <thread>
#include <vector>

using sumfac::box;
using sumfac::checked;
using sumfac::index_t;
using sumfac::on_finding;

namespace {

// A kernel without scratch made of a lambda f(team, group).
template <int Threads, class Function>
struct bare_kernel {
  using scalar = double;
  static constexpr int threads = Threads;

  template <class Team>
  struct scratch {};

  template <class Team>
  void operator()(Team const& team, scratch<Team>&, index_t group) const
  {
    f(team, group);
  }

  Function f;
};

template <int Threads, class Function>
bare_kernel<Threads, Function> bare(Function const& f)
{
  return {f};
}

// Counts the objects alive, to see every stack unwound.
struct alive {
  explicit alive(int& count) : count_(count) { ++count_; }
  alive(alive const&) = delete;
  ~alive() { --count_; }

private:
  int& count_;
};

// Calls itself until the stack is `bytes` longer than at `start`; returns how often.
int descend(char const* start, std::size_t bytes)
{
  char volatile room[512];
  for (char volatile& byte : room) byte = 1;
  auto const* here = static_cast<char const*>(__builtin_frame_address(0));
  return static_cast<std::size_t>(start - here) > bytes ? room[0] : room[5] + descend(start, bytes);
}

}  // namespace

TEST_CASE("Every thread runs the whole kernel, in turns from barrier to barrier")
{
  std::vector<int> turns;
  checked{}.launch(bare<3>([&](auto const& team, index_t) {
                     for (int i = 0; i < 2; ++i) {
                       team.each(box<3>{}, [&](int rank) { turns.push_back(10 * i + rank); });
                       team.sync();
                     }
                     team.each(box<1>{}, [&](int) { turns.push_back(100); });
                   }),
                   1);
  CHECK(turns == std::vector<int>{0, 1, 2, 10, 11, 12, 100});
}

TEST_CASE("What a kernel throws reaches the caller, and every thread is unwound")
{
  checked const backend;
  int count = 0, most = 0;
  auto const fail_late = bare<33>([&](auto const& team, index_t group) {
    alive const before(count);
    std::vector<double> const held(100);
    team.sync();
    most = std::max(most, count);
    team.each(box<33>{}, [&](int rank) {
      if (rank == 20 && group == 1) throw std::out_of_range("thread 20");
    });
    team.sync();
  });
  CHECK_THROWS_WITH(backend.launch(fail_late, 2), "thread 20");
  CHECK_THROWS_AS(backend.launch(fail_late, 2), std::out_of_range);
  CHECK(most == 33);
  CHECK(count == 0);
  CHECK(backend.counts().groups == 4);

  // Before any barrier: the threads behind never begin.
  int begun = 0;
  auto const fail_early = bare<33>([&](auto const& team, index_t) {
    alive const before(count);
    ++begun;
    team.each(box<33>{}, [&](int rank) {
      if (rank == 20) throw 7;
    });
    team.sync();
  });
  CHECK_THROWS_AS(backend.launch(fail_early, 1), int);
  CHECK(begun == 21);
  CHECK(count == 0);

  // The crew is as good as new.
  int runs = 0;
  backend.launch(bare<33>([&](auto const& team, index_t) {
                   team.sync();
                   ++runs;
                 }),
                 3);
  CHECK(runs == 99);
}

TEST_CASE("A divergence unwinds the threads that wait")
{
  int count = 0;
  auto const diverge = bare<9>([&](auto const& team, index_t) {
    alive const here(count);
    team.each(box<4>{}, [&](int) { team.sync(); });
  });
  CHECK_THROWS_AS(checked{}.launch(diverge, 1), sumfac::checked_error);
  CHECK(count == 0);
  checked const collecting(on_finding::collect);
  collecting.launch(diverge, 2);
  CHECK(collecting.finding_count() == 2);
  CHECK(count == 0);
}

TEST_CASE("A kernel may catch its own exceptions between barriers")
{
  int caught = 0;
  checked{}.launch(bare<8>([&](auto const& team, index_t) {
                     for (int i = 0; i < 3; ++i) {
                       try {
                         throw i;
                       } catch (int what) {
                         caught += what;
                       }
                       team.sync();
                     }
                   }),
                   1);
  CHECK(caught == 8 * 3);
}

TEST_CASE("A stack that is too small is reported with its size, a larger one serves")
{
  int calls = 0;
  std::size_t const small = sumfac::detail::fiber_crew::default_stack_bytes / 2, large = 16 * small;
  auto const deep = bare<4>([&](auto const& team, index_t) {
    team.sync();
    auto const* start = static_cast<char const*>(__builtin_frame_address(0));
    team.each(box<4>{}, [&](int rank) { calls += rank == 2 ? descend(start, small + 4096) : 0; });
    team.sync();
  });
  CHECK_THROWS_AS((checked{{on_finding::raise, small}}.launch(deep, 1)), sumfac::backend_error);
  CHECK_THROWS_WITH((checked{{on_finding::raise, small}}.launch(deep, 1)),
                    "sumfac::checked: stack overflow (thread 2 needs more than " + std::to_string(small) +
                        " bytes) pass a larger stack_bytes to checked");
  calls = 0;
  checked{{on_finding::raise, large}}.launch(deep, 1);
  CHECK(calls > 16);
}

TEST_CASE("Several host threads launch at once on one backend")
{
  checked const backend(on_finding::collect);
  std::vector<std::thread> callers;
  std::vector<int> sums(4);
  for (int caller = 0; caller < 4; ++caller)
    callers.emplace_back([&, caller] {
      backend.launch(bare<40>([&, caller](auto const& team, index_t group) {
                       team.phase("add");
                       team.each(box<40>{}, [&](int rank) { sums[std::size_t(caller)] += rank + int(group); });
                       team.sync();
                     }),
                     5);
    });
  for (std::thread& caller : callers) caller.join();
  CHECK(sums == std::vector<int>(4, 5 * 780 + 40 * 10));
  CHECK(backend.counts().groups == 20);
  CHECK(backend.counts().barriers == 20);
  CHECK(backend.phases().size() == 2);
}

TEST_CASE("What cannot be run is refused")
{
  checked const backend;
  auto const idle = bare<2>([](auto const&, index_t) {});
  backend.launch(idle, 0);
  CHECK(backend.counts().groups == 0);
  CHECK_THROWS_WITH(backend.launch(idle, -3),
                    "sumfac::checked::launch: groups is negative (-3): pass the number of teams to run");
  CHECK_THROWS_AS(backend.launch(idle, -3), sumfac::argument_error);

  auto const nested = bare<2>([&](auto const&, index_t) { backend.launch(idle, 1); });
  CHECK_THROWS_WITH(backend.launch(nested, 1),
                    "sumfac::checked: launch inside a kernel (1 team runs already) launch from the host");
  backend.launch(idle, 1);

  using team = checked::team<sumfac::detail::idle_kernel>;
  CHECK_THROWS_WITH((team::shared<double, 3>{}),
                    "sumfac::checked: shared array made outside a kernel (0 teams run on this host thread) make it in "
                    "one that is launched");
}

TEST_CASE("A kernel that names neither threads nor scalar gets 256 threads and double")
{
  struct plain {};
  STATIC_REQUIRE(sumfac::detail::kernel_threads<plain> == 256);
  STATIC_REQUIRE(std::is_same_v<sumfac::detail::kernel_scalar<plain>, double>);
}
