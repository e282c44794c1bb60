// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What each operator does in shared memory, degree by degree, on two elements.
#include "shared_counts.hpp"

#include "../subjects/element_mesh.hpp"
#include "../subjects/problems.hpp"

#include <sumfac/backend/checked.hpp>
#include <sumfac/operator/bake_off.hpp>

#include <vector>

namespace sumfac::bench {

namespace {

template <class Problem, int Order>
shared_counts count()
{
  using Operator = element_operator<typename Problem::form, Order, typename Problem::template points<Order>, checked>;
  // A team works the last one again where it has room for more.
  auto const nodes = two_elements();
  checked const backend;
  Operator const a(backend, view<double const, extents<2, 2, 2, 2, 3>>(nodes.data()));
  constexpr int n = Operator::nodes_1d;
  std::vector<double> u(2 * n * n * n, 1), v(u.size());
  using shape = extents<2, n, n, n>;
  a.apply(view<double const, shape>(u.data()), view<double, shape>(v.data()));

  auto const counts = backend.counts();
  double const in_all = double(counts.groups) * Operator::tuned.elements;  // elements, those worked twice too
  auto const work = a.work();
  return {.problem = Problem::name,
          .order = Order,
          .tuned = Operator::tuned,
          .scratch = double(counts.scratch_bytes),
          .barriers = double(counts.barriers) / double(counts.groups),
          .transactions = double(counts.reads.transactions + counts.writes.transactions) / in_all,
          .conflicts = double(counts.reads.conflicts + counts.writes.conflicts) / in_all,
          .flops = double(work.flops) / 2,
          .bytes = double(work.bytes()) / 2};
}

template <class Problem, int... Orders>
void count_problem(std::vector<shared_counts>& all, order_list<Orders...>)
{
  (all.push_back(count<Problem, Orders>()), ...);
}

template <class... Problems>
std::vector<shared_counts> count_all(list<Problems...>)
{
  std::vector<shared_counts> all;
  (count_problem<Problems>(all, up_to<15>()), ...);
  return all;
}

[[maybe_unused]] bool const linked = (counting() = &count_shared, true);

}  // namespace

std::vector<shared_counts> count_shared() { return count_all(element_problems{}); }

}  // namespace sumfac::bench
