// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The matrix of one element, row by row, to look at or to compare with.
#include "recipe.hpp"

int main()
{
  sumfac::mesh const mesh = sumfac::box_mesh({1, 1, 1});
  sumfac::function_space const V{mesh, 1};
  sumfac::element_operator<sumfac::laplace, 1> const A{sumfac::host{}, mesh};
  std::vector<double> const matrix = A.element_matrix(0);  // 8 x 8
  for (int row = 0; row < 8; ++row, std::puts(""))
    for (int column = 0; column < 8; ++column) std::printf("%8.4f", matrix[8 * row + column]);
  return compare("first entry", matrix[0], 1. / 3) + compare("along an edge", matrix[1], 0);
}
