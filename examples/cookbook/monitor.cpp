// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Conjugate gradients that tell of each iteration: the last residual told is that of the result.
#include "recipe.hpp"

int main()
{
  sumfac::mesh const mesh = sumfac::box_mesh({2, 2, 2});
  sumfac::function_space const V{mesh, 3};
  sumfac::host const backend;
  sumfac::bp1<3> const M{backend, mesh};
  auto const R = V.restriction(backend);
  std::vector<double> one(V.size(), 1), b(V.size()), u(V.size());
  M.apply(R, on(one), on(b));
  double last = 0;
  auto const tell = [&](sumfac::index_t iteration, double residual) {
    std::printf("%3d  %.2e\n", static_cast<int>(iteration), residual);
    last = residual;
  };
  auto const result = sumfac::cg(sumfac::global_operator{M, R}, on(b), on(u), sumfac::no_preconditioner{},
                                 {.tolerance = 1e-12}, tell);
  auto const right = [](auto const&) { return 1; };
  return compare("error", V.l2_error(u, right), 0) + compare("residual", last, result.residual, 0);
}
