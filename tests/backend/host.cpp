// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// How the host spreads work over threads: all of it, once, by shares or by pieces that idle threads take over.
#include <sumfac/backend/host.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

namespace {

using sumfac::host;
using sumfac::index_t;

struct call {
  index_t first, last;
};

// The calls that `spread(f)` makes, after each index of 0 .. size - 1 was seen exactly once.
template <class Spread>
std::vector<call> calls_of(index_t size, Spread const& spread)
{
  std::vector<std::atomic<int>> seen(static_cast<std::size_t>(size));
  std::vector<call> calls;
  std::mutex guard;
  spread([&](index_t first, index_t last) {
    for (index_t i = first; i < last; ++i) ++seen.at(static_cast<std::size_t>(i));
    std::lock_guard const lock(guard);
    calls.push_back({first, last});
  });
  for (auto const& count : seen) CHECK(count == 1);
  return calls;
}

bool has_threads()
{
#if defined(_OPENMP)
  return true;
#else
  return false;
#endif
}

}  // namespace

TEST_CASE("host: partition and balance do everything once")
{
  for (int const threads : {1, 2, 3, 8, 100})
    for (index_t const size : {0, 1, 2, 7, 64, 1000}) {
      host const backend(threads);
      INFO(threads << " threads, " << size << " indices");
      auto const shares = calls_of(size, [&](auto const& f) { backend.partition(size, f); });
      CHECK(shares.size() <= static_cast<std::size_t>(std::min<index_t>(threads, size)));
      for (auto const& c : shares) CHECK(c.last > c.first);
      for (index_t const least : {1, 5, 2000}) {
        auto const pieces = calls_of(size, [&](auto const& f) { backend.balance(size, f, least); });
        INFO("pieces of at least " << least);
        for (auto const& c : pieces) CHECK(c.last > c.first);
        index_t const shares_of_it = std::min<index_t>({threads, size, 64});
        CHECK(static_cast<index_t>(pieces.size()) <= size / least + shares_of_it);
      }
    }
}

TEST_CASE("host: small work is for fewer threads, one at the least")
{
  if (!has_threads()) return;
  host const four(4);
  CHECK(four.for_work(0, 1000).threads() == 1);
  CHECK(four.for_work(1999, 1000).threads() == 1);
  CHECK(four.for_work(2000, 1000).threads() == 2);
  CHECK(four.for_work(1000000, 1000).threads() == 4);
}

TEST_CASE("host: one thread does all in one call")
{
  auto const calls = calls_of(1000, [](auto const& f) { host{1}.balance(1000, f); });
  REQUIRE(calls.size() == 1);
  CHECK(calls[0].first == 0);
  CHECK(calls[0].last == 1000);
}

TEST_CASE("host: balance may be called from what it calls")
{
  std::atomic<int> calls = 0;
  host{2}.balance(8, [&](index_t first, index_t last) {
    for (index_t i = first; i < last; ++i)
      host{2}.balance(8, [&](index_t a, index_t b) { calls += static_cast<int>(b - a); });
  });
  CHECK(calls == 64);
}

TEST_CASE("host: threads take over what a slow one has left")
{
  if (!has_threads()) return;
  constexpr index_t size = 64;
  std::atomic<index_t> done = 0;
  std::atomic<bool> is_slow = false, is_left_alone = false;
  host{2}.balance(size, [&](index_t first, index_t last) {
    if (!is_slow.exchange(true)) {
      // The first to come waits until all but its own piece is done by the other.
      auto const end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
      while (done < size - (last - first) && !is_left_alone) {
        is_left_alone = std::chrono::steady_clock::now() > end;
        std::this_thread::yield();
      }
    }
    done += last - first;
  });
  CHECK(done == size);
  CHECK_FALSE(is_left_alone);
}

TEST_CASE("host: what a thread throws is thrown again, and the others go on")
{
  for (int const threads : {1, 2, 4}) {
    host const backend(threads);
    std::atomic<index_t> done = 0;
    auto const fail_at_3 = [&](index_t first, index_t last) {
      if (first <= 3 && 3 < last) throw std::runtime_error("three");
      done += last - first;
    };
    CHECK_THROWS_WITH(backend.balance(64, fail_at_3), "three");
    CHECK_THROWS_WITH(backend.partition(64, fail_at_3), "three");
    CHECK(done < 128);
  }
}

TEST_CASE("host: balance_then begins the rest when all else is done, and does each once")
{
  for (int const threads : {1, 2, 3, 8, 100})
    for (index_t const size : {0, 1, 2, 7, 64, 1000})
      for (index_t const rest : {0, 1, 2, 9, 300}) {
        INFO(threads << " threads, " << size << " indices, then " << rest);
        std::atomic<index_t> done = 0;
        std::atomic<bool> early = false;
        std::vector<call> pieces;
        auto const shares = calls_of(rest, [&](auto const& g) {
          pieces = calls_of(size, [&](auto const& f) {
            host(threads).balance_then(
                size,
                [&](index_t first, index_t last) {
                  f(first, last);
                  done += last - first;
                },
                rest,
                [&](index_t first, index_t last) {
                  if (done != size) early = true;
                  g(first, last);
                });
          });
        });
        CHECK_FALSE(early);
        CHECK(shares.size() <= static_cast<std::size_t>(std::min<index_t>(threads, rest)));
      }
}

TEST_CASE("host: balance_then waits for a slow thread, and leaves the rest undone where one throws")
{
  for (int const threads : {2, 4}) {
    std::atomic<index_t> done = 0;
    std::atomic<bool> early = false, is_slow = false;
    auto const slow_at_first = [&](index_t first, index_t last) {
      if (!is_slow.exchange(true)) std::this_thread::sleep_for(std::chrono::milliseconds(20));
      done += last - first;
    };
    auto const check_done = [&](index_t, index_t) { early = early || done != 64; };
    host(threads).balance_then(64, slow_at_first, 64, check_done);
    CHECK_FALSE(early);

    std::atomic<int> calls = 0;
    auto const fail_at_3 = [](index_t first, index_t last) {
      if (first <= 3 && 3 < last) throw std::runtime_error("three");
    };
    CHECK_THROWS_WITH(host(threads).balance_then(64, fail_at_3, 64, [&](index_t, index_t) { ++calls; }), "three");
    CHECK(calls == 0);
  }
}

TEST_CASE("host: balance_then does the rest also while another exception is under way")
{
  struct on_the_way_out {
    std::atomic<int>& calls;
    ~on_the_way_out()
    {
      host{2}.balance_then(
          8, [](index_t, index_t) {}, 8, [&](index_t first, index_t last) { calls += static_cast<int>(last - first); });
    }
  };
  std::atomic<int> calls = 0;
  try {
    on_the_way_out const last_work{calls};
    throw std::runtime_error("under way");
  } catch (std::runtime_error const&) {
  }
  CHECK(calls == 8);
}
