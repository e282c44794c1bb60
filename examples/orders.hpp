// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The errors of a solver of some degree on two meshes, one of half the size, and the order that they show.
#pragma once

#include <cmath>
#include <cstdio>

// Prints a line of the table for solve(cells); true where the errors fall by degree + 1, but for `slack`.
template <class Solve>
bool show_order(int degree, double slack, Solve const& solve)
{
  double const coarse = solve(2), fine = solve(4), order = std::log2(coarse / fine);
  std::printf("%6d  %10.3e  %10.3e  %5.2f\n", degree, coarse, fine, order);
  return order > degree + 1 - slack;
}
