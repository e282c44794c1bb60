// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Values given on the boundary, of - div grad u = 0: they are lifted, what they contribute goes to the right side.
#include "recipe.hpp"

int main()
{
  sumfac::mesh const mesh = sumfac::box_mesh({2, 2, 2});
  sumfac::function_space const V{mesh, 2, mesh.boundary()};
  sumfac::host const backend;
  sumfac::element_operator<sumfac::laplace, 2> const A{backend, mesh};
  auto const R = V.restriction(backend);
  auto const given = [](auto const& x) { return x[0] * x[1] * x[2]; };
  std::vector<double> b(V.size());
  auto u = V.lift(A, given, b);  // as given on the boundary; b loses what that contributes
  sumfac::cg(sumfac::global_operator{A, R}, b, u, {.tolerance = 1e-13});
  return compare("error", V.l2_error(u, given), 0);
}
