// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The bake-off's problems for solvers, BPS1 to BPS6: iterations, seconds and errors of each solver, in turns.
#include "../report/command_line.hpp"
#include "../report/machine.hpp"
#include "../report/timing.hpp"
#include "../subjects/solver_mesh.hpp"
#include "../subjects/solver_subject.hpp"
#include "bps_report.hpp"

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

constexpr char const* bps_usage = R"(usage: bps [OPTION...]

Solves BPS1 to BPS6, the operators of the bake-off's BP1 to BP6 with a solution that is known, from zero to a residual
of 1e-8 of the first, by conjugate gradients with each preconditioner, one after the other in each round. Without
options: all problems and degrees of the build, three meshes, two sizes.

  --problem LIST    of BPS1, BPS2 (mass), BPS3, BPS4 (stiffness, N+2 Gauss points), BPS5, BPS6 (stiffness, collocated)
  --mesh LIST       of cube (bent smoothly, the default with kershaw-0.3 and ball), kershaw-1, kershaw-0.3, kershaw-0.1
                    (Kershaw's map; 1 leaves boxes), ball (elements with curved faces)
  --order LIST      degrees: 7 or 1-8 or 1,2,5-8
  --dofs LIST       wanted numbers of degrees of freedom (default 30000,250000); meshes come as near as they can
  --solver LIST     of jacobi (merged conjugate gradients), multigrid (Chebyshev smoothers),
                    multigrid-float (cycles in single precision), schwarz-float (the same with overlapping Schwarz in
                    the smoothers); the last three for BPS3 to BPS6 and N > 1
  --chebyshev N     degree of the smoothers (default 3, on kershaw-0.3 and -0.1 5, with Schwarz 2)
  --flat            multigrid in the degree alone; else levels go on with coarser meshes, of the cube and the ball, as
                    often as these have even numbers of elements along each direction
  --seconds S       of rounds per configuration; at least one is made (default 0.5)
  --quick           BPS3 and BPS5, N = 2 and 4, cube and kershaw-0.3, 4096 and 32768 degrees of freedom, one round
  --threads N       OpenMP threads (default: OMP_NUM_THREADS or all cores)
  --out FILE        results as JSON (default build/results/bps.json)
  --help            this text

MDOF/s are degrees of freedom, constrained ones too, over seconds of a solve, set-up apart. Set-up of multigrid is that
of levels, transfers and smoothers, of jacobi the diagonal; node order, restriction and operator are not in it.
)";

struct bps_options {
  std::vector<std::string> problems, solvers;  // all where empty
  std::vector<int> orders;                     // all where empty
  std::vector<std::string> meshes;             // the usual ones where empty, as of the following
  std::vector<double> dofs;
  int chebyshev = 0;  // the mesh's where 0
  double seconds = 0;
  bool quick = false, flat = false;
  int threads = 0;
  std::string out = "build/results/bps.json";
};

// What was not chosen, but for problems and degrees.
bps_options completed(bps_options o)
{
  if (o.meshes.empty())
    o.meshes = o.quick ? std::vector<std::string>{"cube", "kershaw-0.3"}
                       : std::vector<std::string>{"cube", "kershaw-0.3", "ball"};
  if (o.dofs.empty()) o.dofs = o.quick ? std::vector<double>{4096, 32768} : std::vector<double>{30e3, 250e3};
  if (o.seconds == 0) o.seconds = o.quick ? 1e-3 : 0.5;
  return o;
}

// What is asked for, or a refusal before anything is measured.
std::vector<solver_subject> chosen_subjects(bps_options const& o)
{
  using command_line::listed;
  std::vector<solver_subject> chosen;
  auto const problems = o.quick && o.problems.empty() ? std::vector<std::string>{"BPS3", "BPS5"} : o.problems;
  auto const orders = o.quick && o.orders.empty() ? std::vector<int>{2, 4} : o.orders;
  for (auto const& s : solver_catalogue())
    if (listed(problems, s.problem) && listed(orders, s.order)) chosen.push_back(s);
  std::sort(chosen.begin(), chosen.end(), [](auto const& a, auto const& b) {
    return a.problem != b.problem ? a.problem < b.problem : a.order < b.order;
  });
  auto const has = [&](std::string const& problem, int order) {
    return std::any_of(chosen.begin(), chosen.end(),
                       [&](auto const& s) { return s.problem == problem && s.order == order; });
  };
  for (auto const& problem : o.problems)
    for (int const order : o.orders)
      if (!has(problem, order))
        throw std::invalid_argument("bps: " + problem + " of degree " + std::to_string(order) +
                                    " is not in this build: configure with -DSUMFAC_BENCHMARK_BPS_PROBLEMS and "
                                    "-DSUMFAC_BENCHMARK_BPS_ORDERS that have it, as bench/bps does");
  if (chosen.empty()) throw std::invalid_argument("bps: nothing of what was asked for is in this build");
  for (auto& s : chosen) {
    auto const unasked = [&](auto const& name) { return !listed(o.solvers, name); };
    s.solvers.erase(std::remove_if(s.solvers.begin(), s.solvers.end(), unasked), s.solvers.end());
  }
  return chosen;
}

// The runs of one solver, a run a round.
struct runs_of_one {
  std::string solver;
  std::vector<solver_run> runs;
  double error = 0;

