// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Lines of points of an element whose geometry a kernel recomputes, for each kind of map and each need of a form.
#pragma once

#include <sumfac/config.hpp>
#include <sumfac/form/form.hpp>
#include <sumfac/geometry/affine_map.hpp>
#include <sumfac/geometry/policy.hpp>
#include <sumfac/geometry/trilinear_map.hpp>
#include <sumfac/math/pack.hpp>

#include <type_traits>

namespace sumfac {

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
// and a line has at(t, weight), a point, which apply_form takes.
template <class Policy, geometry_need Need>
struct element_lines;

template <geometry_need Need>
struct element_lines<trilinear, Need> {
  template <class T>
  using map = trilinear_map<T>;

  template <int Direction, class T, class S>
  SUMFAC_INLINE static auto line(map<T> const& x, S p, S r, S weight)
  {
    if constexpr (Need == geometry_need::measure)
      return measure_line<T, Direction>(x, p, r, weight);
    else if constexpr (Need == geometry_need::metric)
      return metric_line<T, Direction>(x, p, r, weight);
    else
      return mapping_line<T, Direction>(x, p, r, weight);
  }
};

template <geometry_need Need>
struct element_lines<affine, Need> {
  template <class T>
  using map = std::conditional_t<Need == geometry_need::measure, affine_measure<T>,
                                 std::conditional_t<Need == geometry_need::metric, affine_metric<T>, affine_map<T>>>;

  template <int Direction, class T, class S>
  SUMFAC_INLINE static auto line(map<T> const& x, S p, S r, S weight)
  {
    if constexpr (Need == geometry_need::map)
      return affine_line<T, Direction>{x, p, r, weight};
    else
      return scaled_line<map<T>>{x, weight};
  }
};

}  // namespace sumfac
