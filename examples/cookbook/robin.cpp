// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Robin's condition du/dn + u = 3 on the whole boundary of - div grad u = 0: u is 3.
#include "cube.hpp"

int main()
{
  cube<3> const mesh(2);
  sumfac::host const backend;
  auto const faces = sumfac::boundary_faces(mesh.table(), mesh.count, mesh.nodes());
  auto const numbers = sumfac::face_table(mesh.table(), faces);  // (F, 4, 4)
  auto const places = sumfac::face_nodes(mesh.nodes(), faces);   // (F, 2, 2, 3)
  int const count = static_cast<int>(faces.size());
  sumfac::element_operator<sumfac::laplace, 3> const K{backend, mesh.nodes()};
  sumfac::element_operator<sumfac::mass, sumfac::surface(3)> const B{
      backend, sumfac::view(places.data(), count, 2, 2, 3)};
  sumfac::restriction const R{backend, mesh.table(), mesh.count};
  sumfac::restriction const R_faces{backend, sumfac::view(numbers.data(), count, 4, 4), mesh.count};
  std::vector<double> three(mesh.count, 3), b(mesh.count), u(mesh.count);
  B.apply_add(R_faces, on(three), on(b));
  sumfac::cg(sumfac::sum{sumfac::part{K, R}, sumfac::part{B, R_faces}}, on(b), on(u), {.tolerance = 1e-13});
  return compare("u in the middle", mesh.middle(u), 3);
}
