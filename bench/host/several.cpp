// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Several right sides by one application of several<Form, K>, beside K applications of Form, out of cache; for BP5 of
// degree 4 also by a loop by hand whose SIMD lanes are right sides, in one thread.
//
// usage: several [THREADS]
#include "../report/timing.hpp"
#include "several_in_lanes.hpp"

#include <sumfac/sumfac.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

template <int Degree, int Count, class Rule>
void measure(char const* problem, int cells, int threads)
{
  using place = sumfac::vector<double, 3>;
  sumfac::host const backend{threads};
  sumfac::mesh const mesh = sumfac::box_mesh(
      {cells, cells, cells},
      [](place const& x) {
        return place{x[0] + 0.1 * x[1] * x[1], x[1] + 0.1 * x[2] * x[0], x[2] + 0.1 * x[0] * x[0]};
      },
      1);
  sumfac::function_space const V{mesh, Degree};
  auto const R = V.restriction(backend);
  sumfac::restriction const all{backend, V.table(), V.nodes(), {.components = Count}};
  sumfac::element_operator<sumfac::laplace, Degree, Rule> const A{backend, mesh};
  sumfac::element_operator<sumfac::several<sumfac::laplace, Count>, Degree, Rule> const B{backend, mesh};
  std::vector<double> x(static_cast<std::size_t>(V.nodes()), 1), y(x.size()), X(x.size() * Count, 1), Y(X.size());
  std::vector<double> faster;
  for (int turn = 0; turn < 9; ++turn) {
    double const start = sumfac::bench::now();
    for (int s = 0; s < Count; ++s) A.apply(R, x, y);
    double const middle = sumfac::bench::now();
    B.apply(all, X, Y);
    faster.push_back((middle - start) / (sumfac::bench::now() - middle));
  }
  std::sort(faster.begin(), faster.end());
  std::printf("%s  %6d  %2d  %8lld  %.2f (%.2f to %.2f)\n", problem, Degree, Count, static_cast<long long>(V.nodes()),
              faster[4], faster[0], faster[8]);
}

// One after the other, as components, and in lanes, in turns of one thread.
void measure_lanes(int cells)
{
  constexpr int degree = 4, count = 8;
  sumfac::host const backend{1};
  auto const bend = [](auto at) {
    at[0] += 0.1 * at[1] * at[1];
    return at;
  };
  sumfac::mesh const mesh = sumfac::box_mesh({cells, cells, cells}, bend, 1);
  sumfac::function_space const V{mesh, degree};
  auto const R = V.restriction(backend);
  sumfac::restriction const all{backend, V.table(), V.nodes(), {.components = count}};
  sumfac::element_operator<sumfac::laplace, degree, sumfac::gauss_lobatto<5>> const A{backend, mesh};
  sumfac::element_operator<sumfac::several<sumfac::laplace, count>, degree, sumfac::gauss_lobatto<5>> const B{backend,
                                                                                                              mesh};
  in_lanes const L(mesh, V);
  std::vector<double> x(static_cast<std::size_t>(V.nodes())), y(x.size()), X(x.size() * count), Y(X.size()), Z(X);
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::size_t s = 0; s < count; ++s) X[i * count + s] = std::sin(static_cast<double>(i + s));
  std::vector<double> by_components, by_lanes;
  for (int turn = 0; turn < 9; ++turn) {
    double const start = sumfac::bench::processor_seconds();
    for (int s = 0; s < count; ++s) A.apply(R, x, y);
    double const first = sumfac::bench::processor_seconds();
    B.apply(all, X, Y);
    double const second = sumfac::bench::processor_seconds();
    L.apply(X.data(), Z.data());
    by_components.push_back((first - start) / (second - first));
    by_lanes.push_back((first - start) / (sumfac::bench::processor_seconds() - second));
  }
  double off = 0, size = 0;
  for (std::size_t i = 0; i < Y.size(); ++i)
    off = std::fmax(off, std::abs(Y[i] - Z[i])), size = std::fmax(size, std::abs(Y[i]));
  for (auto* list : {&by_components, &by_lanes}) std::sort(list->begin(), list->end());
  std::printf(
      "BP5 of degree 4, 8 right sides, processor time: as components %.2f (%.2f to %.2f), in lanes %.2f (%.2f to "
      "%.2f), whose results differ by %.0e\n",
      by_components[4], by_components[0], by_components[8], by_lanes[4], by_lanes[0], by_lanes[8], off / size);
}

}  // namespace

int main(int argc, char** argv)
{
  int const threads = argc > 1 ? std::atoi(argv[1]) : 1;
  std::printf("     degree   K     nodes  times as fast a right side\n");
  measure<4, 8, sumfac::gauss_lobatto<5>>("BP5", 20, threads);
  measure<2, 8, sumfac::gauss<4>>("BP3", 30, threads);
  measure<4, 4, sumfac::gauss_lobatto<5>>("BP5", 20, threads);
  measure<2, 4, sumfac::gauss<4>>("BP3", 30, threads);
  measure_lanes(20);
}
