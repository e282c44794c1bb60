// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What `roofline` says: a line per configuration as it ends, a table at the end, and JSON.
#pragma once

#include "machine.hpp"
#include "measure.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace sumfac::bench {

// The ceilings of some threads on a working set in memory, in flop/s and bytes/s.
struct ceiling {
  int threads;
  double clock, f64, f32;                      // cycles per second, multiply-add peaks
  double copy;                                 // as many bytes read as written
  std::vector<std::pair<int, double>> mixes;   // bytes read per byte written -> rate

  double peak(std::string const& scalar) const { return scalar == "f32" ? f32 : f64; }
};

// Measures them, the best of several.
ceiling measure_ceiling(index_t bytes, int threads);

// Takes more samples of clock and peaks, of which the best of all count: a busy machine can be slow for a while.
void raise_peaks(ceiling& c, int samples);

void print_machine(machine const& m, index_t memory);
void print_ceiling(ceiling const& c);
void print_heading();
void print_result(result const& r, std::size_t done, std::size_t all);
void print_failure(std::string const& message, std::size_t done, std::size_t all);
void print_summary(std::vector<result> const& results);

void write_json(std::string const& path, machine const& m, std::string const& layout,
                std::vector<ceiling> const& ceilings, std::vector<result> const& results);

inline ceiling measure_ceiling(index_t bytes, int threads)
{
  streams memory(bytes, threads);
  auto const rate = [&](auto seconds) {
    double least = seconds();
    for (int sample = 0; sample < 9; ++sample) least = std::min(least, seconds());
    return double(bytes) / least;
  };
  ceiling c{threads, 0, 0, 0, 0, {}};
  raise_peaks(c, 100);
  c.copy = rate([&] { return memory.copy_seconds(bytes); });
  for (int reads : {2, 8, 16})
    c.mixes.emplace_back(
        reads, rate([&] { return memory.mix_seconds({bytes - bytes / (reads + 1), bytes / (reads + 1)}); }));
  return c;
}

inline void raise_peaks(ceiling& c, int samples)
{
  c.clock = std::max(c.clock, core_clock(c.threads, samples));
  c.f64 = std::max(c.f64, fma_peak<double>(c.threads, samples));
  c.f32 = std::max(c.f32, fma_peak<float>(c.threads, samples));
}

