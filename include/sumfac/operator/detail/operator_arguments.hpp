// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Sentences for arguments that an element operator cannot take.
#pragma once

#include <sumfac/backend/host.hpp>
#include <sumfac/form/form.hpp>
#include <sumfac/math/precision.hpp>
#include <sumfac/mesh/policy.hpp>

#include <type_traits>

namespace sumfac::SUMFAC_TARGET {

template <class Scalar, class Backend>
class restriction;

namespace detail {

// What kernels apply a form to: numbers of several elements at once on the host.
template <class Backend, class Scalar>
struct form_number_of {
  using type = kernel_arithmetic<Scalar>;
};
template <class Scalar>
  requires is_precision<Scalar>
struct form_number_of<host, Scalar> {
  using type = pack<kernel_arithmetic<Scalar>, native_width<kernel_arithmetic<Scalar>>>;
};
template <class Backend, class Scalar>
using form_number = typename form_number_of<Backend, Scalar>::type;

// False, of whatever type an argument is.
template <class>
inline constexpr bool never = false;
// Whether what is referred to would end with the line; of types that forwarding references were deduced as.
template <class... Arguments>
concept any_temporary = (!std::is_lvalue_reference_v<Arguments> || ...);

// Operators between elements, which add to the E-vectors of others and have no restriction.
template <class Operator>
concept acts_between_elements =
    requires(Operator const& a, view<typename Operator::scalar_type, dextents<1>> const& d) { a.diagonal_add(d); };

struct anything {
  template <class T>
  anything(T const&);
};

// What the constructor of an operator takes, without templates.
template <class Backend, class Form>
struct operator_constructor {
  static void take(Backend const&, anything);
  static void take(Backend const&, anything, Form const&);
  static void take(Backend const&, anything, Form const&, anything, double = 0);
};

// Mesh nodes, among arguments that are not those.
template <class Backend, class Form, class... Arguments>
concept wrong_operator_arguments = (is_view<Arguments> || ...) && !requires(Arguments const&... all) {
  operator_constructor<Backend, Form>::take(all...);
};

// What wrong arguments are told in place of a list of candidates.
struct refused {};
template <class Backend, class First, class... Others>
refused refuse_arguments()
{
  constexpr bool begins_well = std::is_convertible_v<First const&, Backend const&>;
  static_assert(begins_well,
                "sumfac::element_operator: the first argument must be an object of the operator's "
                "backend, the second the mesh nodes: A{backend, nodes}");
  static_assert(!begins_well,
                "sumfac::element_operator: behind the mesh nodes come a form, as in "
                "A{backend, nodes, sumfac::stiffness{.lambda = 0.1}}, a node set and a tolerance");
  return {};
}

template <class Restriction>
inline constexpr bool is_restriction = false;
template <class Scalar, class Backend>
inline constexpr bool is_restriction<restriction<Scalar, Backend>> = true;

template <class Restriction, class Scalar, class Backend>
inline constexpr bool is_restriction_for =
    std::is_convertible_v<Restriction const&, restriction<Scalar, Backend> const&>;

// Whether an operator or a matrix is linear, with a diagnostic where it says that it is not.
template <class Operator>
constexpr bool must_be_linear()
{
  static_assert(is_linear<Operator>,
                "sumfac::element_operator: the form says `linear = false`: it is applied, but has no diagonal and no "
                "element matrices: give those of a linearization, a form of its own");
  return is_linear<Operator>;
}

// Whether an operator maps functions of a space to those of the same space, with a diagnostic where not.
template <class Operator>
constexpr bool must_be_square()
{
  static_assert(Operator::has_one_space,
                "sumfac::element_operator: the operator is between two spaces: it has no diagonal, and is applied with "
                "a "
                "restriction for each, A.apply(R_test, R_trial, x, y)");
  return Operator::has_one_space;
}

template <class From>
void refuse_to_add()
{
  static_assert(never<From>,
                "sumfac::element_operator: apply_add adds to global vectors, A.apply_add(R, x, y); "
                "E-vectors are written by A.apply(u, v)");
}

template <class Restriction>
void refuse_restriction()
{
  static_assert(is_restriction<Restriction>,
                "sumfac::element_operator: the first of the arguments must be a sumfac::restriction: A.apply(R, x, y), "
                "A.diagonal(R, d)");
  static_assert(!is_restriction<Restriction>,
                "sumfac::element_operator: the restriction must be of the operator's scalar type and backend: "
                "sumfac::restriction<scalar_type, backend_type>");
}

}  // namespace detail

}  // namespace sumfac
