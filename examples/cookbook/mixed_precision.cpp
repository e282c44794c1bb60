// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Mixed precision: vectors and arithmetic in double, what is stored of the mesh in float, half the bytes of it.
#include "cube.hpp"

int main()
{
  cube<3> const mesh(3);
  sumfac::host const backend;
  using mixed = sumfac::precision<double, float, double>;
  sumfac::bp3<3, mixed> const A{backend, mesh.nodes(), {.lambda = 0}};
  sumfac::restriction const R{backend, mesh.table(), mesh.count};
  auto const u = mesh.values([](double x, double y, double) { return x * x + y; });
  return compare("(grad u, grad u)", energy(A, R, u), 4. / 3 + 1, 1e-6);
}
