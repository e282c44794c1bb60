// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Values at points of space: the points are located in the mesh, and a global vector is evaluated there.
#include "recipe.hpp"

int main()
{
  sumfac::mesh const mesh = sumfac::box_mesh({3, 3, 3});
  sumfac::function_space const V{mesh, 2};
  sumfac::host const backend;
  auto const R = V.restriction(backend);
  auto const u = V.values([](auto const& x) { return x[0] * x[0] + x[1] * x[2]; });
  std::vector<double> const places{0.1, 0.5, 0.9, 0.7, 0.2, 0.3};                // (P, 3)
  sumfac::locator const search{backend, mesh};
  auto const found = search.locate(sumfac::view(places.data(), 2, 3));
  sumfac::evaluator<2> const at_points{R, found};
  std::vector<double> values(2);
  at_points.values(on(u), on(values));
  return compare("first", values[0], 0.46) + compare("second", values[1], 0.55);
}