inline void print_machine(machine const& m, index_t memory)
{
  std::printf("%s, %d thread%s\n%s, %s %s\nL2 %.2f MiB a core, last-level cache %.1f MiB, sets in memory %.0f MiB\n\n",
              m.cpu.c_str(), m.threads, m.threads == 1 ? "" : "s", simd(), compiler().c_str(), flags().c_str(),
              double(m.private_cache) / (1 << 20), double(m.last_level) / (1 << 20), double(memory) / (1 << 20));
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
  std::printf("[%3zu/%3zu] %-44s %9lld %8.3f ms %9.2f %8.2f %8.3f %9.2f %7.2f %6.2f %7.2f\n", done, all, r.name.c_str(),
              static_cast<long long>(r.elements), r.seconds * 1e3, r.flop_rate() * 1e-9, r.byte_rate() * 1e-9,
              r.dof_rate() * 1e-9, r.of_copy(), r.of_mix(), r.of_peak(), r.speedup());
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

// Text as JSON has it.
inline std::string quoted(std::string const& text)
{
  std::string out = "\"";
  for (char const c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return out + "\"";
}

// The members of a JSON object, one after the other.
class members {
public:
  explicit members(std::ostream& out) : out_(out) {}
  template <class Value>
  members& operator()(char const* key, Value const& value)
  {
    out_ << (first_ ? "" : ", ") << quoted(key) << ": ";
    first_ = false;
    if constexpr (std::is_convertible_v<Value, std::string>)
      out_ << quoted(value);
    else
      out_ << value;
    return *this;
  }

private:
  std::ostream& out_;
  bool first_ = true;
};

inline void write(std::ostream& out, ceiling const& c)
{
  members add(out);
  add("threads", c.threads)("clock_GHz", c.clock * 1e-9)("peak_f64_GFLOP/s", c.f64 * 1e-9);
  add("peak_f32_GFLOP/s", c.f32 * 1e-9)("copy_GB/s", c.copy * 1e-9);
  for (auto const& [reads, rate] : c.mixes) add(("mix_" + std::to_string(reads) + ":1_GB/s").c_str(), rate * 1e-9);
}

inline void write(std::ostream& out, result const& r)
{
  members add(out);
  add("name", r.name)("problem", r.problem)("backend", "host")("scalar", r.scalar);
  add("geometry", r.geometry)("order", r.order)("size", r.size);
  add("elements", r.elements)("flops", r.flops)("bytes_read", r.bytes.read)("bytes_written", r.bytes.written);
  add("seconds", r.seconds)("least_seconds", r.least_seconds)("samples", r.samples);
  add("GFLOP/s", r.flop_rate() * 1e-9)("GB/s", r.byte_rate() * 1e-9)("GDOF/s", r.dof_rate() * 1e-9);
  add("roofline", r.of_copy())("stream", r.of_mix())("peak", r.of_peak());
  add("speedup", r.speedup());
  add("copy_GB/s", double(r.bytes.total()) / r.copy_seconds * 1e-9)("copy_by", r.copy_name);
  add("stream_GB/s", double(r.bytes.total()) / r.mix_seconds * 1e-9)("stream_by", r.mix_name);
  add("peak_GFLOP/s", r.peak * 1e-9)("error_of_allowed", r.error);
}

template <class Item>
void write_list(std::ostream& out, char const* key, std::vector<Item> const& items)
{
  out << ",\n  " << quoted(key) << ": [";
  for (std::size_t i = 0; i < items.size(); ++i) {
    out << (i == 0 ? "\n    {" : ",\n    {");
    write(out, items[i]);
    out << "}";
  }
  out << "\n  ]";
}

}  // namespace detail

inline void print_summary(std::vector<result> const& results)
{
  std::map<std::pair<std::string, std::string>, detail::table_of> tables;
  for (auto const& r : results)
    tables[{r.size, r.scalar + (r.geometry == "stored" ? "" : ", " + r.geometry)}][{r.problem, r.order}] = &r;
  for (auto const& [key, table] : tables) {
    auto const cached = tables.find({"cache", key.second});
    if (key.first != "cache")
      detail::print_table(key.first, key.second, table, cached == tables.end() ? detail::table_of{} : cached->second);
  }
  for (auto const& [key, table] : tables)
    if (key.first == "cache") detail::print_table(key.first, key.second, table, {});
  std::printf(
      "\nGFLOP/s: credited flops. GDOF/s: E N^3 a second.\n"
      "stream:  the time of streaming the same bytes, with the same mix of reads and writes, over the kernel's time.\n"
      "limit:   the same, where computing takes longer (the kernel in cache): what perfect overlap would give is 1.\n"
      "peak:    fraction of the multiply-add peak; the even-odd split saves up to half of the multiply-adds.\n"
      "speedup: over the same problem with stored factors, timed in turns; stream and roofline are those of the bytes\n"
      "         that the geometry in question reads itself.\n");
  auto const unsteady =
      std::count_if(results.begin(), results.end(), [](result const& r) { return r.seconds > 1.25 * r.least_seconds; });
  if (unsteady > 0)
    std::printf("\nIn %lld of %zu configurations the median time is over 1.25 times the least: something else keeps\n"
                "this machine busy, and the figures are lower than its own.\n",
                static_cast<long long>(unsteady), results.size());
}

inline void write_json(std::string const& path, machine const& m, std::string const& layout,
                       std::vector<ceiling> const& ceilings, std::vector<result> const& results)
{
  auto const folder = std::filesystem::path(path).parent_path();
  if (!folder.empty()) std::filesystem::create_directories(folder);
  std::ofstream out(path);
  out << "{\n  \"context\": {";
  detail::members add(out);
  add("version", std::to_string(SUMFAC_VERSION_MAJOR) + "." + std::to_string(SUMFAC_VERSION_MINOR) + "." +
                     std::to_string(SUMFAC_VERSION_PATCH));
  add("date", date())("cpu", m.cpu)("threads", m.threads)("simd", simd())("compiler", compiler())("flags", flags());
  add("layout", layout)("L2_bytes", m.private_cache)("last_level_bytes", m.last_level);
  out << "}";
  detail::write_list(out, "ceilings", ceilings);
  detail::write_list(out, "benchmarks", results);
  out << "\n}\n";
  if (!out) throw std::runtime_error("roofline: " + path + " cannot be written: pass --out");
}

}  // namespace sumfac::bench
