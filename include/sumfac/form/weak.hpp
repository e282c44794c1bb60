// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Weak forms as they are written: integrate(k * dot(grad(u), grad(v)) + c * u * v) is a form.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/config.hpp>
#include <sumfac/form/tangent.hpp>
#include <sumfac/form/weak/evaluate.hpp>
#include <sumfac/form/weak/expression.hpp>
#include <sumfac/form/weak/functions.hpp>
#include <sumfac/form/weak/integral.hpp>
#include <sumfac/form/weak/operations.hpp>
#include <sumfac/form/weak/summands.hpp>
#include <sumfac/view/view.hpp>

#include <type_traits>

namespace sumfac::SUMFAC_TARGET::weak {

namespace detail {

// Components of a function; 0 of all else.
template <class F>
inline constexpr int components_in = 0;
template <class F>
  requires is_function<F>
inline constexpr int components_in<F> = F::components;

template <class A, class B>
constexpr auto product(A const& a, B const& b)
{
  constexpr int left = as_expression_t<A>::rank, right = as_expression_t<B>::rank;
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

template <class A, class B>
  requires detail::operands<A, B>
constexpr auto operator+(A const& a, B const& b)
{
  return detail::made<detail::sum>(a, b);
}
template <class A, class B>
  requires detail::operands<A, B>
constexpr auto operator-(A const& a, B const& b)
{
  return detail::made<detail::difference>(a, b);
}
template <expression A>
constexpr auto operator-(A const& a)
{
  return detail::made<detail::negation>(a);
}
template <class A, class B>
  requires detail::operands<A, B>
constexpr auto operator*(A const& a, B const& b)
{
  return detail::product(a, b);
}
template <class A, class B>
  requires detail::operands<A, B>
constexpr auto operator/(A const& a, B const& b)
{
  return detail::made<detail::division>(a, b);
}

// The gradient in the mesh: of u, v or a given function; of several components the matrix (component, coordinate).
template <expression F>
constexpr auto grad(F const& f)
{
  static_assert(detail::is_function<F>, "sumfac::weak: grad(f): f must be a trial, a test or a given function");
  return detail::make<detail::gradient_of>(f);
}
// Of a function with a component for each coordinate; of one of two or three components.
template <expression F>
constexpr auto div(F const& f)
{
  return detail::made<detail::trace_of_matrix>(grad(f));
}
template <expression F>
constexpr auto curl(F const& f)
{
  using namespace detail;
  if constexpr (components_in<F> == 2)
    return make<difference>(make<entry<1, 0>>(grad(f)), make<entry<0, 1>>(grad(f)));
  else
    return made<curl_of_gradient>(grad(f));
}

// Products of vectors, and of matrices; a b^T.
template <class A, class B>
  requires detail::operands<A, B>
constexpr auto dot(A const& a, B const& b)
{
  return detail::made<detail::dot_product>(a, b);
}
template <class A, class B>
  requires detail::operands<A, B>
constexpr auto inner(A const& a, B const& b)
{
  if constexpr (detail::as_expression_t<A>::rank == 1)
    return detail::made<detail::dot_product>(a, b);
  else
    return detail::made<detail::inner_product>(a, b);
}
template <class A, class B>
  requires detail::operands<A, B>
constexpr auto cross(A const& a, B const& b)
{
  return detail::made<detail::cross_product>(a, b);
}
template <class A, class B>
  requires detail::operands<A, B>
constexpr auto outer(A const& a, B const& b)
{
  return detail::made<detail::outer_product>(a, b);
}

// Of matrices.
template <expression A>
constexpr auto transpose(A const& a)
{
  return detail::made<detail::transposition>(a);
}
template <expression A>
constexpr auto sym(A const& a)
{
  return detail::made<detail::symmetric_part>(a);
}
template <expression A>
constexpr auto skew(A const& a)
{
  return detail::made<detail::skew_part>(a);
}
template <expression A>
constexpr auto trace(A const& a)
{
  return detail::made<detail::trace_of_matrix>(a);
}
template <expression A>
constexpr auto det(A const& a)
{
  return detail::made<detail::determinant_of_matrix>(a);
}
template <expression A>
constexpr auto inv(A const& a)
{
  return detail::made<detail::inverse_of_matrix>(a);
}
// An entry of a vector, component<i>(a), or of a matrix, component<i, j>(a).
template <int Row, int Col = -1, expression A>
constexpr auto component(A const& a)
{
  return detail::made<detail::entry<Row, Col>>(a);
}

// Of numbers.
template <expression A>
constexpr auto sqrt(A const& a)
{
  return detail::made<detail::function_of<detail::function::sqrt>>(a);
}
template <expression A>
constexpr auto exp(A const& a)
{
  return detail::made<detail::function_of<detail::function::exp>>(a);
}
template <expression A>
constexpr auto log(A const& a)
{
  return detail::made<detail::function_of<detail::function::log>>(a);
}
template <expression A>
constexpr auto sin(A const& a)
{
  return detail::made<detail::function_of<detail::function::sin>>(a);
}
template <expression A>
constexpr auto cos(A const& a)
{
  return detail::made<detail::function_of<detail::function::cos>>(a);
}
template <expression A>
constexpr auto tanh(A const& a)
{
  return detail::made<detail::function_of<detail::function::tanh>>(a);
}
template <expression A>
// clang-format off
constexpr auto (abs)(A const& a)
// clang-format on
{
  return detail::made<detail::function_of<detail::function::abs>>(a);
}
template <class A, class B>
  requires detail::operands<A, B>
constexpr auto pow(A const& a, B const& b)
{
  return detail::made<detail::pow_of>(a, b);
}
template <class A, class B>
  requires detail::operands<A, B>
// clang-format off
constexpr auto (min)(A const& a, B const& b)
// clang-format on
{
  return detail::made<detail::extreme_of<false>>(a, b);
}
template <class A, class B>
  requires detail::operands<A, B>
// clang-format off
constexpr auto (max)(A const& a, B const& b)
// clang-format on
{
  return detail::made<detail::extreme_of<true>>(a, b);
}

// What where chooses by: a where the condition holds, b elsewhere.
template <class A, class B>
  requires detail::operands<A, B>
constexpr auto operator<(A const& a, B const& b)
{
  return detail::made<detail::less<false>>(a, b);
}
template <class A, class B>
  requires detail::operands<A, B>
constexpr auto operator<=(A const& a, B const& b)
{
  return detail::made<detail::less<true>>(a, b);
}
template <class A, class B>
  requires detail::operands<A, B>
constexpr auto operator>(A const& a, B const& b)
{
  return detail::made<detail::less<false>>(b, a);
}
template <class A, class B>
  requires detail::operands<A, B>
constexpr auto operator>=(A const& a, B const& b)
{
  return detail::made<detail::less<true>>(b, a);
}
template <expression Condition, class A, class B>
  requires(detail::operand<A> && detail::operand<B>)
constexpr auto where(Condition const& condition, A const& a, B const& b)
{
  return detail::made<detail::choice>(condition, a, b);
}

// A coefficient: a number, a function of the position, or a view by element or point.
template <class F>
constexpr auto coefficient(F const& f)
{
  using namespace detail;
  if constexpr (std::is_arithmetic_v<F> || rank_of_constant<F> != no_rank) {
    return as_expression(f);
  } else if constexpr (is_view<F>) {
    constexpr bool several = F::rank() == 5 || (F::rank() > 1 && F::static_extent(F::rank() - 1) != dynamic_extent);
    return table_of_elements < F, several ? 1 : 0, 0 > {{}, f};
  } else {
    constexpr int rank = rank_of_function<F>();
    static_assert(rank != no_rank,
                  "sumfac::weak::coefficient: neither a number, a view nor a function of the position: it must be "
                  "callable "
                  "with a sumfac::vector<T, coordinates>, or with as many numbers");
    if constexpr (rank != no_rank)
      return function_of_position<F, rank, 0>{{}, f};
    else
      return number{{}, 1};
  }
}

namespace detail {

template <class E>
constexpr auto integral_of(E const& e)
{
  auto const integrand = numbered<1>(e);
  auto const summands = pulled(integrand, scaled_core<>{});
  using test = function_found<E, true>;
  using found = function_found<E, false>;
  using trial = std::conditional_t<std::is_void_v<found>, trial_function<test::components>, found>;
  return integral<std::remove_const_t<decltype(integrand)>, trial, test, std::remove_const_t<decltype(summands)>>{
      {summands}};
}

template <class E>
constexpr auto energy_of(E const& e)
{
  auto const integrand = numbered<1>(e);
  auto const summands = taken_apart(times(scaled_core<>{}, integrand));
  return energy_density<std::remove_const_t<decltype(integrand)>, function_found<E, false>,
                        std::remove_const_t<decltype(summands)>>{{summands}};
}

}  // namespace detail

// The form of the integral of an expression of u, v and coefficients that is linear in v.
template <expression E>
constexpr auto integrate(E const& e)
{
  constexpr bool known = E::rank != detail::no_rank;  // else there has been a diagnostic
  constexpr bool is_number = E::rank == 0, is_linear = detail::degree<E, detail::on_test> == 1;
  static_assert(is_number || !known,
                "sumfac::weak::integrate: the integrand is a vector, a matrix or a condition: it "
                "must be a number");
  static_assert(is_linear || !is_number,
                "sumfac::weak::integrate: the integrand is not linear in v: each of its terms must have v, or grad(v), "
                "once as a factor (an energy without v is energy(W))");
  if constexpr (is_number && is_linear)
    return detail::integral_of(e);
  else
    return detail::integral_of(u * v);
}

// The energy whose density is an expression of u and coefficients, without v: for residual and tangent.
template <expression E>
constexpr auto energy(E const& e)
{
  constexpr bool known = E::rank != detail::no_rank;
  constexpr bool is_number = E::rank == 0, tests = detail::tests<E>, of_u = detail::degree<E, detail::trial_bit> > 0;
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
