// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The roofline that a GPU's shared memory sets, predicted from the counts of `checked`: no device is needed.
#include "shared_counts.hpp"

#include <cstdio>

// An H100 SXM as its maker describes it: 132 multiprocessors of 32 banks of 4 bytes at 1.755 GHz, 3.35 TB/s.
constexpr double multiprocessors = 132, clock_rate = 1.755e9, memory_rate = 3.35e12;

int main()
{
  using sumfac::variant;
  std::printf(
      "| problem | N | way | elements | scratch | barriers | transactions | conflicts | shared | streaming | "
      "ratio |\n|---|---|---|---|---|---|---|---|---|---|---|\n");
  for (auto const& c : sumfac::bench::count_shared()) {
    double const shared = multiprocessors * clock_rate * c.flops / c.transactions;
    double const streaming = memory_rate * c.flops / c.bytes;
    std::printf("| %s | %d | %s | %d | %.0f | %.1f | %.0f | %.2f | %.2f | %.2f | %.2f |\n", c.problem.c_str(), c.order,
                c.tuned.way == variant::cubes ? "cubes" : "slices", c.tuned.elements, c.scratch, c.barriers,
                c.transactions, c.conflicts / c.transactions, shared * 1e-12, streaming * 1e-12, shared / streaming);
  }
}
