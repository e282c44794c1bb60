// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Weak forms as they are written: integrate(k * dot(grad(u), grad(v)) + c * u * v) is a form.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/form/tangent.hpp>
#include <sumfac/form/weak/evaluate.hpp>
#include <sumfac/form/weak/expression.hpp>
#include <sumfac/form/weak/functions.hpp>
#include <sumfac/form/weak/integral.hpp>
#include <sumfac/form/weak/operations.hpp>
#include <sumfac/form/weak/summands.hpp>

#include <type_traits>

namespace sumfac::SUMFAC_TARGET::weak {

namespace detail {

// Components of a function; 0 of all else.
template <class Function>
inline constexpr int components_in = 0;
template <class Function>
  requires is_function<Function>
inline constexpr int components_in<Function> = Function::components;

template <class Operand, class Other>
constexpr auto product(Operand const& a, Other const& b)
{
  constexpr int left = as_expression_t<Operand>::rank, right = as_expression_t<Other>::rank;
  if constexpr (left == 2 && right == 1)
    return made<matrix_vector>(a, b);
  else if constexpr (left == 2 && right == 2)
    return made<matrix_matrix>(a, b);
  else if constexpr (left != 0 && right == 0)
    return made<scaling>(b, a);
  else
    return made<scaling>(a, b);
}

}  // namespace detail

template <class Operand, class Other>
  requires detail::operands<Operand, Other>
constexpr auto operator+(Operand const& a, Other const& b)
{
  return detail::made<detail::sum>(a, b);
}
template <class Operand, class Other>
  requires detail::operands<Operand, Other>
constexpr auto operator-(Operand const& a, Other const& b)
{
  return detail::made<detail::difference>(a, b);
}
constexpr auto operator-(expression auto const& a) { return detail::made<detail::negation>(a); }
template <class Operand, class Other>
  requires detail::operands<Operand, Other>
constexpr auto operator*(Operand const& a, Other const& b)
{
  return detail::product(a, b);
}
template <class Operand, class Other>
  requires detail::operands<Operand, Other>
constexpr auto operator/(Operand const& a, Other const& b)
{
  return detail::made<detail::division>(a, b);
}

// The gradient in the mesh: of u, v or a given function; of several components the matrix (component, coordinate).
template <expression Function>
constexpr auto grad(Function const& f)
{
  static_assert(detail::is_function<Function>, "sumfac::weak: grad(f): f must be a trial, a test or a given function");
  if constexpr (detail::is_function<Function>)
    return detail::make<detail::gradient_of>(f);
  else
    return detail::refused{};
}
// Of a function with a component for each coordinate; of one of two or three components.
constexpr auto div(expression auto const& f) { return detail::made<detail::trace_of_matrix>(grad(f)); }
template <expression Function>
constexpr auto curl(Function const& f)
{
  using namespace detail;
  if constexpr (components_in<Function> == 2)
    return make<difference>(make<entry<1, 0, 2>>(grad(f)), make<entry<0, 1>>(grad(f)));
  else
    return made<curl_of_gradient>(grad(f));
}

// Products of vectors, and of matrices; a b^T.
template <class Operand, class Other>
  requires detail::operands<Operand, Other>
constexpr auto dot(Operand const& a, Other const& b)
{
  return detail::made<detail::dot_product>(a, b);
}
template <class Operand, class Other>
  requires detail::operands<Operand, Other>
constexpr auto inner(Operand const& a, Other const& b)
{
  if constexpr (detail::as_expression_t<Operand>::rank == 1)
    return detail::made<detail::dot_product>(a, b);
  else
    return detail::made<detail::inner_product>(a, b);
}
template <class Operand, class Other>
  requires detail::operands<Operand, Other>
constexpr auto cross(Operand const& a, Other const& b)
{
  return detail::made<detail::cross_product>(a, b);
}
template <class Operand, class Other>
  requires detail::operands<Operand, Other>
constexpr auto outer(Operand const& a, Other const& b)
{
  return detail::made<detail::outer_product>(a, b);
}

// Of matrices.
constexpr auto transpose(expression auto const& a) { return detail::made<detail::transposition>(a); }
constexpr auto sym(expression auto const& a) { return detail::made<detail::symmetric_part>(a); }
constexpr auto skew(expression auto const& a) { return detail::made<detail::skew_part>(a); }
constexpr auto trace(expression auto const& a) { return detail::made<detail::trace_of_matrix>(a); }
constexpr auto det(expression auto const& a) { return detail::made<detail::determinant_of_matrix>(a); }
constexpr auto inv(expression auto const& a) { return detail::made<detail::inverse_of_matrix>(a); }
// An entry of a vector, component<i>(a), or of a matrix, component<i, j>(a).
template <int Row, int Col = -1, expression Operand>
constexpr auto component(Operand const& a)
{
  static_assert(Row >= 0 && Col >= -1, "sumfac::weak: component<i>(a), component<i, j>(a): entries are counted from 0");
  return detail::made<detail::entry<Row, Col>>(a);
}

// Of numbers.
constexpr auto sqrt(expression auto const& a) { return detail::made<detail::function_of<detail::function::sqrt>>(a); }
constexpr auto exp(expression auto const& a) { return detail::made<detail::function_of<detail::function::exp>>(a); }
constexpr auto log(expression auto const& a) { return detail::made<detail::function_of<detail::function::log>>(a); }
constexpr auto sin(expression auto const& a) { return detail::made<detail::function_of<detail::function::sin>>(a); }
constexpr auto cos(expression auto const& a) { return detail::made<detail::function_of<detail::function::cos>>(a); }
constexpr auto tanh(expression auto const& a) { return detail::made<detail::function_of<detail::function::tanh>>(a); }
// clang-format off
constexpr auto (abs)(expression auto const& a) { return detail::made<detail::function_of<detail::function::abs>>(a); }
// clang-format on
template <class Operand, class Other>
  requires detail::operands<Operand, Other>
constexpr auto pow(Operand const& a, Other const& b)
{
  return detail::made<detail::pow_of>(a, b);
}
template <class Operand, class Other>
  requires detail::operands<Operand, Other>
// clang-format off
constexpr auto (min)(Operand const& a, Other const& b)
// clang-format on
{
  return detail::made<detail::extreme_of<false>>(a, b);
}
template <class Operand, class Other>
  requires detail::operands<Operand, Other>
// clang-format off
constexpr auto (max)(Operand const& a, Other const& b)
// clang-format on
{
  return detail::made<detail::extreme_of<true>>(a, b);
}

// Conditions, and what where chooses by them: a where the condition holds, b elsewhere.
template <class Operand, class Other>
  requires detail::operands<Operand, Other>
constexpr auto operator<(Operand const& a, Other const& b)
{
  return detail::made<detail::less<false>>(a, b);
}
template <class Operand, class Other>
  requires detail::operands<Operand, Other>
constexpr auto operator<=(Operand const& a, Other const& b)
{
  return detail::made<detail::less<true>>(a, b);
}
template <class Operand, class Other>
  requires detail::operands<Operand, Other>
constexpr auto operator>(Operand const& a, Other const& b)
{
  return detail::made<detail::less<false>>(b, a);
}
template <class Operand, class Other>
  requires detail::operands<Operand, Other>
constexpr auto operator>=(Operand const& a, Other const& b)
{
  return detail::made<detail::less<true>>(b, a);
}
constexpr auto operator&&(expression auto const& a, expression auto const& b)
{
  return detail::made<detail::connected<true>>(a, b);
}
constexpr auto operator||(expression auto const& a, expression auto const& b)
{
  return detail::made<detail::connected<false>>(a, b);
}
constexpr auto operator!(expression auto const& a) { return detail::made<detail::opposite>(a); }
template <expression Condition, class Operand, class Other>
  requires detail::operands<Condition, Operand, Other>
constexpr auto where(Condition const& condition, Operand const& a, Other const& b)
{
  return detail::made<detail::choice>(condition, a, b);
}

// A coefficient: a number, a function of the position, or a view by element or point; an expression is one already.
template <class Function>
constexpr auto coefficient(Function const& f)
{
  using namespace detail;
  if constexpr (operand<Function>) {
    return as_expression(f);
  } else if constexpr (is_view<Function>) {
    constexpr bool several = Function::rank() == 5 ||
                             (Function::rank() > 1 && Function::static_extent(Function::rank() - 1) != dynamic_extent);
    return table_of_elements < Function, several ? 1 : 0, 0 > {{}, f};
  } else {
    constexpr int rank = rank_of_function<Function>();
    static_assert(rank != no_rank,
                  "sumfac::weak::coefficient: neither a number, a view nor a function of the position: it must be "
                  "callable "
                  "with a sumfac::vector<T, coordinates>, or with as many numbers");
    if constexpr (rank != no_rank)
      return function_of_position<Function, rank, 0>{{}, f};
    else
      return number{{}, 1};
  }
}

namespace detail {

// Of numbers, or of vectors.
template <class Operand, class Other>
constexpr auto product_of_values(Operand const& a, Other const& b)
{
  if constexpr (Other::rank == 0)
    return a * b;
  else
    return dot(a, b);
}

// Whether an expression has jumps, averages or what else is of a face's sides: weak/sides.hpp.
template <int Side, class Of>
struct on_side;
struct face_height;
template <class Expression>
inline constexpr bool is_of_sides = std::is_same_v<Expression, face_height>;
template <int Side, class Of>
inline constexpr bool is_of_sides<on_side<Side, Of>> = true;
template <class Operation, class... Operands>
inline constexpr bool is_of_sides<node<Operation, Operands...>> = (is_of_sides<Operands> || ...);

template <class Expression>
constexpr auto integral_of(Expression const& e)
{
  auto const integrand = numbered<1>(e);
  auto const summands = pulled(integrand, scaled_core<>{});
  using test = function_found<Expression, true>;
  using found = function_found<Expression, false>;
  using trial = std::conditional_t<std::is_void_v<found>, trial_function<test::components>, found>;
  return integral<std::remove_const_t<decltype(integrand)>, trial, test, std::remove_const_t<decltype(summands)>>{
      {summands}};
}

template <class Form>
concept is_integral = requires { typename Form::is_integral; };

template <class Expression>
constexpr auto energy_of(Expression const& e)
{
  auto const integrand = numbered<1>(e);
  auto const summands = taken_apart(times(scaled_core<>{}, integrand));
  return energy_density<std::remove_const_t<decltype(integrand)>, function_found<Expression, false>,
                        std::remove_const_t<decltype(summands)>>{{summands}};
}

}  // namespace detail

// The form of the integral of an expression of u, v and coefficients that is linear in v.
template <expression Expression>
constexpr auto integrate(Expression const& e)
{
  constexpr bool known = Expression::rank != detail::no_rank;  // else there has been a diagnostic
  constexpr bool is_number = Expression::rank == 0, is_linear = detail::degree<Expression, detail::on_test> == 1;
  static_assert(is_number || !known,
                "sumfac::weak::integrate: the integrand is a vector, a matrix or a condition: it "
                "must be a number");
  static_assert(is_linear || !is_number,
                "sumfac::weak::integrate: the integrand is not linear in v: each of its terms must have v, or grad(v), "
                "once as a factor (an energy without v is energy(W))");
  constexpr bool of_one = detail::only_has<Expression, detail::function_found<Expression, true>, true> &&
                          detail::only_has<Expression, detail::function_found<Expression, false>, false>;
  static_assert(of_one || !is_linear,
                "sumfac::weak::integrate: the integrand has several trial or test functions: block(a, u, v) is the "
                "form between two of them, u and v");
  constexpr bool within = !detail::is_of_sides<Expression>;
  static_assert(within,
                "sumfac::weak::integrate: jumps, averages, in(), out() and h are of faces: integrate_faces(...)");
  if constexpr (is_number && is_linear && of_one && within)
    return detail::integral_of(e);
  else
    return detail::integral_of(u * v);
}

// Is none: terms are added, and multiplied, within.
template <class Form, class Other>
  requires(detail::is_integral<Form> && detail::is_integral<Other>)
constexpr auto operator+(Form const& a, Other const&)
{
  static_assert(!detail::is_integral<Form>, "sumfac::weak: integrate(a) + integrate(b) is integrate(a + b)");
  return a;
}
template <class Number, class Form>
  requires(std::is_arithmetic_v<Number> && detail::is_integral<Form>)
constexpr auto operator*(Number, Form const& a)
{
  static_assert(!detail::is_integral<Form>, "sumfac::weak: 2 * integrate(a) is integrate(2 * a)");
  return a;
}

// The form between two functions: those terms of an integrand with several trial and test functions, as of (u, p; v, q)
// in Stokes' equations, that have these two.
template <expression Expression, class Trial, class Test>
constexpr auto block(Expression const& e, Trial const&, Test const&)
{
  using namespace detail;
  constexpr bool of_functions = is_trial<Trial> && is_test<Test>;
  static_assert(of_functions, "sumfac::weak::block(a, u, v): u must be a trial function and v a test function");
  constexpr bool bilinear = degree<Expression, trial_bit> == 1 && degree<Expression, on_test> == 1;
  static_assert(bilinear || !of_functions,
                "sumfac::weak::block: the integrand is not bilinear: each of its terms must have one trial function "
                "and one test function as factors");
  if constexpr (of_functions && bilinear) {
    auto const part = between<Trial, Test>(e);
    constexpr bool there = !is_absent<std::remove_const_t<decltype(part)>>;
    static_assert(there, "sumfac::weak::block(a, u, v): no term of the integrand has both u and v: this block is 0");
    if constexpr (there)
      return integrate(part);
    else
      return integrate(u * v);
  } else {
    return integrate(u * v);
  }
}

// The energy whose density is an expression of u and coefficients, without v: for residual and tangent.
template <expression Expression>
constexpr auto energy(Expression const& e)
{
  constexpr bool known = Expression::rank != detail::no_rank;
  constexpr bool is_number = Expression::rank == 0, tests = detail::tests<Expression>,
                 of_u = detail::degree<Expression, detail::trial_bit> > 0;
  static_assert(is_number || !known,
                "sumfac::weak::energy: the density is a vector, a matrix or a condition: it must "
                "be a number");
  static_assert(!tests || !is_number, "sumfac::weak::energy: the density has v: a form with v is integrate(a)");
  static_assert(of_u || tests || !is_number, "sumfac::weak::energy: the density does not depend on u");
  if constexpr (is_number && !tests && of_u)
    return detail::energy_of(e);
  else
    return detail::energy_of(u * u);
}

}  // namespace sumfac::weak
