// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Mixed precision: vectors and arithmetic in double, what is stored of the mesh in float, half the bytes of it.
#include "recipe.hpp"

int main()
{
  sumfac::mesh const mesh = sumfac::box_mesh({3, 3, 3});
  sumfac::function_space const V{mesh, 3};
  sumfac::host const backend;
  using mixed = sumfac::precision<double, float, double>;
  sumfac::bp3<3, mixed> const A{backend, mesh, {.lambda = 0}};
  auto const R = V.restriction(backend);
  auto const u = V.values([](auto const& x) { return x[0] * x[0] + x[1]; });
  return compare("(grad u, grad u)", energy(A, R, u), 4. / 3 + 1, 1e-6);
}
