// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Iterations of conjugate gradients on small meshes by one thread and by several: the least of many times in turns.
//
// usage: small_solves [THREADS [SECONDS]], the seconds for each size and kind
#include "../report/timing.hpp"
#include "../subjects/global_mesh.hpp"

#include <sumfac/sumfac.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

namespace {

using namespace sumfac;

// BP5 with all that solvers need, for so many threads.
template <int Order>
struct solves {
  using vector = view<double, dextents<1>>;
  using const_vector = view<double const, dextents<1>>;

  solves(bench::global_mesh const& mesh, bench::global_mesh::numbering const& numbers, int threads)
      : backend(threads),
        a(backend, mesh.vertices()),
        r(backend, numbers.table(), numbers.nodes, numbers.marks()),
        matrix(a, r),
        b(static_cast<std::size_t>(r.size()), 1),
        x(b.size()),
        d(b.size()),
        space(backend, r.size())
  {
    for (std::size_t i = 0; i < b.size(); ++i) b[i] = numbers.on_boundary[i] != 0 ? 0 : 1 + double(i % 7);
    matrix.diagonal(vector(d.data(), r.size()));
    p = std::make_unique<jacobi<double, host>>(backend, const_vector(d.data(), r.size()));
    levels = std::make_unique<multigrid<decltype(p_levels<Order, 1>(a, mesh.vertices(), r))>>(
        p_levels<Order, 1>(a, mesh.vertices(), r));
  }

  enum work { application, plain, merged, cycle };
  // Seconds of an application, an iteration, or a cycle of multigrid.
  double seconds(work what)
  {
    constexpr int count = 10;
    const_vector const right(b.data(), r.size());
    vector const left(x.data(), r.size());
    std::fill(x.begin(), x.end(), 0.0);
    cg_options const options{.iterations = count, .tolerance = 0};
    double const begin = bench::now();
    if (what == application)
      for (int i = 0; i < count; ++i) matrix.apply(right, left);
    else if (what == plain)
      cg(matrix, right, left, *p, options, no_monitor{}, space);
    else if (what == merged)
      merged_cg(matrix, right, left, *p, options, no_monitor{}, space);
    else
      for (int i = 0; i < count; ++i) levels->apply(right, left);
    return (bench::now() - begin) / count;
  }

  host backend;
  bp5<Order> a;
  restriction<> r;
  global_operator<bp5<Order>, restriction<>> matrix;
  std::vector<double> b, x, d;
  cg_workspace<double, host> space;
  std::unique_ptr<jacobi<double, host>> p;
  std::unique_ptr<multigrid<decltype(p_levels<Order, 1>(std::declval<bp5<Order> const&>(),
                                                        std::declval<bench::global_mesh const&>().vertices(),
                                                        std::declval<restriction<> const&>()))>>
      levels;
};

template <int Order>
void measure(int threads, double seconds)
{
  for (int log = 2; log <= 14; ++log) {
    bench::global_mesh const mesh(log);
    auto numbers = mesh.number_nodes(Order);
    if (numbers.nodes > 150000) break;
    numbers.renumber(node_order(numbers.table(), numbers.nodes, numbers.marks()));
    solves<Order> one(mesh, numbers, 1), several(mesh, numbers, threads);
    std::printf("N %d, %6lld unknowns, us by 1 and %d threads:", Order, static_cast<long long>(numbers.nodes), threads);
    char const* const names[] = {"apply", "cg", "merged", "cycle"};
    for (int what = 0; what < 4; ++what) {
      double least[2] = {1e300, 1e300};
      for (double const begin = bench::now(); bench::now() < begin + seconds;) {
        least[0] = std::min(least[0], one.seconds(static_cast<typename solves<Order>::work>(what)));
        least[1] = std::min(least[1], several.seconds(static_cast<typename solves<Order>::work>(what)));
      }
      std::printf("  %s %7.1f %7.1f (%.2f)", names[what], 1e6 * least[0], 1e6 * least[1], least[0] / least[1]);
    }
    std::printf("\n");
    std::fflush(stdout);
  }
}

}  // namespace

int main(int argc, char** argv)
{
  int const threads = argc > 1 ? std::atoi(argv[1]) : 2;
  double const seconds = argc > 2 ? std::atof(argv[2]) : 0.2;
  measure<2>(threads, seconds);
  measure<5>(threads, seconds);
}
