// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What bounds an application and what would help, on a machine whose roofs are given: else they are measured, once.
#include "recipe.hpp"

#include <sumfac/tools/explain.hpp>

#include <iostream>

int main()
{
  sumfac::mesh const mesh = sumfac::box_mesh({4, 4, 4});
  sumfac::function_space const V{mesh, 3};
  sumfac::host const backend;
  sumfac::bp3<3> const A{backend, mesh, {.lambda = 0.5}};
  auto const R = V.restriction(backend);
  sumfac::explanation const why = sumfac::explain(A, R, {.roofs = {.copy = 20e9, .f64 = 50e9}});
  std::cout << why;
  for (sumfac::advice const& a : why.what_helps) std::printf("%.2f times as fast: %s\n", a.gain, a.text.c_str());
  return compare("bytes of factors", static_cast<double>(why.bytes.factors), 64 * 125 * 7 * 8);
}