  void add(solver_run const& run)
  {
    if (!run.converged)
      throw std::runtime_error(solver + " did not converge in " + std::to_string(run.iterations) + " iterations");
    if (!runs.empty() && run.iterations != runs[0].iterations)
      throw std::runtime_error(solver + " made " + std::to_string(run.iterations) + " iterations and " +
                               std::to_string(runs[0].iterations) + " before");
    runs.push_back(run);
  }
  // The run whose solve took the time in the middle.
  solver_run middle() const
  {
    auto sorted = runs;
    std::sort(sorted.begin(), sorted.end(),
              [](auto const& a, auto const& b) { return a.solve_seconds < b.solve_seconds; });
    return sorted[sorted.size() / 2];
  }
  double setup_seconds() const
  {
    std::vector<double> all;
    for (auto const& run : runs) all.push_back(run.setup_seconds);
    return median(all);
  }
  // The middle of the rounds' ratios of another's seconds to these.
  double gain_over(runs_of_one const& other) const
  {
    std::vector<double> ratios;
    for (std::size_t i = 0; i < runs.size(); ++i) ratios.push_back(other.runs[i].solve_seconds / runs[i].solve_seconds);
    return median(ratios);
  }
};

std::vector<solver_result> measure(solver_subject const& s, solver_request const& request, double seconds)
{
  auto const problem = s.make(request);
  std::vector<runs_of_one> all;
  for (auto const& name : s.solvers) all.push_back({name, {}, 0});
  std::vector<double> operator_times;
  double const begin = now();
  do {
    operator_times.push_back(problem->operator_seconds(5));
    for (auto& one : all) {
      one.add(problem->run(one.solver));
      if (one.runs.size() == 1) one.error = problem->error();
    }
  } while (now() - begin < seconds);

  std::vector<solver_result> results;
  for (auto const& one : all) {
    auto const run = one.middle();
    solver_result r;
    r.problem = s.problem, r.mesh = request.mesh, r.solver = one.solver;
    r.order = s.order, r.chebyshev = run.chebyshev, r.rounds = static_cast<int>(one.runs.size());
    r.elements = problem->elements(), r.dofs = problem->dofs(), r.iterations = run.iterations;
    r.problem_seconds = problem->problem_seconds(), r.operator_seconds = median(operator_times);
    r.setup_seconds = one.setup_seconds(), r.solve_seconds = run.solve_seconds;
    r.over_jacobi = all[0].solver == "jacobi" ? one.gain_over(all[0]) : 0;
    r.error = one.error, r.cycle = run.cycle;
    results.push_back(r);
  }
  return results;
}

// Solutions to a residual of 1e-8 have the discretization's error, whoever found them.
void require_same_error(std::vector<solver_result> const& results)
{
  for (auto const& r : results)
    if (!(std::abs(r.error - results[0].error) <= 1e-3 * results[0].error + 1e-6))
      throw std::runtime_error("the error of " + r.solver + "'s solution is " + std::to_string(r.error) + ", that of " +
                               results[0].solver + "'s is " + std::to_string(results[0].error));
}

int solve_all(bps_options const& asked)
{
  bps_options const o = completed(asked);
  auto const subjects = chosen_subjects(o);
  machine const host = this_machine(o.threads);
  print_heading(host);
  std::vector<solver_result> results;
  int failures = 0;
  for (auto const& s : subjects)
    for (auto const& mesh : o.meshes)
      for (double const dofs : o.dofs) {
        if (s.solvers.empty()) continue;
        bool const slanted = mesh == "kershaw-0.3" || mesh == "kershaw-0.1";
        try {
          auto const some = measure(s,
                                    {mesh, dofs, o.threads,
                                     o.chebyshev > 0 ? o.chebyshev
                                     : slanted       ? 5
                                                     : 3,
                                     o.chebyshev > 0 ? o.chebyshev : 2, o.flat},
                                    o.seconds);
          for (auto const& r : some) print_result(r);
          require_same_error(some);
          results.insert(results.end(), some.begin(), some.end());
        } catch (std::exception const& error) {
          ++failures;
          std::printf("FAILED %s N = %d, %s, %.0f degrees of freedom: %s\n", s.problem.c_str(), s.order, mesh.c_str(),
                      dofs, error.what());
        }
      }
  write_json(o.out, host, results);
  std::printf("\n%s\n", o.out.c_str());
  return failures == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv)
{
  return bench::command_line::main_of<bps_options>(
      "bps", bps_usage, argc, argv,
      {{"--problem", &bps_options::problems, {"BPS1", "BPS2", "BPS3", "BPS4", "BPS5", "BPS6"}},
       {"--mesh", &bps_options::meshes, bench::mesh_names()},
       {"--solver", &bps_options::solvers, {"jacobi", "multigrid", "multigrid-float", "schwarz-float"}},
       {"--order", &bps_options::orders},
       {"--dofs", &bps_options::dofs},
       {"--chebyshev", &bps_options::chebyshev},
       {"--seconds", &bps_options::seconds},
       {"--threads", &bps_options::threads},
       {"--out", &bps_options::out},
       {"--flat", &bps_options::flat},
       {"--quick", &bps_options::quick}},
      solve_all);
}
