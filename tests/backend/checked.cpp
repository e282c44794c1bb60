// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What the checked backend finds: mistakes planted in small kernels, each reported with phase, thread and index.
#include <sumfac/backend/checked.hpp>
#include <sumfac/backend/host.hpp>

#include <catch2/catch.hpp>
#include <string>
#include <type_traits>
#include <vector>

using sumfac::box;
using sumfac::checked;
using sumfac::checked_error;
using sumfac::checked_finding;
using sumfac::index_t;
using sumfac::on_finding;
using kind = sumfac::checked_finding::kind;

namespace {

// Eight threads that share a row and a square.
struct eight_threads {
  using scalar = double;
  static constexpr int threads = 8;

  template <class Team>
  struct scratch {
    typename Team::template shared<double, 8> row;
    typename Team::template shared<double, 3, 4> square;

    template <class Name>
    void names(Name const& name)
    {
      name("row", row);
      name("square", square);
    }
  };
};

// A kernel made of a lambda f(team, scratch, group), so that a test shows its mistake where it expects the report.
template <class Function>
struct kernel : eight_threads {
  explicit kernel(Function const& body) : f(body) {}

  template <class Team>
  void operator()(Team const& team, eight_threads::scratch<Team>& s, index_t group) const
  {
    f(team, s, group);
  }

  Function f;
};

// Runs f for three groups and returns what it was stopped by.
template <class Function>
checked_finding finding_of(Function const& f)
{
  checked const backend;
  try {
    backend.launch(kernel(f), 3);
  } catch (checked_error const& error) {
    CHECK(error.what() == error.finding.message);
    REQUIRE(backend.findings().size() == 1);
    CHECK(backend.findings()[0].message == error.finding.message);
    return error.finding;
  }
  FAIL("nothing was found");
  return {};
}

std::string message_of(checked_finding const& f) { return f.message; }

}  // namespace

TEST_CASE("A kernel without mistakes gives its result and no finding")
{
  std::vector<double> out(16);
  auto const turn = [&](auto const& team, auto& s, index_t group) {
    team.phase("fill");
    team.each(box<8>{}, [&](int i) { s.row(i) = double(10 * group + i); });
    team.sync();
    team.phase("turn");
    team.each(box<8>{}, [&](int i) { out[std::size_t(8 * group + i)] = s.row(7 - i); });
  };
  checked const backend;
  backend.launch(kernel(turn), 2);
  CHECK(out == std::vector<double>{7, 6, 5, 4, 3, 2, 1, 0, 17, 16, 15, 14, 13, 12, 11, 10});
  CHECK(backend.findings().empty());
  CHECK(backend.finding_count() == 0);
}

TEST_CASE("A missing barrier is a race with both threads and their phases")
{
  auto const f = finding_of([](auto const& team, auto& s, index_t) {
    team.phase("fill");
    team.each(box<8>{}, [&](int i) { s.row(i) = i; });
    team.phase("turn");
    team.each(box<8>{}, [&](int i) { [[maybe_unused]] double const x = s.row(7 - i); });
  });
  CHECK(message_of(f) ==
        "sumfac::checked: race on scratch 'row'[4] in phase 'turn' of group 0 "
        "(thread 4 wrote in phase 'fill', thread 3 read, no barrier between) add team.sync()");
  CHECK(f.what == kind::race);
  CHECK(f.phase == "turn");
  CHECK(f.group == 0);
  CHECK(f.threads == std::vector<int>{4, 3});
  CHECK(f.array == 0);
  CHECK(f.index == std::vector<index_t>{4});
}

TEST_CASE("A barrier missing between a read and the next write is a race")
{
  auto const f = finding_of([](auto const& team, auto& s, index_t) {
    team.each(box<3, 2>{}, [&](int a, int b) { s.square(a, b) = 1; });
    team.sync();
    team.phase("shift");
    team.each(box<2, 2>{}, [&](int a, int b) { s.square(a, b) = double(s.square(a + 1, b)); });
  });
  CHECK(message_of(f) ==
        "sumfac::checked: race on scratch 'square'[1, 0] in phase 'shift' of group 0 "
        "(thread 0 read, thread 2 wrote, no barrier between) add team.sync()");
}

TEST_CASE("A race is told in the order of the program, not of the run")
{
  auto const f = finding_of([](auto const& team, auto& s, index_t) {
    team.each(box<1>{}, [&](int) { s.row(0) = 1; });
    team.sync();
    team.each(box<2>{}, [&](int) { [[maybe_unused]] double const x = s.row(0); });
    team.each(box<1>{}, [&](int) { s.row(0) = 2; });
  });
  CHECK(message_of(f) ==
        "sumfac::checked: race on scratch 'row'[0] before the first phase of group 0 "
        "(thread 1 read, thread 0 wrote, no barrier between) add team.sync()");
}

