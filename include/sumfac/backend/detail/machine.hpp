// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What the host knows of the machine it runs on: processors, a core's first cache, and the last caches of all together.
#pragma once

#include <sumfac/math/detail/plain.hpp>

#include <cstdio>

#if defined(_OPENMP)
#include <omp.h>
#endif
#if defined(__unix__)
#include <unistd.h>
#endif
#if defined(__x86_64__) && defined(__GNUC__)
#include <cpuid.h>
#endif

namespace sumfac::SUMFAC_TARGET::detail {

// Processors that this program may run on, as it was started.
inline index_t processors()
{
#if defined(_OPENMP)
  static index_t const count = omp_get_num_procs();
  return count;
#else
  return 1;
#endif
}

// Size of one last-level cache and the processors that share it, as Linux has them; 0 where it does not say.
struct shared_cache {
  long kib = 0, processors = 0;
};

inline shared_cache read_shared_cache()
{
  shared_cache cache;
#if defined(__linux__)
  if (std::FILE* const file = std::fopen("/sys/devices/system/cpu/cpu0/cache/index3/size", "r")) {
    if (std::fscanf(file, "%ldK", &cache.kib) != 1) cache.kib = 0;
    std::fclose(file);
  }
  if (std::FILE* const file = std::fopen("/sys/devices/system/cpu/cpu0/cache/index3/shared_cpu_list", "r")) {
    // As in 0-7,64-71.
    for (long first = 0; std::fscanf(file, "%ld", &first) == 1;) {
      long last = first;
      if (std::fscanf(file, "-%ld", &last) != 1) last = first;
      cache.processors += last - first + 1;
      if (std::fgetc(file) != ',') break;
    }
    std::fclose(file);
  }
#endif
  return cache;
}

// Size of the last-level caches that this machine's processors have together: what reads and writes more writes past
// them.
//
// Virtual machines without Linux's account of the caches have the C library's, which is of the whole machine beneath:
// of that a processor is granted 16 MiB, as much as all but a few kinds have.
inline index_t cache_bytes()
{
#if defined(_SC_LEVEL3_CACHE_SIZE)
  static index_t const bytes = [] {
    shared_cache const l3 = read_shared_cache();
    index_t const online = sysconf(_SC_NPROCESSORS_ONLN);
    if (l3.kib > 0 && l3.processors > 0)
      return (index_t{l3.kib} << 10) * ((online + l3.processors - 1) / l3.processors);
    index_t const last = sysconf(_SC_LEVEL3_CACHE_SIZE);
    index_t const l2 = sysconf(_SC_LEVEL2_CACHE_SIZE);
    return last > 0 ? lesser(last, online << 24) : l2 > 0 ? l2 : index_t{8} << 20;
  }();
  return bytes;
#else
  return index_t{8} << 20;
#endif
}

// Size of a core's first cache for data; 32 KiB where the system does not say.
inline index_t first_cache_bytes()
{
#if defined(_SC_LEVEL1_DCACHE_SIZE)
  static index_t const bytes = [] {
    index_t const first = sysconf(_SC_LEVEL1_DCACHE_SIZE);
    return first > 0 ? first : index_t{32} << 10;
  }();
  return bytes;
#else
  return index_t{32} << 10;
#endif
}

// Whether the processor is AMD's, of family 1Ah or later.
inline bool is_zen_5()
{
#if defined(__x86_64__) && defined(__GNUC__)
  static bool const is = [] {
    unsigned a = 0, b = 0, c = 0, d = 0;
    if (__get_cpuid(0, &a, &b, &c, &d) == 0 || b != signature_AMD_ebx || __get_cpuid(1, &a, &b, &c, &d) == 0)
      return false;
    return (a >> 8 & 0xf) + (a >> 20 & 0xff) >= 0x1a;
  }();
  return is;
#else
  return false;
#endif
}

// Whether contractions of data with fields prefetch rows of up to a kibibyte, at a distance of 4 KiB: in memory it made
// rows of one pack 1.5 times as fast on Zen 5, of a kibibyte 1.0 to 1.1 times, longer ones no faster. Zen 4 foresees
// all of them, and was slowed down to 0.5 to 0.9.
inline bool prefetches_short_rows() { return is_zen_5(); }

}  // namespace sumfac::detail
