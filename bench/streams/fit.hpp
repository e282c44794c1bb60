// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Times of passes over memory as a start and a rate, T = T0 + B / W, fitted so that a few disturbed ones do not matter.
#pragma once

#include "../report/timing.hpp"

#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

namespace sumfac::bench {

// A pass over so many bytes took so many seconds.
struct timed_bytes {
  double bytes, seconds;
};

// T = start + B / rate.
struct streaming_line {
  double start = 0, rate = 0;  // T0 in seconds, W in bytes a second
  double deviation = 0;        // of the times from the line, relative, the middle one
  int points = 0;

  double seconds(double bytes) const { return start + bytes / rate; }
  // The bytes at which B / T reaches a fraction of the rate: N_0.8 of streamParanumal for 0.8.
  double bytes_for(double fraction) const { return fraction / (1 - fraction) * start * rate; }
};

namespace detail {

// Two numbers (start, seconds a byte) and the sum of relative deviations from their line.
struct candidate_line {
  double start, slope, sum;
};

inline candidate_line weigh(std::vector<timed_bytes> const& times, double start, double slope)
{
  double sum = 0;
  for (auto const& t : times) sum += std::abs((start + slope * t.bytes) / t.seconds - 1);
  return {start, slope, sum};
}

}  // namespace detail

// The line with T0 >= 0 whose relative deviations from the times have the least sum of magnitudes: it passes through
// two of the times, or through one and the origin, so all of these are tried. Times off the line, if fewer than half,
// do not move it where the others lie on it.
// **Errors** invalid_argument: fewer than two sizes, times or sizes that are not above 0, times that do not grow.
// **Source** N. Chalmers and T. Warburton, arXiv 2009.10917 (streamParanumal), for the model and N_0.8.
inline streaming_line fit_line(std::vector<timed_bytes> const& times)
{
  for (auto const& t : times)
    if (!(t.bytes > 0) || !(t.seconds > 0))
      throw std::invalid_argument("fit_line: bytes and seconds must be above 0 (got " + std::to_string(t.bytes) +
                                  " and " + std::to_string(t.seconds) + "): leave such a time out");
  detail::candidate_line best{0, 0, HUGE_VAL};
  auto const consider = [&](double start, double slope) {
    if (!(start >= 0) || !(slope >= 0)) return;
    auto const line = detail::weigh(times, start, slope);
    if (line.sum < best.sum) best = line;
  };
  std::size_t sizes = times.empty() ? 0 : 1;
  for (std::size_t i = 0; i < times.size(); ++i) {
    consider(0, times[i].seconds / times[i].bytes);
    consider(times[i].seconds, 0);
    for (std::size_t j = 0; j < i; ++j) {
      double const more = times[i].bytes - times[j].bytes;
      if (more == 0) continue;
      sizes = 2;
      double const slope = (times[i].seconds - times[j].seconds) / more;
      consider(times[j].seconds - slope * times[j].bytes, slope);
    }
  }
  if (sizes < 2)
    throw std::invalid_argument("fit_line: too few sizes (got " + std::to_string(sizes) +
                                ", at least 2 expected): time others");
  if (best.slope == 0) throw std::invalid_argument("fit_line: the times do not grow with the bytes: time larger sizes");
  std::vector<double> deviations;
  for (auto const& t : times) deviations.push_back(std::abs((best.start + best.slope * t.bytes) / t.seconds - 1));
  return {best.start, 1 / best.slope, median(deviations), static_cast<int>(times.size())};
}

}  // namespace sumfac::bench
