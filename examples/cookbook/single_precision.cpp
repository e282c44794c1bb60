// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// All of an operator in float: twice as many entries in a register, and half the bytes.
#include "recipe.hpp"

int main()
{
  sumfac::mesh const mesh = sumfac::box_mesh({2, 2, 2});
  sumfac::function_space const V{mesh, 4};
  sumfac::host const backend;
  sumfac::bp1<4, float> const M{backend, mesh};
  auto const R = V.restriction<float>(backend);
  std::vector<float> const one(V.size(), 1);
  return compare("volume", energy(M, R, one), 1, 1e-5);
}
