// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What sorting elements like by like gains: BP3.5 with geometry `split` where affine and general elements alternate.
//
// usage: element_order. Prints, for N = 3 and 7, the speedup over the alternating mesh of the same elements in the
// order of element_order and with all affine elements first; E-vectors interleaved, all timed in turns.
#include "../report/timing.hpp"

#include <sumfac/sumfac.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

namespace {

using namespace sumfac;

constexpr index_t bytes = index_t{256} << 20;  // of u, v and stored factors
constexpr int rounds = 41;

using mesh_nodes = view<double, dextents<5>>;

// 3 x 3 x 3 nodes each: sheared cubes, of which those are bent that general(e) says.
template <class General>
std::vector<double> elements_of(index_t count, General const& general)
{
  std::vector<double> nodes;
  for (index_t e = 0; e < count; ++e)
    for (int node = 0; node < 27; ++node) {
      double const x = node % 3 / 2.0, y = node / 3 % 3 / 2.0, z = node / 9 / 2.0;
      double const bend = general(e) ? 0.1 * std::sin(3 * y + static_cast<double>(e % 7)) : 0;
      nodes.insert(nodes.end(), {x + 0.1 * y + 0.01 * static_cast<double>(e % 5) * z, y + 0.2 * z, z + bend});
    }
  return nodes;
}

template <int N>
bool measure()
{
  constexpr index_t n = N + 1;
  index_t const count = bytes / (72 * n * n * n) / 256 * 256, half = count / 2;
  auto alternating = elements_of(count, [](index_t e) { return e % 2 == 1; });
  auto halves = elements_of(count, [&](index_t e) { return e >= half; });
  std::vector<double> by_class(alternating.size());
  auto const mesh = [&](std::vector<double>& nodes) { return mesh_nodes(nodes.data(), count, 3, 3, 3, 3); };
  auto const order = element_order::like_by_like(mesh(alternating));
  order.apply(mesh(alternating), mesh(by_class));

  host const backend;
  using mixed = bp35<N, host, double, split>;
  mixed const as_is(backend, mesh(alternating)), sorted(backend, mesh(by_class)), affine_first(backend, mesh(halves));
  bp35<N> const exact(backend, mesh(by_class));

  using e_vector = view<double, dextents<4>, layout_interleaved<native_width<double>>>;
  buffer<double> u_data(backend, count * n * n * n), v_data(backend, u_data.size()), right_data(backend, u_data.size());
  for (index_t i = 0; i < u_data.size(); ++i) u_data[i] = static_cast<double>(i % 17) - 8;
  e_vector const u(u_data.data(), count, n, n, n), v(v_data.data(), count, n, n, n);
  e_vector const right(right_data.data(), count, n, n, n);
  sorted.apply(u, v);
  exact.apply(u, right);
  double error = 0, greatest = 0;
  for (index_t i = 0; i < v_data.size(); ++i) {
    error = std::max(error, std::abs(v_data[i] - right_data[i]));
    greatest = std::max(greatest, std::abs(right_data[i]));
  }
  if (!(error <= 1e-11 * greatest)) {
    std::printf("N = %d: FAILED, %g of %g off the operator with stored factors\n", N, error, greatest);
    return false;
  }

  std::vector<double> times[3];
  auto const time = [&](mixed const& a, std::vector<double>& into) {
    double const begin = bench::now();
    a.apply(u, v);
    into.push_back(bench::now() - begin);
  };
  for (int round = 0; round < rounds; ++round)
    time(as_is, times[0]), time(sorted, times[1]), time(affine_first, times[2]);
  using bench::median;
  double const alternate = median(times[0]);
  std::printf("N = %d, %lld elements: like_by_like %.2f, all affine elements first %.2f\n", N,
              static_cast<long long>(count), alternate / median(times[1]), alternate / median(times[2]));
  return true;
}

}  // namespace

int main()
{
  bool const low = measure<3>(), high = measure<7>();
  return low && high ? 0 : 1;
}
