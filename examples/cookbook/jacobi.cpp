// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Jacobi's preconditioner, of the diagonal that the operator makes without a matrix.
#include "cube.hpp"

int main()
{
  cube<5> const mesh(2);
  sumfac::host const backend;
  sumfac::bp1<5> const M{backend, mesh.nodes()};
  sumfac::restriction const R{backend, mesh.table(), mesh.count};
  sumfac::global_operator const L{M, R};
  std::vector<double> one(mesh.count, 1), b(mesh.count), d(mesh.count), u(mesh.count), v(mesh.count);
  M.apply(R, on(one), on(b));
  L.diagonal(on(d));
  auto const with = sumfac::cg(L, on(b), on(u), sumfac::jacobi{backend, on(d)}, {.tolerance = 1e-12});
  auto const without = sumfac::cg(L, on(b), on(v), {.tolerance = 1e-12});
  std::printf("with: %s\nwithout: %s\n", with.report().c_str(), without.report().c_str());
  return compare("u in the middle", mesh.middle(u), 1) + (with.iterations >= without.iterations);
}
