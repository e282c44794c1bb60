// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The map of a parallelepiped: one Jacobian, or what forms make of it, for all points of an element.
#pragma once

#include <sumfac/mesh/mapping.hpp>
#include <sumfac/mesh/maps/trilinear_map.hpp>

#include <type_traits>

namespace sumfac::SUMFAC_TARGET::detail {

// x = centre + scale J (xi, eta, zeta), where the scale is a power of two.
template <class T>
struct affine_map {
  using value_type = T;
  static constexpr int count = 13;

  matrix<T, 3> jacobian;
  vector<T, 3> centre;
  T scale;

  // The map without its terms of higher degree.
  SUMFAC_FUNCTION static affine_map of(trilinear_map<T> const& x)
  {
    auto const s = scaled_trilinear_map<T>::of(x);
    affine_map a{};
    a.centre = s.terms.term[0];
    a.scale = s.scale;
    for (int c = 0; c < 3; ++c)
      for (int d = 0; d < 3; ++d) a.jacobian(c, d) = s.terms.term[1 << d][c];
    return a;
  }

  SUMFAC_FUNCTION T det() const { return (determinant(jacobian) * scale) * (scale * scale); }
};

// A line of points at coordinates p, r of the next two directions.
template <class T, int Direction>
struct affine_line {
  using scalar = scalar_of<T>;
  static constexpr int along = Direction, next = (Direction + 1) % 3, last = (Direction + 2) % 3;

  struct point {
    affine_line const& line;
    scalar t, weight;

    SUMFAC_INLINE mapping<T> map() const
    {
      auto const& j = line.x.jacobian;
      vector<T, 3> place{};
      SUMFAC_UNROLL
      for (int c = 0; c < 3; ++c)
        place[c] =
            fma(line.x.scale, fma(t, j(c, along), fma(line.p, j(c, next), line.r * j(c, last))), line.x.centre[c]);
      return {j, static_cast<T>(weight * line.weight), place, line.x.scale};
    }
  };

  SUMFAC_INLINE point at(scalar t, scalar weight_at_t) const { return {*this, t, weight_at_t}; }

  affine_map<T> x;  // may come from a temporary
  scalar p, r, weight;
};

// det J, and det J J^-1 J^-T where the form differentiates: up to a point's weight all that measure() and
// metric_times() need.
template <class T>
struct affine_measure {
  using value_type = T;
  static constexpr int count = 1;

  T det;

  SUMFAC_INLINE T measure(auto const& weight) const { return weight * det; }

  SUMFAC_FUNCTION static affine_measure of(trilinear_map<T> const& x) { return {affine_map<T>::of(x).det()}; }
};

template <class T>
struct affine_metric {
  using value_type = T;
  static constexpr int count = 7;

  symmetric<T, 3> metric;
  T det;

  SUMFAC_INLINE T measure(auto const& weight) const { return weight * det; }
  template <class Scalar>
  SUMFAC_INLINE vector<T, 3> metric_times(Scalar const& weight, vector<T, 3> const& g) const
  {
    vector<T, 3> flux{};
    SUMFAC_UNROLL
    for (int a = 0; a < 3; ++a)
      flux[a] = weight * fma(metric(a, 0), g[0], fma(metric(a, 1), g[1], metric(a, 2) * g[2]));
    return flux;
  }

  SUMFAC_FUNCTION static affine_metric of(trilinear_map<T> const& x)
  {
    auto const a = affine_map<T>::of(x);
    return {gram(adjugate(a.jacobian)) * (a.scale / determinant(a.jacobian)), a.det()};
  }
};

// A line of points of which only the weights differ. Map is a map, or a reference to one that outlives the line.
template <class Map>
struct scaled_line {
  using scalar = scalar_of<typename std::remove_reference_t<Map>::value_type>;

  struct point {
    std::remove_reference_t<Map> const& x;
    scalar weight;

    SUMFAC_INLINE auto measure() const { return x.measure(weight); }
    template <class Gradient>
    SUMFAC_INLINE Gradient metric_times(Gradient const& g) const
    {
      return x.metric_times(weight, g);
    }
  };

  SUMFAC_INLINE point at(scalar, scalar weight_at_t) const { return {x, weight_at_t * weight}; }

  Map x;
  scalar weight;
};

}  // namespace sumfac::detail
