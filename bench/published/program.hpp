// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What the programs `published` of the host and of devices have in common: their command line, lines and JSON.
#pragma once

#include "../report/command_line.hpp"
#include "../report/json.hpp"
#include "../report/timing.hpp"
#include "figures.hpp"

#include <sumfac/config.hpp>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <functional>
#include <string>
#include <vector>

namespace sumfac::bench {

inline constexpr char const* published_usage = R"(usage: published [OPTION...]

Runs configurations of which others have published figures, checks the results, and prints each beside what was
published, counted the same way; docs/measuring.md says what they are.

  --configurations LIST  of norms, q3, q6, bp3, bp5, bps5, recomputed (default: all that are compiled)
  --geometry LIST        stored, trilinear (default: both where both are compiled)
  --unknowns N           at most (default: what was published, or what fits into the device; on the host 100000)
  --iterations N         of conjugate gradients, of which twice as many and so many are timed (default 10)
  --seconds S            of timing per figure, two samples at the least (default 0.5)
  --pins GB/s            of this device's memory by its data sheet (default: by its clock and width)
  --out FILE             results as JSON
  --help                 this text
)";

struct published_options {
  std::vector<std::string> configurations, geometries;  // all where empty
  index_t unknowns = 0, iterations = 10;
  double seconds = 0.5, pins = 0;
  std::string out;
};

inline std::vector<command_line::option<published_options>> published_option_list()
{
  using o = published_options;
  return {{"--configurations", &o::configurations, {"norms", "q3", "q6", "bp3", "bp5", "bps5", "recomputed"}},
          {"--geometry", &o::geometries, {"stored", "trilinear"}},
          {"--unknowns", &o::unknowns},
          {"--iterations", &o::iterations},
          {"--seconds", &o::seconds},
          {"--pins", &o::pins},
          {"--out", &o::out}};
}

// A figure of ours: what was done in so many seconds, and how it was.
struct our_figure {
  std::string configuration, what, how;
  index_t dofs;
  double seconds;
  json_object details;

  double rate() const { return double(dofs) / seconds; }
};

// A run of the program: where, with what, and what came out.
template <class Backend>
struct published_run {
  Backend backend;
  published_options const& options;
  double pins;  // bytes a second by the data sheet, 0 where it is not known
  double room;  // bytes of memory for a problem
  bool is_device;
  json_object context;
  std::vector<json_object> rows = {};
  int failures = 0;

  bool wants(std::string const& geometry) const { return command_line::listed(options.geometries, geometry); }
  // As many unknowns as asked for, or as fit where each takes so many bytes.
  index_t unknowns(index_t published, double bytes) const
  {
    index_t const wanted = options.unknowns > 0 ? options.unknowns : is_device ? published : 100'000;
    return std::min({wanted, published, static_cast<index_t>(room / bytes)});
  }

  // A line for each figure that was published of it; one where there is none.
  void keep(our_figure const& ours)
  {
    double const small = ours.what == "solve" ? 1e-6 : 1e-9;
    char const* const unit = ours.what == "solve" ? "MDoF/s" : "GDoF/s";
    std::printf("%-10s %-9s %-32s %10lld DoF  %10.4g ms  %8.4g %s", ours.configuration.c_str(), ours.what.c_str(),
                ours.how.c_str(), static_cast<long long>(ours.dofs), ours.seconds * 1e3, ours.rate() * small, unit);
    json_object row = ours.details;
    row("configuration", ours.configuration)("what", ours.what)("how", ours.how)("dofs", ours.dofs);
    row("seconds", ours.seconds)(unit, ours.rate() * small);
    int of_others = 0;
    for (auto const& p : published_figures()) {
      if (ours.configuration != p.configuration || ours.what != p.what) continue;
      double const times = ours.rate() / p.rate;
      std::printf("%s  %.4g on %s: %.2f times", of_others++ == 0 ? "" : ";", p.rate * small, p.card, times);
      if (pins > 0) std::printf(", by the memories' rates %.2f", times * p.pins / pins);
      row(std::string("published ") + unit + ", " + p.card, p.rate * small)(std::string("times ") + p.card, times);
      if (pins > 0) row(std::string("times by the memories' rates, ") + p.card, times * p.pins / pins);
      row(std::string("source, ") + p.card, p.source);
    }
    std::printf("\n");
    std::fflush(stdout);
    rows.push_back(row);
    write();
  }

  void write() const
  {
    if (!options.out.empty()) json_file()("context", context)("figures", rows).write(options.out);
  }
};

// The configurations that a program has, each entered by a source of its own.
template <class Backend>
struct published_configuration {
  std::string name;
  std::function<void(published_run<Backend>&)> run;
};
template <class Backend>
std::vector<published_configuration<Backend>>& published_list()
{
  static std::vector<published_configuration<Backend>> all;
  return all;
}
template <class Backend>
struct published_entered {
  explicit published_entered(std::vector<published_configuration<Backend>> const& more)
  {
    for (auto const& one : more) published_list<Backend>().push_back(one);
  }
};

// Runs what is asked for; a configuration that fails is a line, and the others go on.
template <class Backend>
int run_published(published_run<Backend> run)
{
  auto list = published_list<Backend>();
  std::stable_sort(list.begin(), list.end(), [](auto const& a, auto const& b) { return a.name < b.name; });
  double const begin = now();
  for (auto const& one : list) {
    if (!command_line::listed(run.options.configurations, one.name)) continue;
    double const before = now();
    try {
      one.run(run);
    } catch (std::exception const& error) {
      ++run.failures;
      std::printf("FAILED %s: %s\n", one.name.c_str(), error.what());
    }
    std::printf("%-10s took %.1f s\n", one.name.c_str(), now() - before);
    std::fflush(stdout);
  }
  run.write();
  std::printf("%zu figures in %.1f s, %d configurations failed\n", run.rows.size(), now() - begin, run.failures);
  return run.failures == 0 && !run.rows.empty() ? 0 : 1;
}

}  // namespace sumfac::bench
