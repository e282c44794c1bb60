// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Poisson's problem on a bent box, from the mesh to the error.
// [program]
#include <sumfac/sumfac.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

int main()
{
  auto const bend = [](auto x) { x[0] += 0.2 * x[1] * x[1]; return x; };
  auto const exact = [](auto const& x) { return std::sin(3 * x[0] + 2 * x[1] + x[2]); };
  sumfac::mesh const box = sumfac::box_mesh({6, 6, 6}, bend);          // hexahedra, curved
  sumfac::function_space const V{box, 4, box.boundary()};              // degree 4, given on the boundary
  sumfac::host const backend;                                          // all cores
  sumfac::element_operator<sumfac::laplace, 4> const A{backend, box};  // (grad u, grad v)
  auto const R = V.restriction(backend);
  sumfac::global_operator const L{A, R};                               // a matrix to solvers
  auto b = V.load([&](auto const& x) { return 14 * exact(x); });       // (f, v)
  auto u = V.lift(A, exact, b);                                        // u = exact on the boundary
  std::vector<double> diagonal(b.size());
  L.diagonal(diagonal);
  auto const result = sumfac::cg(L, b, u, sumfac::jacobi{backend, diagonal});
  double const error = V.l2_error(u, exact);
  std::printf("%d unknowns, %s\nL2 error: %.1e\n", int(V.size()), result.report().c_str(), error);
  return error < 1e-5 ? 0 : 1;
}
// [program]
