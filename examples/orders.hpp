// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The errors of a solver of some degree on two meshes, one of half the size, and the order that they show.
#pragma once

#include <sumfac/sumfac.hpp>

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <vector>

// The norm of L2 of a global vector, by the mass matrix of its space; `work` is memory for as many entries.
template <class Mass>
double l2_norm(Mass const& mass, sumfac::restriction<> const& all, std::vector<double>& values,
               std::vector<double>& work)
{
  mass.apply(all, sumfac::view(values.data(), all.size()), sumfac::view(work.data(), all.size()));
  double square = 0;
  for (std::size_t i = 0; i < values.size(); ++i) square += values[i] * work[i];
  return std::sqrt(square);
}

// Prints a line of the table for solve(cells); true where the errors fall by degree + 1, but for `slack`.
template <class Solve>
bool show_order(int degree, double slack, Solve const& solve)
{
  double const coarse = solve(2), fine = solve(4), order = std::log2(coarse / fine);
  std::printf("%6d  %10.3e  %10.3e  %5.2f\n", degree, coarse, fine, order);
  return order > degree + 1 - slack;
}
