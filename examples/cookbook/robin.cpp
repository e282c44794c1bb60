// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Robin's condition du/dn + u = 3 on the whole boundary of - div grad u = 0: u is 3.
#include "recipe.hpp"

int main()
{
  sumfac::mesh const mesh = sumfac::box_mesh({2, 2, 2});
  sumfac::function_space const V{mesh, 3};
  sumfac::host const backend;
  auto const S = V.on(mesh.boundary());  // the same functions on the boundary's sides
  sumfac::element_operator<sumfac::laplace, 3> const K{backend, mesh};
  sumfac::element_operator<sumfac::mass, sumfac::surface(3)> const B{backend, S.mesh()};
  auto const R = V.restriction(backend), R_faces = S.restriction(backend);
  std::vector<double> three(V.size(), 3), b(V.size()), u(V.size());
  B.apply_add(R_faces, on(three), on(b));
  sumfac::cg(sumfac::sum{sumfac::part{K, R}, sumfac::part{B, R_faces}}, on(b), on(u), {.tolerance = 1e-13});
  return compare("error", V.l2_error(u, [](auto const&) { return 3; }), 0);
}
