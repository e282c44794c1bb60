// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What weak forms refuse, each with one sentence that names the term.
#include "support/fits.hpp"

#include <sumfac/form/weak.hpp>
#include <sumfac/form/weak_faces.hpp>
#include <sumfac/operator/element_operator.hpp>

using namespace sumfac::weak;

#if defined(SUMFAC_FITS)
#define FITS_OR(right, wrong) right
#else
#define FITS_OR(right, wrong) wrong
#endif

// expect: sumfac::weak: dot(a, b): both must be vectors: numbers are multiplied by *, matrices by inner(a, b)
// errors: 1
namespace dot_of_numbers {
auto const a = integrate(FITS_OR(u * v, dot(u, v)) + dot(grad(u), grad(v)));
}  // namespace dot_of_numbers

// expect: sumfac::weak: a + b: the terms are of different rank: add numbers to numbers, vectors to vectors
// errors: 1
namespace matrix_and_number {
trial_function<3> const w;
test_function<3> const z;
auto const a = integrate(inner(grad(w) + FITS_OR(2 * identity, 2), grad(z)));
}  // namespace matrix_and_number

// expect: sumfac::weak: a - b: the terms are of different rank
// errors: 1
namespace vector_less_number {
auto const a = integrate(dot(grad(u) - FITS_OR(x, 1), grad(v)));
}  // namespace vector_less_number

// expect: sumfac::weak: a * b: one must be a number, or a a matrix and b a vector or a matrix
// errors: 1
namespace vector_times_vector {
auto const a = integrate(FITS_OR(dot(grad(u), grad(v)), grad(u) * grad(v)));
}  // namespace vector_times_vector

// expect: sumfac::weak::integrate: jumps, averages, in(), out() and h are of faces: integrate_faces(...)
// errors: 1
namespace jump_within_elements {
auto const a = integrate(FITS_OR(u, jump(u)) * v);
}  // namespace jump_within_elements

// expect: sumfac::weak::integrate_faces: the integrand has several trial or test functions: it is of one of each
// errors: 1
namespace two_functions_on_faces {
auto const a = integrate_faces(jump(u) * jump(v) + jump(FITS_OR(u, p)) * jump(v), fixed());
}  // namespace two_functions_on_faces

// expect: sumfac::weak::integrate_faces(e, boundary): boundary must be fixed(), or fixed(g) of a g that is a number
// errors: 1
namespace number_fixed_to_a_vector {
auto const a = integrate_faces(jump(u) * jump(v), fixed(FITS_OR(component<0>(x), x)));
}  // namespace number_fixed_to_a_vector

// expect: sumfac::weak: a / b: b must be a number
// errors: 1
namespace over_a_vector {
auto const a = integrate(u * v / FITS_OR(dot(x, x), x));
}  // namespace over_a_vector

// expect: sumfac::weak: inner(a, b): both must be matrices, or both vectors
// errors: 1
namespace inner_of_two_ranks {
trial_function<3> const w;
auto const a = integrate(FITS_OR(inner(grad(w), identity), inner(grad(w), 1)) * v);
}  // namespace inner_of_two_ranks

// expect: sumfac::weak::integrate: the integrand is not linear in v: each of its terms must have v, or grad(v), once
// errors: 1
namespace quadratic_in_v {
auto const a = integrate(u * v * FITS_OR(u, v));
}  // namespace quadratic_in_v

// expect: sumfac::weak::integrate: the integrand is not linear in v: each of its terms must have v, or grad(v), once
// errors: 1
namespace term_without_v {
auto const a = integrate(u * v - FITS_OR(2 * v, 2));
}  // namespace term_without_v

// expect: sumfac::weak::integrate: the integrand is not linear in v: each of its terms must have v, or grad(v), once
// errors: 1
namespace function_of_v {
auto const a = integrate(u * FITS_OR(v, exp(v)));
}  // namespace function_of_v

