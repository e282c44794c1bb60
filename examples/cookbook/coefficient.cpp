// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A coefficient by material: a form reads a number for each element.
#include "recipe.hpp"

int main()
{
  sumfac::mesh const mesh = sumfac::box_mesh({2, 2, 2});
  sumfac::function_space const V{mesh, 2};
  std::vector<double> const k{1, 5, 1, 5, 1, 5, 1, 5};  // of 8 elements: 1 where x < 1/2, 5 behind
  sumfac::host const backend;
  auto const form = sumfac::weak::diffusion(on(k));     // (k grad u, grad v)
  sumfac::element_operator<decltype(form), 2> const A{backend, mesh, form};
  auto const u = V.values([](auto const& x) { return x[0]; });
  return compare("(k grad x, grad x)", energy(A, V.restriction(backend), u), 3);
}
