// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The bake-off problems BP1 to BP6 solved by conjugate gradients: throughput against size, degree by degree.
#include "../report/command_line.hpp"
#include "../report/machine.hpp"
#include "../report/timing.hpp"
#include "../subjects/check.hpp"
#include "../subjects/subject.hpp"
#include "bake_off_report.hpp"

#include <algorithm>
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
boxes of 2^s deformed hexahedra (or quadrilaterals), plain and merged with the sweep over elements, and times the
operator alone and the matrix' diagonal. Without options:
all problems, degrees 1 to 8, five sizes from 16 thousand to 4 million degrees of freedom.

  --problem LIST    of BP1, BP2, BP3, BP4, BP5, BP6
  --dimension LIST  of 3 (default), 2: BP1, BP3 and BP5 on quadrilaterals, geometry stored (not built by default:
                    configure with -DSUMFAC_BENCHMARK_DIMENSIONS="2;3")
  --geometry LIST   of stored (default), trilinear, isoparametric (of the operator's degree, up to 8), affine (on a box
                    that is only sheared); all but the first for BP5 alone
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
  std::vector<std::string> dimensions{"3"};
  std::vector<std::string> geometries{"stored"};
  std::vector<int> orders{1, 2, 3, 4, 5, 6, 7, 8};
  std::vector<double> dofs{16e3, 64e3, 256e3, 1e6, 4e6};
  int iterations = 10;
  double seconds = 0.3;
  int threads = 0;
  std::string out = "build/results/bake_off.json";
};

// A warm-up, then all ways in turn: what disturbs the machine for a while disturbs all of them.
solve_result measure(subject const& s, index_t elements, bake_off_options const& o)
{
  constexpr double most_atomic = 3 << 19;  // degrees of freedom: beyond, a second table takes too long to make
  bool const with_atomic = double(elements) * s.element_dofs() < most_atomic;
  auto const a = s.make({.elements = elements, .threads = o.threads, .atomic = with_atomic});
  int const plain = a->way("plain"), merged = a->way("merged");
  require_right(a->error(apply_way));
  if (with_atomic) require_right(a->error(a->way("atomic")), "v of atomic sums");
  a->seconds(plain, 2);
  a->seconds(merged, 2);
  std::vector<double> plain_times, merged_times, operator_times, atomic_times, diagonal_times;
  double spent = 0;
  auto const sample_some = [&](int way, std::vector<double>& times, int count) {
    times.push_back(a->seconds(way, count));
    spent += count * times.back();
  };
  auto const sample = [&](int way, std::vector<double>& times) { sample_some(way, times, o.iterations); };
  do {
    sample(plain, plain_times);
    sample(merged, merged_times);
    sample(apply_way, operator_times);
    if (with_atomic) sample(a->way("atomic"), atomic_times);
    sample_some(a->way("diagonal"), diagonal_times, std::max(1, o.iterations / 5));
  } while (spent < o.seconds);
  require_right(a->error(merged), "the merged solve's residual");

  solve_result r;
  r.problem = s.problem_and_geometry();
  r.dimension = s.dimension;
  r.order = s.order;
  r.elements = a->elements();
  r.dofs = a->dofs();
  r.samples = static_cast<int>(plain_times.size());
  r.plain_seconds = median(plain_times);
  r.merged_seconds = median(merged_times);
  r.operator_seconds = median(operator_times);
  r.atomic_seconds = atomic_times.empty() ? 0 : median(atomic_times);
  r.diagonal_seconds = median(diagonal_times);
  r.operator_bytes = static_cast<double>(a->work().bytes());
  return r;
}

// Whether a problem is measured in a dimension with a geometry at all.
bool exists(std::string const& problem, std::string const& dimension, std::string const& geometry)
{
  if (geometry != "stored") return problem == "BP5" && dimension == "3";
  return dimension == "3" || problem == "BP1" || problem == "BP3" || problem == "BP5";
}

// What is asked for, or a refusal before anything is measured.
std::vector<subject> chosen_subjects(bake_off_options const& o)
{
  std::vector<subject> chosen;
  for (auto const& dimension : o.dimensions)
    for (auto const& problem : o.problems)
      for (auto const& geometry : o.geometries) {
        if (!exists(problem, dimension, geometry)) continue;
        for (int const order : o.orders) {
          auto const found = std::find_if(catalogue().begin(), catalogue().end(), [&](auto const& s) {
            return s.problem == problem && s.geometry == geometry && s.order == order &&
                   std::to_string(s.dimension) == dimension;
          });
          if (found == catalogue().end())
            throw std::invalid_argument("bake_off: degree " + std::to_string(order) + " in " + dimension +
                                        "-D is not in this build: configure with -DSUMFAC_BENCHMARK_ORDERS=15 and "
                                        "-DSUMFAC_BENCHMARK_DIMENSIONS=\"2;3\"");
          chosen.push_back(*found);
        }
      }
  if (chosen.empty())
    throw std::invalid_argument(
        "bake_off: only BP5 on hexahedra recomputes its geometry, and only BP1, BP3 and BP5 "
        "are on quadrilaterals: see --help");
  return chosen;
}

int solve_all(bake_off_options const& o)
{
  auto const subjects = chosen_subjects(o);
  machine const host = this_machine(o.threads);
  print_heading(host, o.iterations);
  std::vector<solve_result> results;
  int failures = 0;
  for (auto const& s : subjects)
    for (std::size_t i = 0; i < o.dofs.size(); ++i) {
      bool const at_least = i > 0 && i + 1 == o.dofs.size();
      index_t const elements = at_least ? s.elements_reaching(o.dofs[i]) : s.elements_for(o.dofs[i]);
      try {
        results.push_back(measure(s, elements, o));
        print_result(results.back());
      } catch (std::exception const& error) {
        ++failures;
        std::printf("FAILED %s N = %d, %lld elements: %s\n", s.problem_and_geometry().c_str(), s.order,
                    static_cast<long long>(elements), error.what());
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
  return bench::command_line::main_of<bake_off_options>(
      "bake_off", bake_off_usage, argc, argv,
      {{"--problem", &bake_off_options::problems, bake_off_options{}.problems},
       {"--dimension", &bake_off_options::dimensions, {"3", "2"}},
       {"--geometry", &bake_off_options::geometries, {"stored", "trilinear", "isoparametric", "affine"}},
       {"--order", &bake_off_options::orders},
       {"--dofs", &bake_off_options::dofs},
       {"--iterations", &bake_off_options::iterations},
       {"--seconds", &bake_off_options::seconds},
       {"--threads", &bake_off_options::threads},
       {"--out", &bake_off_options::out}},
      solve_all);
}
