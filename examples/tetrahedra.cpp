// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A weak form on tetrahedra: - div(k grad u) + u = f on a cube that is cut into them, u given on its boundary as 0.
#include <sumfac/sumfac.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

namespace {

constexpr auto conductivity = [](auto const& at) { return 1 + at[0] * at[1]; };
constexpr auto exact = [](auto const& at) {
  using std::sin;
  return sin(M_PI * at[0]) * sin(M_PI * at[1]) * sin(M_PI * at[2]);
};
constexpr auto source = [](auto const& at) {
  using std::sin, std::cos;
  auto const x = M_PI * at[0], y = M_PI * at[1], z = M_PI * at[2];
  return (3 * M_PI * M_PI * (1 + at[0] * at[1]) + 1) * (sin(x) * sin(y) * sin(z)) -
         M_PI * sin(z) * (at[1] * cos(x) * sin(y) + at[0] * sin(x) * cos(y));
};

// [cube]
// n^3 cubes, each cut into six tetrahedra around its diagonal.
sumfac::cell_mesh<3> cut_cube(int n)
{
  std::vector<double> points;
  for (int i = 0; i < (n + 1) * (n + 1) * (n + 1); ++i)
    for (int const at : {i % (n + 1), i / (n + 1) % (n + 1), i / (n + 1) / (n + 1)}) points.push_back(double(at) / n);
  int const corners[6][4] = {{0, 1, 3, 7}, {0, 3, 2, 7}, {0, 2, 6, 7}, {0, 6, 4, 7}, {0, 4, 5, 7}, {0, 5, 1, 7}};
  std::vector<int> table;
  for (int e = 0; e < n * n * n; ++e)
    for (auto const& tetrahedron : corners)
      for (int const c : tetrahedron)
        table.push_back(((e / n / n + c / 4) * (n + 1) + e / n % n + c / 2 % 2) * (n + 1) + e % n + c % 2);
  sumfac::index_t const elements = 6 * n * n * n;
  return {sumfac::view(points.data(), points.size() / 3, 3), sumfac::view(table.data(), elements, 4)};
}
// [cube]

// The error of the solution at the nodes, in L2.
template <int N>
double solve(int n)
{
  sumfac::host const backend;
  // [solve]
  sumfac::cell_mesh<3> const mesh = cut_cube(n);
  sumfac::function_space const V{mesh, N, mesh.boundary()};
  using namespace sumfac::weak;
  auto const a = integrate(coefficient(conductivity) * dot(grad(u), grad(v)) + u * v);
  sumfac::element_operator<decltype(a), sumfac::tetrahedron(N)> const A{backend, mesh, a};
  auto const R = V.restriction(backend);
  std::vector<double> const b = V.load(source);
  std::vector<double> x(b.size()), diagonal(b.size());
  sumfac::global_operator const L{A, R};
  L.diagonal(diagonal);
  auto const result = sumfac::cg(L, b, x, sumfac::jacobi{backend, diagonal}, {.tolerance = 1e-10});
  double const error = V.l2_error(x, exact);
  // [solve]
  std::printf("%6d %8d %9lld %6lld  %.3e", N, n, static_cast<long long>(V.size()),
              static_cast<long long>(result.iterations), error);
  return error;
}

template <int N>
bool converges()
{
  constexpr int n = N == 1 ? 4 : 2;
  double const coarse = solve<N>(n);
  std::printf("\n");
  double const order = std::log2(coarse / solve<N>(2 * n));
  std::printf("  %5.2f\n", order);
  return order > N + 0.5;
}

}  // namespace

int main()
{
  std::printf("degree    cubes  unknowns  steps  error      order\n");
  bool const first = converges<1>(), second = converges<2>(), third = converges<3>();
  return first && second && third ? 0 : 1;
}
