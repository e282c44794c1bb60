// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What `roofline` says: a line per configuration as it ends, a table at the end, and JSON.
#pragma once

#include "../report/json.hpp"
#include "../report/machine.hpp"
#include "measure.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace sumfac::bench {

// The ceilings of some threads on a working set in memory, in flop/s and bytes/s.
struct ceiling {
  int threads;
  double clock, f64, f32;                     // cycles per second, multiply-add peaks
  double copy;                                // as many bytes read as written
  std::vector<std::pair<int, double>> mixes;  // bytes read per byte written -> rate

  double peak(std::string const& scalar) const { return scalar == "f32" ? f32 : f64; }

  json_object json() const
  {
    json_object c;
    c("threads", threads)("clock_GHz", clock * 1e-9)("peak_f64_GFLOP/s", f64 * 1e-9)("peak_f32_GFLOP/s", f32 * 1e-9);
    c("copy_GB/s", copy * 1e-9);
    for (auto const& [reads, rate] : mixes) c("mix_" + std::to_string(reads) + ":1_GB/s", rate * 1e-9);
    return c;
  }
};

// Takes more samples of clock and peaks, of which the best of all count: a busy machine can be slow for a while.
inline void raise_peaks(ceiling& c, int samples)
{
  c.clock = std::max(c.clock, core_clock(c.threads, samples));
  c.f64 = std::max(c.f64, fma_peak<double>(c.threads, samples));
  c.f32 = std::max(c.f32, fma_peak<float>(c.threads, samples));
}

// Measures them, the best of several.
inline ceiling measure_ceiling(index_t bytes, int threads, int samples)
{
  streams memory(bytes, threads);
  auto const rate = [&](auto seconds) {
    double least = seconds();
    for (int sample = 0; sample < 9; ++sample) least = std::min(least, seconds());
    return double(bytes) / least;
  };
  ceiling c{threads, 0, 0, 0, 0, {}};
  raise_peaks(c, samples);
  c.copy = rate([&] { return memory.copy_seconds(bytes); });
  for (int reads : {2, 8, 16})
    c.mixes.emplace_back(reads, rate([&] {
                           return memory.mix_seconds({bytes - bytes / (reads + 1), bytes / (reads + 1)});
                         }));
  return c;
}

inline void print_machine(machine const& m)
{
  index_t const memory = memory_bytes(m);
  std::printf("%s, sets in memory %.0f MiB\n\n", describe(m).c_str(), double(memory) / (1 << 20));
  if (memory < 8 * m.last_level)
    std::printf("Memory is short: sets in memory are smaller than 8 times the last-level cache.\n\n");
}

inline void print_ceiling(ceiling const& c)
{
  auto const per_cycle = c.f64 / (2 * native_width<double> * c.threads * c.clock);
  std::printf("ceilings, %2d thread%s  f64 %.1f, f32 %.1f GFLOP/s (%.2f multiply-adds a cycle at %.2f GHz);  copy %.1f",
              c.threads, c.threads == 1 ? ": " : "s:", c.f64 * 1e-9, c.f32 * 1e-9, per_cycle, c.clock * 1e-9,
              c.copy * 1e-9);
  for (auto const& [reads, rate] : c.mixes) std::printf(", %d:1 %.1f", reads, rate * 1e-9);
  std::printf(" GB/s\n");
  std::fflush(stdout);
}

inline void print_heading()
{
  std::printf("\n%9s %-44s %9s %11s %9s %8s %8s %9s %7s %6s %7s\n", "", "", "E", "time", "GFLOP/s", "GB/s", "GDOF/s",
              "roofline", "stream", "peak", "speedup");
}

inline void print_result(result const& r, std::size_t done, std::size_t all)
{
  std::printf("[%3zu/%3zu] %-44s %9lld %8.3f ms %9.2f %8.2f %8.3f %9.2f %7.2f %6.2f %7.2f\n", done, all,
              r.name().c_str(), static_cast<long long>(r.elements), r.seconds * 1e3, r.flop_rate() * 1e-9,
              r.byte_rate() * 1e-9, r.dof_rate() * 1e-9, r.of_copy(), r.of_mix(), r.of_peak(), r.speedup());
  std::fflush(stdout);
}

inline void print_failure(std::string const& message, std::size_t done, std::size_t all)
{
  std::printf("[%3zu/%3zu] FAILED %s\n", done, all, message.c_str());
  std::fflush(stdout);
}

