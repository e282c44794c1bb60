// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Several right sides by one application of several<Form, K>, beside K applications of Form, out of cache.
//
// usage: several [THREADS]
#include <sumfac/sumfac.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

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
    double const start = now();
    for (int s = 0; s < Count; ++s) A.apply(R, x, y);
    double const middle = now();
    B.apply(all, X, Y);
    faster.push_back((middle - start) / (now() - middle));
  }
  std::sort(faster.begin(), faster.end());
  std::printf("%s  %6d  %2d  %8lld  %.2f (%.2f to %.2f)\n", problem, Degree, Count, static_cast<long long>(V.nodes()),
              faster[4], faster[0], faster[8]);
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
}
