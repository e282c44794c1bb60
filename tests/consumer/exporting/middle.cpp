// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A library that computes with sumfac behind a function of its own.
#include <sumfac/sumfac.hpp>

double middle_volume(double const* vertices)
{
  sumfac::view const nodes(vertices, 1, 2, 2, 2, 3);
  double u[8] = {1, 1, 1, 1, 1, 1, 1, 1}, v[8] = {}, volume = 0;
  sumfac::bp1<1>{sumfac::host(1), nodes}.apply(sumfac::view(u, 1, 2, 2, 2), sumfac::view(v, 1, 2, 2, 2));
  for (double x : v) volume += x;
  return volume;
}
