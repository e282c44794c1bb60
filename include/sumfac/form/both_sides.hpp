// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What a form of two sides is: the physics of one quadrature point of a face between two elements.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/form/form.hpp>
#include <sumfac/form/point_values.hpp>
#include <sumfac/mesh/face_mapping.hpp>

#include <concepts>

namespace sumfac::SUMFAC_TARGET {

// What the two elements of a face have there.
template <class Side>
struct both_sides {
  Side in, out;
};

// A form integrated over faces between elements, each of them once, for an interior_operator:
//   trial, test, components, linear, factors<T>   as other forms have them (form.hpp)
//   setup(both_sides<face_mapping<T, Dim>>)       -> factors<T>
//   apply(factors<T>, in, out)                    -> both_sides<point_values<T, components, Dim>>: what is tested
//                                                 against the functions of either element; in and out are
//                                                 point_values<T, components, Dim> of u
//   exterior(factors<T>, in), where present       -> point_values<T, components, Dim>: what stands for out on the
//                                                 boundary; without it faces there count nothing
// Normals of each side point out of its element, so that x.in.normal() is -x.out.normal().
template <class Form, int Directions = 3>
concept form_of_two_sides = requires(Form const& f, both_sides<face_mapping<double, Directions>> const& x) {
  requires detail::names_trial<Form> && detail::names_test<Form>;
  { f.setup(x) } -> std::same_as<factors_at<Form, double, Directions>>;
};

namespace detail {

// Whether a form says what stands for `out` on the boundary, of u; a tangent, of w and u.
template <class Form, class T, int Dim>
concept has_exterior_state = requires(Form const& f, factors_at<Form, T, Dim> const& at,
                                      point_values<T, components_of<Form>, Dim> const& u) { f.exterior(at, u); };

}  // namespace detail

// u of an element continued beyond the boundary: the same value, and the same gradient in space, as the element's image
// there has it, whose last direction is turned back. What exterior() changes and returns: where u = g on the boundary,
// it replaces the value by 2 g - u.
template <class T, int Components, int Dim>
SUMFAC_INLINE point_values<T, Components, Dim> continued(point_values<T, Components, Dim> u)
{
  SUMFAC_UNROLL
  for (int c = 0; c < Components; ++c) {
    auto& across = u.gradient.entries[c * Dim + Dim - 1];
    across = -across;
  }
  return u;
}

}  // namespace sumfac
