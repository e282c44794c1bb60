// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Newton's method for - div grad u + u^3 = 8 with nothing given on the boundary: u is 2.
#include "recipe.hpp"

int main()
{
  sumfac::mesh const mesh = sumfac::box_mesh({2, 2, 2});
  sumfac::function_space const V{mesh, 2};
  sumfac::host const backend;
  using namespace sumfac::weak;
  auto const r = integrate(dot(grad(u), grad(v)) + (u * u * u - 8) * v);
  sumfac::element_operator<decltype(r), 2> const F{backend, mesh, r};
  sumfac::element_operator<sumfac::tangent<decltype(r)>, 2> J{backend, mesh, r};
  auto const R = V.restriction(backend);
  std::vector<double> state(V.size(), 1), residual(V.size());
  for (int step = 0; step < 7; ++step) {
    std::vector<double> w(V.size());
    F.apply(R, state, residual);
    J.linearize(R, state);  // keeps the state at the points
    sumfac::cg(sumfac::global_operator{J, R}, residual, w, {.tolerance = 1e-10});
    for (std::size_t i = 0; i < w.size(); ++i) state[i] -= w[i];
  }
  return compare("error", V.l2_error(state, [](auto const&) { return 2; }), 0);
}