TEST_CASE("A thread may write what it alone has read, but not what another has read")
{
  auto const f = finding_of([](auto const& team, auto& s, index_t) {
    team.each(box<8>{}, [&](int i) { s.row(i) = 1; });
    team.sync();
    team.phase("own");
    team.each(box<8>{}, [&](int i) { s.row(i) += 1; });
    team.sync();
    team.phase("last");
    team.each(box<8>{}, [&](int i) {
      [[maybe_unused]] double const mine = s.row(7), shared = s.row(0);
      if (i == 7) s.row(7) = 0;
    });
  });
  CHECK(message_of(f) ==
        "sumfac::checked: race on scratch 'row'[7] in phase 'last' of group 0 "
        "(thread 0 read, thread 7 wrote, no barrier between) add team.sync()");
}

TEST_CASE("Two threads that write one entry race, equal values or not")
{
  auto const f = finding_of([](auto const& team, auto& s, index_t) {
    team.phase("flag");
    s.square(2, 3) = 1;
  });
  CHECK(message_of(f) ==
        "sumfac::checked: race on scratch 'square'[2, 3] in phase 'flag' of group 0 "
        "(thread 0 wrote, thread 1 wrote, no barrier between) add team.sync()");
}

TEST_CASE("A read of scratch that nobody wrote is found at the next barrier")
{
  auto const f = finding_of([](auto const& team, auto& s, index_t group) {
    team.phase("fill");
    team.each(box<3, 2>{}, [&](int a, int b) { s.square(a, b) = 1; });
    team.sync();
    team.phase("sum");
    if (group == 1) team.each(box<4>{}, [&](int b) { [[maybe_unused]] double const x = s.square(2, b); });
    team.sync();
  });
  CHECK(message_of(f) ==
        "sumfac::checked: uninitialized read of scratch 'square'[2, 2] in phase 'sum' of group 1 "
        "(thread 2 read, nobody had written) write the entry before reading it");
  CHECK(f.what == kind::uninitialized);
  CHECK(f.threads == std::vector<int>{2});
  CHECK(f.index == std::vector<index_t>{2, 2});
}

TEST_CASE("Scratch of the group before counts as never written, and a thread may not read before its own write")
{
  CHECK(message_of(finding_of([](auto const& team, auto& s, index_t group) {
          team.each(box<8>{}, [&](int i) {
            if (group == 0)
              s.row(i) = 1;
            else
              s.row(i) += 1;
          });
        })) ==
        "sumfac::checked: uninitialized read of scratch 'row'[0] before the first phase of group 1 "
        "(thread 0 read, nobody had written) write the entry before reading it");
}

TEST_CASE("A read before another thread's write is reported as the race that it is, and only as that")
{
  auto const backwards = [](auto const& team, auto& s, index_t) {
    team.phase("backwards");
    team.each(box<1>{}, [&](int) { [[maybe_unused]] double const x = s.row(5); });
    team.each(box<8>{}, [&](int i) { s.row(i) = 1; });
    team.sync();
  };
  checked const collecting(on_finding::collect);
  collecting.launch(kernel(backwards), 1);
  CHECK(collecting.finding_count() == 1);
  CHECK(message_of(finding_of(backwards)) ==
        "sumfac::checked: race on scratch 'row'[5] in phase 'backwards' of group 0 "
        "(thread 0 read, thread 5 wrote, no barrier between) add team.sync()");
}

TEST_CASE("An index out of range is found before it is used")
{
  auto const f = finding_of([](auto const& team, auto& s, index_t) {
    team.phase("store");
    team.each(box<2, 3>{}, [&](int a, int b) { s.square(a, b + 2) = 1; });
  });
  CHECK(message_of(f) ==
        "sumfac::checked: index out of range in scratch 'square'[0, 4] in phase 'store' of group 0 "
        "(thread 2, dimension 1: index 4, extent 4) keep every index in 0..3");
  CHECK(f.what == kind::out_of_range);
  CHECK(f.threads == std::vector<int>{2});
  CHECK(f.array == 1);
  CHECK(f.index == std::vector<index_t>{0, 4});

  CHECK(message_of(finding_of(
            [](auto const& team, auto& s, index_t) { team.each(box<8>{}, [&](int i) { s.row(i - 7) = 1; }); })) ==
        "sumfac::checked: index out of range in scratch 'row'[-7] before the first phase of group 0 "
        "(thread 0, dimension 0: index -7, extent 8) keep every index in 0..7");
}

