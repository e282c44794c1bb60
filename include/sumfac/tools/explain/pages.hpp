// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What pages memory lies in, and what registers the processor has, beside those that are compiled for.
#pragma once

#include <sumfac/math/pack.hpp>

#include <cstdint>
#include <cstdio>
#include <cstring>

namespace sumfac::SUMFAC_TARGET::detail {

// Whether the system gives huge pages to who asks for them, by its file transparent_hugepage/enabled.
enum class huge_page_rule { unknown, always, madvise, never };

struct page_kinds {
  huge_page_rule rule = huge_page_rule::unknown;
  bool looked = false;                    // at the caller's vectors
  index_t vectors_kib = 0, huge_kib = 0;  // of the mappings that these lie in: all in memory, and in huge pages
};

// The word in brackets: "always [madvise] never".
inline huge_page_rule read_huge_page_rule(char const* path = "/sys/kernel/mm/transparent_hugepage/enabled")
{
  huge_page_rule rule = huge_page_rule::unknown;
  if (std::FILE* const file = std::fopen(path, "r")) {
    char text[80] = {};
    if (std::fgets(text, sizeof text, file) != nullptr)
      rule = std::strstr(text, "[never]") != nullptr     ? huge_page_rule::never
             : std::strstr(text, "[madvise]") != nullptr ? huge_page_rule::madvise
             : std::strstr(text, "[always]") != nullptr  ? huge_page_rule::always
                                                         : huge_page_rule::unknown;
    std::fclose(file);
  }
  return rule;
}

// Adds up the mappings that have one of two addresses, of a file like /proc/self/smaps.
inline void read_mappings(page_kinds& kinds, void const* one, void const* other, char const* path = "/proc/self/smaps")
{
  std::FILE* const file = std::fopen(path, "r");
  if (file == nullptr) return;
  char line[400];
  bool inside = false;
  while (std::fgets(line, sizeof line, file) != nullptr) {
    unsigned long long first = 0, last = 0;
    long long kib = 0;
    if (std::sscanf(line, "%llx-%llx ", &first, &last) == 2) {
      auto const has = [&](void const* p) {
        auto const at = reinterpret_cast<std::uintptr_t>(p);
        return first <= at && at < last;
      };
      inside = has(one) || has(other);
      kinds.looked = kinds.looked || inside;
    } else if (inside && std::sscanf(line, "Rss: %lld kB", &kib) == 1) {
      kinds.vectors_kib += kib;
    } else if (inside && std::sscanf(line, "AnonHugePages: %lld kB", &kib) == 1) {
      kinds.huge_kib += kib;
    }
  }
  std::fclose(file);
}

inline page_kinds read_pages(void const* one, void const* other)
{
  page_kinds kinds{.rule = read_huge_page_rule()};
  read_mappings(kinds, one, other);
  return kinds;
}

// Registers of the target that is compiled for, and of this processor, in bytes; 0 where it is not known.
struct register_widths {
  int compiled = 0, here = 0;
  bool threads = true, optimized = true;  // whether it is compiled with OpenMP; with optimization
};

inline register_widths widths_here()
{
  register_widths w;
  w.compiled = 8 * native_width<double>;
#if defined(__x86_64__)
  __builtin_cpu_init();
  w.here = __builtin_cpu_supports("avx512f") ? 64 : __builtin_cpu_supports("avx2") ? 32 : 16;
#endif
#if !defined(_OPENMP)
  w.threads = false;
#endif
#if !defined(__OPTIMIZE__)
  w.optimized = false;
#endif
  return w;
}

}  // namespace sumfac::detail
