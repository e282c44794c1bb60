// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A function on a bent, curved mesh along a straight line: points are located, some are in no element, and values and
// gradients there converge with the elements.
//
// usage: points [SOLUTION.vtu]
#include "ring.hpp"

#include <sumfac/sumfac.hpp>

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <vector>

namespace {

using sumfac::index_t;

constexpr int degree = 4;
constexpr int points = 200;  // on the line

auto on(auto& data)
{
  return sumfac::view(data.data(), static_cast<index_t>(data.size()));
}

// The function and its gradient.
double wave(sumfac::vector<double, 3> const& x)
{
  return std::sin(2 * x[0] - x[1]) * std::exp(x[2]);
}
sumfac::vector<double, 3> slope(sumfac::vector<double, 3> const& x)
{
  double const along = std::cos(2 * x[0] - x[1]) * std::exp(x[2]);
  return {2 * along, -along, wave(x)};
}

// Through the ring, the hole in it, and the ring again to the outside: (points, 3).
std::vector<double> line()
{
  std::vector<double> x;
  for (int i = 0; i < points; ++i) {
    double const t = (i + 0.5) / points;
    x.insert(x.end(), {2.1 * t, 1.05 - 1.05 * t, 0.2 + 0.6 * t});
  }
  return x;
}

// In the norm of L2, and root mean squares over the points that were found.
struct errors {
  double l2, value, gradient;
};

errors errors_on(sumfac::mesh<3> const& mesh, char const* vtu)
{
  sumfac::host const backend;
  sumfac::function_space const V{mesh, degree};
  auto const R = V.restriction(backend);
  auto const u = V.values(wave);
  if (vtu != nullptr) sumfac::write_vtu(vtu, V, {{"u", u}});

  auto const straight = line();
  // [locate]
  sumfac::locator const search{backend, mesh};
  auto const found = search.locate(sumfac::view(straight.data(), points, 3));
  std::printf("%s\n", found.report().c_str());
  // [locate]
  // [evaluate]
  sumfac::evaluator<degree> const at_points{R, found, mesh, {}, {.misses = sumfac::point_misses::skip}};
  std::vector<double> values(points), gradients(3 * points);
  at_points.values(on(u), on(values));
  at_points.gradients(on(u), sumfac::view(gradients.data(), points, 3));
  // [evaluate]

  double squares = 0, slope_squares = 0, count = 0;
  for (std::size_t i = 0; i < points; ++i) {
    if (found.elements()(i) < 0) continue;
    sumfac::vector<double, 3> const x{straight[3 * i], straight[3 * i + 1], straight[3 * i + 2]};
    squares += (values[i] - wave(x)) * (values[i] - wave(x));
    sumfac::vector<double, 3> const g{gradients[3 * i], gradients[3 * i + 1], gradients[3 * i + 2]};
    auto const apart = g - slope(x);
    slope_squares += dot(apart, apart);
    ++count;
  }
  return {V.l2_error(u, wave), std::sqrt(squares / count), std::sqrt(slope_squares / count)};
}

}  // namespace

int main(int argc, char** argv)
{
  errors before{};
  bool converges = false;  // from the second mesh to the third
  for (int const cells : {4, 8, 16}) {
    sumfac::mesh const p = ring(cells, cells / 2);
    auto const e = errors_on(p, cells == 16 && argc > 1 ? argv[1] : nullptr);
    std::printf("%4lld elements: errors %.2e in L2, %.2e of values, %.2e of gradients",
                static_cast<long long>(p.elements()), e.l2, e.value, e.gradient);
    if (before.value > 0) {
      double const order[] = {std::log2(before.l2 / e.l2), std::log2(before.value / e.value),
                              std::log2(before.gradient / e.gradient)};
      std::printf("; orders %.2f, %.2f, %.2f", order[0], order[1], order[2]);
      converges = order[0] > degree + 0.5 && order[1] > degree + 0.5 && order[2] > degree - 0.5;
    }
    std::printf("\n");
    before = e;
  }
  return converges ? 0 : 1;
}