// expect: sumfac::weak::integrate: the integrand is a vector, a matrix or a condition: it must be a number
// errors: 1
namespace vector_as_integrand {
auto const a = integrate(FITS_OR(component<0>(grad(u)), grad(u)) * v);
}  // namespace vector_as_integrand

// expect: sumfac::weak: grad(f): f must be a trial, a test or a given function
// errors: 1
namespace gradient_of_a_product {
auto const a = integrate(dot(FITS_OR(2 * u * grad(u), grad(u* u)), grad(v)));
}  // namespace gradient_of_a_product

// expect: sumfac::weak: sqrt, exp, log, pow, sin, cos, tanh, abs, min, max and comparisons are of numbers
// errors: 1
namespace function_of_a_vector {
auto const a = integrate(exp(FITS_OR(u, grad(u))) * v);
}  // namespace function_of_a_vector

// expect: sumfac::weak: where(c, a, b): c must be a comparison, as u < 1, and a and b of one rank
// errors: 1
namespace choice_without_condition {
auto const a = integrate(where(FITS_OR(u < 1, u), u, 1) * v);
}  // namespace choice_without_condition

// expect: sumfac::weak: trace(a), transpose(a), sym(a), skew(a), det(a), inv(a): a must be a matrix
// errors: 1
namespace determinant_of_a_number {
auto const a = integrate(FITS_OR(u, det(u)) * v);
}  // namespace determinant_of_a_number

// expect: sumfac::weak: component<i>(a) is of a vector, component<i, j>(a) of a matrix
// errors: 1
namespace component_of_a_number {
auto const a = integrate(component<0>(FITS_OR(grad(u), u)) * v);
}  // namespace component_of_a_number

// expect: sumfac::weak::integrate: the integrand has several trial or test functions: block(a, u, v) is the form
// between errors: 1
namespace two_trial_functions {
auto const a = integrate(u * v + FITS_OR(u, p) * v);
}  // namespace two_trial_functions

// expect: sumfac::weak::integrate: the integrand has several trial or test functions: block(a, u, v) is the form
// between errors: 1
namespace two_test_functions {
auto const a = integrate(u * v + u * FITS_OR(v, q));
}  // namespace two_test_functions

// expect: sumfac::weak::block: the integrand is not bilinear: each of its terms must have one trial function and one
// test errors: 1
namespace block_of_a_load {
auto const a = block(u * v + FITS_OR(p, 2) * q, u, v);
}  // namespace block_of_a_load

// expect: sumfac::weak::block(a, u, v): no term of the integrand has both u and v: this block is 0
// errors: 1
namespace block_that_is_zero {
auto const a = block(u * v + p * q, u, FITS_OR(v, q));
}  // namespace block_that_is_zero

// expect: sumfac::weak::energy: the density has v: a form with v is integrate(a)
// errors: 1
namespace energy_with_v {
auto const a = energy(u * FITS_OR(u, v));
}  // namespace energy_with_v

// expect: sumfac::weak::energy: the density does not depend on u
// errors: 1
namespace energy_without_u {
auto const a = energy(FITS_OR(u, 1) * dot(x, x));
}  // namespace energy_without_u

// expect: sumfac::weak::coefficient: neither a number, a view nor a function of the position
// errors: 1
namespace coefficient_of_text {
auto const a = integrate(coefficient(FITS_OR([](auto const& y) { return y[0]; }, "k")) * u * v);
}  // namespace coefficient_of_text

// Sizes are known with the mesh.
// expect: sumfac::weak: trace(a), div(u), sym(a), skew(a), det(a), inv(a): the matrix is not square
// errors: 2
namespace divergence_of_two_components {
trial_function<FITS_OR(3, 2)> const w;
auto const a = integrate(div(w) * v);
auto const factors = a.setup(sumfac::mapping<double>{{}, 1, {}});
}  // namespace divergence_of_two_components

