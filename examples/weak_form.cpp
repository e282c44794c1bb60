// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A weak form as it is written: - div(k grad u) + c u = f on the unit square with a k that varies, u = 0 on its sides.
#include <sumfac/sumfac.hpp>

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <vector>

namespace {

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

}  // namespace

int main()
{
  constexpr int N = 5;
  sumfac::host const backend;
  sumfac::mesh const mesh = sumfac::box_mesh({3, 3});
  sumfac::function_space const V{mesh, N, mesh.boundary()};

  // [forms]
  using namespace sumfac::weak;
  auto const k = coefficient(conductivity);
  auto const f = coefficient(source);
  auto const a = integrate(k * dot(grad(u), grad(v)) + c * u * v);
  auto const load = integrate(f * v);
  sumfac::element_operator<decltype(a), sumfac::quadrilateral(N)> const A{backend, mesh, a};
  sumfac::element_operator<decltype(load), sumfac::quadrilateral(N)> const F{backend, mesh, load};
  // [forms]

  auto const R = V.restriction(backend), all = V.unconstrained(backend);
  std::vector<double> b(std::size_t(V.size())), solution(b.size());
  F.apply(all, solution, b);  // (f, v): a load reads nothing of its argument
  V.zero_fixed(b);
  auto const result = sumfac::cg(sumfac::global_operator(A, R), b, solution, {.tolerance = 1e-12});

  auto const exact = [](auto const& at) { return std::sin(M_PI * at[0]) * std::sin(M_PI * at[1]); };
  double const error = V.l2_error(solution, exact);
  std::printf("%s\nL2 error: %.1e\n", result.report().c_str(), error);
  return error < 1e-5 ? 0 : 1;
}
