// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What tune() is told, and what it says of each candidate.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/config.hpp>

#include <cstdio>
#include <string>

namespace sumfac::SUMFAC_TARGET {

// What became of a candidate.
struct tune_trial {
  std::string what;     // its geometry and tuning
  std::string refused;  // why it was left out; empty where it was not
  double cost = 0;      // seconds of an application, or on `checked` transactions of shared memory and 32 a barrier
  double error = 0;     // of its results, in units of the sums of their terms
};

// How tune() goes about it.
struct tune_options {
  char const* cache = nullptr;  // a file that keeps choices from run to run; none where null
  double seconds = 0.05;        // that each candidate is timed for
  void (*log)(char const* line) = [](char const* line) { std::fprintf(stderr, "%s\n", line); };  // null: nobody
};

}  // namespace sumfac
