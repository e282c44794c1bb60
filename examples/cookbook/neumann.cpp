// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Nothing is constrained: the load and the solution without their means. - div grad u = pi^2 cos(pi x) + 7 - 7.
#include "cube.hpp"

int main()
{
  cube<6> const mesh(2);
  sumfac::host const backend;
  sumfac::bp5<6> const A{backend, mesh.nodes()};
  sumfac::bp1<6> const M{backend, mesh.nodes()};
  sumfac::restriction const R{backend, mesh.table(), mesh.count};
  double const pi = 3.14159265358979;
  auto const f = mesh.values([&](double x, double, double) { return pi * pi * std::cos(pi * x) + 7; });
  std::vector<double> one(mesh.count, 1), m(mesh.count), b(mesh.count), u(mesh.count);
  M.apply(R, on(one), on(m));                                          // the integrals of the basis functions
  M.apply(R, on(f), on(b));
  sumfac::vector_ops const ops{backend, mesh.count};
  ops.axpy(-ops.dot(on(one), on(b)) / ops.dot(on(one), on(m)), on(m), on(b));  // the load less its mean, 7
  sumfac::global_operator const L{A, R};
  sumfac::null_space const constants{L};
  auto const result = sumfac::cg(L, on(b), on(u), {.tolerance = 1e-12, .null_space = constants});
  ops.axpy(-ops.dot(on(m), on(u)) / ops.dot(on(one), on(m)), on(one), on(u));  // u less its mean over the cube
  std::printf("%s\n", result.report().c_str());
  return compare("u at x = 0", u[0], 1, 1e-6) + !result;
}
