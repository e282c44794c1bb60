// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Trilinear maps over a power of two of their element's size, whose products are numbers for elements of any size.
#pragma once

#include <sumfac/config.hpp>
#include <sumfac/math/detail/power_of_two.hpp>
#include <sumfac/math/pack.hpp>
#include <sumfac/math/small.hpp>
#include <sumfac/mesh/maps/trilinear_map.hpp>

#include <type_traits>

namespace sumfac::SUMFAC_TARGET::detail {

// The power of two below the largest entry of the terms that make the Jacobian.
template <class T>
SUMFAC_FUNCTION T scale_of_terms(trilinear_map<T> const& x)
{
  T numbers[21];
  for (int i = 0; i < 21; ++i) numbers[i] = x.term[1 + i / 3][i % 3];
  return scale_of(numbers, 21);
}

// The terms of a map over a scale, but for the constant one.
template <class T>
struct scaled_trilinear_map {
  using value_type = T;
  static constexpr int count = 25;

  trilinear_map<T> terms;
  T scale;

  SUMFAC_FUNCTION static scaled_trilinear_map of(trilinear_map<T> const& x)
  {
    scaled_trilinear_map s{x, scale_of_terms(x)};
    for (int b = 1; b < 8; ++b) s.terms.term[b] *= static_cast<T>(1) / s.scale;
    return s;
  }
};

// The same where no places are asked for: the scale stands in the place of the constant term.
template <class T>
struct scaled_jacobian_map {
  using value_type = T;
  static constexpr int count = 24;

  trilinear_map<T> terms;

  SUMFAC_INLINE T const& scale() const { return terms.term[0][0]; }

  SUMFAC_FUNCTION static scaled_jacobian_map of(trilinear_map<T> const& x)
  {
    auto const scaled = scaled_trilinear_map<T>::of(x);
    scaled_jacobian_map m{scaled.terms};
    m.terms.term[0] = {scaled.scale, {}, {}};
    return m;
  }
};

// A line of a map over a scale, whose points have the measure of the element. Line is a metric_line or a reference to
// one that outlives this, Scale is a T likewise.
template <class Line, class Scale>
struct scaled_metric_line {
  using scalar = typename std::remove_reference_t<Line>::scalar;

  struct point {
    typename std::remove_reference_t<Line>::point x;
    std::remove_reference_t<Scale> const& scale;

    SUMFAC_INLINE auto measure() const { return (x.measure() * scale) * (scale * scale); }
    template <class Gradient>
    SUMFAC_INLINE Gradient metric_times(Gradient const& g) const
    {
      return x.metric_times(g);
    }
  };

  SUMFAC_INLINE point at(scalar t, scalar weight) const { return {line.at(t, weight), scale}; }
  template <class Places>
  SUMFAC_INLINE point at(Places const& places, int i) const
    requires(requires(Line const& x) { x.at(places, i); })
  {
    return {line.at(places, i), scale};
  }

  Line line;
  Scale scale;
};

}  // namespace sumfac::detail
