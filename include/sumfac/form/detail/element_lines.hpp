// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Lines of points of an element whose geometry a kernel recomputes, for each kind of map and each need of a form.
#pragma once

#include <sumfac/config.hpp>
#include <sumfac/form/form.hpp>
#include <sumfac/geometry/maps/affine_map.hpp>
#include <sumfac/geometry/maps/metric_plane.hpp>
#include <sumfac/geometry/maps/trilinear_map.hpp>
#include <sumfac/geometry/policy.hpp>
#include <sumfac/math/pack.hpp>

#include <type_traits>

namespace sumfac::inline SUMFAC_TARGET {

// What a form asks of the geometry at a point: its measure, the metric too, or the mapping itself.
enum class geometry_need { measure, metric, map };

template <class Form>
inline constexpr geometry_need need_of =
    !applies_to_points<Form>                                  ? geometry_need::map
    : has(Form::trial, gradient) || has(Form::test, gradient) ? geometry_need::metric
                                                              : geometry_need::measure;

// The numbers of an element, and the line through them: element_lines<Policy, Need> has
//   map<T>                                        an aggregate of T alone
//   line<Direction, T>(map, p, r, weight)         the line at coordinates p, r in the next two directions, cyclically,
//                                                 where the rule's weights in these have the product `weight`
//   lines_of_plane<Direction, T, G>(map, places, a)   where it makes_planes: all G lines at place a of the slower of
//                                                 the other directions; operator()(b) is the one at place b
// and a line has at(t, weight), a point, which apply_form takes.
template <class Policy, geometry_need Need>
struct element_lines;

template <geometry_need Need>
struct element_lines<trilinear, Need> {
  static constexpr bool makes_planes = Need == geometry_need::metric;
  template <class T>
  using map = trilinear_map<T>;

  template <int Direction, class T, class Scalar>
  SUMFAC_INLINE static auto line(map<T> const& x, Scalar p, Scalar r, Scalar weight)
  {
    if constexpr (Need == geometry_need::measure)
      return measure_line<T, Direction>(x, p, r, weight);
    else if constexpr (Need == geometry_need::metric)
      return metric_line<T, Direction>(x, p, r, weight);
    else
      return mapping_line<T, Direction>(x, p, r, weight);
  }

  // Kept, so that the making of lines does not stand between their points.
  template <int Direction, class T, int Points1d>
  class lines_of_plane {
  public:
    template <class Places>
    SUMFAC_INLINE lines_of_plane(map<T> const& x, Places const& places, int a)
    {
      metric_plane<T, Direction> const plane(x, places.nodes[a]);
      for (int b = 0; b < Points1d; ++b) lines_[b] = plane.line(places.nodes[b], places.weights[a] * places.weights[b]);
    }
    SUMFAC_INLINE auto const& operator()(int b) const { return lines_[b]; }

  private:
    metric_line<T, Direction> lines_[Points1d];
  };
};

template <geometry_need Need>
struct element_lines<affine, Need> {
  static constexpr bool makes_planes = Need != geometry_need::map;
  template <class T>
  using map = std::conditional_t<Need == geometry_need::measure, affine_measure<T>,
                                 std::conditional_t<Need == geometry_need::metric, affine_metric<T>, affine_map<T>>>;

  template <int Direction, class T, class Scalar>
  SUMFAC_INLINE static auto line(map<T> const& x, Scalar p, Scalar r, Scalar weight)
  {
    if constexpr (Need == geometry_need::map)
      return affine_line<T, Direction>{x, p, r, weight};
    else
      return scaled_line<map<T>>{x, weight};
  }

  // The map in the kernel's own memory, where no other write can change it.
  template <int Direction, class T, int Points1d>
  class lines_of_plane {
  public:
    template <class Places>
    SUMFAC_INLINE lines_of_plane(map<T> const& x, Places const& places, int a) : x_(x)
    {
      for (int b = 0; b < Points1d; ++b) weights_[b] = places.weights[a] * places.weights[b];
    }
    SUMFAC_INLINE scaled_line<map<T> const&> operator()(int b) const { return {x_, weights_[b]}; }

  private:
    map<T> x_;
    scalar_of<T> weights_[Points1d];
  };
};

}  // namespace sumfac
