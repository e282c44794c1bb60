// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A problem of three components, which follow one another at each node of a global vector.
#include "cube.hpp"

int main()
{
  cube<2> const mesh(2);
  sumfac::host const backend;
  sumfac::element_operator<sumfac::vector_laplace<3>, 2> const A{backend, mesh.nodes()};
  sumfac::restriction const R{backend, mesh.table(), mesh.count, {.components = 3}};
  auto const x = mesh.values([](double along, double, double) { return along; });
  std::vector<double> u;
  for (double const value : x) u.insert(u.end(), {value, 2 * value, 3 * value});  // (node, component)
  return compare("(grad u, grad u)", energy(A, R, u), 1 + 4 + 9);
}
