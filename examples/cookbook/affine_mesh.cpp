// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A mesh of parallelepipeds stores a Jacobian an element and nothing at its points: fewer bytes, the same numbers.
#include "cube.hpp"

int main()
{
  cube<3> const mesh(3);
  sumfac::host const backend;
  sumfac::bp3<3> const stored{backend, mesh.nodes(), {.lambda = 0}};
  sumfac::bp3<3, sumfac::affine> const A{backend, mesh.nodes(), {.lambda = 0}};
  sumfac::restriction const R{backend, mesh.table(), mesh.count};
  auto const u = mesh.values([](double x, double y, double z) { return x * y + z; });
  auto const bytes = static_cast<double>(A.work().bytes()), more = static_cast<double>(stored.work().bytes());
  std::printf("bytes of an application: %.0f, and %.0f where factors are stored\n", bytes, more);
  return compare("(grad u, grad u)", energy(A, R, u), 5. / 3) + (3 * bytes > more);
}
