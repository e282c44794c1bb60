// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Values at points of space: the points are located in the mesh, and a global vector is evaluated there.
#include "cube.hpp"

int main()
{
  cube<2> const mesh(3);
  sumfac::host const backend;
  sumfac::restriction const R{backend, mesh.table(), mesh.count};
  auto const u = mesh.values([](double x, double y, double z) { return x * x + y * z; });
  std::vector<double> const places{0.1, 0.5, 0.9, 0.7, 0.2, 0.3};                // (P, 3)
  sumfac::locator const search{backend, mesh.nodes()};
  auto const found = search.locate(sumfac::view(places.data(), 2, 3));
  sumfac::evaluator<2> const at_points{R, found};
  std::vector<double> values(2);
  at_points.values(on(u), on(values));
  return compare("first", values[0], 0.46) + compare("second", values[1], 0.55);
}
