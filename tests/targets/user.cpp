// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Applies an operator that another source made: links where both are compiled for one target.
#include <sumfac/operator/bake_off.hpp>

#include <cmath>

sumfac::bp1<1>* make_operator(double const* nodes);

int main()
{
  double const nodes[24] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0, 0, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1};
  double const u[8] = {1, 1, 1, 1, 1, 1, 1, 1};
  double v[8], volume = 0;
  sumfac::bp1<1>* const a = make_operator(nodes);
  a->apply(sumfac::view(u, 1, 2, 2, 2), sumfac::view(v, 1, 2, 2, 2));
  for (double const x : v) volume += x;
  delete a;
  return std::fabs(volume - 1) < 1e-12 ? 0 : 1;
}
