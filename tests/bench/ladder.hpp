// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The ladders' rungs on `checked`: the vector they give, and the barriers and reads that their descriptions promise.
#pragma once

#include "../../bench/ladder/watched.hpp"

#include <support/mesh.hpp>
#include <support/random.hpp>
#include <support/reference.hpp>
#include <support/tolerance.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace checks {

using sumfac::index_t;
using sumfac::ladder::watched;

// The largest difference of two E-vectors on an element.
inline double difference(std::vector<double> const& a, std::vector<double> const& b, int e, int nodes)
{
  double largest = 0;
  for (int i = e * nodes; i < (e + 1) * nodes; ++i) {
    double const d = std::abs(a[static_cast<std::size_t>(i)] - b[static_cast<std::size_t>(i)]);
    largest = std::max(largest, d == d ? d : HUGE_VAL);
  }
  return largest;
}

// All rungs of a ladder's degree on two bent elements, each compared with the oracle, and with this library's operator,
// whose error adds to the rung's; none with a finding. Returns what each did.
template <class Ladder, int Order>
std::vector<watched> climb()
{
  constexpr int elements = 2, n = Order + 1, nodes = n * n * n;
  auto const bent = mesh::sampled(mesh::jittered({2, 2, 2}, 0.2), elements);
  auto const u = support::random<double>(elements * nodes, Order);
  sumfac::ladder::watched_elements<Ladder, Order> const subject(bent.coordinates, u);

  std::vector<watched> rungs;
  [&]<int... Rung>(std::integer_sequence<int, Rung...>) {
    (rungs.push_back(subject.template run<Rung + 1>()), ...);
  }(std::make_integer_sequence<int, Ladder::rungs>{});
  rungs.push_back(subject.run_operator());

  bool const collocated = Ladder::template points<Order>::size == n;
  bool const stiffness = sumfac::factors_of<typename Ladder::form> == 7;
  for (int e = 0; e < elements; ++e) {
    reference::element<> const oracle(collocated ? reference::collocated(Order) : reference::on_gauss(Order),
                                      reference::equispaced(2), bent.element(e),
                                      stiffness ? reference::stiffness<reference::real>(0.1) : reference::mass());
    std::vector<reference::real> const input(u.begin() + e * nodes, u.begin() + (e + 1) * nodes);
    double const allowed = reference::allowed<double>(oracle, input, Order);
    auto const exact = oracle.apply(input);
    std::vector<double> expected(u.size());
    std::copy(exact.begin(), exact.end(), expected.begin() + e * nodes);
    for (std::size_t rung = 0; rung < rungs.size(); ++rung) {
      INFO(Ladder::name << ", N = " << Order << ", rung " << rung + 1 << ", element " << e);
      CHECK(difference(rungs[rung].v, expected, e, nodes) <= allowed);
      CHECK(difference(rungs[rung].v, rungs.back().v, e, nodes) <= 2 * allowed);
      CHECK(rungs[rung].findings == 0);
    }
  }
  return rungs;
}

// Barriers that a team of rung number 1, 2, ... passes.
inline index_t barriers(std::vector<watched> const& rungs, int rung)
{
  auto const& counts = rungs[static_cast<std::size_t>(rung - 1)].counts;
  CHECK(counts.barriers % counts.groups == 0);
  return counts.barriers / counts.groups;
}

// Entries of tables that it reads from scratch, and of all else.
inline index_t table_reads(std::vector<watched> const& rungs, int rung)
{
  auto const& w = rungs[static_cast<std::size_t>(rung - 1)];
  return w.table_reads / w.counts.groups;
}
inline index_t value_reads(std::vector<watched> const& rungs, int rung)
{
  auto const& counts = rungs[static_cast<std::size_t>(rung - 1)].counts;
  return counts.reads.entries / counts.groups - table_reads(rungs, rung);
}
inline index_t writes(std::vector<watched> const& rungs, int rung)
{
  auto const& counts = rungs[static_cast<std::size_t>(rung - 1)].counts;
  return counts.writes.entries / counts.groups;
}

}  // namespace checks
