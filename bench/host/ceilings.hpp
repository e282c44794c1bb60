// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The machine's ceilings, measured: copies, streams of a given mix of reads and writes, multiply-adds.
#pragma once

#include "../report/timing.hpp"

#include <sumfac/config.hpp>
#include <sumfac/math/pack.hpp>
#include <sumfac/tools/explain/passes.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <new>
#include <random>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#if defined(_OPENMP)
#include <omp.h>
#endif
#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace sumfac::bench {

// Bytes that a pass over memory reads and writes, all threads together.
struct traffic {
  index_t read, written;
  index_t total() const { return read + written; }
};

// Times streaming passes of any traffic up to a capacity. Each thread streams over pages of its own, which it wrote
// before with random numbers. A pass can be written in several ways; for a size and mix the fastest is found once.
class streams {
public:
  streams(index_t capacity, int threads);

  // Seconds of one pass which copies: t.total() / 2 bytes read, as many written. The best of memcpy, plain and
  // non-temporal stores.
  double copy_seconds(index_t total);

  // Seconds of one pass with the reads and writes of t: a sum over one or several streams, now and then written.
  double mix_seconds(traffic t);

  // How the fastest copy and mix were written, once they have been timed.
  std::string copy_name(index_t total) const;
  std::string mix_name(traffic t) const;

  index_t capacity() const { return capacity_; }
  int threads() const { return threads_; }

private:
  struct variant {
    char const* name;
    index_t (*pass)(double* chunk, index_t read, index_t written);  // in lines of 64 bytes; returns the lines moved
  };
  using key = std::tuple<int, int, int>;
  struct release {
    void operator()(double* p) const { std::free(p); }
  };

  static std::vector<variant> const& copies();
  static std::vector<variant> const& mixes();
  static key key_of(int kind, traffic t);
  static int repeats_of(traffic t);
  std::size_t choose(int kind, std::vector<variant> const& variants, traffic t);
  double seconds(variant const& v, traffic t, int repeats) const;

  index_t capacity_;
  int threads_;
  std::vector<std::unique_ptr<double[], release>> chunks_;
  std::map<key, std::size_t> chosen_;
};

// Multiply-adds in registers: flops per second of `threads` threads at the compile target's SIMD width, the best of
// `samples` samples of about a millisecond.
template <class T>
double fma_peak(int threads, int samples = 100);

// Cycles per second of a core under that load, by a chain of additions of one cycle each; 0 where unknown.
double core_clock(int threads, int samples = 100);

namespace detail {

// Seconds in which `threads` threads call work(thread), all together, `repeats` times.
template <class Work>
double timed(int threads, int repeats, Work work)
{
  double elapsed = 0;
#if defined(_OPENMP)
#pragma omp parallel num_threads(threads)
  {
    int const thread = omp_get_thread_num();
#pragma omp barrier
    double const begin = now();
    for (int r = 0; r < repeats; ++r) work(thread);
#pragma omp barrier
    if (thread == 0) elapsed = now() - begin;
  }
#else
  (void)threads;
  double const begin = now();
  for (int r = 0; r < repeats; ++r) work(0);
  elapsed = now() - begin;
#endif
  return elapsed / repeats;
}

using sumfac::detail::copy_lines, sumfac::detail::store_kind, sumfac::detail::sum_lines;
inline constexpr index_t line = sumfac::detail::doubles_of_line;

inline index_t copy_by_memcpy(double* chunk, index_t read, index_t)
{
  std::memcpy(chunk + (read + 5) * line, chunk, static_cast<std::size_t>(read * line) * sizeof(double));
  return 2 * read;
}

}  // namespace detail

inline streams::streams(index_t capacity, int threads) : capacity_(capacity), threads_(threads)
{
  chunks_.resize(static_cast<std::size_t>(threads));
  std::size_t constexpr page = std::size_t{2} << 20;
  std::size_t const doubles = static_cast<std::size_t>(capacity / threads) / sizeof(double) + 64 * detail::line;
  std::size_t const bytes = (doubles * sizeof(double) / page + 1) * page;
  detail::timed(threads, 1, [&](int thread) {
    void* const p = std::aligned_alloc(page, bytes);
    if (p == nullptr) return;
#if defined(__linux__)
    madvise(p, bytes, MADV_HUGEPAGE);
#endif
    auto& chunk = chunks_[static_cast<std::size_t>(thread)];
    chunk.reset(static_cast<double*>(p));
    std::minstd_rand random(static_cast<unsigned>(thread + 1));
    for (std::size_t i = 0; i < bytes / sizeof(double); ++i)
      chunk[i] = 1 + double(random()) / double(std::minstd_rand::max());
  });
  for (auto const& chunk : chunks_)
    if (!chunk) throw std::bad_alloc();
}

inline std::vector<streams::variant> const& streams::copies()
{
  using enum detail::store_kind;
  static std::vector<variant> const all = {
      {"memcpy", detail::copy_by_memcpy},
      {"plain stores", detail::copy_lines<0, plain>},
      {"streaming stores", detail::copy_lines<0, streaming>},
      {"streaming stores, prefetch", detail::copy_lines<16, streaming>},
  };
  return all;
}