namespace detail {

// Results of one size and scalar, by problem and degree.
using table_of = std::map<std::pair<std::string, int>, result const*>;

// The time of the slower of streaming the bytes and of computing, as fast as in cache, over the kernel's time.
inline double of_limit(result const& r, result const* in_cache)
{
  double const computing = in_cache ? in_cache->seconds / double(in_cache->elements) * double(r.elements) : 0;
  return std::max(r.mix_seconds, computing) / r.seconds;
}

inline result const* find(table_of const& table, std::pair<std::string, int> const& key)
{
  auto const found = table.find(key);
  return found == table.end() ? nullptr : found->second;
}

inline void print_table(std::string const& size, std::string const& scalar, table_of const& table,
                        table_of const& in_cache)
{
  std::set<std::string> problems;
  std::set<int> orders;
  for (auto const& [key, r] : table) {
    problems.insert(key.first);
    orders.insert(key.second);
  }
  std::printf("\n%s, %s\n    ", size.c_str(), scalar.c_str());
  for (auto const& problem : problems) std::printf("   %-32s", problem.c_str());
  std::printf("\n  N ");
  for (std::size_t i = 0; i < problems.size(); ++i)
    std::printf("   %7s %6s %6s %5s %5s", "GFLOP/s", "GDOF/s", "stream", "limit", "peak");
  std::printf("\n");
  for (int const order : orders) {
    std::printf(" %2d ", order);
    for (auto const& problem : problems)
      if (auto const* r = find(table, {problem, order}))
        std::printf("   %7.2f %6.3f %6.2f %5.2f %5.2f", r->flop_rate() * 1e-9, r->dof_rate() * 1e-9, r->of_mix(),
                    of_limit(*r, find(in_cache, {problem, order})), r->of_peak());
      else
        std::printf("   %7s %6s %6s %5s %5s", "", "", "", "", "");
    std::printf("\n");
  }
}

}  // namespace detail

inline void print_summary(std::vector<result> const& results)
{
  std::map<std::pair<std::string, std::string>, detail::table_of> tables;
  for (auto const& r : results)
    tables[{r.size, (r.what.dimension == 3 ? "" : std::to_string(r.what.dimension) + "-D, ") + r.what.scalar +
                        (r.what.geometry == "stored" ? "" : ", " + r.what.geometry)}][{r.what.problem, r.what.order}] =
        &r;
  for (auto const& [key, table] : tables) {
    auto const cached = tables.find({"cache", key.second});
    if (key.first != "cache")
      detail::print_table(key.first, key.second, table, cached == tables.end() ? detail::table_of{} : cached->second);
  }
  for (auto const& [key, table] : tables)
    if (key.first == "cache") detail::print_table(key.first, key.second, table, {});
  std::printf(
      "\nGFLOP/s: credited flops. GDOF/s: E N^3 a second, in 2-D E N^2.\n"
      "stream:  the time of streaming the same bytes, with the same mix of reads and writes, over the kernel's time.\n"
      "limit:   the same, where computing takes longer (the kernel in cache): what perfect overlap would give is 1.\n"
      "peak:    fraction of the multiply-add peak; the even-odd split saves up to half of the multiply-adds.\n"
      "speedup: over the same problem with stored factors, timed in turns; stream and roofline are those of the bytes\n"
      "         that the geometry in question reads itself.\n");
  auto const unsteady =
      std::count_if(results.begin(), results.end(), [](result const& r) { return r.seconds > 1.25 * r.least_seconds; });
  if (unsteady > 0)
    std::printf(
        "\nIn %lld of %zu configurations the median time is over 1.25 times the least: something else keeps\n"
        "this machine busy, and the figures are lower than its own.\n",
        static_cast<long long>(unsteady), results.size());
}

inline void write_json(std::string const& path, machine const& m, std::string const& layout,
                       std::vector<ceiling> const& ceilings, std::vector<result> const& results)
{
  std::vector<json_object> measured_ceilings, benchmarks;
  for (auto const& c : ceilings) measured_ceilings.push_back(c.json());
  for (auto const& r : results) benchmarks.push_back(r.json());
  json_file()("context", context(m)("layout", layout))("ceilings", measured_ceilings)("benchmarks", benchmarks)
      .write(path);
}

}  // namespace sumfac::bench
