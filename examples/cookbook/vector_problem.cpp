// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A problem of three components, which follow one another at each node of a global vector.
#include "recipe.hpp"

int main()
{
  sumfac::mesh const mesh = sumfac::box_mesh({2, 2, 2});
  sumfac::function_space const V{mesh, 2, {.components = 3}};
  sumfac::host const backend;
  sumfac::element_operator<sumfac::vector_laplace<3>, 2> const A{backend, mesh};
  auto const R = V.restriction(backend);
  auto const u = V.values([](auto const& x) { return x[0] * sumfac::vector<double, 3>{1, 2, 3}; });
  return compare("(grad u, grad u)", energy(A, R, u), 1 + 4 + 9);
}
