// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Jacobi's preconditioner, of the diagonal that the operator makes without a matrix.
#include "recipe.hpp"

int main()
{
  sumfac::mesh const mesh = sumfac::box_mesh({2, 2, 2});
  sumfac::function_space const V{mesh, 5};
  sumfac::host const backend;
  sumfac::bp1<5> const M{backend, mesh};
  auto const R = V.restriction(backend);
  sumfac::global_operator const L{M, R};
  std::vector<double> one(V.size(), 1), b(V.size()), d(V.size()), u(V.size()), v(V.size());
  M.apply(R, on(one), on(b));
  L.diagonal(on(d));
  auto const with = sumfac::cg(L, on(b), on(u), sumfac::jacobi{backend, on(d)}, {.tolerance = 1e-12});
  auto const without = sumfac::cg(L, on(b), on(v), {.tolerance = 1e-12});
  std::printf("with: %s\nwithout: %s\n", with.report().c_str(), without.report().c_str());
  return compare("error", V.l2_error(u, [](auto const&) { return 1; }), 0) + (with.iterations >= without.iterations);
}
