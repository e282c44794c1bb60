// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The area of a sphere, by an operator on quadrilaterals in space: the six sides of a cube, blown up.
#include "recipe.hpp"

int main()
{
  constexpr int m = 13;
  auto const& at = sumfac::gauss_lobatto<m>::nodes;
  std::vector<double> places;                                                    // (F, m, m, 3)
  for (int side = 0; side < 6; ++side)
    for (int node = 0; node < m * m; ++node) {
      double x[3];
      x[side % 3] = side < 3 ? 1 : -1;
      x[(side + 1) % 3] = double(at[node % m]), x[(side + 2) % 3] = double(at[node / m]);
      double const length = std::hypot(x[0], x[1], x[2]);
      for (double const coordinate : x) places.push_back(coordinate / length);
    }
  sumfac::element_operator<sumfac::mass, sumfac::surface(2), sumfac::gauss<14>> const M{
      sumfac::host{}, sumfac::view(places.data(), 6, m, m, 3), {}, sumfac::gauss_lobatto_nodes{}};
  std::vector<double> one(6 * 9, 1), v(6 * 9);
  M.apply(sumfac::view(one.data(), 6, 3, 3), sumfac::view(v.data(), 6, 3, 3));
  double area = 0;
  for (double const x : v) area += x;
  return compare("area", area, 4 * std::acos(-1.), 1e-6);
}
