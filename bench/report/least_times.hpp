// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Times of functions in turns.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <vector>

// Times of several functions in turns, the least of nine each.
template <class... Functions>
std::vector<double> least(Functions const&... functions)
{
  std::vector<double> times(sizeof...(Functions), 1e9);
  for (int round = 0; round < 9; ++round) {
    std::size_t i = 0;
    auto const time = [&](auto const& f) {
      auto const begin = std::chrono::steady_clock::now();
      f();
      double const seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
      times[i] = std::min(times[i], seconds);
      ++i;
    };
    (time(functions), ...);
  }
  return times;
}
