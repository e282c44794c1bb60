// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// How long a device takes to copy so many bytes, by its run-time system and by a kernel: the streaming ceiling.
#pragma once

#include "../report/timing.hpp"
#include "device.hpp"

#include <algorithm>

namespace sumfac::bench {

// Copies 64 bytes a thread.
struct copy_kernel {
  static constexpr int threads = 256, repeats = 4;
  struct alignas(16) word {
    double a, b;
  };
  template <class Team>
  struct scratch {};

  word const* from;
  word* to;
  index_t size;

  template <class Team>
  SUMFAC_FUNCTION void operator()(Team const& team, scratch<Team>&, index_t group) const
  {
    team.each(box<threads>{}, [&](int thread) {
      word words[repeats];
      SUMFAC_UNROLL
      for (int r = 0; r < repeats; ++r)
        if (index_t const i = (group * repeats + r) * threads + thread; i < size) words[r] = from[i];
      SUMFAC_UNROLL
      for (int r = 0; r < repeats; ++r)
        if (index_t const i = (group * repeats + r) * threads + thread; i < size) to[i] = words[r];
    });
  }
};

// Reads some words and writes others, in the order of threads, as many of each for each team: a stream of any mix. What
// it writes are sums of what it read.
struct mix_kernel {
  static constexpr int threads = copy_kernel::threads, repeats = 8;
  using word = copy_kernel::word;
  template <class Team>
  struct scratch {};

  word const* from;
  word* to;
  index_t reads, writes, read_share, write_share;  // of all, and of a team

  template <class Team>
  SUMFAC_FUNCTION void operator()(Team const& team, scratch<Team>&, index_t group) const
  {
    index_t const read_end = least(reads, (group + 1) * read_share),
                  write_end = least(writes, (group + 1) * write_share);
    team.each(box<threads>{}, [&](int thread) {
      word sum{0, 0};
      for (index_t first = group * read_share + thread; first < read_end; first += repeats * threads) {
        word words[repeats];
        SUMFAC_UNROLL
        for (int r = 0; r < repeats; ++r) {
          index_t const i = first + r * threads;
          words[r] = i < read_end ? from[i] : word{0, 0};
        }
        SUMFAC_UNROLL
        for (int r = 0; r < repeats; ++r) sum.a += words[r].a, sum.b += words[r].b;
      }
      for (index_t i = group * write_share + thread; i < write_end; i += threads) to[i] = sum;
    });
  }

private:
  SUMFAC_FUNCTION static index_t least(index_t a, index_t b) { return a < b ? a : b; }
};

// Times copies that read half of some bytes and write the other half, and streams of other mixes.
class copies {
public:
  // For streams of so many bytes in all.
  explicit copies(index_t bytes)
      : from_(on_device(backend_, random_numbers<double>(bytes / 8 + 2))), to_(backend_, from_.size())
  {
  }

  double by_runtime(index_t bytes, int count)
  {
    return seconds_of(backend_, count, [&] { backend_.copy(from_.data(), to_.data(), bytes / 2 / 8); });
  }

  double by_kernel(index_t bytes, int count)
  {
    auto const words = bytes / 2 / index_t{sizeof(copy_kernel::word)};
    copy_kernel const kernel{reinterpret_cast<copy_kernel::word const*>(from_.data()),
                             reinterpret_cast<copy_kernel::word*>(to_.data()), words};
    constexpr index_t share = copy_kernel::threads * copy_kernel::repeats;
    return seconds_of(backend_, count, [&] { backend_.launch(kernel, (words + share - 1) / share); });
  }

  double by_mix(index_t read, index_t written, int count)
  {
    index_t const size = sizeof(mix_kernel::word), reads = read / size, writes = std::max(written / size, index_t{1});
    // So many words for each thread to write that it has at least eight to read.
    index_t const each = std::max<index_t>(1, mix_kernel::repeats * writes / std::max(reads, index_t{1}));
    index_t const groups = (writes + each * mix_kernel::threads - 1) / (each * mix_kernel::threads);
    mix_kernel const kernel{reinterpret_cast<mix_kernel::word const*>(from_.data()),
                            reinterpret_cast<mix_kernel::word*>(to_.data()),
                            reads,
                            writes,
                            (reads + groups - 1) / groups,
                            each * mix_kernel::threads};
    return seconds_of(backend_, count, [&] { backend_.launch(kernel, groups); });
  }

private:
  device backend_;
  buffer<double, device> from_, to_;
};

}  // namespace sumfac::bench
