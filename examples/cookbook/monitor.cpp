// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Conjugate gradients that tell of each iteration: the last residual told is that of the result.
#include "cube.hpp"

int main()
{
  cube<3> const mesh(2);
  sumfac::host const backend;
  sumfac::bp1<3> const M{backend, mesh.nodes()};
  sumfac::restriction const R{backend, mesh.table(), mesh.count};
  std::vector<double> one(mesh.count, 1), b(mesh.count), u(mesh.count);
  M.apply(R, on(one), on(b));
  double last = 0;
  auto const tell = [&](sumfac::index_t iteration, double residual) {
    std::printf("%3d  %.2e\n", static_cast<int>(iteration), residual);
    last = residual;
  };
  auto const result = sumfac::cg(sumfac::global_operator{M, R}, on(b), on(u), sumfac::no_preconditioner{},
                                 {.tolerance = 1e-12}, tell);
  return compare("u in the middle", mesh.middle(u), 1) + compare("residual", last, result.residual, 0);
}
