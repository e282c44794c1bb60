// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The fastest of several kernels that do the same, chosen on this machine, and what each took.
#include "recipe.hpp"

int main()
{
  sumfac::mesh const mesh = sumfac::box_mesh({4, 4, 4});
  sumfac::function_space const V{mesh, 2};
  sumfac::host const backend;
  auto const A = sumfac::tune<sumfac::bp1<2>>(backend, mesh);
  for (sumfac::tune_trial const& trial : A.trials()) std::printf("%s: %.3g us\n", trial.what.c_str(), 1e6 * trial.cost);
  auto const R = V.restriction(backend);
  return compare("volume", energy(A, R, std::vector<double>(V.size(), 1)), 1);
}
