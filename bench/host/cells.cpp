// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The Laplacian and the mass on tetrahedra, in cache and on one thread, beside the multiply-add peak, which is measured
// before each: the credited flops of the dense products, by Gauss in collapsed coordinates. The least of nine times.
#include "ceilings.hpp"

#include <sumfac/sumfac.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

namespace {

// Some copies of the reference element: an operator's time does not depend on where its elements lie.
template <class Form, int N>
void measure(char const* name)
{
  constexpr sumfac::index_t elements = 64;
  std::vector<double> vertices;
  for (sumfac::index_t e = 0; e < elements; ++e)
    for (double const x : {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}) vertices.push_back(x);
  sumfac::host const backend{1};
  sumfac::view const nodes(vertices.data(), elements, 4, 3);
  sumfac::element_operator<Form, sumfac::tetrahedron(N), sumfac::tetrahedron_gauss<N + 1>> const a{backend, nodes};
  sumfac::index_t const functions = a.nodes_1d;
  std::vector<double> from(std::size_t(elements * functions), 1.0), to(from.size());
  sumfac::view const u(from.data(), elements, functions), v(to.data(), elements, functions);
  int const repeats = std::max(1, int(5e7 / double(a.work().flops)));
  double const peak = sumfac::bench::fma_peak<double>(1, 20);
  double least = 1e9;
  for (int sample = 0; sample < 9; ++sample) {
    auto const begin = std::chrono::steady_clock::now();
    for (int i = 0; i < repeats; ++i) a.apply(u, v);
    least = std::min(least, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() / repeats);
  }
  double const rate = double(a.work().flops) / least;
  std::printf("%-8s %2d %5d %5d %9.1f %9.2f %10.4f\n", name, N, int(functions), a.points_1d, rate * 1e-9, rate / peak,
              double(elements * functions) / least * 1e-9);
}

template <int... N>
void all(std::integer_sequence<int, N...>)
{
  (measure<sumfac::laplace, N + 1>("laplace"), ...);
  (measure<sumfac::mass, N + 1>("mass"), ...);
}

}  // namespace

int main()
{
  std::printf("           N     P     Q   GFLOP/s   of peak     GDOF/s\n");
  all(std::make_integer_sequence<int, 8>{});
}
