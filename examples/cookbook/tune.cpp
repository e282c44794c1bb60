// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The fastest of several kernels that do the same, chosen on this machine, and what each took.
#include "cube.hpp"

int main()
{
  cube<2> const mesh(4);
  sumfac::host const backend;
  auto const A = sumfac::tune<sumfac::bp1<2>>(backend, mesh.nodes());
  for (sumfac::tune_trial const& trial : A.trials()) std::printf("%s: %.3g us\n", trial.what.c_str(), 1e6 * trial.cost);
  sumfac::restriction const R{backend, mesh.table(), mesh.count};
  return compare("volume", energy(A, R, std::vector<double>(mesh.count, 1)), 1);
}
