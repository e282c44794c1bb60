// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Values and gradients at points out of cache, beside a stream that reads and writes as many bytes; and points located.
// The least of nine times, taken in turns.
//
// usage: points [POINTS_OF_ELEMENT...]
#include "../report/least_times.hpp"

#include <sumfac/sumfac.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

using sumfac::index_t;

// A cube of c^3 elements, slightly curved, and random numbers that are the same each time.
struct cube {
  explicit cube(int cells) : c(cells), elements(c * c * c)
  {
    for (int e = 0; e < elements; ++e)
      for (int p = 0; p < 27; ++p) {
        double const x[] = {e % c + p % 3 / 2.0, e / c % c + p / 3 % 3 / 2.0, e / (c * c) + p / 9 / 2.0};
        double const bump = 0.05 * std::sin(x[0]) * std::sin(x[1]) * std::sin(x[2]);
        for (double const at : x) nodes.push_back(at + bump);
      }
  }
  auto view() const { return sumfac::view<double const, sumfac::dextents<5>>(nodes.data(), elements, 3, 3, 3, 3); }

  int c, elements;
  std::vector<double> nodes;
};

double random_number()
{
  static std::uint64_t state = 1;
  state = state * 6364136223846793005u + 1442695040888963407u;
  return static_cast<double>(state >> 40) * 0x1p-23 - 1;
}

template <int Order>
void compare(cube const& mesh, int of_element)
{
  constexpr int n = Order + 1;
  int const c = mesh.c, p = c * Order + 1;
  std::vector<int> table;
  for (int e = 0; e < mesh.elements; ++e)
    for (int k = 0; k < n; ++k)
      for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i)
          table.push_back(((e / (c * c) * Order + k) * p + e / c % c * Order + j) * p + e % c * Order + i);
  sumfac::host const backend;
  sumfac::restriction const R{backend, sumfac::view(table.data(), mesh.elements, n, n, n), index_t{p} * p * p};
  auto const count = index_t{mesh.elements} * of_element;
  std::vector<int> elements;
  std::vector<double> places, x_data, u_data(static_cast<std::size_t>(count)), g_data(3 * u_data.size());
  for (index_t i = 0; i < R.size(); ++i) x_data.push_back(random_number());
  for (index_t i = 0; i < count; ++i) {
    elements.push_back(static_cast<int>(i / of_element));
    for (int d = 0; d < 3; ++d) places.push_back(random_number());
  }
  sumfac::view const element_view(elements.data(), count);
  sumfac::view const place_view(places.data(), count, 3);
  sumfac::evaluator<Order> const at{R, element_view, place_view, mesh.view(), {}, {.sources = true}};
  sumfac::view const x(x_data.data(), R.size()), u(u_data.data(), count);
  sumfac::view const g(g_data.data(), count, 3);

  // What must be read and written once: places, order, segments, numbers and nodes of elements; results.
  double const nodes = double(mesh.elements) * (4 * n * n * n + 24) + 8 * double(R.size()), points = double(count);
  double const value_bytes = nodes + points * (24 + 4 + 8), slope_bytes = nodes + points * (24 + 4 + 72 + 24);
  std::vector<double> from(static_cast<std::size_t>(slope_bytes / 8)), to(from.size());
  auto const stream = [&](double read, double written) {
    auto const in = static_cast<std::size_t>(read / 8), out = static_cast<std::size_t>(written / 8);
    double sum[8] = {};
    for (std::size_t i = 0; i + 8 <= in; i += 8)
      for (std::size_t k = 0; k < 8; ++k) sum[k] += from[i + k];
    std::fill_n(to.begin(), out, sum[0] + sum[3]);
  };
  auto const t = least([&] { at.values(x, u); }, [&] { stream(value_bytes - 8 * points, 8 * points); },
                       [&] { at.gradients(x, g); }, [&] { stream(slope_bytes - 24 * points, 24 * points); },
                       [&] { at.add_sources(u, x); });
  std::printf(
      "N %2d, %3d points of an element: values %5.1f bytes a point, %6.2f ns, %.2f of the stream; gradients "
      "%5.1f bytes, %6.2f ns, %.2f; sources %6.2f ns\n",
      Order, of_element, value_bytes / points, 1e9 * t[0] / points, t[1] / t[0], slope_bytes / points,
      1e9 * t[2] / points, t[3] / t[2], 1e9 * t[4] / points);
}

void locate(cube const& mesh)
{
  std::vector<double> points;
  for (int i = 0; i < 300000; ++i) points.push_back((random_number() + 1) / 2 * mesh.c);
  sumfac::view const some(points.data(), 100000, 3);
  double found = 0;
  auto const t = least(
      [&] {
        sumfac::locator const search{sumfac::host{}, mesh.view()};
      },
      [&] {
        static sumfac::locator const search{sumfac::host{}, mesh.view()};
        found = double(100000 - search.locate(some).misses().extent(0));
      });
  std::printf("locating in %d elements of 27 nodes: set-up %.0f ns an element, %.0f ns a point, %.0f of 100000 found\n",
              mesh.elements, 1e9 * t[0] / mesh.elements, 1e9 * t[1] / 100000, found);
}

}  // namespace

int main(int argc, char** argv)
{
  std::vector<int> counts;
  for (int i = 1; i < argc; ++i) counts.push_back(std::max(1, std::atoi(argv[i])));
  if (counts.empty()) counts = {1, 8, 64};
  cube const small(24), large(64);
  for (int const count : counts) {
    compare<1>(large, count);
    compare<2>(large, count);
    compare<4>(cube(40), count);
    compare<7>(small, count);
  }
  locate(cube(32));
}
