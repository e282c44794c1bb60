// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The Laplacian and the mass on tetrahedra, on one thread, in cache, beside the multiply-add peak, which is measured
// before each: the credited flops of the dense products, by Gauss in collapsed coordinates. The least of nine times.
// Called as `cells affine`, the Laplacian out of cache, with stored factors and upon affine maps in turns.
#include "../report/timing.hpp"
#include "../subjects/tetrahedra.hpp"
#include "ceilings.hpp"

#include <sumfac/sumfac.hpp>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

namespace {

template <class Form, int N>
void measure(char const* name)
{
  constexpr sumfac::index_t elements = 64;
  auto const vertices = sumfac::bench::some_tetrahedra(elements);
  sumfac::host const backend{1};
  sumfac::view const nodes(vertices.data(), elements, 4, 3);
  sumfac::element_operator<Form, sumfac::tetrahedron(N), sumfac::tetrahedron_gauss<N + 1>> const a{backend, nodes};
  sumfac::index_t const functions = a.nodes_1d;
  std::vector<double> from(std::size_t(elements * functions), 1.0), to(from.size());
  sumfac::view const u(from.data(), elements, functions), v(to.data(), elements, functions);
  int const repeats = std::max(1, int(5e7 / double(a.work().flops)));
  double const peak = sumfac::bench::fma_peak<double>(1, 20);
  double least = 1e9;
  for (int sample = 0; sample < 9; ++sample)
    least = std::min(least, sumfac::bench::seconds_of(repeats, [&] { a.apply(u, v); }));
  double const rate = double(a.work().flops) / least;
  std::printf("%-8s %2d %5d %5d %9.1f %9.2f %10.4f\n", name, N, int(functions), a.points_1d, rate * 1e-9, rate / peak,
              double(elements * functions) / least * 1e-9);
}

// Factors and vectors of 250 MB; medians of seven turns.
template <int N>
void beside()
{
  sumfac::host const backend{1};
  auto const of = [&]<class Geometry>(Geometry, auto const& vertices) {
    sumfac::view const nodes(vertices.data(), sumfac::index_t(vertices.size()) / 12, 4, 3);
    return sumfac::element_operator<sumfac::laplace, sumfac::tetrahedron(N), Geometry>{backend, nodes};
  };
  sumfac::index_t const elements = 250'000'000 / of(sumfac::stored{}, sumfac::bench::some_tetrahedra(1)).work().bytes();
  auto const vertices = sumfac::bench::some_tetrahedra(elements);
  auto const stored = of(sumfac::stored{}, vertices);
  auto const affine = of(sumfac::affine{}, vertices);
  std::vector<double> from(std::size_t(elements * stored.nodes_1d), 1.0), to(from.size());
  sumfac::view const u(from.data(), elements, stored.nodes_1d), v(to.data(), elements, stored.nodes_1d);
  std::vector<double> one, other, ratios;
  for (int turn = 0; turn < 7; ++turn) {
    one.push_back(sumfac::bench::seconds_of(1, [&] { stored.apply(u, v); }));
    other.push_back(sumfac::bench::seconds_of(1, [&] { affine.apply(u, v); }));
    ratios.push_back(one.back() / other.back());
  }
  auto const middle = [](std::vector<double> x) { return std::sort(x.begin(), x.end()), x[x.size() / 2]; };
  std::printf("%2d %12.2f %12.2f %10.4f %10.4f %6.2f\n", N, double(stored.work().bytes()) / double(from.size()),
              double(affine.work().bytes()) / double(from.size()), double(from.size()) / middle(one) * 1e-9,
              double(from.size()) / middle(other) * 1e-9, middle(ratios));
}

template <int... N>
void all(std::integer_sequence<int, N...>)
{
  (measure<sumfac::laplace, N + 1>("laplace"), ...);
  (measure<sumfac::mass, N + 1>("mass"), ...);
}

}  // namespace

int main(int argc, char** argv)
{
  if (argc > 1 && std::string(argv[1]) == "affine") {
    std::printf(" N bytes/DOF: stored  affine  GDOF/s: stored  affine  times\n");
    beside<1>(), beside<2>(), beside<3>(), beside<4>();
    return 0;
  }
  std::printf("           N     P     Q   GFLOP/s   of peak     GDOF/s\n");
  all(std::make_integer_sequence<int, 8>{});
}
