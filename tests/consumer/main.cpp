// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A stranger's program: it includes the library as its build found it and integrates the volume of one hexahedron.
#include <sumfac/sumfac.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

int main()
{
  // A box of 1 x 2 x 3 by its eight vertices, z slowest.
  std::vector<double> vertices;
  for (double z : {0., 3.})
    for (double y : {0., 2.})
      for (double x : {0., 1.}) vertices.insert(vertices.end(), {x, y, z});
  sumfac::view nodes(static_cast<double const*>(vertices.data()), sumfac::dextents<5>(1, 2, 2, 2, 3));

  sumfac::bp1<2> const mass(sumfac::host{}, nodes);
  std::vector<double> ones(27, 1.), result(27);
  mass.apply(sumfac::view(static_cast<double const*>(ones.data()), sumfac::dextents<4>(1, 3, 3, 3)),
             sumfac::view(result.data(), sumfac::dextents<4>(1, 3, 3, 3)));
  double volume = 0;
  for (double v : result) volume += v;

#if defined(_OPENMP)
  char const* const threads = "OpenMP";
#else
  char const* const threads = "no OpenMP";
#endif
  std::printf("sumfac %d.%d.%d, %s: the volume is %.15g\n", SUMFAC_VERSION_MAJOR, SUMFAC_VERSION_MINOR,
              SUMFAC_VERSION_PATCH, threads, volume);
  return std::abs(volume - 6) < 1e-12 ? 0 : 1;
}