// expect: sumfac::weak::integrate: what v, or grad(v), is multiplied by is of another size
// errors: 1
namespace vector_of_another_size {
auto const a =
    integrate(u * dot(FITS_OR((sumfac::vector<double, 3>{1, 2, 3}), (sumfac::vector<double, 2>{1, 2})), grad(v)));
auto const factors = a.setup(sumfac::mapping<double>{{}, 1, {}});
}  // namespace vector_of_another_size

// expect: sumfac::weak: dot(a, b), inner(a, b): a and b are of different size
// errors: 1
namespace wind_of_two_components {
auto const a =
    integrate(dot(FITS_OR((sumfac::vector<double, 3>{1, 2, 3}), (sumfac::vector<double, 2>{1, 2})), grad(u)) * v);
auto const factors = a.setup(sumfac::mapping<double>{{}, 1, {}});
}  // namespace wind_of_two_components

// expect: sumfac::weak: on surfaces and curves gradients stand in dot(grad(u), grad(v)), dot(b, grad(u)) and their like
// errors: 1
namespace free_gradient_on_a_surface {
trial_function<3> const w;
test_function<3> const z;
auto const a = integrate(FITS_OR(inner(grad(w), grad(z)), inner(sym(grad(w)), grad(z))));
auto const factors = a.setup(sumfac::mapping<double, 2, 3>{{}, 1, {}});
}  // namespace free_gradient_on_a_surface

// expect: the form has numbers or coefficients that its type does not tell: pass it behind the mesh
// errors: 1
namespace form_left_out {
auto const a = integrate(-u * v);
using form = std::remove_const_t<decltype(a)>;
sumfac::element_operator<form, 1> make(sumfac::view<double const, sumfac::dextents<5>> nodes)
{
#if defined(SUMFAC_FITS)
  return {sumfac::host{}, nodes, a};
#else
  return {sumfac::host{}, nodes};
#endif
}
}  // namespace form_left_out

// expect: sumfac::weak: component<i>(a), component<i, j>(a): a has not as many
// errors: 1
namespace fourth_slope {
auto const a = integrate(component<FITS_OR(2, 3)>(grad(u)) * v);
auto const factors = a.setup(sumfac::mapping<double>{{}, 1, {}});
}  // namespace fourth_slope

// expect: sumfac::weak: curl(u): u must have a component for each coordinate of the mesh
// errors: 1
namespace curl_of_two_components {
trial_function<2> const w;
auto const a = integrate(curl(w) * v);
auto const factors = a.setup(sumfac::mapping<double, FITS_OR(2, 3)>{{}, 1, {}});
}  // namespace curl_of_two_components

// expect: sumfac::weak: a[i]: entries are component<i>(a), of matrices component<i, j>(a)
// errors: 1
namespace entry_by_brackets {
auto const a = integrate(FITS_OR(component<0>(x), x[0]) * u * v);
}  // namespace entry_by_brackets

// expect: sumfac::weak: integrate(a) + integrate(b) is integrate(a + b)
// errors: 1
namespace integrals_added {
auto const a = FITS_OR(integrate(u * v + v), integrate(u* v) + integrate(v));
}  // namespace integrals_added

// expect: sumfac::form: an energy is none: operators are of residual<Energy> and of tangent<residual<Energy>>
// errors: 2
namespace operator_of_an_energy {
auto const a = energy(u * u);
using energy_type = std::remove_const_t<decltype(a)>;
sumfac::element_operator<FITS_OR(sumfac::residual<energy_type>, energy_type), 1>* A = nullptr;
constexpr auto size = sizeof(*A);
}  // namespace operator_of_an_energy

// expect: sumfac::weak: a function of the position, or a view, is a factor as coefficient(f)
// errors: 1
namespace bare_function {
auto const f = [](auto const& x) { return x[0]; };
auto const a = integrate(FITS_OR(coefficient(f) * v, f* v));
}  // namespace bare_function
