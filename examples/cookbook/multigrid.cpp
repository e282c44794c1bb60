// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Multigrid in the degree before conjugate gradients: - div grad u = 1, u is 0 on the boundary.
#include "recipe.hpp"

int main()
{
  sumfac::mesh const mesh = sumfac::box_mesh({6, 6, 6});
  sumfac::function_space const V{mesh, 2, mesh.boundary()};
  sumfac::host const backend;
  sumfac::bp5<2> const A{backend, mesh};
  auto const R = V.restriction(backend);
  std::vector<double> b = V.load([](auto const&) { return 1; }), u(V.size());  // (1, v)
  sumfac::multigrid const P{sumfac::p_levels<2, 1>(A, mesh, R)};
  auto const result = sumfac::cg(sumfac::global_operator{A, R}, b, u, P);
  std::printf("%s\n", result.report().c_str());
  return compare("u in the middle", *std::max_element(u.begin(), u.end()), 0.05621, 1e-4);
}
