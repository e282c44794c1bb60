// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Steps in time: du/dt = div grad u by implicit Euler, (u, v) / dt + (grad u, grad v) = (u before, v) / dt.
#include "cube.hpp"

int main()
{
  cube<4> const mesh(2);
  sumfac::host const backend;
  double const dt = 0.01, pi = std::acos(-1.);
  sumfac::bp3<4> const A{backend, mesh.nodes(), {.lambda = 1 / dt}};
  sumfac::bp1<4> const M{backend, mesh.nodes()};
  sumfac::restriction const R{backend, mesh.table(), mesh.count, mesh.marks()};
  auto const hump = [=](double x) { return std::sin(pi * x); };
  auto u = mesh.values([&](double x, double y, double z) { return hump(x) * hump(y) * hump(z); });
  std::vector<double> b(u.size());
  for (int step = 0; step < 5; ++step) {
    M.apply(R, on(u), on(b));
    for (double& x : b) x /= dt;
    sumfac::cg(sumfac::global_operator{A, R}, on(b), on(u), {.tolerance = 1e-10});
  }
  return compare("u in the middle", mesh.middle(u), std::pow(1 + 3 * pi * pi * dt, -5), 1e-4);
}
