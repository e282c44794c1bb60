// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A contraction of Intrepid: products of the fields 1 and x by their values at two Gauss points, in one cell.
#include "recipe.hpp"

int main()
{
  double const a = 0.5 - std::sqrt(1 / 12.), b = 0.5 + std::sqrt(1 / 12.);  // Gauss points of [0, 1], weights 1/2
  std::vector<double> const fields{1, 1, a, b}, weighted{0.5, 0.5, a / 2, b / 2};  // (C, F, P)
  std::vector<double> products(4);                                                 // (C, L, R)
  sumfac::intrepid::contractFieldFieldScalar(
      sumfac::host{}, sumfac::view(products.data(), 1, 2, 2), sumfac::view(fields.data(), 1, 2, 2),
      sumfac::view(weighted.data(), 1, 2, 2));
  return compare("(1, x)", products[1], 0.5) + compare("(x, x)", products[3], 1. / 3);
}
