// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The fused kernels of the bake-off problems against this machine's ceilings, degree by degree.
#include "../report/machine.hpp"
#include "../subjects/subject.hpp"
#include "ceilings.hpp"
#include "measure.hpp"
#include "options.hpp"
#include "report.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using namespace sumfac;
using namespace sumfac::bench;

struct configuration {
  subject what;
  std::string size;
  std::string name() const { return what.name(size); }
};

// What all configurations of a run share.
struct run {
  options chosen;
  machine host;
  std::vector<ceiling> ceilings;  // of one thread and of all
  std::unique_ptr<streams> memory;
  std::vector<result> results;
  std::vector<std::string> failures;
  std::size_t all = 0;

  std::size_t done() const { return results.size() + failures.size(); }
};

// In the order of the command line: sizes, scalars, dimensions, problems, geometries; then degrees.
std::vector<configuration> configurations(options const& o)
{
  std::vector<configuration> list;
  for (auto const& size : o.sizes)
    for (auto const& scalar : o.scalars)
      for (auto const& dimension : o.dimensions)
        for (auto const& problem : o.problems)
          for (auto const& geometry : o.geometries)
            for (auto const& k : catalogue())
              if (k.scalar == scalar && std::to_string(k.dimension) == dimension && k.problem == problem &&
                  k.geometry == geometry && command_line::listed(o.orders, k.order))
                list.push_back({k, size});
  auto const need = [&](std::string const& what, auto const& of) {
    if (std::none_of(list.begin(), list.end(), [&](auto const& c) { return of(c.what) == what; }))
      throw std::invalid_argument("roofline: nothing to measure in " + what + ": choose other problems and degrees " +
                                  "(--help), or configure with -DSUMFAC_BENCHMARK_SCALARS=\"f64;f32\" " +
                                  "-DSUMFAC_BENCHMARK_GEOMETRIES=\"narrow;affine;trilinear;isoparametric\" " +
                                  "-DSUMFAC_BENCHMARK_DIMENSIONS=\"2;3\" -DSUMFAC_BENCHMARK_ROOFLINE_ORDERS=15");
  };
  for (auto const& scalar : o.scalars) need(scalar, [](auto const& k) { return k.scalar; });
  for (auto const& dimension : o.dimensions)
    need(dimension + "-D", [](auto const& k) { return std::to_string(k.dimension) + "-D"; });
  for (auto const& geometry : o.geometries) need(geometry, [](auto const& k) { return k.geometry; });
  return list;
}

// What a configuration's speedup is over: the same with stored geometry; null where it is that itself.
subject const* with_stored(subject const& k)
{
  if (k.geometry == "stored") return nullptr;
  for (auto const& other : catalogue())
    if (other.problem == k.problem && other.dimension == k.dimension && other.scalar == k.scalar &&
        other.order == k.order && other.geometry == "stored")
      return &other;
  return nullptr;
}

// Measures a configuration as one iteration of Google Benchmark, whose time is the median.
void benchmark_one(benchmark::State& state, configuration const& c, run& r)
{
  double const budget = c.size == "cache" ? r.chosen.seconds / 2 : r.chosen.seconds;
  for (auto _ : state) {
    try {
      result one = measure(c.what, with_stored(c.what), c.size, r.chosen.layout, r.host, budget, *r.memory);
      raise_peaks(r.ceilings.back(), 2);
      one.peak = r.ceilings.back().peak(c.what.scalar);
      state.SetIterationTime(one.seconds);
      state.counters = {
          {"GFLOP/s", one.flop_rate() * 1e-9}, {"GB/s", one.byte_rate() * 1e-9}, {"GDOF/s", one.dof_rate() * 1e-9},
          {"roofline", one.of_copy()},         {"stream", one.of_mix()},         {"peak", one.of_peak()},
          {"E", double(one.elements)},         {"speedup", one.speedup()}};
      r.results.push_back(one);
      print_result(one, r.done(), r.all);
    } catch (std::exception const& error) {
      r.failures.push_back(c.name() + ": " + error.what());
      print_failure(r.failures.back(), r.done(), r.all);
      state.SkipWithError(error.what());
      break;
    }
  }
}

// Google Benchmark's own output is left out: benchmark_one prints each configuration as it ends.
struct silence : benchmark::BenchmarkReporter {
  bool ReportContext(Context const&) override { return true; }
  void ReportRuns(std::vector<Run> const&) override {}
};

int benchmark_all(options const& chosen)
{
  run r;
  r.chosen = chosen;
  r.host = this_machine(chosen.threads);
  if (chosen.quick) r.host.memory = index_t{128} << 20;  // of which sets in memory may have a quarter
  auto const list = configurations(chosen);
  r.all = list.size();
  print_machine(r.host);

  for (int threads : {1, r.host.threads}) {
    if (!r.ceilings.empty() && threads == 1) continue;
    r.ceilings.push_back(measure_ceiling(memory_bytes(r.host), threads, chosen.quick ? 2 : 100));
    print_ceiling(r.ceilings.back());
  }

  index_t largest = 0;
  for (auto const& c : list) largest = std::max(largest, elements_of(c.size, c.what, r.host) * c.what.element_bytes);
  r.memory = std::make_unique<streams>(largest, r.host.threads);

  for (auto const& c : list)
    benchmark::RegisterBenchmark(c.name().c_str(), [c, &r](benchmark::State& state) { benchmark_one(state, c, r); })
        ->Iterations(1)
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond);
  silence reporter;
  print_heading();
  benchmark::RunSpecifiedBenchmarks(&reporter);

  for (result& one : r.results) one.peak = r.ceilings.back().peak(one.what.scalar);
  std::printf("\nceilings, with the best multiply-add peaks of the whole run\n");
  print_ceiling(r.ceilings.back());
  print_summary(r.results);
  char const* const layout = chosen.layout == vector_layout::right ? "right" : "interleaved";
  write_json(chosen.out, r.host, layout, r.ceilings, r.results);
  std::printf("\n%s\n", chosen.out.c_str());
  for (auto const& failure : r.failures) std::fprintf(stderr, "FAILED %s\n", failure.c_str());
  return r.failures.empty() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv)
{
  auto [ours, theirs] = split_arguments(argc, argv);
  auto const run = [&rest = theirs](options const& chosen) {
    int count = static_cast<int>(rest.size());
    rest.push_back(nullptr);
    benchmark::Initialize(&count, rest.data());
    return benchmark_all(chosen);
  };
  return command_line::main_of<options>("roofline", usage, static_cast<int>(ours.size()), ours.data(), option_list(),
                                        run);
}
