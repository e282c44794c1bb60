// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A quarter of a ring of curved hexahedra, about the z axis: from the x axis to the y axis.
#pragma once

#include <sumfac/sumfac.hpp>

#include <cmath>
#include <numbers>

// Radii and height of the rectangular section; z is from 0 to it.
struct ring_section {
  double inner = 1, outer = 2, height = 1;
};

// Cut into `along` elements along its length, and `across` times `across` in its section.
inline sumfac::mesh<3> ring(int along, int across, ring_section const& s = {})
{
  return sumfac::box_mesh({along, across, across}, [&](sumfac::vector<double, 3> const& x) {
    double const angle = std::numbers::pi / 2 * x[0], radius = s.outer + (s.inner - s.outer) * x[1];
    return sumfac::vector<double, 3>{radius * std::cos(angle), radius * std::sin(angle), s.height * x[2]};
  });
}
