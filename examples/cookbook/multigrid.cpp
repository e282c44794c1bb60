// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Multigrid in the degree before conjugate gradients: - div grad u = 1, u is 0 on the boundary.
#include "cube.hpp"

int main()
{
  cube<2> const mesh(6);
  sumfac::host const backend;
  sumfac::bp5<2> const A{backend, mesh.nodes()};
  sumfac::restriction const everywhere{backend, mesh.table(), mesh.count};
  sumfac::restriction const R{backend, mesh.table(), mesh.count, mesh.marks()};
  std::vector<double> one(mesh.count, 1), b(mesh.count), u(mesh.count);
  sumfac::bp1<2>{backend, mesh.nodes()}.apply(everywhere, on(one), on(b));  // (1, v)
  for (int i = 0; i < mesh.count; ++i)
    if (mesh.boundary[i]) b[i] = 0;
  sumfac::multigrid const P{sumfac::p_levels<2, 1>(A, mesh.nodes(), R)};
  auto const result = sumfac::cg(sumfac::global_operator{A, R}, on(b), on(u), P);
  std::printf("%s\n", result.report().c_str());
  return compare("u in the middle", mesh.middle(u), 0.05621, 1e-4);
}
