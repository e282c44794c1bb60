// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Values given on the boundary, of - div grad u = 0: they are lifted, what they contribute goes to the right side.
#include "cube.hpp"

int main()
{
  cube<2> const mesh(2);
  sumfac::host const backend;
  sumfac::element_operator<sumfac::laplace, 2> const A{backend, mesh.nodes()};
  sumfac::restriction const everywhere{backend, mesh.table(), mesh.count};
  sumfac::restriction const inside{backend, mesh.table(), mesh.count, mesh.marks()};
  auto u = mesh.values([](double x, double y, double z) { return x * y * z; });
  for (int i = 0; i < mesh.count; ++i)
    if (!mesh.boundary[i]) u[i] = 0;      // given on the boundary alone
  std::vector<double> b(mesh.count);
  A.apply(everywhere, on(u), on(b));
  for (int i = 0; i < mesh.count; ++i) b[i] = mesh.boundary[i] ? u[i] : -b[i];
  sumfac::cg(sumfac::global_operator{A, inside}, on(b), on(u), {.tolerance = 1e-13});
  return compare("u in the middle", mesh.middle(u), 0.125);
}
