// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Steps in time: du/dt = div grad u by implicit Euler, (u, v) / dt + (grad u, grad v) = (u before, v) / dt.
#include "recipe.hpp"

int main()
{
  sumfac::mesh const mesh = sumfac::box_mesh({2, 2, 2});
  sumfac::function_space const V{mesh, 4, mesh.boundary()};
  sumfac::host const backend;
  double const dt = 0.01, pi = std::acos(-1.);
  sumfac::bp3<4> const A{backend, mesh, {.lambda = 1 / dt}};
  sumfac::bp1<4> const M{backend, mesh};
  auto const R = V.restriction(backend);
  auto const hump = [=](auto const& x) { return std::sin(pi * x[0]) * std::sin(pi * x[1]) * std::sin(pi * x[2]); };
  auto u = V.values(hump);
  std::vector<double> b(u.size());
  for (int step = 0; step < 5; ++step) {
    M.apply(R, on(u), on(b));
    for (double& x : b) x /= dt;
    sumfac::cg(sumfac::global_operator{A, R}, on(b), on(u), {.tolerance = 1e-10});
  }
  return compare("norm", V.norm(u), std::pow(1 + 3 * pi * pi * dt, -5) * std::sqrt(1 / 8.), 1e-4);
}
