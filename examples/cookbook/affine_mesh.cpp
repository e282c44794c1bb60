// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A mesh of parallelepipeds stores a Jacobian an element and nothing at its points: fewer bytes, the same numbers.
#include "recipe.hpp"

int main()
{
  sumfac::mesh const mesh = sumfac::box_mesh({3, 3, 3});
  sumfac::function_space const V{mesh, 3};
  sumfac::host const backend;
  sumfac::bp3<3> const stored{backend, mesh, {.lambda = 0}};
  sumfac::bp3<3, sumfac::affine> const A{backend, mesh, {.lambda = 0}};
  auto const R = V.restriction(backend);
  auto const u = V.values([](auto const& x) { return x[0] * x[1] + x[2]; });
  auto const bytes = static_cast<double>(A.work().bytes()), more = static_cast<double>(stored.work().bytes());
  std::printf("bytes of an application: %.0f, and %.0f where factors are stored\n", bytes, more);
  return compare("(grad u, grad u)", energy(A, R, u), 5. / 3) + (3 * bytes > more);
}
