// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The bake-off problems BP1 to BP6 solved by conjugate gradients: throughput against size, degree by degree.
#include "bake_off_report.hpp"
#include "bake_off_subject.hpp"
#include "command_line.hpp"
#include "machine.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using namespace sumfac;
using namespace sumfac::bench;

constexpr char const* bake_off_usage = R"(usage: bake_off [OPTION...]

Solves the bake-off problems BP1 to BP6 by a fixed number of iterations of conjugate gradients, unpreconditioned, on
boxes of 2^s deformed hexahedra, plain and merged with the sweep over elements. Without options: all problems, degrees 1
to 8, five sizes from 16 thousand to 4 million degrees of freedom.

  --problem LIST    of BP1, BP2, BP3, BP4, BP5, BP6
  --geometry LIST   of stored (default), trilinear, affine (on a box that is only sheared); the last two for BP5 alone
  --order LIST      degrees: 7 or 1-8 or 1,2,5-8 (above 8: configure with -DSUMFAC_BENCHMARK_ORDERS=15)
  --dofs LIST       wanted numbers of degrees of freedom; each becomes the nearest 2^s elements, the last at least
  --iterations N    of a solve (default 10)
  --seconds S       of timing per configuration, all kinds together; each kind is measured at least once (default 0.3)
  --threads N       OpenMP threads (default: OMP_NUM_THREADS or all cores)
  --out FILE        results as JSON (default build/results/bake_off.json)
  --help            this text
)";

struct bake_off_options {
  std::vector<std::string> problems{"BP1", "BP2", "BP3", "BP4", "BP5", "BP6"};
  std::vector<std::string> geometries{"stored"};
  std::vector<int> orders{1, 2, 3, 4, 5, 6, 7, 8};
  std::vector<double> dofs{16e3, 64e3, 256e3, 1e6, 4e6};
  index_t iterations = 10;
  double seconds = 0.3;
  int threads = 0;
  std::string out = "build/results/bake_off.json";
  bool help = false;
};

bool set(bake_off_options& o, std::string const& option, std::string const& value)
{
  using namespace bench::command_line;
  if (option == "--problem") {
    o.problems = choice(option, value, {"BP1", "BP2", "BP3", "BP4", "BP5", "BP6"}, "BP1 to BP6");
  } else if (option == "--geometry") {
    o.geometries = choice(option, value, {"stored", "trilinear", "affine"}, "stored, trilinear, affine");
  } else if (option == "--order") {
    o.orders = degrees(option, value);
  } else if (option == "--dofs") {
    o.dofs.clear();
    for (auto const& one : command_line::split(value)) o.dofs.push_back(positive(option, one));
  } else if (option == "--iterations") {
    o.iterations = std::max(index_t{1}, static_cast<index_t>(positive(option, value)));
  } else if (option == "--seconds") {
    o.seconds = positive(option, value);
  } else if (option == "--threads") {
    o.threads = static_cast<int>(positive(option, value));
  } else if (option == "--out") {
    o.out = value;
  } else {
    return false;
  }
  return true;
}

bake_off_options read_options(int argc, char** argv)
{
  bake_off_options o;
  auto const flag = [&](std::string const& text) {
    using bench::command_line::turns_on;
    return turns_on(text, "--help", o.help) || turns_on(text, "-h", o.help);
  };
  bench::command_line::read(argc, argv, flag, [&](auto const& name, auto const& value) { return set(o, name, value); });
  return o;
}

// s such that 2^s elements have about so many degrees of freedom, or at least so many.
int log_elements(solve_entry const& entry, double dofs, bool at_least)
{
  double const exact = std::log2(dofs / (entry.components * std::pow(entry.order, 3)));
  return std::max(0, static_cast<int>(at_least ? std::ceil(exact - 0.01) : std::round(exact)));
}

double median(std::vector<double> x)
{
  std::sort(x.begin(), x.end());
  return x[x.size() / 2];
}

