// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What the command line of `roofline` chooses.
#pragma once

#include "kernel.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace sumfac::bench {

struct options {
  std::vector<std::string> problems{"BP1.0", "BP3.0", "BP3.5"}, scalars{"f64"}, sizes{"memory", "cache"};
  std::vector<std::string> geometries{"stored"};
  std::vector<int> orders;  // all where empty
  vector_layout layout = vector_layout::interleaved;
  int threads = 0;       // OpenMP's choice where 0
  double seconds = 1.0;  // of timing per configuration out of cache
  std::string out = "build/results/roofline.json";
  bool help = false;
};

inline constexpr char const* usage = R"(usage: roofline [OPTION...]

Measures this machine's ceilings and the fused kernels of the bake-off problems on it. Without options: double
precision, all degrees, working sets in memory and in cache.

  --problem LIST   of BP1.0, BP3.0, BP3.5
  --order LIST     degrees: 7 or 1-8 or 1,2,5-15
  --size LIST      memory (at least 8 times the last-level cache), cache (half of a core's L2 per thread; one group of
                   elements per thread where that is more), E:512, E:4096 or any other number of elements
  --scalar LIST    of f64, f32
  --geometry LIST  of stored (the default), narrow (factors in float), affine, trilinear, isoparametric: in f64, to
                   N = 11 or 8; all but stored are timed in turns with stored, and their speedup over it is reported
  --all            both scalars and the sizes memory, cache, E:512, E:4096
  --layout NAME    of the vectors: interleaved (the default: elements side by side, as in registers) or right (rows)
  --threads N      OpenMP threads (default: OMP_NUM_THREADS or all cores)
  --seconds S      of timing per configuration in memory, half of it in cache (default 1)
  --out FILE       results as JSON (default build/results/roofline.json)
  --help           this text

Options of Google Benchmark are taken too: --benchmark_filter=REGEX chooses by name (as BP3.5/host/f64/N:7/memory),
--benchmark_list_tests lists them.
)";

// Takes the arguments that are ours out of argv and leaves the rest to Google Benchmark.
options parse(int& argc, char** argv);

namespace detail {

// The program that speaks.
inline std::string& program()
{
  static std::string name = "roofline";
  return name;
}

[[noreturn]] inline void refuse(std::string const& option, std::string const& value, std::string const& expected)
{
  throw std::invalid_argument(program() + ": " + option + " does not know " + value + ": pass " + expected);
}

inline std::vector<std::string> split(std::string const& text)
{
  std::vector<std::string> parts(1);
  for (char const c : text)
    if (c == ',')
      parts.emplace_back();
    else
      parts.back() += c;
  return parts;
}

inline bool is_number(std::string const& text)
{
  return !text.empty() && text.size() < 10 && text.find_first_not_of("0123456789") == std::string::npos;
}

inline std::vector<std::string> choice(std::string const& option, std::string const& value,
                                       std::vector<std::string> const& known, std::string const& expected)
{
  auto const chosen = split(value);
  for (auto const& one : chosen) {
    bool const elements = option == "--size" && one.rfind("E:", 0) == 0 && is_number(one.substr(2));
    if (!elements && std::find(known.begin(), known.end(), one) == known.end()) refuse(option, one, expected);
  }
  return chosen;
}

inline std::vector<int> degrees(std::string const& value)
{
  std::string const expected = "degrees from 1 to 15, as 1,2,5-15";
  std::vector<int> chosen;
  for (auto const& part : split(value)) {
    auto const dash = part.find('-');
    std::string const low = part.substr(0, dash), high = dash == std::string::npos ? low : part.substr(dash + 1);
    if (!is_number(low) || !is_number(high)) refuse("--order", part, expected);
    int const first = std::stoi(low), last = std::stoi(high);
    if (first < 1 || last > 15 || first > last) refuse("--order", part, expected);
    for (int n = first; n <= last; ++n) chosen.push_back(n);
  }
  return chosen;
}

inline void set(options& o, std::string const& option, std::string const& value)
{
  if (option == "--problem")
    o.problems = choice(option, value, {"BP1.0", "BP3.0", "BP3.5"}, "BP1.0, BP3.0 or BP3.5");
  else if (option == "--scalar")
    o.scalars = choice(option, value, {"f64", "f32"}, "f64 or f32");
  else if (option == "--geometry")
    o.geometries = choice(option, value, {"stored", "narrow", "affine", "trilinear", "isoparametric"},
                          "stored, narrow, affine, trilinear or isoparametric");
  else if (option == "--size")
    o.sizes = choice(option, value, {"memory", "cache"}, "memory, cache or a number of elements as E:4096");
  else if (option == "--order")
    o.orders = degrees(value);
  else if (option == "--layout")
    o.layout = choice(option, value, {"interleaved", "right"}, "interleaved or right")[0] == "right"
                   ? vector_layout::right
                   : vector_layout::interleaved;
  else if (option == "--threads")
    o.threads = is_number(value) ? std::stoi(value) : (refuse(option, value, "a number"), 0);
  else if (option == "--seconds")
    o.seconds = std::max(std::atof(value.c_str()), 0.01);
  else if (option == "--out")
    o.out = value;
  else
    throw std::invalid_argument("roofline: unknown option " + option + ": see --help");
}

}  // namespace detail

inline options parse(int& argc, char** argv)
{
  options o;
  o.orders.resize(15);
  std::iota(o.orders.begin(), o.orders.end(), 1);
  int kept = 1;
  for (int i = 1; i < argc; ++i) {
    std::string const argument = argv[i];
    if (argument.rfind("--benchmark", 0) == 0 || argument.rfind("--v=", 0) == 0) {
      argv[kept++] = argv[i];
    } else if (argument == "--help" || argument == "-h") {
      o.help = true;
    } else if (argument == "--all") {
      o.scalars = {"f64", "f32"};
      o.sizes = {"memory", "cache", "E:512", "E:4096"};
    } else {
      auto const equals = argument.find('=');
      if (equals != std::string::npos)
        detail::set(o, argument.substr(0, equals), argument.substr(equals + 1));
      else if (i + 1 < argc)
        detail::set(o, argument, argv[++i]);
      else
        throw std::invalid_argument("roofline: " + argument + " needs a value: see --help");
    }
  }
  argc = kept;
  argv[argc] = nullptr;
  return o;
}

}  // namespace sumfac::bench
