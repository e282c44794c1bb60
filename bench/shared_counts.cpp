// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
#include "shared_counts.hpp"

#include <sumfac/backend/checked.hpp>
#include <sumfac/operator/bake_off.hpp>

#include <utility>

namespace sumfac::bench {

namespace {

template <class Operator>
shared_counts count(char const* problem)
{
  // Two elements, the second bent; a team works the last one again where it has room for more.
  std::vector<double> nodes;
  for (int e = 0; e < 2; ++e)
    for (int vertex = 0; vertex < 8; ++vertex)
      for (int c = 0; c < 3; ++c) nodes.push_back((vertex >> c & 1) + (e == 1 && vertex == 7 ? 0.2 : 0));
  checked const backend;
  Operator const a(backend, view<double const, extents<2, 2, 2, 2, 3>>(nodes.data()));
  constexpr int n = Operator::nodes_1d;
  std::vector<double> u(2 * n * n * n, 1), v(u.size());
  using shape = extents<2, n, n, n>;
  a.apply(view<double const, shape>(u.data()), view<double, shape>(v.data()));

  auto const counts = backend.counts();
  double const in_all = double(counts.groups) * Operator::tuned.elements;  // elements, those worked twice too
  auto const work = a.work();
  return {.problem = problem,
          .order = Operator::order,
          .tuned = Operator::tuned,
          .scratch = double(counts.scratch_bytes),
          .barriers = double(counts.barriers) / double(counts.groups),
          .transactions = double(counts.reads.transactions + counts.writes.transactions) / in_all,
          .conflicts = double(counts.reads.conflicts + counts.writes.conflicts) / in_all,
          .flops = double(work.flops) / 2,
          .bytes = double(work.bytes()) / 2};
}

template <int... Below>
std::vector<shared_counts> count_all(std::integer_sequence<int, Below...>)
{
  return {count<bp1<Below + 1, checked>>("BP1.0")..., count<bp3<Below + 1, checked>>("BP3.0")...,
          count<bp35<Below + 1, checked>>("BP3.5")...};
}

}  // namespace

std::vector<shared_counts> count_shared()
{
  return count_all(std::make_integer_sequence<int, 15>{});
}

}  // namespace sumfac::bench
