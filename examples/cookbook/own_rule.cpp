// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A quadrature rule of one's own: Simpson's, at the nodes of degree 2.
#include "recipe.hpp"

#include <array>

struct simpson {
  static constexpr int size = 3;
  static constexpr std::array<long double, size> nodes{-1, 0, 1}, weights{1 / 3.0L, 4 / 3.0L, 1 / 3.0L};
};

int main()
{
  sumfac::mesh const mesh = sumfac::box_mesh({1, 1, 1});
  sumfac::function_space const V{mesh, 2};
  sumfac::host const backend;
  sumfac::element_operator<sumfac::mass, 2, simpson> const M{backend, mesh};
  auto const R = V.restriction(backend);
  auto const u = V.values([](auto const& x) { return x[0]; });
  return compare("(x, x)", energy(M, R, u), 1. / 3);
}
