// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The assembled matrix, row by row, for solvers that need one.
#include "cube.hpp"

int main()
{
  cube<1> const mesh(2);
  sumfac::host const backend;
  sumfac::element_operator<sumfac::laplace, 1> const A{backend, mesh.nodes()};
  sumfac::restriction const R{backend, mesh.table(), mesh.count};
  sumfac::csr_matrix<> const matrix = sumfac::assemble(A, R);  // first(), columns(), values()
  double trace = 0;
  for (sumfac::index_t row = 0; row < matrix.size(); ++row)
    for (auto at = matrix.first()[row]; at < matrix.first()[row + 1]; ++at)
      if (matrix.columns()[at] == row) trace += matrix.values()[at];
  return compare("the diagonal's sum", trace, 8 * 8 / 6.);     // 8 elements with 8 entries of h / 3
}
