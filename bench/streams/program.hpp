// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What the programs `streams` of the host and of devices have in common: their command line, tables and JSON.
#pragma once

#include "measure.hpp"

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

namespace sumfac::bench {

inline constexpr char const* stream_usage = R"(usage: streams [OPTION...]

Times the passes over memory that solvers consist of against their size: copy, axpy, norm, dot, the updates of
conjugate gradients (cg_update: x and r a step on, with r.r and r.z; cg_turn: p anew), gather and scatter; and fits
T = T0 + B / W.

  --passes LIST    of copy, axpy, norm, dot, cg_update, cg_turn, gather, scatter (default: all)
  --threads LIST   of the host: 1,2,4, say (default: powers of two and all)
  --largest N      entries of the longest vector (default: copies are 4 times the last-level cache, 8 on devices)
  --order N        degree of the elements of gather and scatter (default 7)
  --seconds S      of timing per size (default 0.03)
  --quick          small sizes and little time: to see that all runs
  --out FILE       results as JSON
  --help           this text
)";

inline std::vector<command_line::option<stream_options>> stream_option_list()
{
  using namespace command_line;
  using o = stream_options;
  auto const threads = [](auto const& name, auto const& value) {
    std::vector<int> numbers;
    for (auto const& one : split(value)) numbers.push_back(static_cast<int>(whole_number(name, one)));
    return numbers;
  };
  auto const largest = [](auto const& name, auto const& value) {
    if (!is_number(value) || std::stoll(value) < 1024) refuse(name, value, "a number of entries from 1024 on");
    return std::stoll(value);
  };
  return {{"--passes", &o::passes, pass_names()},
          {"--threads", &o::threads, threads},
          {"--largest", &o::largest, largest},
          {"--order", &o::order, [](auto const& name, auto const& value) { return degrees(name, value)[0]; }},
          {"--seconds", &o::seconds},
          {"--quick", &o::quick},
          {"--out", &o::out}};
}

// The power of two of entries whose copies are `times` times a cache; small ones where it shall be quick.
inline void choose_largest(stream_options& o, index_t cache, int times)
{
  if (o.quick) o.seconds = std::min(o.seconds, 1e-3);
  if (o.largest > 0) return;
  o.largest = 1 << 14;
  while (!o.quick && 16 * o.largest < times * cache) o.largest *= 2;
}

inline void print_fits(std::vector<stream_fit> const& fits)
{
  std::printf("\n%-8s %3s %-9s %-8s %10s %10s %12s %10s\n", "backend", "", "pass", "sizes", "T0 [us]", "W [GB/s]",
              "N_0.8 [KiB]", "deviation");
  for (auto const& f : fits)
    std::printf("%-8s x%-2d %-9s %-8s %10.2f %10.2f %12.1f %9.0f%%\n", f.backend.c_str(), f.threads, f.pass.c_str(),
                f.sizes.c_str(), f.line.start * 1e6, f.line.rate * 1e-9, f.line.bytes_for(0.8) / 1024,
                f.line.deviation * 100);
  std::printf(
      "\nT0, W: least absolute relative deviations of T = T0 + B / W from the least time of each size.\n"
      "N_0.8: the bytes where that line reaches 0.8 W. deviation: of times from the line, the middle one.\n"
      "in cache: in up to half of the device's last cache, or of a core's second cache for each thread.\n");
}

inline void write_streams(std::string const& path, json_object const& context, std::vector<stream_time> const& times,
                          std::vector<stream_fit> const& fits, std::vector<json_object> const& counts)
{
  std::vector<json_object> time_rows, fit_rows;
  for (auto const& t : times) time_rows.push_back(t.json());
  for (auto const& f : fits) fit_rows.push_back(f.json());
  json_file()("context", context)("times", time_rows)("fits", fit_rows)("counts", counts).write(path);
}

// Fits, prints and writes what was timed; writes what was counted.
inline void report_streams(stream_options const& o, json_object const& context, std::vector<stream_time> const& times,
                           std::vector<json_object> const& counts, index_t cache)
{
  auto const fits = fit_passes(times, cache);
  print_fits(fits);
  if (!o.out.empty()) write_streams(o.out, context, times, fits, counts);
}

}  // namespace sumfac::bench
