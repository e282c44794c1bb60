// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The roofline that a GPU's shared memory sets, predicted from the counts of `checked`: no device is needed.
#include <sumfac/backend/checked.hpp>
#include <sumfac/operator/bake_off.hpp>

#include <cstdio>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

using namespace sumfac;

// An H100 SXM as its maker describes it: 132 multiprocessors of 32 banks of 4 bytes at 1.755 GHz, 3.35 TB/s.
constexpr double multiprocessors = 132, clock = 1.755e9, memory_rate = 3.35e12;

template <class Operator>
void print_row(char const* problem)
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
  constexpr tuning tuned = recommended_tuning<checked, typename Operator::form_type, Operator::order,
                                              typename Operator::points_type, double>;
  double const in_all = double(counts.groups) * tuned.elements;  // elements, those worked twice too
  double const transactions = double(counts.reads.transactions + counts.writes.transactions) / in_all;
  double const conflicts = double(counts.reads.conflicts + counts.writes.conflicts) / in_all;
  auto const work = a.work();
  double const flops = double(work.flops) / 2, bytes = double(work.bytes()) / 2;
  double const shared = multiprocessors * clock * flops / transactions, streaming = memory_rate * flops / bytes;
  std::printf("| %s | %d | %s | %d | %d | %.1f | %.0f | %.2f | %.2f | %.2f | %.2f |\n", problem, Operator::order,
              tuned.way == variant::cubes ? "cubes" : "slices", tuned.elements,
              static_cast<int>(counts.scratch_bytes), double(counts.barriers) / double(counts.groups), transactions,
              conflicts / transactions, shared * 1e-12, streaming * 1e-12, shared / streaming);
}

template <template <int, class, class, class> class Problem, int... Orders>
void print_rows(char const* problem, std::integer_sequence<int, Orders...>)
{
  (print_row<Problem<Orders + 1, checked, double, stored>>(problem), ...);
}

template <int Order, class Backend, class Scalar, class Geometry>
using bp1_of = bp1<Order, Backend, Scalar, Geometry>;
template <int Order, class Backend, class Scalar, class Geometry>
using bp3_of = bp3<Order, Backend, Scalar, Geometry>;
template <int Order, class Backend, class Scalar, class Geometry>
using bp35_of = bp35<Order, Backend, Scalar, Geometry>;

}  // namespace

int main()
{
  std::printf("| problem | N | way | elements | scratch | barriers | transactions | conflicts | shared | streaming | "
              "ratio |\n|---|---|---|---|---|---|---|---|---|---|---|\n");
  std::make_integer_sequence<int, 15> const orders;
  print_rows<bp1_of>("BP1.0", orders);
  print_rows<bp3_of>("BP3.0", orders);
  print_rows<bp35_of>("BP3.5", orders);
}
