// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// One file and one cube: sumfac_single.hpp is all that a first program needs.

// [program]
#include "sumfac_single.hpp"

#include <cstdio>

int main()
{
  // The vertices of a cube of side 2, x fastest: (E, z, y, x, coordinate).
  double const vertices[]{0, 0, 0, 2, 0, 0, 0, 2, 0, 2, 2, 0, 0, 0, 2, 2, 0, 2, 0, 2, 2, 2, 2, 2};
  sumfac::view const nodes(vertices, 1, 2, 2, 2, 3);
  sumfac::bp3<2> const A{sumfac::host{}, nodes, {.lambda = 0}};  // (grad u, grad v), functions of degree 2

  double u[27], Au[27], energy = 0;
  for (int i = 0; i < 27; ++i) u[i] = (i % 3) * (i % 3);         // u = x^2 at nodes 0, 1 and 2 along x
  A.apply(sumfac::view(u, 1, 3, 3, 3), sumfac::view(Au, 1, 3, 3, 3));
  for (int i = 0; i < 27; ++i) energy += u[i] * Au[i];
  std::printf("(grad x^2, grad x^2) = %.6f, and 128/3 is right\n", energy);
}
// [program]
