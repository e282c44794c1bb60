// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Prints what every rung of the ladders does to scratch, as `checked` counts it, and the rooflines that follow.
//
// usage: ladder_counts [--json FILE]
#include "counts.hpp"

#include "../report/command_line.hpp"

#include <algorithm>
#include <cstdio>
#include <string>
#include <tuple>
#include <vector>

namespace {

using namespace sumfac;
using sumfac::ladder::counted_rung;

// An H100 SXM as its maker describes it: 132 multiprocessors of 32 banks of 4 bytes at 1.755 GHz, 3.35 TB/s.
constexpr double multiprocessors = 132, clock = 1.755e9, memory_rate = 3.35e12;

// Of the shared memory in flop/s: by bytes as the paper's equation 12 has it, and by the transactions that are needed.
double roofline_of_bytes(counted_rung const& c)
{
  return multiprocessors * 32 * 4 * clock * double(c.flops) / (8 * (c.reads + c.writes));
}

double roofline_of_transactions(counted_rung const& c)
{
  return multiprocessors * clock * double(c.flops) / c.transactions;
}

void print(std::vector<counted_rung> const& rows)
{
  std::printf(
      "Per element. The last three in TFLOP/s: an H100's shared memory, by bytes (eq. 12 of the paper) and by "
      "transactions\nwith their conflicts, and its memory.\n\n"
      "| problem | N | rung | threads | scratch | barriers | reads | of tables | writes | transactions | "
      "conflicts | by bytes | by transactions | streaming |\n"
      "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n");
  for (auto const& c : rows)
    std::printf("| %s | %d | %s | %d | %lld | %.4g | %.0f | %.0f | %.0f | %.0f | %.0f | %.2f | %.2f | %.2f |\n",
                c.problem.c_str(), c.order, c.rung.c_str(), c.threads, static_cast<long long>(c.scratch_bytes),
                c.barriers, c.reads, c.table_reads, c.writes, c.transactions, c.conflicts, roofline_of_bytes(c) * 1e-12,
                roofline_of_transactions(c) * 1e-12, memory_rate * double(c.flops) / double(c.bytes) * 1e-12);
}

// Whether all rungs gave the right vector without a finding; says which did not.
bool all_right(std::vector<counted_rung> const& rows)
{
  bool right = true;
  for (auto const& c : rows)
    if (!(c.error <= 1 && c.findings == 0)) {
      std::fprintf(stderr, "ladder_counts: %s N = %d, rung %s is wrong: an error of %g of the allowed, %lld findings\n",
                   c.problem.c_str(), c.order, c.rung.c_str(), c.error, static_cast<long long>(c.findings));
      right = false;
    }
  return right;
}

struct options {
  std::string json;
};

int run(options const& o)
{
  std::vector<counted_rung> rows;
  for (auto const count : ladder::counted_rungs())
    for (auto const& row : count()) rows.push_back(row);
  std::stable_sort(rows.begin(), rows.end(), [](auto const& a, auto const& b) {
    return std::tie(a.problem, a.order) < std::tie(b.problem, b.order);
  });
  print(rows);
  std::vector<bench::json_object> counts;
  for (auto const& row : rows) counts.push_back(row.json());
  if (!o.json.empty()) bench::json_file()("counts", counts).write(o.json);
  return all_right(rows) ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv)
{
  return bench::command_line::main_of<options>("ladder_counts", "usage: ladder_counts [--json FILE]\n", argc, argv,
                                               {{"--json", &options::json}}, run);
}