TEST_CASE("A barrier that some threads never reach is found")
{
  auto const f = finding_of([](auto const& team, auto& s, index_t group) {
    team.phase("store");
    team.each(box<8>{}, [&](int i) {
      s.row(i) = 1;
      if (group == 2 && i != 4 && i > 1) team.sync();
    });
  });
  std::string const line = std::to_string(__LINE__ - 3);
  CHECK(message_of(f) ==
        "sumfac::checked: barrier not reached by all threads in phase 'store' of group 2 "
        "(threads 2-3, 5-7 wait at checked.cpp:" +
            line + ", threads 0-1, 4 have ended) let every thread of the team call the same team.sync()");
  CHECK(f.what == kind::divergence);
  CHECK(f.threads == std::vector<int>{2, 3, 5, 6, 7});
}

TEST_CASE("Threads that wait at different barriers are found")
{
  auto const f = finding_of([](auto const& team, auto&, index_t) {
    team.phase("left");
    team.each(box<2>{}, [&](int) { team.sync(); });
    team.phase("right");
    team.each(box<2>{}, [&](int) { team.phase("left too late"); });
    team.sync();
  });
  int const line = __LINE__ - 2;
  CHECK(message_of(f) ==
        "sumfac::checked: barrier not reached by all threads in phase 'left' of group 0 "
        "(threads 0-1 wait at checked.cpp:" +
            std::to_string(line - 3) + ", threads 2-7 wait at checked.cpp:" + std::to_string(line) +
            " in phase 'right') let every thread of the team call the same team.sync()");
}

TEST_CASE("Threads that wait at different barriers of one phase are found")
{
  auto const f = finding_of([](auto const& team, auto&, index_t) {
    team.phase("both");
    team.each(box<2>{}, [&](int) { team.sync(); });
    team.sync();
  });
  CHECK(f.what == kind::divergence);
  CHECK(f.threads == std::vector<int>{0, 1});
  CHECK_THAT(message_of(f), Catch::Contains(", threads 2-7 wait at checked.cpp:"));
}

TEST_CASE("Threads at one barrier in different phases are found")
{
  auto const f = finding_of([](auto const& team, auto&, index_t) {
    team.phase("most");
    team.each(box<1>{}, [&](int) { team.phase("one"); });
    team.sync();
  });
  CHECK(f.what == kind::divergence);
  CHECK_THAT(message_of(f), Catch::Contains("in phase 'one' of group 0 (thread 0 waits at checked.cpp:"));
  CHECK_THAT(message_of(f), Catch::Contains(" in phase 'most') let every"));
}

TEST_CASE("A per_thread entry touched by a thread that does not own it is found")
{
  auto const f = finding_of([]<class Team>(Team const& team, auto&, index_t) {
    typename Team::template per_thread<double, 2, 4> mine;
    team.phase("keep");
    team.each(box<2, 4>{}, [&](int a, int b) { mine(a, b) = 4 * a + b; });
    team.phase("peek");
    team.each(box<2, 3>{}, [&](int a, int b) { mine(a, b) += 1; });
  });
  CHECK(message_of(f) ==
        "sumfac::checked: foreign access to per_thread[1, 0] in phase 'peek' of group 0 "
        "(thread 3 touched it, thread 4 owns it) touch only the items that each() hands you");
  CHECK(f.what == kind::foreign);
  CHECK(f.index == std::vector<index_t>{1, 0});

  CHECK(message_of(finding_of([]<class Team>(Team const& team, auto&, index_t) {
          typename Team::template per_thread<double, 2, 4> mine;
          team.each(box<8>{}, [&](int i) { mine(0, i) = 0; });
        })) ==
        "sumfac::checked: index out of range in per_thread[0, 4] before the first phase of group 0 "
        "(thread 4, dimension 1: index 4, extent 4) keep every index in 0..3");
}

