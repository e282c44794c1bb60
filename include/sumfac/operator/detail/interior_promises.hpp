// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What an interior_operator asks of its arguments at compile time, a diagnostic for each promise that is not kept.
#pragma once

#include <sumfac/backend/concepts.hpp>
#include <sumfac/basis/quadrature.hpp>
#include <sumfac/basis/space.hpp>
#include <sumfac/dofs/halo.hpp>
#include <sumfac/form/both_sides.hpp>
#include <sumfac/form/form.hpp>
#include <sumfac/form/inputs.hpp>
#include <sumfac/math/pack.hpp>
#include <sumfac/operator/detail/face_promises.hpp>
#include <sumfac/operator/detail/operator_arguments.hpp>
#include <sumfac/view/view.hpp>

#include <type_traits>

namespace sumfac::SUMFAC_TARGET::detail {

// Whether apply takes both sides in numbers T, and of a tangent those of the state behind them.
template <class Form, class T, int Directions>
concept applies_to_sides =
    requires(Form const& f, factors_at<Form, T, Directions> const& at,
             point_values<T, components_of<Form>, Directions> const& u) {
      { f.apply(at, u, u) } -> std::same_as<both_sides<point_values<T, components_of<Form>, Directions>>>;
    } ||
    requires(Form const& f, factors_at<Form, T, Directions> const& at,
             point_values<T, components_of<Form>, Directions> const& u) {
      { f.apply(at, u, u, u, u) } -> std::same_as<both_sides<point_values<T, components_of<Form>, Directions>>>;
    };

template <class Options>
struct interior_promises : promises_on_faces<Options> {
  using typename promises_on_faces<Options>::form, typename promises_on_faces<Options>::numbers;
  using typename promises_on_faces<Options>::points;
  using promises_on_faces<Options>::directions;
  static_assert(is_symmetric_rule<points> && is_symmetric<typename Options::problem::nodes>,
                "sumfac::interior_operator: each node and each point needs its mirror image on an edge, which elements "
                "go through from either end");
  static_assert(std::is_same_v<typename Options::geometry, stored> && Options::tuning == Options::recommended,
                "sumfac::interior_operator: factors are stored, and there is one way through an element: its options "
                "are a rule of points, a backend, double or float, and a halo");
  static_assert(is_whole<typename Options::halo> || halo_of_elements<typename Options::halo>,
                "sumfac::interior_operator: the halo has no number(element) and subset(chosen, each), as "
                "sumfac::mpi::halo has");
  static_assert(form_of_two_sides<form, directions>,
                "sumfac::interior_operator: the form's setup must take what both elements of a face have there and "
                "return its factors: setup(both_sides<face_mapping<T, Dim>>) const -> factors<T>");
  static_assert(applies_to_sides<form, form_number<typename Options::backend, numbers>, directions>,
                "sumfac::interior_operator: the form's apply must take its factors and the point_values<T, components, "
                "Dim> of both sides, return a both_sides of such, and be a template of T");
};

template <class Nodes, int Directions>
constexpr bool are_interior_nodes()
{
  constexpr bool fits = int{Nodes::rank()} == Directions + 2;
  static_assert(fits,
                "sumfac::interior_operator: mesh nodes are a sumfac::view of shape (E, m, m, m, 3), (E, m, m, 2) of "
                "quadrilaterals, or (E, m, 1) of lines");
  return fits;
}

// Whether these are E-vectors of Scalar, the first to be written to, and as many others as the form has functions.
template <class Form, class Scalar, class To, class... From>
constexpr bool are_interior_vectors()
{
  constexpr bool entries = is_writable_view_of<To, Scalar> && (is_view_of<From, Scalar> && ...);
  static_assert(entries,
                "sumfac::interior_operator: u and v must be sumfac::view of the operator's scalar type, and v not "
                "const");
  constexpr bool as_many = sizeof...(From) == 1 + inputs_of<Form>::count;
  static_assert(as_many,
                "sumfac::interior_operator: a tangent is applied at a state, J.apply(u, w, v), any other form to one "
                "vector, F.apply(u, v)");
  return entries && as_many;
}

}  // namespace sumfac::SUMFAC_TARGET::detail
