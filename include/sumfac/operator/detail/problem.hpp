// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What an operator computes, with the numbers that follow: what kernels, storage and vectors have in common.
#pragma once

#include <sumfac/basis/quadrature.hpp>
#include <sumfac/basis/space.hpp>
#include <sumfac/form/form.hpp>
#include <sumfac/math/precision.hpp>

namespace sumfac::inline SUMFAC_TARGET::detail {

// A form on functions of a space, integrated with a rule, in numbers of a precision.
template <class Form, space Space, class Points, class Precision>
struct problem {
  using form = Form;
  using nodes = gauss_lobatto<Space.degree + 1>;
  using points = Points;
  using vector_number = vector_scalar<Precision>;  // entries of u and v
  using factor_number = factor_scalar<Precision>;  // what is stored of the geometry
  using number = kernel_arithmetic<Precision>;     // what kernels compute in

  static constexpr int nodes_1d = nodes::size, quads_1d = points::size;
  static constexpr int components = components_of<Form>;
  static constexpr int nodes_of_element = nodes_1d * nodes_1d * nodes_1d;
  static constexpr int points_of_element = quads_1d * quads_1d * quads_1d;
  static constexpr int entries_of_element = components * nodes_of_element;
  static constexpr int factors_of_point = factors_of<Form>;

  // Whether nodes and points are the same places, so that nothing is interpolated.
  static constexpr bool collocated = is_collocated<nodes, points>;
  // What the form has of its trial function, and is tested against.
  static constexpr bool has_slopes = has(Form::trial, gradient), has_fluxes = has(Form::test, gradient);
  static constexpr bool tests_values = has(Form::test, value);
  static constexpr bool differentiates = has_slopes || has_fluxes;
};

}  // namespace sumfac::detail