TEST_CASE("Copies to scratch come at the wait for their group")
{
  double const from[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
  std::vector<double> out(8);
  auto const in_turns = [&](auto const& team, auto& s, index_t) {
    team.each(box<8>{}, [&](int i) {
      team.copy_ahead(&from[i], s.row, i), team.end_copies();
      team.copy_ahead(&from[15 - i], s.square, i / 4, i % 4), team.end_copies();
      team.template await_copies<1>();
      double const first = s.row(i);
      team.copy_ahead(&from[8 + i], s.row, i), team.end_copies();
      team.template await_copies<0>();
      out[std::size_t(i)] = 10000 * first + 100 * double(s.square(i / 4, i % 4)) + double(s.row(i));
    });
  };
  checked const backend;
  backend.launch(kernel(in_turns), 2);
  CHECK(out == std::vector<double>{11609, 21510, 31411, 41312, 51213, 61114, 71015, 80916});
  CHECK(backend.counts().writes.entries == 2 * 24);
}

TEST_CASE("Copies that are read before they come, or never, are found")
{
  double const from = 3;
  auto const f = finding_of([&](auto const& team, auto& s, index_t) {
    team.phase("copy");
    team.each(box<2, 4>{}, [&](int a, int b) {
      team.copy_ahead(&from, s.square, a, b), team.end_copies();
      team.copy_ahead(&from, s.row, 4 * a + b), team.end_copies();
      team.template await_copies<1>();
      [[maybe_unused]] double const x = double(s.square(a, b)) + double(s.row(4 * a + b));
    });
  });
  CHECK(message_of(f) ==
        "sumfac::checked: uninitialized read of scratch 'row'[0] in phase 'copy' of group 0 "
        "(thread 0 read, nobody had written) write the entry before reading it");

  auto const twice = [&]<int Reads>(std::integral_constant<int, Reads>) {
    return [&](auto const& team, auto& s, index_t) {
      team.each(box<3>{}, [&](int i) {
        for (int times = 0; times < 2; ++times) {
          team.copy_ahead(&from, s.row, i), team.end_copies();
          team.template await_copies<0>();
          if (times < Reads) CHECK(double(s.row(i)) == 3);
        }
      });
    };
  };
  std::string const begin =
                        "sumfac::checked: copy that nobody reads to scratch 'row'[0] before the first phase of group ",
                    end = "copied again or ended, nobody had read) copy what is read, once";
  auto const again = finding_of(twice(std::integral_constant<int, 0>{}));
  CHECK(again.what == kind::unread);
  CHECK(again.message == begin + "0 (thread 0 " + end);
  CHECK(finding_of(twice(std::integral_constant<int, 1>{})).what == kind::unread);
  CHECK_NOTHROW(checked().launch(kernel(twice(std::integral_constant<int, 2>{})), 2));
}

TEST_CASE("A box larger than the team is strided, and per_thread with it")
{
  std::vector<int> visits(20);
  bool kept = true;
  auto const stride = [&]<class Team>(Team const& team, auto&, index_t) {
    typename Team::template per_thread<int, 5, 4> mine;
    team.each(box<5, 4>{}, [&](int a, int b) { mine(a, b) = ++visits[std::size_t(4 * a + b)] + 4 * a + b; });
    team.sync();
    team.each(box<5, 4>{}, [&](int a, int b) { kept = kept && mine(a, b) == 1 + 4 * a + b; });
  };
  checked{}.launch(kernel(stride), 1);
  CHECK(visits == std::vector<int>(20, 1));
  CHECK(kept);
}

TEST_CASE("Findings can be collected: the kernel goes on, a divergent group is given up")
{
  checked const backend(on_finding::collect);
  int through = 0;
  auto const mistakes = [&](auto const& team, auto& s, index_t group) {
    team.each(box<8>{}, [&](int i) {
      double const lost = s.row(i + 8);  // 8 out of range
      s.row(8 + i) = 1;                  // 8 out of range
      s.row(0) = lost;                   // a race, once per entry and interval
    });
    team.sync();
    [[maybe_unused]] double const x = s.row(1);                      // 8 uninitialized
    if (group == 0) team.each(box<1>{}, [&](int) { team.sync(); });  // a divergence in group 0
    ++through;
  };
  backend.launch(kernel(mistakes), 2);
  CHECK(through == 7 + 8);
  int found[6] = {};
  for (auto const& f : backend.findings()) ++found[int(f.what)];
  CHECK(found[int(kind::out_of_range)] == 32);
  CHECK(found[int(kind::race)] == 2);
  CHECK(found[int(kind::uninitialized)] == 8);  // group 0 ends before its reads are judged
  CHECK(found[int(kind::divergence)] == 1);
  CHECK(backend.finding_count() == 43);
  backend.clear();
  CHECK(backend.findings().empty());
  CHECK(backend.finding_count() == 0);
}

TEST_CASE("The first thousand findings are kept, all are counted")
{
  checked const backend(on_finding::collect);
  backend.launch(kernel([](auto const&, auto& s, index_t) { s.row(-1) = 0; }), 200);
  CHECK(backend.findings().size() == 1000);
  CHECK(backend.finding_count() == 1600);
}

namespace {

// Scratch without names, with an array that is not there and one inside another struct.
struct nested_scratch {
  using scalar = float;
  static constexpr int threads = 2;

  template <class Team>
  struct inner {
    typename Team::template shared<float, 4, 2> b;
  };
  struct absent {};

  template <class Team>
  struct scratch {
    typename Team::template shared<float, 3> a;
    SUMFAC_NO_UNIQUE_ADDRESS absent none;
    inner<Team> nested;

    template <class Name>
    void names(Name const& name)
    {
      name("none", none);
    }
  };

  template <class Team>
  void operator()(Team const&, scratch<Team>& s, index_t) const
  {
    s.nested.b(1, 1) = 1;
  }
};

// Scratch with something that nobody watches: an array takes as much as two numbers.
template <int Numbers>
struct unwatched_scratch {
  template <class Team>
  struct scratch {
    typename Team::template shared<double, 3> a;
    double b[Numbers];
  };

  template <class Team>
  void operator()(Team const&, scratch<Team>&, index_t) const
  {
  }
};

}  // namespace

TEST_CASE("Arrays without a name go by their number and extents")
{
  CHECK_THROWS_WITH(checked{}.launch(nested_scratch{}, 1),
                    "sumfac::checked: race on scratch #1 of [4, 2] at [1, 1] before the first phase of group 0 "
                    "(thread 0 wrote, thread 1 wrote, no barrier between) add team.sync()");
}

TEST_CASE("A scratch struct with members that are not shared arrays is refused")
{
  CHECK_THROWS_AS(checked{}.launch(unwatched_scratch<4>{}, 1), sumfac::backend_error);
  CHECK_THROWS_WITH(checked{}.launch(unwatched_scratch<4>{}, 1),
                    "sumfac::checked: scratch has a member that is not shared<...> (48 bytes, 1 arrays of 16) "
                    "keep in scratch only what the team shares");
  CHECK_THROWS_AS(checked{}.launch(unwatched_scratch<2>{}, 1), sumfac::backend_error);
}

TEST_CASE("An entry can be read and written on the spot, not kept for later")
{
  using reference = sumfac::detail::checked_reference<double>;
  STATIC_REQUIRE(std::is_convertible_v<reference, double>);
  STATIC_REQUIRE_FALSE(std::is_convertible_v<reference&, double>);
  STATIC_REQUIRE_FALSE(std::is_copy_constructible_v<reference>);
  STATIC_REQUIRE(std::is_assignable_v<reference, double>);
  STATIC_REQUIRE_FALSE(std::is_assignable_v<reference&, double>);

  double twice = 0, of_const = 0;
  auto const arithmetic = [&](auto const& team, auto& s, index_t) {
    team.each(box<1>{}, [&](int) {
      s.row(1) = s.row(0) = 3;
      s.row(0) *= 4;
      s.row(0) -= 2;
      s.row(0) /= 5;
      s.row(0) += s.row(1);
      twice = 2 * s.row(0);
      of_const = std::as_const(s).row(1);
    });
  };
  checked{}.launch(kernel(arithmetic), 1);
  CHECK(twice == 10);
  CHECK(of_const == 3);
}

namespace {

// Sums of rows and columns of a square; the same source on any backend.
struct row_sums {
  using scalar = double;
  static constexpr int threads = 16;

  template <class Team>
  struct scratch {
    typename Team::template shared<typename Team::scalar, 4, 4> square;
    typename Team::template shared<typename Team::scalar, 4> sum;
  };

  template <class Team>
  void operator()(Team const& team, scratch<Team>& s, index_t) const
  {
    using T = typename Team::scalar;
    team.each(box<4, 4>{}, [&](int a, int b) { s.square(a, b) = T(10. * a + b); });
    team.sync();
    team.each(box<4>{}, [&](int a) {
      T sum = s.square(a, 0);
      for (int b = 1; b < 4; ++b) sum += s.square(a, b);
      s.sum(a) = sum;
    });
    team.sync();
    team.each(box<1>{}, [&](int) {
      T const total = s.sum(0) + s.sum(1) + s.sum(2) + s.sum(3);
      std::memcpy(out, &total, sizeof(double));
    });
  }

  double* out;
};

}  // namespace

TEST_CASE("One kernel source runs on the host and on checked")
{
  double on_host = 0, on_checked = 0;
  sumfac::host{}.launch(row_sums{&on_host}, 1);
  checked{}.launch(row_sums{&on_checked}, 1);
  CHECK(on_host == 264);
  CHECK(on_checked == 264);
  STATIC_REQUIRE(sumfac::backend<checked>);
  STATIC_REQUIRE(sumfac::team<checked::team<row_sums>>);
  STATIC_REQUIRE(checked::team<row_sums>::threads == 16);
  STATIC_REQUIRE(std::is_same_v<checked::team<nested_scratch>::scalar, float>);
}
