// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Discontinuous Galerkin on bent hexahedra, in cache and out of it: the terms within elements K, those between them F,
// both one after the other, and sum{K, F}, which is one sweep; millions of degrees of freedom a second, the best of
// some samples, which take turns.
//
// usage: faces [THREADS]
#include "../subjects/faces.hpp"
#include "../report/timing.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

using namespace sumfac::bench::faces;

template <class Form, class FaceForm, int N>
void measure(char const* name, double dofs, int threads)
{
  constexpr sumfac::index_t n = N + 1;
  int const cells = static_cast<int>(std::lround(std::cbrt(dofs) / double(n)));
  sumfac::host const backend{threads};
  sumfac::mesh const mesh = box(cells, true);
  sumfac::element_operator<Form, N, sumfac::gauss<N + 1>> const K{backend, mesh};
  sumfac::interior_operator<FaceForm, N, sumfac::gauss<N + 1>> const F{backend, mesh};
  sumfac::sum const A{K, F};
  std::vector<double> u(static_cast<std::size_t>(A.size()), 1.0), v(u.size());
  sumfac::view const x(static_cast<double const*>(u.data()), mesh.elements(), n, n, n);
  sumfac::view const y(v.data(), mesh.elements(), n, n, n);
  double best[4] = {1e9, 1e9, 1e9, 1e9};
  for (int turn = 0; turn < 5; ++turn) {
    auto const take = [&](int which, auto const& f) {
      best[which] = std::min(best[which], least_seconds(sumfac::bench::now, f, 3, 5e-3));
    };
    take(0, [&] { K.apply(x, y); });
    take(1, [&] { F.apply_add(x, y); });
    take(2, [&] { K.apply(x, y), F.apply_add(x, y); });
    take(3, [&] { A.apply(u, v); });
  }
  auto const rate = [&](int which) { return 1e-6 * double(A.size()) / best[which]; };
  std::printf("%-9s %2d %9lld %8.1f %8.1f %8.1f %8.1f %8.2f\n", name, N, static_cast<long long>(A.size()), rate(0),
              rate(1), rate(2), rate(3), best[2] / best[3]);
}

template <int N>
void all(double dofs, int threads)
{
  measure<sumfac::laplace, interior_penalty, N>("laplace", dofs, threads);
  measure<wind, upwind, N>("advection", dofs, threads);
}

}  // namespace

int main(int argc, char** argv)
{
  int const threads = argc > 1 ? std::atoi(argv[1]) : 1;
  std::printf("           N      dofs        K        F    K + F      sum    ratio\n");
  for (double const dofs : {15e3, 2e6}) all<2>(dofs, threads), all<4>(dofs, threads), all<7>(dofs, threads);
}
