// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What `bps` says: a line per solver as a configuration ends, and JSON.
#pragma once

#include "../report/json.hpp"
#include "../report/machine.hpp"
#include "../subjects/cycle_clock.hpp"

#include <cstdio>
#include <string>
#include <vector>

namespace sumfac::bench {

// What was measured of one solver on one problem, mesh, degree and size. Times are medians of the rounds.
struct solver_result {
  std::string problem, mesh, solver;
  int order = 0, chebyshev = 0, rounds = 0;
  index_t elements = 0, dofs = 0, iterations = 0;
  double problem_seconds = 0;   // node order, restriction and operator
  double operator_seconds = 0;  // of one application
  double setup_seconds = 0, solve_seconds = 0;
  double over_jacobi = 0;  // seconds of the solve by `jacobi` over this one's, the middle of the rounds; 0: none
  double error = 0;
  cycle_seconds cycle;  // of multigrid, in the round in the middle

  // Degrees of freedom solved for in a second, in millions.
  double rate() const { return 1e-6 * double(dofs) / solve_seconds; }
  double smoothers() const
  {
    double sum = 0;
    for (auto const& level : cycle.levels) sum += level.smoother;
    return sum;
  }
  double transfers() const
  {
    double sum = 0;
    for (auto const& level : cycle.levels) sum += level.down + level.up;
    return sum;
  }
  json_object json() const
  {
    json_object row;
    row("problem", problem)("mesh", mesh)("order", order)("elements", elements)("dofs", dofs)("solver", solver);
    row("iterations", iterations)("rounds", rounds)("problem_seconds", problem_seconds);
    row("operator_seconds", operator_seconds)("setup_seconds", setup_seconds)("solve_seconds", solve_seconds);
    row("mdofs_per_second", rate())("over_jacobi", over_jacobi)("error", error);
    if (cycle.cycles == 0) return row;
    row("chebyshev", chebyshev)("cycles", cycle.cycles)("cycle_seconds", cycle.all);
    for (auto const& level : cycle.levels) {
      std::string const of = "_N" + std::to_string(level.order);
      row("smoother_seconds" + of, level.smoother)("down_seconds" + of, level.down)("up_seconds" + of, level.up);
    }
    return row("coarse_seconds", cycle.coarse)("coarse_iterations", cycle.coarse_iterations);
  }
};

inline void print_heading(machine const& m)
{
  std::printf("%s\n\n", describe(m).c_str());
  constexpr char const* heading = "%-5s %-11s %2s %8s %-15s %5s %9s %6s %9s %8s %8s %9s  %s\n";
  std::printf(heading, "", "", "N", "DOFs", "solver", "its", "set-up", "set-up", "solve", "MDOF/s", "jacobi/", "error",
              "% of a solve: smoothers, residuals");
  std::printf(heading, "", "", "", "", "", "", "ms", "appl.", "ms", "", "this", "in L2",
              "and transfers, coarse level, the rest");
}

inline void print_result(solver_result const& r)
{
  std::printf("%-5s %-11s %2d %8lld %-15s %5lld %9.3f %6.1f %9.3f %8.2f", r.problem.c_str(), r.mesh.c_str(), r.order,
              static_cast<long long>(r.dofs), r.solver.c_str(), static_cast<long long>(r.iterations),
              1e3 * r.setup_seconds, r.setup_seconds / r.operator_seconds, 1e3 * r.solve_seconds, r.rate());
  if (r.over_jacobi > 0)
    std::printf(" %8.2f", r.over_jacobi);
  else
    std::printf(" %8s", "-");
  std::printf(" %9.2e", r.error);
  if (r.cycle.cycles > 0) {
    double const part = 100 / r.solve_seconds, known = r.smoothers() + r.transfers() + r.cycle.coarse;
    std::printf("  %2.0f %2.0f %2.0f %2.0f", part * r.smoothers(), part * r.transfers(), part * r.cycle.coarse,
                100 - part * known);
  }
  std::printf("\n");
  std::fflush(stdout);
}

inline void write_json(std::string const& path, machine const& m, std::vector<solver_result> const& results)
{
  std::vector<json_object> rows;
  for (auto const& r : results) rows.push_back(r.json());
  json_file()("context", context(m)("tolerance", 1e-8))("results", rows).write(path);
}

}  // namespace sumfac::bench