inline std::vector<streams::variant> const& streams::mixes()
{
  using enum detail::store_kind;
  static std::vector<variant> const all = {
      {"1 stream, streaming stores", detail::sum_lines<1, 0, streaming>},
      {"1 stream, streaming stores, prefetch 16", detail::sum_lines<1, 16, streaming>},
      {"1 stream, streaming stores, prefetch 40", detail::sum_lines<1, 40, streaming>},
      {"1 stream, plain stores", detail::sum_lines<1, 0, plain>},
      {"2 streams, streaming stores", detail::sum_lines<2, 0, streaming>},
      {"2 streams, streaming stores, prefetch 16", detail::sum_lines<2, 16, streaming>},
      {"2 streams, plain stores", detail::sum_lines<2, 0, plain>},
      {"4 streams, streaming stores", detail::sum_lines<4, 0, streaming>},
      {"4 streams, streaming stores, prefetch 8", detail::sum_lines<4, 8, streaming>},
      {"4 streams, plain stores", detail::sum_lines<4, 0, plain>},
      {"8 streams, streaming stores", detail::sum_lines<8, 0, streaming>},
      {"8 streams, streaming stores, prefetch 8", detail::sum_lines<8, 8, streaming>},
  };
  return all;
}

// Passes of nearly the same size and mix share their choice: factors of 1.4 of each.
inline streams::key streams::key_of(int kind, traffic t)
{
  auto const step = [](double x) { return static_cast<int>(std::lround(2 * std::log2(x))); };
  return {kind, step(double(t.total())), t.written > 0 ? step(double(t.read) / double(t.written)) : 1000};
}

// Passes per sample, so that a sample takes about a millisecond at least.
inline int streams::repeats_of(traffic t)
{
  return static_cast<int>(std::clamp<index_t>((index_t{16} << 20) / std::max<index_t>(t.total(), 1), 1, 10000));
}

inline double streams::seconds(variant const& v, traffic t, int repeats) const
{
  if (t.total() > capacity_)
    throw std::length_error("a pass over " + std::to_string(t.total()) + " bytes does not fit into the " +
                            std::to_string(capacity_) + " bytes of the ceilings");
  index_t const share = index_t{64} * threads_;
  std::vector<index_t> lines(chunks_.size());
  double const elapsed = detail::timed(threads_, repeats, [&](int thread) {
    auto const c = static_cast<std::size_t>(thread);
    lines[c] = v.pass(chunks_[c].get(), t.read / share, t.written / share);
  });
  index_t moved = 0;
  for (index_t n : lines) moved += 64 * n;
  return moved > 0 ? elapsed * double(t.total()) / double(moved) : 0;
}

inline std::size_t streams::choose(int kind, std::vector<variant> const& variants, traffic t)
{
  auto const [place, isnew] = chosen_.try_emplace(key_of(kind, t), 0);
  if (!isnew) return place->second;
  std::vector<double> best(variants.size(), std::numeric_limits<double>::max());
  for (int round = 0; round < 5; ++round)
    for (std::size_t i = 0; i < variants.size(); ++i)
      best[i] = std::min(best[i], seconds(variants[i], t, repeats_of(t)));
  return place->second = static_cast<std::size_t>(std::min_element(best.begin(), best.end()) - best.begin());
}

inline double streams::copy_seconds(index_t total)
{
  traffic const t{total / 2, total - total / 2};
  return seconds(copies()[choose(0, copies(), t)], t, repeats_of(t));
}

inline double streams::mix_seconds(traffic t) { return seconds(mixes()[choose(1, mixes(), t)], t, repeats_of(t)); }

inline std::string streams::copy_name(index_t total) const
{
  auto const found = chosen_.find(key_of(0, {total / 2, total - total / 2}));
  return found == chosen_.end() ? "" : copies()[found->second].name;
}

inline std::string streams::mix_name(traffic t) const
{
  auto const found = chosen_.find(key_of(1, t));
  return found == chosen_.end() ? "" : mixes()[found->second].name;
}

namespace detail {

template <class T, int Chains>
double multiply_add_rate(int threads)
{
  index_t constexpr steps = 200'000;
  double flops = 0;
  double const elapsed = timed(threads, 1, [&](int thread) {
    double const mine = sumfac::detail::multiply_add<T, Chains>(steps);
    if (thread == 0) flops = mine;
  });
  return threads * flops / elapsed;
}

}  // namespace detail

template <class T>
double fma_peak(int threads, int samples)
{
  double best = 0;
  for (int s = 0; s < samples; ++s) {
    best = std::max(best, detail::multiply_add_rate<T, 8>(threads));
    best = std::max(best, detail::multiply_add_rate<T, 12>(threads));
    if (native_width<double> != 4) best = std::max(best, detail::multiply_add_rate<T, 20>(threads));
  }
  return best;
}

inline double core_clock(int threads, int samples)
{
  int constexpr steps = 50'000, chain = 64;
  double best = 0;
  for (int s = 0; s < samples; ++s) {
    double const elapsed = detail::timed(threads, 1, [&](int) {
      index_t x = 1, y = 2;
      asm volatile("" : "+r"(y));
      for (int i = 0; i < steps; ++i) {
        SUMFAC_UNROLL
        for (int c = 0; c < chain; ++c) {
          x ^= y;
          asm volatile("" : "+r"(x));
        }
      }
    });
    best = std::max(best, double(steps) * chain / elapsed);
  }
  return best;
}

}  // namespace sumfac::bench
