// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A program that uses a library built on sumfac, and the headers that come with it.
#include <sumfac/config.hpp>

#include <cmath>
#include <cstdio>

double middle_volume(double const* vertices);

int main()
{
  double const cube[24] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0, 0, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1};
  double const volume = middle_volume(cube);
  std::printf("sumfac %d.%d.%d: the volume is %.15g\n", SUMFAC_VERSION_MAJOR, SUMFAC_VERSION_MINOR,
              SUMFAC_VERSION_PATCH, volume);
  return std::abs(volume - 1) < 1e-12 ? 0 : 1;
}
