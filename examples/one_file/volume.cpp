// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A second source of the program that includes sumfac_single.hpp, so that both are linked; it prints before main.
#include "sumfac_single.hpp"

#include <cstdio>

namespace {

int print_volume()
{
  double const vertices[]{0, 0, 0, 2, 0, 0, 0, 2, 0, 2, 2, 0, 0, 0, 2, 2, 0, 2, 0, 2, 2, 2, 2, 2};
  sumfac::bp3<2> const A{sumfac::host{}, sumfac::view(vertices, 1, 2, 2, 2, 3), {.lambda = 1}};
  double ones[27], products[27], volume = 0;
  for (double& x : ones) x = 1;
  A.apply(sumfac::view(ones, 1, 3, 3, 3), sumfac::view(products, 1, 3, 3, 3));
  for (double const x : products) volume += x;
  return std::printf("volume = %.6f, and 8 is right\n", volume);
}

int const printed = print_volume();

}  // namespace
