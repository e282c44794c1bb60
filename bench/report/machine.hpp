// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What the benchmarks need to know about the machine they run on: caches, memory, names.
#pragma once

#include "json.hpp"

#include <sumfac/config.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <set>
#include <string>

#if defined(_OPENMP)
#include <omp.h>
#endif
#if defined(__unix__) || defined(__APPLE__)
#include <unistd.h>
#endif

namespace sumfac::bench {

struct machine {
  std::string cpu;        // the model as the system names it
  index_t private_cache;  // bytes of one core's L2
  index_t last_level;     // bytes of the last-level cache, all instances together
  index_t memory;         // bytes that may be allocated now
  int threads;            // OpenMP threads of a parallel region
};

// `threads` is the number that was asked for, 0 for OpenMP's choice.
machine this_machine(int threads = 0);

// The SIMD extension that this file was compiled for, "AVX2" say.
constexpr char const* simd()
{
#if defined(__AVX512F__)
  return "AVX-512";
#elif defined(__AVX2__)
  return "AVX2";
#elif defined(__AVX__)
  return "AVX";
#elif defined(__SSE2__)
  return "SSE2";
#elif defined(__ARM_FEATURE_SVE_BITS) && __ARM_FEATURE_SVE_BITS == 512
  return "SVE of 512 bits";
#elif defined(__ARM_FEATURE_SVE_BITS) && __ARM_FEATURE_SVE_BITS == 256
  return "SVE of 256 bits";
#elif defined(__ARM_FEATURE_SVE)
  return "NEON (SVE present)";
#elif defined(__ARM_NEON)
  return "NEON";
#else
  return "vector extensions";
#endif
}

inline std::string compiler()
{
#if defined(__clang__)
  return "clang++ " + std::to_string(__clang_major__) + "." + std::to_string(__clang_minor__) + "." +
         std::to_string(__clang_patchlevel__);
#elif defined(__GNUC__)
  return "g++ " + std::to_string(__GNUC__) + "." + std::to_string(__GNUC_MINOR__) + "." +
         std::to_string(__GNUC_PATCHLEVEL__);
#else
  return "unknown compiler";
#endif
}

// The options of the build, as far as it tells.
inline std::string flags()
{
#if defined(SUMFAC_BENCH_FLAGS)
  return SUMFAC_BENCH_FLAGS;
#else
  return "";
#endif
}

// Now, in UTC, as 2026-01-31T12:00:00Z.
inline std::string date()
{
  char text[32];
  std::time_t const now = std::time(nullptr);
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&now));
  return text;
}

namespace detail {

inline std::string first_line(std::string const& path)
{
  std::ifstream file(path);
  std::string text;
  std::getline(file, text);
  return text;
}

// "512K", "32M" -> bytes.
inline index_t bytes_of(std::string const& text)
{
  if (text.empty()) return 0;
  index_t const unit = text.back() == 'K' ? 1024 : text.back() == 'M' ? 1024 * 1024 : text.back() == 'G' ? 1 << 30 : 1;
  return std::stoll(text) * unit;
}

inline index_t system_value(int name, index_t otherwise)
{
#if defined(__unix__) || defined(__APPLE__)
  long const value = ::sysconf(name);
  if (value > 0) return value;
#endif
  (void)name;
  return otherwise;
}

// The caches as Linux describes them: the highest level's instances are added up, since their sizes are per instance.
inline void read_caches(machine& m)
{
  int highest = 0;
  std::set<std::string> counted;
  for (int cpu = 0;; ++cpu) {
    std::string const folder = "/sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/cache/index";
    if (first_line(folder + "0/level").empty()) break;
    for (int i = 0;; ++i) {
      std::string const cache = folder + std::to_string(i) + "/";
      std::string const level_text = first_line(cache + "level");
      if (level_text.empty()) break;
      if (first_line(cache + "type") == "Instruction") continue;
      int const level = std::stoi(level_text);
      index_t const size = bytes_of(first_line(cache + "size"));
      if (level == 2 && cpu == 0) m.private_cache = size;
      if (level > highest) {
        highest = level;
        counted.clear();
        m.last_level = 0;
      }
      if (level == highest && counted.insert(first_line(cache + "shared_cpu_list")).second) m.last_level += size;
    }
  }
}

inline std::string cpu_model()
{
  std::ifstream file("/proc/cpuinfo");
  for (std::string text; std::getline(file, text);)
    if (text.rfind("model name", 0) == 0 && text.find(": ") != std::string::npos)
      return text.substr(text.find(": ") + 2);
  return "unknown processor";
}

inline index_t available_memory()
{
  std::ifstream file("/proc/meminfo");
  for (std::string text; std::getline(file, text);)
    if (text.rfind("MemAvailable:", 0) == 0) return std::stoll(text.substr(13)) * 1024;
  return index_t{4} << 30;
}

}  // namespace detail

inline machine this_machine(int threads)
{
  machine m{detail::cpu_model(), 0, 0, detail::available_memory(), 1};
  detail::read_caches(m);
#if defined(_SC_LEVEL2_CACHE_SIZE)
  if (m.private_cache == 0) m.private_cache = detail::system_value(_SC_LEVEL2_CACHE_SIZE, 0);
#endif
  if (m.private_cache == 0) m.private_cache = 512 * 1024;
#if defined(_SC_LEVEL3_CACHE_SIZE)
  // Virtual machines may tell the size of the whole machine beneath: 16 MiB a processor are as much as most kinds have.
  if (m.last_level == 0)
    m.last_level =
        std::min(detail::system_value(_SC_LEVEL3_CACHE_SIZE, 0), detail::system_value(_SC_NPROCESSORS_ONLN, 1) << 24);
#endif
  if (m.last_level == 0) m.last_level = std::max(m.private_cache, index_t{8} << 20);
#if defined(_OPENMP)
  m.threads = threads > 0 ? threads : omp_get_max_threads();
#else
  (void)threads;
#endif
  return m;
}

// The machine as all programs print it: a line for the processor, one for the compiler, and the caches.
inline std::string describe(machine const& m)
{
  char caches[80];
  std::snprintf(caches, sizeof caches, "L2 %.2f MiB a core, last-level cache %.1f MiB",
                double(m.private_cache) / (1 << 20), double(m.last_level) / (1 << 20));
  return m.cpu + ", " + std::to_string(m.threads) + (m.threads == 1 ? " thread\n" : " threads\n") + simd() + ", " +
         compiler() + " " + flags() + "\n" + caches;
}

// What the JSON of all programs says of it; with the cores that others kept busy before, where the script that started
// the program has looked.
inline json_object context(machine const& m)
{
  std::string const version = std::to_string(SUMFAC_VERSION_MAJOR) + "." + std::to_string(SUMFAC_VERSION_MINOR) + "." +
                              std::to_string(SUMFAC_VERSION_PATCH);
  json_object c;
  c("version", version)("date", date())("cpu", m.cpu)("threads", m.threads)("simd", simd())("compiler", compiler());
  c("flags", flags())("L2_bytes", m.private_cache)("last_level_bytes", m.last_level);
  if (char const* const others = std::getenv("SUMFAC_BENCH_OTHERS")) c("others_cores", std::strtod(others, nullptr));
  return c;
}

}  // namespace sumfac::bench
