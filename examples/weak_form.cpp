// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A weak form as it is written: - div(k grad u) + c u = f on the unit square with a k that varies, u = 0 on its sides.
#include <sumfac/sumfac.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <vector>

namespace {

constexpr int N = 5, n = N + 1, cells = 3, per_edge = cells * N + 1;
constexpr int elements = cells * cells, nodes = per_edge * per_edge;
constexpr double c = 2;

// [coefficients]
constexpr auto conductivity = [](auto const& at) { return 1 + at[0] * at[1]; };
constexpr auto source = [](auto const& at) {
  using std::sin, std::cos;
  auto const x = M_PI * at[0], y = M_PI * at[1];
  return (2 * M_PI * M_PI * (1 + at[0] * at[1]) + c) * (sin(x) * sin(y)) -
         M_PI * (at[1] * cos(x) * sin(y) + at[0] * sin(x) * cos(y));
};
// [coefficients]

struct square {
  std::vector<double> vertices;  // (E, 2, 2, 2)
  std::vector<int> numbers;      // (E, n, n)
  std::vector<char> given = std::vector<char>(nodes);
  std::vector<double> exact;
};

square make_square()
{
  square s;
  for (int e = 0; e < elements; ++e) {
    int const a = e % cells, b = e / cells;
    for (int i = 0; i < 4; ++i)
      for (int const place : {a + i % 2, b + i / 2}) s.vertices.push_back(double(place) / cells);
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) s.numbers.push_back((b * N + j) * per_edge + a * N + i);
  }
  auto const along = [](int i) {
    return (i / N + (1 + double(sumfac::gauss_lobatto<n>::nodes[std::size_t(i % N)])) / 2) / cells;
  };
  for (int i = 0; i < nodes; ++i) {
    int const a = i % per_edge, b = i / per_edge;
    s.given[std::size_t(i)] = a % (per_edge - 1) == 0 || b % (per_edge - 1) == 0;
    s.exact.push_back(std::sin(M_PI * along(a)) * std::sin(M_PI * along(b)));
  }
  return s;
}

}  // namespace

int main()
{
  square const s = make_square();
  sumfac::host const backend;
  sumfac::view const mesh(s.vertices.data(), elements, 2, 2, 2);
  sumfac::view const table(s.numbers.data(), elements, n, n);
  sumfac::restriction const all{backend, table, nodes};
  sumfac::restriction const inside{backend, table, nodes, sumfac::view(s.given.data(), nodes)};

  // [forms]
  using namespace sumfac::weak;
  auto const k = coefficient(conductivity);
  auto const f = coefficient(source);
  auto const a = integrate(k * dot(grad(u), grad(v)) + c * u * v);
  auto const load = integrate(f * v);
  sumfac::element_operator<decltype(a), sumfac::quadrilateral(N)> const A{backend, mesh, a};
  sumfac::element_operator<decltype(load), sumfac::quadrilateral(N)> const F{backend, mesh, load};
  // [forms]

  std::vector<double> b(nodes), solution(nodes);
  F.apply(all, solution, b);  // (f, v): a load reads nothing of its argument
  for (std::size_t i = 0; i < b.size(); ++i)
    if (s.given[i] != 0) b[i] = 0;
  auto const result = sumfac::cg(sumfac::global_operator(A, inside), b, solution, {.tolerance = 1e-12});

  double error = 0;
  for (std::size_t i = 0; i < b.size(); ++i) error = std::max(error, std::abs(solution[i] - s.exact[i]));
  std::printf("%s\nthe greatest error at a node: %.1e\n", result.report().c_str(), error);
  return error < 1e-5 ? 0 : 1;
}
