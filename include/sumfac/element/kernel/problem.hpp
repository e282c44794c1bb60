// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What an operator computes, with the numbers that follow: what kernels, storage and vectors have in common.
#pragma once

#include <sumfac/basis/detail/placed_nodes.hpp>
#include <sumfac/form/form.hpp>
#include <sumfac/math/detail/plain.hpp>
#include <sumfac/math/precision.hpp>

#include <type_traits>

namespace sumfac::SUMFAC_TARGET::detail {

// A form on functions of a space, integrated with a rule, in numbers of a precision; what it is tested against may be
// of another space.
template <class Form, space Space, class Points, class Precision, space Test = Space>
struct problem : function_side<Space, components_of<Form>> {
  using form = Form;
  using points = Points;
  using precision = Precision;
  using trial_side = function_side<Space, components_of<Form>>;
  using test_side = function_side<Test, test_components_of<Form>>;
  using typename trial_side::nodes;
  using vector_number = vector_scalar<Precision>;  // entries of u and v
  using factor_number = factor_scalar<Precision>;  // what is stored of the geometry
  using number = kernel_arithmetic<Precision>;     // what kernels compute in

  static constexpr space trial_space = Space, test_space = Test;
  static constexpr int directions = Space.directions, coordinates = Space.coordinates;
  // Directions in which nodes and points are counted, and whether there are tables along each of them.
  static constexpr int axes = axes_of(Space);
  static constexpr bool is_tensor = detail::is_tensor(Space);
  // Whether numbers of functions and points are known at run time alone: those that follow are then `dynamic`, 0, and
  // `sizes` is what kernels and storage have in their place.
  static constexpr bool at_run_time = Space.shape == cell_shape::tables && Space.functions == dynamic;
  using sizes_type = cell_sizes<at_run_time>;
  static constexpr int points_1d = points::size;
  static constexpr int points_y = node_box(points_1d, axes).y, points_z = node_box(points_1d, axes).z;
  static constexpr int points_of_element = points_1d * points_y * points_z;
  static constexpr int factors_of_point = factors_of<Form, directions>;

  // Whether trial and test functions are the same; the more nodes and components of the two.
  static constexpr bool has_one_side = std::is_same_v<trial_side, test_side>;
  static constexpr int most_nodes_1d = greater(trial_side::nodes_1d, test_side::nodes_1d);
  static constexpr int most_components = greater(trial_side::components, test_side::components);

  // What a point stores.
  template <class T>
  using factors_at_point = factors_at<Form, T, directions>;

  // Whether nodes and points are the same places, so that nothing is interpolated.
  static constexpr bool collocated = [] {
    if constexpr (is_tensor)
      return is_collocated<nodes, points> && has_one_side;
    else
      return false;
  }();
  // What the form has of its trial function, and is tested against.
  static constexpr bool has_slopes = has(Form::trial, gradient), has_fluxes = has(Form::test, gradient);
  static constexpr bool tests_values = has(Form::test, value);
  static constexpr bool differentiates = has_slopes || has_fluxes;
};

}  // namespace sumfac::detail
