// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What the command line of `roofline` chooses.
#pragma once

#include "../report/command_line.hpp"
#include "../subjects/subject.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace sumfac::bench {

struct options {
  std::vector<std::string> problems{"BP1.0", "BP3.0", "BP3.5"}, scalars{"f64"}, sizes{"memory", "cache"};
  std::vector<std::string> dimensions{"3"};
  std::vector<std::string> geometries{"stored"};
  std::vector<int> orders;  // all where empty
  vector_layout layout = vector_layout::interleaved;
  int threads = 0;       // OpenMP's choice where 0
  double seconds = 1.0;  // of timing per configuration out of cache
  bool quick = false;
  std::string out = "build/results/roofline.json";
};

inline constexpr char const* usage = R"(usage: roofline [OPTION...]

Measures this machine's ceilings and the fused kernels of the bake-off problems on it. Without options: double
precision, all degrees, working sets in memory and in cache.

  --problem LIST   of BP1.0, BP3.0, BP3.5
  --dimension LIST of 3 (the default: hexahedra), 2 (quadrilaterals, geometry stored)
  --order LIST     degrees: 7 or 1-8 or 1,2,5-15
  --size LIST      memory (at least 8 times the last-level cache), cache (half of a core's L2 per thread; one group of
                   elements per thread where that is more), E:512, E:4096 or any other number of elements
  --scalar LIST    of f64, f32
  --geometry LIST  of stored (the default), narrow (factors in float), affine, trilinear, isoparametric: in f64,
                   to N = 11, isoparametric BP3.0 and BP3.5 to 8; all but stored are timed in turns with stored, and
                   their speedup over it is reported
  --all            both scalars and the sizes memory, cache, E:512, E:4096
  --layout NAME    of the vectors: interleaved (the default: elements side by side, as in registers) or right (rows)
  --threads N      OpenMP threads (default: OMP_NUM_THREADS or all cores)
  --seconds S      of timing per configuration in memory, half of it in cache (default 1)
  --quick          ceilings of memory from 32 MiB, and few samples: to see that it runs
  --out FILE       results as JSON (default build/results/roofline.json)
  --help           this text

Options of Google Benchmark are taken too: --benchmark_filter=REGEX chooses by name (as BP3.5/host/f64/N:7/memory),
--benchmark_list_tests lists them.
)";

inline std::vector<command_line::option<options>> option_list()
{
  using namespace command_line;
  auto const sizes = [](auto const& name, auto const& value) {
    return words(name, value, "memory, cache or a number of elements as E:4096",
                 [](auto const& word) { return word == "memory" || word == "cache" || is_elements(word); });
  };
  auto const layout = [](auto const& name, auto const& value) {
    return choice(name, value, {"interleaved", "right"})[0] == "right" ? vector_layout::right
                                                                       : vector_layout::interleaved;
  };
  auto const threads = [](auto const& name, auto const& value) {
    return value == "0" ? 0 : int(whole_number(name, value));
  };
  return {{"--problem", &options::problems, problem_names()},
          {"--dimension", &options::dimensions, {"3", "2"}},
          {"--scalar", &options::scalars, {"f64", "f32"}},
          {"--geometry", &options::geometries, {"stored", "narrow", "affine", "trilinear", "isoparametric"}},
          {"--size", &options::sizes, sizes},
          {"--order", &options::orders},
          {"--layout", &options::layout, layout},
          {"--threads", &options::threads, threads},
          {"--seconds", &options::seconds,
           [](auto const& name, auto const& value) { return std::max(positive(name, value), 0.01); }},
          {"--quick", &options::quick},
          {"--out", &options::out}};
}

// The arguments that are ours, --all spelt out, and those that are Google Benchmark's; both with the program's name.
struct arguments {
  std::vector<char*> ours, theirs;
};

inline arguments split_arguments(int argc, char** argv)
{
  static char scalar[] = "--scalar=f64,f32", size[] = "--size=memory,cache,E:512,E:4096";
  arguments all{{argv[0]}, {argv[0]}};
  for (int i = 1; i < argc; ++i) {
    std::string_view const text = argv[i];
    if (text == "--all")
      all.ours.insert(all.ours.end(), {scalar, size});
    else
      (text.substr(0, 11) == "--benchmark" || text.substr(0, 4) == "--v=" ? all.theirs : all.ours).push_back(argv[i]);
  }
  return all;
}

}  // namespace sumfac::bench
