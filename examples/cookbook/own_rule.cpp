// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A quadrature rule of one's own: Simpson's, at the nodes of degree 2.
#include "cube.hpp"

#include <array>

struct simpson {
  static constexpr int size = 3;
  static constexpr std::array<long double, size> nodes{-1, 0, 1}, weights{1 / 3.0L, 4 / 3.0L, 1 / 3.0L};
};

int main()
{
  cube<2> const mesh(1);
  sumfac::host const backend;
  sumfac::element_operator<sumfac::mass, 2, simpson> const M{backend, mesh.nodes()};
  sumfac::restriction const R{backend, mesh.table(), mesh.count};
  auto const u = mesh.values([](double x, double, double) { return x; });
  return compare("(x, x)", energy(M, R, u), 1. / 3);
}
