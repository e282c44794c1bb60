// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The assembled matrix, row by row, for solvers that need one.
#include "recipe.hpp"

int main()
{
  sumfac::mesh const mesh = sumfac::box_mesh({2, 2, 2});
  sumfac::function_space const V{mesh, 1};
  sumfac::host const backend;
  sumfac::element_operator<sumfac::laplace, 1> const A{backend, mesh};
  auto const R = V.restriction(backend);
  sumfac::csr_matrix<> const matrix = sumfac::assemble(A, R);  // first(), columns(), values()
  double trace = 0;
  for (sumfac::index_t row = 0; row < matrix.size(); ++row)
    for (auto at = matrix.first()[row]; at < matrix.first()[row + 1]; ++at)
      if (matrix.columns()[at] == row) trace += matrix.values()[at];
  return compare("the diagonal's sum", trace, 8 * 8 / 6.);     // 8 elements with 8 entries of h / 3
}
