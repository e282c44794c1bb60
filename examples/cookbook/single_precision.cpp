// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// All of an operator in float: twice as many entries in a register, and half the bytes.
#include "cube.hpp"

int main()
{
  cube<4> const mesh(2);
  sumfac::host const backend;
  sumfac::bp1<4, float> const M{backend, mesh.nodes()};
  sumfac::restriction<float> const R{backend, mesh.table(), mesh.count};
  std::vector<float> const one(mesh.count, 1);
  return compare("volume", energy(M, R, one), 1, 1e-5);
}
