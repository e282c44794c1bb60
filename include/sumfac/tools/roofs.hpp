// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The roofs of a machine: the rates of its memory and of its multiply-adds, given, kept in a file or measured.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/backend/host.hpp>
#include <sumfac/config.hpp>

#include <string>

namespace sumfac::SUMFAC_TARGET {

// What a machine can do at most, in bytes and flops a second; 0 where it is not known.
//
// Copies are rated by the bytes that they read and write together. Rates are those of all threads.
struct machine_roofs {
  double read = 0, copy = 0;  // of memory: reading alone, and as much written as read
  double small_pages = 0;     // copies in pages of 4 KiB, where the others are in huge ones
  double cached = 0;          // copies of what lies in the caches
  double f64 = 0, f32 = 0;    // multiply-adds of two flops each, in registers of the width that is compiled for
  index_t caches = 0;         // bytes of the last-level caches

  // Whether nothing is known.
  constexpr bool empty() const { return !(read > 0 || copy > 0 || cached > 0 || f64 > 0 || f32 > 0); }
  friend constexpr bool operator==(machine_roofs const&, machine_roofs const&) = default;
};

// Measures them with a backend's threads, in some 0.6 seconds; the memory that it needs, four times the last-level
// caches, is freed. Each thread rates pieces of its work, so that other programs, which interrupt some, change little
// but for the memory that they take themselves.
// **Errors** std::bad_alloc.
machine_roofs measure_roofs(host const& backend);

// The file in which explain() keeps roofs: sumfac/roofs in the folder XDG_CACHE_HOME or ~/.cache; empty where neither
// is set.
std::string roofs_file();

}  // namespace sumfac

#include <sumfac/tools/explain/measure.hpp>
