// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What face_operator and interior_operator ask of their arguments at compile time, a diagnostic for each promise that
// is not kept.
#pragma once

#include <sumfac/backend/concepts.hpp>
#include <sumfac/backend/host.hpp>
#include <sumfac/basis/quadrature.hpp>
#include <sumfac/basis/space.hpp>
#include <sumfac/dofs/halo.hpp>
#include <sumfac/form/both_sides.hpp>
#include <sumfac/form/form.hpp>
#include <sumfac/form/inputs.hpp>
#include <sumfac/math/pack.hpp>
#include <sumfac/mesh/face_mapping.hpp>
#include <sumfac/mesh/policy.hpp>
#include <sumfac/operator/detail/operator_arguments.hpp>
#include <sumfac/view/view.hpp>

#include <type_traits>

namespace sumfac::SUMFAC_TARGET::detail {

template <class Form, int Directions>
concept sets_up_on_faces = requires(Form const& f, face_mapping<double, Directions> const& x) {
  { f.setup(x) } -> std::same_as<factors_at<Form, double, Directions>>;
};

// Whether factors<T> are an aggregate of T alone, or cannot be asked for.
template <class Form, int Directions>
inline constexpr bool holds_numbers = [] {
  if constexpr (requires { typename factors_at<Form, double, Directions>; }) {
    using in_double = factors_at<Form, double, Directions>;
    using in_float = factors_at<Form, float, Directions>;
    return std::is_trivially_copyable_v<in_double> && sizeof(in_double) % sizeof(double) == 0 &&
           sizeof(in_float) * 2 == sizeof(in_double);
  }
  return true;
}();

// What both operators on faces ask: of a space, a rule, numbers and a form.
template <class Options>
struct promises_on_faces {
  using form = typename Options::form;
  using points = typename Options::points;
  using numbers = typename Options::numbers;
  static constexpr auto space = Options::space;
  static constexpr int directions = directions_of<space>;
  static_assert(space_like<decltype(space)> && !std::is_same_v<std::remove_cvref_t<decltype(space)>, spaces>,
                "sumfac::face_operator, interior_operator: the space is a number, a degree of hexahedra, or one "
                "sumfac::quadrilateral");
  static_assert(directions == coordinates_of<space>,
                "sumfac::face_operator, interior_operator: faces are those of hexahedra, or of quadrilaterals in the "
                "plane; of an interior_operator those of lines with one coordinate, too");
  static_assert(degree_of<space> >= 1 && degree_of<space> <= 31,
                "sumfac::face_operator, interior_operator: the degree is from 1 to 31");
  static_assert(quadrature_rule<points>, "sumfac::face_operator, interior_operator: Points is no quadrature rule");
  static_assert(points::size > degree_of<space>,
                "sumfac::face_operator, interior_operator: too few points per direction for this degree (points >= "
                "degree + 1)");
  static_assert(std::is_same_v<numbers, double> || std::is_same_v<numbers, float>,
                "sumfac::face_operator, interior_operator: the numbers must be double or float");
  static_assert(names_trial<form> && names_test<form>,
                "sumfac::face_operator, interior_operator: the form must say trial and test (sumfac::value, "
                "sumfac::gradient or both)");
  static_assert(holds_numbers<form, directions>,
                "sumfac::face_operator, interior_operator: the form's factors<T> hold something else than T: store "
                "the rest in the form");
  static_assert(components_of<form> == test_components_of<form>,
                "sumfac::face_operator, interior_operator: the form must be tested against as many components as it "
                "reads");
};

template <class Options>
struct face_promises : promises_on_faces<Options> {
  using typename promises_on_faces<Options>::form, typename promises_on_faces<Options>::numbers;
  using promises_on_faces<Options>::directions;
  static_assert(std::is_same_v<typename Options::geometry, stored> && Options::tuning == Options::recommended &&
                    is_whole<typename Options::halo>,
                "sumfac::face_operator: factors are stored, and there is one way through a face: its options are a "
                "rule of points, a backend, double or float");
  static_assert(directions > 1,
                "sumfac::face_operator: faces are those of hexahedra, or of quadrilaterals in the plane: of lines "
                "take an interior_operator, whose form has what stands for `out` on the boundary");
  static_assert(
      !requires { form::linear; } || requires { typename std::bool_constant<form::linear>; },
      "sumfac::face_operator: the form's linear must be a static constexpr bool: false says that apply is "
      "not linear in u");
  static_assert(sets_up_on_faces<form, directions>,
                "sumfac::face_operator: the form's setup must take a face_mapping<T, Dim> and return its factors: "
                "setup(face_mapping<T, Dim>) const -> factors<T>");
  static_assert(inputs_of<form>::count == 0, "sumfac::face_operator: the form must have no inputs");
  static_assert(form_calls<form, form_number<typename Options::backend, numbers>, directions>::right_apply,
                "sumfac::face_operator: the form's apply must take its factors and a point_values<T, components, Dim>, "
                "return such, and be a template of T");
};

template <class Nodes, int Directions>
constexpr bool are_owner_nodes()
{
  constexpr bool fits = [] {
    if constexpr (is_view<Nodes>)
      return int{Nodes::rank()} == Directions + 2;
    else
      return false;
  }();
  static_assert(fits,
                "sumfac::face_operator: mesh nodes are a sumfac::view of shape (F, m, m, m, 3), or (F, m, m, 2) "
                "of quadrilaterals, as owner_nodes() makes them");
  return fits;
}

// Whether From, and To where it is Global, are contiguous vectors of Scalar, and To may be written to.
template <class Scalar, class From, class To, bool Global = true>
constexpr bool are_global()
{
  constexpr bool entries = is_view_of<From, Scalar> && is_writable_view_of<To, Scalar>;
  static_assert(entries,
                "sumfac::face_operator: vectors must be sumfac::view of the operator's scalar type, and what "
                "is written to not const");
  if constexpr (entries) {
    constexpr bool contiguous = is_vector_view<From> && (is_vector_view<To> || !Global);
    static_assert(contiguous,
                  "sumfac::face_operator: global vectors must be contiguous: views of rank 1 and layout_right");
    return contiguous;
  }
  return false;
}

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

}  // namespace sumfac::detail
