// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A square in quadrilaterals that are bent.
#pragma once

#include <sumfac/sumfac.hpp>

#include <cmath>

// The square [-1, 1]^2, bent within.
inline sumfac::mesh<2> bent_square(int cells, int order)
{
  constexpr double pi = 3.14159265358979323846;
  auto const place = [](sumfac::vector<double, 2> const& x) {
    double const bend = 0.06 * std::sin(2 * pi * x[0]) * std::sin(2 * pi * x[1]);
    return sumfac::vector<double, 2>{2 * (x[0] + bend) - 1, 2 * (x[1] - bend) - 1};
  };
  return sumfac::box_mesh({cells, cells}, place, order);
}