// A warm-up, then all kinds in turn: what disturbs the machine for a while disturbs all of them.
solve_result measure(solve_entry const& entry, int log_size, bake_off_options const& o)
{
  constexpr index_t most_atomic = index_t{3}
                                  << 19;  // degrees of freedom: beyond, a second table takes too long to make
  bool const with_atomic = std::pow(2.0, log_size) * entry.components * std::pow(entry.order, 3) < double(most_atomic);
  auto const subject = entry.make(log_size, o.threads, with_atomic);
  subject->plain_seconds(2);
  subject->merged_seconds(2);
  std::vector<double> plain, merged, sweeps, atomic;
  double spent = 0;
  do {
    plain.push_back(subject->plain_seconds(o.iterations));
    merged.push_back(subject->merged_seconds(o.iterations));
    sweeps.push_back(subject->operator_seconds(scatter::deterministic, o.iterations));
    spent += plain.back() + merged.back() + sweeps.back();
    if (!with_atomic) continue;
    atomic.push_back(subject->operator_seconds(scatter::atomic, o.iterations));
    spent += atomic.back();
  } while (spent < o.seconds);

  double const difference = std::abs(subject->merged_residual() / subject->plain_residual() - 1);
  if (!(difference < 1e-6))
    throw std::runtime_error("the merged solve differs from the plain one by " + std::to_string(difference));
  solve_result r;
  r.problem = entry.problem;
  r.order = entry.order;
  r.elements = subject->elements();
  r.dofs = subject->dofs();
  r.samples = static_cast<int>(plain.size());
  double const iterations = static_cast<double>(o.iterations);
  r.plain_seconds = median(plain) / iterations;
  r.merged_seconds = median(merged) / iterations;
  r.operator_seconds = median(sweeps) / iterations;
  r.atomic_seconds = atomic.empty() ? 0 : median(atomic) / iterations;
  r.operator_bytes = subject->operator_bytes();
  return r;
}

// The problems in the catalogue's words: BP1, or BP5-trilinear.
std::vector<std::string> chosen_problems(bake_off_options const& o)
{
  std::vector<std::string> names;
  for (auto const& problem : o.problems)
    for (auto const& geometry : o.geometries)
      if (geometry == "stored" || problem == "BP5")
        names.push_back(geometry == "stored" ? problem : problem + "-" + geometry);
  if (names.empty()) throw std::invalid_argument("bake_off: only BP5 recomputes its geometry: see --help");
  return names;
}

// What is asked for, or a refusal before anything is measured.
std::vector<solve_entry const*> chosen_entries(bake_off_options const& o)
{
  std::vector<solve_entry const*> entries;
  for (auto const& problem : chosen_problems(o))
    for (int const order : o.orders) {
      auto const entry = std::find_if(solve_catalogue().begin(), solve_catalogue().end(),
                                      [&](auto const& e) { return e.problem == problem && e.order == order; });
      if (entry == solve_catalogue().end())
        throw std::invalid_argument("bake_off: degree " + std::to_string(order) +
                                    " is not in this build: configure with -DSUMFAC_BENCHMARK_ORDERS=15");
      entries.push_back(&*entry);
    }
  return entries;
}

int solve_all(bake_off_options const& o)
{
  auto const entries = chosen_entries(o);
  machine const host = this_machine(o.threads);
  print_machine(host, o.iterations);
  std::vector<solve_result> results;
  int failures = 0;
  for (auto const* const entry : entries)
    for (std::size_t i = 0; i < o.dofs.size(); ++i) {
      int const log_size = log_elements(*entry, o.dofs[i], i > 0 && i + 1 == o.dofs.size());
      try {
        results.push_back(measure(*entry, log_size, o));
        print_result(results.back());
      } catch (std::exception const& error) {
        ++failures;
        std::printf("FAILED %s N = %d, 2^%d elements: %s\n", entry->problem.c_str(), entry->order, log_size,
                    error.what());
      }
    }
  print_summary(results);
  write_json(o.out, host, o.iterations, results);
  std::printf("\n%s\n", o.out.c_str());
  return failures == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv)
{
  try {
    bench::command_line::program() = "bake_off";
    bake_off_options const chosen = read_options(argc, argv);
    if (chosen.help) {
      std::fputs(bake_off_usage, stdout);
      return 0;
    }
    return solve_all(chosen);
  } catch (std::exception const& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
