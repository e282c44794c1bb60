// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// How long a device takes to copy so many bytes, by its run-time system and by a kernel: the streaming ceiling.
#pragma once

#include "../report/timing.hpp"
#include "device.hpp"

#include <algorithm>
#include <cstddef>

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

// Times copies that read half of some bytes and write the other half.
class copies {
public:
  explicit copies(index_t bytes)
      : from_(on_device(backend_, random_numbers<double>(bytes / 2 / 8 + 2))), to_(backend_, from_.size())
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

private:
  device backend_;
  buffer<double, device> from_, to_;
};

}  // namespace sumfac::bench
