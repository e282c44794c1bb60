// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What `bake_off` says: a line per configuration as it ends, the field's figures of merit, and JSON.
#pragma once

#include "../report/json.hpp"
#include "../report/machine.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace sumfac::bench {

// What was measured of one problem, degree and size. Times are medians, of one iteration.
struct solve_result {
  std::string problem;
  int dimension = 3, order = 0;
  index_t elements = 0, dofs = 0;
  int samples = 0;
  double plain_seconds = 0, merged_seconds = 0;
  double operator_seconds = 0;  // of the operator alone
  double atomic_seconds = 0;    // of the operator with atomic sums, 0 where it was not measured
  double diagonal_seconds = 0;  // of the matrix' diagonal
  double operator_bytes = 0;    // vectors once in, once out, factors, table

  double rate(double seconds) const { return double(dofs) / seconds; }
  json_object json() const
  {
    json_object row;
    row("problem", problem)("dimension", dimension)("order", order)("elements", elements)("dofs", dofs);
    row("samples", samples);
    row("plain_seconds", plain_seconds)("merged_seconds", merged_seconds)("operator_seconds", operator_seconds);
    row("diagonal_seconds", diagonal_seconds);
    return row("atomic_seconds", atomic_seconds)("operator_bytes", operator_bytes);
  }
  double vector_share() const { return std::max(0.0, 1 - operator_seconds / plain_seconds); }
};

// Rates of one problem and degree by size: the peak r_max, the sizes that reach a half and 0.8 of it, interpolated, and
// the time of an iteration at the latter.
struct merit {
  double r_max = 0, n_half = 0, n_08 = 0, t_08 = 0;
};

inline double size_that_reaches(std::vector<std::pair<double, double>> const& rates, double wanted)
{
  for (std::size_t i = 0; i < rates.size(); ++i) {
    if (rates[i].second < wanted) continue;
    if (i == 0) return rates[0].first;
    auto const [size, rate] = rates[i - 1];
    return size + (rates[i].first - size) * (wanted - rate) / (rates[i].second - rate);
  }
  return 0;
}

// `rates`: (degrees of freedom, degrees of freedom per second), sizes ascending.
inline merit merit_of(std::vector<std::pair<double, double>> const& rates)
{
  merit m;
  for (auto const& [size, rate] : rates) m.r_max = std::max(m.r_max, rate);
  m.n_half = size_that_reaches(rates, 0.5 * m.r_max);
  m.n_08 = size_that_reaches(rates, 0.8 * m.r_max);
  m.t_08 = m.n_08 / (0.8 * m.r_max);
  return m;
}

inline void print_heading(machine const& m, int iterations)
{
  std::printf("%s; %d iterations of a solve\n\n", describe(m).c_str(), iterations);
  std::printf("%-13s %2s %9s %9s %9s %9s %9s %9s %7s %7s %7s %9s\n", "", "N", "E", "DOFs", "operator", "atomic", "CG",
              "merged", "GB/s", "vectors", "merged/", "diagonal/");
  std::printf("%-13s %2s %9s %9s %9s %9s %9s %9s %7s %7s %7s %9s\n", "", "", "", "", "MDOF/s", "MDOF/s", "MDOF/s",
              "MDOF/s", "op.", "share", "CG", "op.");
}

inline void print_result(solve_result const& r)
{
  char atomic[16] = "-";  // it was not measured
  if (r.atomic_seconds > 0) std::snprintf(atomic, sizeof atomic, "%.1f", 1e-6 * r.rate(r.atomic_seconds));
  std::printf("%-13s %2d %9lld %9lld %9.1f %9s %9.1f %9.1f %7.1f %7.2f %7.2f %9.2f\n", r.problem.c_str(), r.order,
              static_cast<long long>(r.elements), static_cast<long long>(r.dofs), 1e-6 * r.rate(r.operator_seconds),
              atomic, 1e-6 * r.rate(r.plain_seconds), 1e-6 * r.rate(r.merged_seconds),
              1e-9 * r.operator_bytes / r.operator_seconds, r.vector_share(), r.plain_seconds / r.merged_seconds,
              r.diagonal_seconds / r.operator_seconds);
  std::fflush(stdout);
}

inline void print_summary(std::vector<solve_result> const& results)
{
  std::map<std::pair<std::string, int>, std::vector<solve_result>> by_degree;
  for (auto const& r : results) by_degree[{r.problem, r.order}].push_back(r);
  std::printf("\n%-13s %2s  %-47s  %-47s\n%-13s %2s ", "", "", "CG", "merged CG", "", "N");
  for (int kind = 0; kind < 2; ++kind) std::printf(" %11s %11s %11s %11s ", "r_max", "n_1/2", "N_0.8", "t_0.8");
  std::printf("\n");
  for (auto const& [key, some] : by_degree) {
    std::printf("%-13s %2d ", key.first.c_str(), key.second);
    for (bool const merged : {false, true}) {
      std::vector<std::pair<double, double>> rates;
      for (auto const& r : some)
        rates.emplace_back(double(r.dofs), r.rate(merged ? r.merged_seconds : r.plain_seconds));
      std::sort(rates.begin(), rates.end());
      merit const m = merit_of(rates);
      std::printf(" %5.0f MDOF/s %11.0f %11.0f %8.3f ms", 1e-6 * m.r_max, m.n_half, m.n_08, 1e3 * m.t_08);
    }
    std::printf("\n");
  }
}

inline void write_json(std::string const& path, machine const& m, int iterations,
                       std::vector<solve_result> const& results)
{
  std::vector<json_object> rows;
  for (auto const& r : results) rows.push_back(r.json());
  json_file()("context", context(m)("iterations", iterations))("results", rows).write(path);
}

}  // namespace sumfac::bench
