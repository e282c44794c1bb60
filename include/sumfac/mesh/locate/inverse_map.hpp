// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The place of the reference element that an element's map takes to a given point, by Newton's method.
#pragma once

#include <sumfac/config.hpp>
#include <sumfac/math/small.hpp>
#include <sumfac/mesh/locate/mesh_map.hpp>

namespace sumfac::SUMFAC_TARGET::detail {

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

template <int Directions>
vector<double, Directions> moduli(vector<double, Directions> x)
{
  for (int d = 0; d < Directions; ++d) x[d] = x[d] < 0 ? -x[d] : x[d];
  return x;
}

// How far beyond its element a point may be that counts as in it, in reference coordinates.
inline constexpr double most_beyond = 0.01;

// How much each reference coordinate may be wrong by where coordinates may be by `rounding`.
template <int Directions>
vector<double, Directions> slack_of(matrix<double, Directions> const& inverse,
                                    vector<double, Directions> const& rounding)
{
  vector<double, Directions> slack{};
  for (int d = 0; d < Directions; ++d)
    for (int c = 0; c < Directions; ++c) slack[d] += (inverse(d, c) < 0 ? -inverse(d, c) : inverse(d, c)) * rounding[c];
  return slack;
}

// Whether x[d] is at most tolerance + slack[d] for all d, and no more than most_beyond.
template <int Size>
bool is_within(vector<double, Size> const& x, double tolerance, vector<double, Size> const& slack)
{
  for (int d = 0; d < Size; ++d) {
    double const more = tolerance + slack[d];
    if (!(x[d] <= (more < most_beyond ? more : most_beyond))) return false;
  }
  return true;
}

// Newton's method for map(xi) = x, where x and `rounding`, of its coordinates, are as the map has points, from xi on; a
// step that brings the image no nearer is halved, at most six times, and taken then. Whether it ended within
// `tolerance` of the element, or beyond it by what rounding does.
//
// A place that is far in one direction stays near in the others: an element that is bent by more than it is thick sends
// the first steps far across itself. A step of less than 1e-9, or than what rounding does, is the last: the next would
// be as small as the square of it.
template <class Map>
bool invert(Map const& map, typename Map::point const& x, typename Map::point const& rounding, double tolerance,
            typename Map::place& xi)
{
  using point = typename Map::point;
  using element = typename Map::element;
  constexpr int most_steps = 40;
  auto at = map(xi);
  point missing = x - at.position;
  for (int i = 0; i < most_steps; ++i) {
    auto const inverted = inverse(at.jacobian);
    point const step = inverted * missing;
    double const length = greatest_modulus(step);
    if (!(length < 1e15)) return false;  // a singular Jacobian
    if (length < 1e-9 || (length <= most_beyond && is_within(moduli(step), 1e-9, slack_of(inverted, rounding)))) {
      xi += step;
      point const slack = slack_of(inverted, rounding);
      return element::most_beyond(xi) <= tolerance ||
             is_within(element::beyond(xi), tolerance, element::slack_of_bounds(slack));
    }
    double const before = dot(missing, missing);
    double share = 1;
    point tried;
    for (int half = 0; half <= 6; ++half, share *= 0.5) {
      tried = element::not_far(xi + step * share);
      at = map(tried);
      missing = x - at.position;
      if (dot(missing, missing) < before) break;
    }
    if (greatest_modulus(tried - xi) == 0) return false;  // it would go further away
    xi = tried;
  }
  return false;
}

}  // namespace sumfac::detail
