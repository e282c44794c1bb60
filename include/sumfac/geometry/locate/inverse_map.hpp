// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The place of the reference element that an element's map takes to a given point, by Newton's method.
#pragma once

#include <sumfac/config.hpp>
#include <sumfac/geometry/locate/mesh_map.hpp>
#include <sumfac/math/small.hpp>

namespace sumfac::inline SUMFAC_TARGET::detail {

// NaN or infinite where a number is that is not finite.
template <int Directions>
double greatest_modulus(vector<double, Directions> const& x)
{
  double greatest = 0;
  for (int d = 0; d < Directions; ++d) {
    double const modulus = x[d] < 0 ? -x[d] : x[d];
    if (modulus - modulus != 0) return modulus;
    if (modulus > greatest) greatest = modulus;
  }
  return greatest;
}

// Newton's method for map(xi) = x, where x is relative to the map's origin, from xi on; a step that brings the image no
// nearer is halved, at most six times, and taken then. Whether it ended within `tolerance` of the element.
//
// A step of less than 1e-9 is the last: the next would be as small as the square of it.
template <int Directions>
bool invert(element_map<Directions> const& map, vector<double, Directions> const& x, double tolerance,
            vector<double, Directions>& xi)
{
  using point = vector<double, Directions>;
  constexpr int most_steps = 40;
  constexpr double far_away = 4;
  auto at = map(xi);
  point missing = x - at.position;
  for (int i = 0; i < most_steps; ++i) {
    point const step = inverse(at.jacobian) * missing;
    double const length = greatest_modulus(step);
    if (!(length < 1e9)) return false;  // a singular Jacobian
    if (length < 1e-9) {
      xi += step;
      return greatest_modulus(xi) <= 1 + tolerance;
    }
    double const before = dot(missing, missing);
    double share = length > 2 ? 2 / length : 1;
    point tried;
    for (int half = 0; half <= 6; ++half, share *= 0.5) {
      tried = xi + step * share;
      at = map(tried);
      missing = x - at.position;
      if (dot(missing, missing) < before) break;
    }
    xi = tried;
    if (!(greatest_modulus(xi) <= far_away)) return false;
  }
  return false;
}

}  // namespace sumfac::detail
