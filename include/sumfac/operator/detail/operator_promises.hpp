// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What the arguments of element_operator's template must be, a sentence for each.
#pragma once

#include <sumfac/basis/quadrature.hpp>
#include <sumfac/basis/space.hpp>
#include <sumfac/form/form.hpp>
#include <sumfac/math/precision.hpp>
#include <sumfac/mesh/policy.hpp>
#include <sumfac/operator/detail/operator_arguments.hpp>

#include <type_traits>

namespace sumfac::SUMFAC_TARGET::detail {

// A base of the operator: to clang++ a class whose base breaks a promise has no members, so that nothing else is said.
template <class Form, auto Space, class Points, class Backend, class Scalar, class Geometry>
struct operator_promises {
  static_assert(space_like<decltype(Space)>,
                "sumfac::element_operator: Space is no space: write a degree, as 3, or a sumfac::space");
  static_assert(directions_of<Space> >= 1 && directions_of<Space> <= 3 &&
                    coordinates_of<Space> >= directions_of<Space> && coordinates_of<Space> <= 3,
                "sumfac::element_operator: Space has no element of lines, quadrilaterals or hexahedra in at most 3 "
                "coordinates: write a degree, or sumfac::quadrilateral, line, surface or curve");
  static_assert(check_form<Form, form_number<Backend, Scalar>, directions_of<Space>, coordinates_of<Space>>(),
                "sumfac::element_operator: Form is no form, for the reasons that are given as sumfac::form");
  static_assert(degree_of<Space> >= 1, "sumfac::element_operator: the degree is less than 1");
  static_assert(degree_of<Space> <= 31,
                "sumfac::element_operator: the degree is greater than 31, the most with a rule of 32 nodes");
  static_assert(quadrature_rule<Points>,
                "sumfac::element_operator: Points is no quadrature rule: it needs size, nodes and "
                "weights, as sumfac::gauss<degree + 2> has");
  static_assert(is_precision<Scalar>,
                "sumfac::element_operator: Scalar must be double or float, or a sumfac::precision of them");
  static_assert(geometry_policy<Geometry>,
                "sumfac::element_operator: the geometry policy must be sumfac::stored, affine, trilinear, "
                "isoparametric<M> with M = 0 or from 2 to 16, or split");
  static_assert(std::is_class_v<Backend> && !geometry_policy<Backend>,
                "sumfac::element_operator: Backend must be sumfac::host, checked, cuda or hip; behind it come Scalar "
                "and Geometry, as in sumfac::bp1<2, sumfac::host, double, sumfac::trilinear>");
  static_assert(backend_is_right<Backend>,
                "sumfac::element_operator: Backend is no backend, for the reasons that are given as sumfac::backend");

  static_assert(directions_of<Space> == test_space_of<Space>.directions &&
                    coordinates_of<Space> == test_space_of<Space>.coordinates,
                "sumfac::element_operator: the spaces of trial and test functions are of different elements: give both "
                "the same directions and coordinates");
  static_assert(test_space_of<Space>.degree == degree_of<Space> ||
                    (test_space_of<Space>.degree >= 1 && test_space_of<Space>.degree <= 31),
                "sumfac::element_operator: the degree of the test functions is not from 1 to 31");
  static_assert(Points::size > test_space_of<Space>.degree || Points::size <= degree_of<Space>,
                "sumfac::element_operator: too few points per direction for the degree of the test functions (points "
                ">= degree + 1): name a rule, as sumfac::gauss<degree + 2>");
};

}  // namespace sumfac::detail
