// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Times the passes against their size, and fits a start and a rate to the times.
#pragma once

#include "../report/command_line.hpp"
#include "../report/json.hpp"
#include "../report/timing.hpp"
#include "check.hpp"
#include "fit.hpp"

#include <algorithm>
#include <cstdio>
#include <functional>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

namespace sumfac::bench {

struct stream_time;

struct stream_options {
  std::vector<std::string> passes;  // all where empty
  std::vector<int> threads;         // of the host; powers of two and all where empty
  double seconds = 0.03;            // of timing per size
  index_t largest = 0;              // entries of a vector; where 0, copies are 4 times the last-level cache
  int order = 7;                    // of the box's elements
  bool quick = false, quiet = false;
  std::string out;
  std::function<void(std::vector<stream_time> const&)> keep;  // hears all times whenever there are more
};

struct stream_time {
  std::string backend, pass;
  int threads;
  index_t entries, bytes;
  bool shared;  // whether there was work for all threads
  double seconds = 0, least = 0;

  json_object json() const
  {
    json_object row;
    row("backend", backend)("threads", threads)("pass", pass)("entries", entries)("bytes", bytes)("shared", shared);
    return row("seconds", seconds)("least_seconds", least)("GB/s", double(bytes) / least * 1e-9);
  }
};

// The line of a pass on a backend: over all sizes, or over those that lie in its caches.
struct stream_fit {
  std::string backend, pass, sizes;
  int threads;
  streaming_line line;

  json_object json() const
  {
    json_object row;
    row("backend", backend)("threads", threads)("pass", pass)("sizes", sizes)("T0_us", line.start * 1e6);
    row("W_GB/s", line.rate * 1e-9)("N_0.8_bytes", line.bytes_for(0.8));
    return row("deviation", line.deviation)("points", line.points);
  }
};

// Seconds of one of many calls, the middle and the least of samples that take `budget` seconds together; each is of a
// millisecond where a call is not longer, so that on a busy machine some are undisturbed.
template <class Backend, class Call>
void time_calls(Backend const& backend, double budget, Call const& call, stream_time& into)
{
  auto const sample = [&](int count) {
    double const begin = now();
    for (int i = 0; i < count; ++i) call();
    sumfac::detail::wait_for(backend);
    return (now() - begin) / count;
  };
  sample(1);
  double const once = std::max(sample(2), 1e-8);
  int const count = std::max(1, static_cast<int>(std::min(std::min(budget / 10, 1e-3) / once, 1e6)));
  std::vector<double> times;
  for (double const end = now() + budget; now() < end || times.size() < 5;) times.push_back(sample(count));
  into.seconds = median(times);
  into.least = *std::min_element(times.begin(), times.end());
}

namespace detail {

inline void print_time(stream_time const& t)
{
  std::printf("%s x%d %-9s %11lld entries %12.2f us %9.2f GB/s\n", t.backend.c_str(), t.threads, t.pass.c_str(),
              static_cast<long long>(t.entries), t.least * 1e6, double(t.bytes) / t.least * 1e-9);
  std::fflush(stdout);
}

}  // namespace detail

// Every pass on vectors of 512, 1024, ... entries and on boxes of 1, 2, ... elements, up to the largest.
template <class Backend>
std::vector<stream_time> time_passes(Backend const& backend, std::string const& name, int threads,
                                     stream_options const& o)
{
  std::vector<stream_time> times;
  auto const finish = [&](stream_time& t) {
    if (!o.quiet) detail::print_time(t);
    times.push_back(t);
    if (o.keep) o.keep(times);
  };
  for (auto const& pass : pass_names())
    if (command_line::listed(o.passes, pass)) check_pass(backend, pass);
  {
    vector_streams<Backend> streams(backend, o.largest);
    for (auto const& pass : vector_passes())
      for (index_t size = std::min(index_t{512}, o.largest); size <= o.largest; size *= 2) {
        if (!command_line::listed(o.passes, pass)) continue;
        bool const shared = threads == 1 || size >= threads * sumfac::detail::chunk_size;
        stream_time t{name, pass, threads, size, streams.bytes(pass, size), shared};
        time_calls(
            backend, o.seconds, [&] { static_cast<void>(streams.run(pass, size)); }, t);
        finish(t);
      }
  }
  index_t const nodes = index_t{o.order + 1} * (o.order + 1) * (o.order + 1);
  for (int log_elements = 0; nodes << log_elements <= o.largest; ++log_elements) {
    mesh_streams<Backend> streams(backend, box_of_elements(log_elements, o.order));
    for (auto const& pass : mesh_passes()) {
      if (!command_line::listed(o.passes, pass)) continue;
      bool const shared = threads == 1 || index_t{1} << log_elements >= threads * native_width<double>;
      stream_time t{name, pass, threads, streams.entries(), streams.bytes(), shared};
      time_calls(
          backend, o.seconds, [&] { streams.run(pass); }, t);
      finish(t);
    }
  }
  return times;
}

namespace detail {

// Adds the line of some times of a pass, where there are four or more; says why where they are on none.
inline void add_fit(std::vector<stream_fit>& fits, stream_time const& of, char const* sizes,
                    std::vector<timed_bytes> const& times)
{
  if (times.size() < 4) return;
  try {
    fits.push_back({of.backend, of.pass, sizes, of.threads, fit_line(times)});
  } catch (std::invalid_argument const& error) {
    std::printf("no line for %s x%d %s, %s: %s\n", of.backend.c_str(), of.threads, of.pass.c_str(), sizes,
                error.what());
  }
}

}  // namespace detail

// A line for each pass over all sizes that have work for all threads, and over those of up to half of `cache` bytes
// for each thread.
inline std::vector<stream_fit> fit_passes(std::vector<stream_time> const& times, index_t cache)
{
  std::vector<stream_fit> fits;
  std::set<std::tuple<std::string, std::string, int>> done;
  for (auto const& first : times) {
    if (!done.emplace(first.backend, first.pass, first.threads).second) continue;
    std::vector<timed_bytes> all, cached;
    for (auto const& t : times) {
      if (t.backend != first.backend || t.pass != first.pass || t.threads != first.threads || !t.shared) continue;
      all.push_back({double(t.bytes), t.least});
      if (t.bytes <= t.threads * cache / 2) cached.push_back(all.back());
    }
    detail::add_fit(fits, first, "all", all);
    if (cached.size() < all.size()) detail::add_fit(fits, first, "in cache", cached);
  }
  return fits;
}

}  // namespace sumfac::bench
