// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Makes the rows of `ladder_counts`: all rungs of one problem and degree, run on `checked`.
#pragma once

#include "../report/json.hpp"
#include "../subjects/check.hpp"
#include "../subjects/element_mesh.hpp"
#include "watched.hpp"

#include <support/random.hpp>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace sumfac::ladder {

// One rung; all but threads, scratch bytes and error are per element.
struct counted_rung {
  std::string problem, rung;
  int order = 0, threads = 0;
  index_t flops = 0, bytes = 0, scratch_bytes = 0, findings = 0;
  double barriers = 0, reads = 0, table_reads = 0, writes = 0, transactions = 0, conflicts = 0;
  double error = 0;  // the largest, over the allowed one

  bench::json_object json() const
  {
    bench::json_object row;
    row("problem", problem)("rung", rung)("order", order)("threads", threads)("element_flops", flops);
    row("element_bytes", bytes)("scratch_bytes", scratch_bytes)("barriers", barriers)("reads", reads);
    row("table_reads", table_reads)("writes", writes)("transactions", transactions)("conflicts", conflicts);
    return row("error_of_allowed", error);
  }
};

// One function for each problem and degree in this program: each source file enters its own.
inline std::vector<std::vector<counted_rung> (*)()>& counted_rungs()
{
  static std::vector<std::vector<counted_rung> (*)()> all;
  return all;
}

template <class Ladder, int Order>
std::vector<counted_rung> count_rungs()
{
  constexpr int n = Order + 1, nodes = n * n * n;
  auto const vertices = bench::two_elements();  // a team of several works the last one again where it has room for more
  auto const u = support::random<double>(2 * nodes, Order);
  watched_elements<Ladder, Order> const elements(vertices, u);
  constexpr bench::cost one = work_of_element<Ladder, Order>();

  std::vector<counted_rung> rows;
  auto const add = [&](std::string const& rung, watched const& w) {
    auto const per_element = [&](index_t x) { return double(x) / double(w.counts.elements); };
    counted_rung row;
    row.problem = Ladder::name;
    row.rung = rung;
    row.order = Order;
    row.threads = w.threads;
    row.flops = one.flops;
    row.bytes = one.bytes();
    row.scratch_bytes = w.counts.scratch_bytes;
    row.findings = w.findings;
    row.barriers = per_element(w.counts.barriers);
    row.reads = per_element(w.counts.reads.entries);
    row.table_reads = per_element(w.table_reads);
    row.writes = per_element(w.counts.writes.entries);
    row.transactions = per_element(w.counts.reads.transactions + w.counts.writes.transactions);
    row.conflicts = per_element(w.counts.reads.conflicts + w.counts.writes.conflicts);
    for (int e = 0; e < 2; ++e) {
      auto const right = expected(oracle_of<Ladder>(Order), vertices.data() + 24 * e, u.data() + e * nodes);
      row.error = std::max(row.error, right.error_of(w.v.data() + e * nodes));
    }
    rows.push_back(row);
  };
  [&]<int... Rung>(std::integer_sequence<int, Rung...>) {
    (add(std::to_string(Rung + 1), elements.template run<Rung + 1>()), ...);
  }(std::make_integer_sequence<int, Ladder::rungs>{});
  add("sumfac", elements.run_operator());
  return rows;
}

// The degrees that a program counts where its build names none.
#if !defined(SUMFAC_LADDER_ORDERS)
#define SUMFAC_LADDER_ORDERS 3, 7, 15
#endif

template <class Ladder>
struct counted {
  counted() { enter_all(bench::order_list<SUMFAC_LADDER_ORDERS>{}); }

private:
  template <int... Orders>
  static void enter_all(bench::order_list<Orders...>)
  {
    (enter<Orders>(), ...);
  }
  template <int Order>
  static void enter()
  {
    if constexpr (Order <= Ladder::max_order) counted_rungs().push_back(count_rungs<Ladder, Order>);
  }
};

}  // namespace sumfac::ladder
