// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Lines of points of an element whose geometry a kernel recomputes, for each kind of map and each need of a form.
#pragma once

#include <sumfac/form/form.hpp>
#include <sumfac/mesh/maps/affine_map.hpp>
#include <sumfac/mesh/maps/metric_pairs.hpp>
#include <sumfac/mesh/policy.hpp>

#include <type_traits>

namespace sumfac::SUMFAC_TARGET::detail {

// What a form asks of the geometry at a point: its measure, the metric, both, or the mapping itself.
enum class geometry_need { measure, metric, both, map };

template <class Form>
inline constexpr geometry_need need_of = [] {
  constexpr auto all = Form::trial | Form::test;
  return !applies_to_points<Form> ? geometry_need::map
         : !has(all, gradient)    ? geometry_need::measure
         : has(all, value)        ? geometry_need::both
                                  : geometry_need::metric;
}();

// Whether Jacobians are kept over a power of two of their size: where a measure is asked for, what it is made of, and
// the metric with it, has numbers enough where the measure has.
SUMFAC_FUNCTION constexpr bool is_scaled(geometry_need need)
{
  return need == geometry_need::metric || need == geometry_need::map;
}

// The numbers of an element, and the line through them: element_lines<Policy, Need> has
//   map<T>                                        an aggregate of T alone
//   line<Direction, T>(map, p, r, weight)         the line at coordinates p, r in the next two directions, cyclically,
//                                                 where the rule's weights in these have the product `weight`
//   device_line<Direction, T>(map, p, r, weight)  the same line, as kernels of devices make it
//   lines_of_plane<Direction, T, G>(map, places, a)   where it makes_planes: all G lines at place a of the slower of
//                                                 the other directions; operator()(b) is the one at place b
// and a line has at(t, weight), or at(places, i), a point, which apply_form takes.
template <class Policy, geometry_need Need>
struct element_lines;

template <geometry_need Need>
struct element_lines<trilinear, Need> {
  static constexpr bool makes_planes = Need == geometry_need::metric || Need == geometry_need::both;
  template <class T>
  using map =
      std::conditional_t<Need == geometry_need::map, scaled_trilinear_map<T>,
                         std::conditional_t<Need == geometry_need::metric, scaled_jacobian_map<T>, trilinear_map<T>>>;

  template <int Direction, class T, class Scalar>
  SUMFAC_INLINE static auto line(map<T> const& x, Scalar p, Scalar r, Scalar weight)
  {
    if constexpr (Need == geometry_need::measure)
      return measure_line<T, Direction>(x, p, r, weight);
    else if constexpr (Need == geometry_need::both)
      return metric_line<T, Direction>(x, p, r, weight);
    else if constexpr (Need == geometry_need::map)
      return mapping_line<T, Direction>(x.terms, x.scale, p, r, weight);
    else
      return scaled_metric_line<metric_line<T, Direction, T>, T>{{x.terms, p, r, weight, x.scale()}, x.scale()};
  }

  // The same as devices make it: its at(places, i) is point i of the rule.
  template <int Direction, class T, class Scalar>
  SUMFAC_INLINE static auto device_line(map<T> const& x, Scalar p, Scalar r, Scalar weight)
  {
    if constexpr (Need == geometry_need::both)
      return paired_metric_line<T, Direction>(x, p, r, weight);
    else if constexpr (Need == geometry_need::metric)
      return scaled_metric_line<paired_metric_line<T, Direction, T>, T>{{x.terms, p, r, weight, x.scale()}, x.scale()};
    else
      return line<Direction, T>(x, p, r, weight);
  }

  // Kept, so that the making of lines does not stand between their points.
  template <int Direction, class T, int Points1d>
  class lines_of_plane {
    using line_type = metric_line<T, Direction, std::conditional_t<is_scaled(Need), T, own_size>>;

  public:
    template <class Places>
    SUMFAC_INLINE lines_of_plane(map<T> const& x, Places const& places, int a)
    {
      if constexpr (is_scaled(Need)) {
        scale_ = x.scale();
        make(x.terms, places, a, x.scale());
      } else {
        make(x, places, a, own_size{});
      }
    }
    SUMFAC_INLINE decltype(auto) operator()(int b) const
    {
      if constexpr (is_scaled(Need))
        return scaled_metric_line<line_type const&, T const&>{lines_[b], scale_};
      else
        return (lines_[b]);
    }

  private:
    template <class Places, class Size>
    SUMFAC_INLINE void make(trilinear_map<T> const& x, Places const& places, int a, Size const size)
    {
      metric_plane<T, Direction> const plane(x, places.nodes[a]);
      for (int b = 0; b < Points1d; ++b)
        lines_[b] = plane.line(places.nodes[b], places.weights[a] * places.weights[b], size);
    }

    line_type lines_[Points1d];
    SUMFAC_NO_UNIQUE_ADDRESS std::conditional_t<is_scaled(Need), T, own_size> scale_;
  };
};

template <geometry_need Need>
struct element_lines<affine, Need> {
  static constexpr bool makes_planes = Need != geometry_need::map;
  template <class T>
  using map = std::conditional_t<Need == geometry_need::measure, affine_measure<T>,
                                 std::conditional_t<Need == geometry_need::map, affine_map<T>, affine_metric<T>>>;

  template <int Direction, class T, class Scalar>
  SUMFAC_INLINE static auto line(map<T> const& x, Scalar p, Scalar r, Scalar weight)
  {
    if constexpr (Need == geometry_need::map)
      return affine_line<T, Direction>{x, p, r, weight};
    else
      return scaled_line<map<T>>{x, weight};
  }

  template <int Direction, class T, class Scalar>
  SUMFAC_INLINE static auto device_line(map<T> const& x, Scalar p, Scalar r, Scalar weight)
  {
    return line<Direction, T>(x, p, r, weight);
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

}  // namespace sumfac::detail
