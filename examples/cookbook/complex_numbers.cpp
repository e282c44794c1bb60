// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A complex system, - div grad w + i omega w = f + i g, w = 0 on the boundary, as two real vectors: w = (1 + 2i) hump.
#include "recipe.hpp"

int main()
{
  double const omega = 40;
  sumfac::mesh const mesh = sumfac::box_mesh({3, 3, 3});
  sumfac::function_space const V{mesh, 2, mesh.boundary()};
  sumfac::host const backend;
  auto const R = V.restriction(backend);
  auto const q = [](auto const& x, int d) { return x[d] * (1 - x[d]); };
  auto const hump = [=](auto const& x) { return q(x, 0) * q(x, 1) * q(x, 2); };
  auto const bent = [=](auto const& x) { return 2 * (q(x, 0) * q(x, 1) + q(x, 0) * q(x, 2) + q(x, 1) * q(x, 2)); };
  // [system]
  sumfac::bp3<2> const A{backend, mesh, {.lambda = 0}}, H{backend, mesh, {.lambda = omega}};
  auto const of_omega = sumfac::weak::mass(omega);
  sumfac::element_operator<decltype(of_omega), 2, sumfac::gauss<4>> const B{backend, mesh, of_omega};
  sumfac::block_operator const S{sumfac::global_operator{A, R}, sumfac::coupling{B, R, R},
                                 sumfac::sum{-1.0 * sumfac::part{A, R}}};  // [A B; B -A]
  sumfac::multigrid const P{sumfac::p_levels<2, 1>(H, mesh, R)};           // next to the inverse of H = A + B
  auto b = V.load([=](auto const& at) { return bent(at) - 2 * omega * hump(at); });                 // f
  for (double const g : V.load([=](auto const& at) { return 2 * bent(at) + omega * hump(at); })) b.push_back(g);
  std::vector<double> w(b.size());                                         // (x, y): (A + iB) (x - iy) = f + ig
  auto const result = sumfac::minres(S, b, w, sumfac::block_diagonal{S, P, P}, {.tolerance = 1e-12});
  // [system]
  std::printf("%s\n", result.report().c_str());
  return compare("real", V.l2_error(S.first(w), hump), 0) +
         compare("less imaginary", V.l2_error(S.second(w), [=](auto const& at) { return -2 * hump(at); }), 0);
}
