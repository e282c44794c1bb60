// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Nothing is constrained: the load and the solution without their means. - div grad u = pi^2 cos(pi x) + 7 - 7.
#include "recipe.hpp"

int main()
{
  sumfac::mesh const mesh = sumfac::box_mesh({2, 2, 2});
  sumfac::function_space const V{mesh, 6};
  sumfac::host const backend;
  sumfac::bp5<6> const A{backend, mesh};
  sumfac::bp1<6> const M{backend, mesh};
  auto const R = V.restriction(backend);
  double const pi = 3.14159265358979;
  auto const f = V.values([&](auto const& x) { return pi * pi * std::cos(pi * x[0]) + 7; });
  std::vector<double> one(V.size(), 1), m(V.size()), b(V.size()), u(V.size());
  M.apply(R, on(one), on(m));                                          // the integrals of the basis functions
  M.apply(R, on(f), on(b));
  sumfac::vector_ops const ops{backend, V.size()};
  ops.axpy(-ops.dot(on(one), on(b)) / ops.dot(on(one), on(m)), on(m), on(b));  // the load less its mean, 7
  sumfac::global_operator const L{A, R};
  sumfac::null_space const constants{L};
  auto const result = sumfac::cg(L, on(b), on(u), {.tolerance = 1e-12, .null_space = constants});
  ops.axpy(-ops.dot(on(m), on(u)) / ops.dot(on(one), on(m)), on(one), on(u));  // u less its mean over the cube
  std::printf("%s\n", result.report().c_str());
  return compare("u at x = 0", u[0], 1, 1e-6) + !result;
}
