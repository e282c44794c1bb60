// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Weak forms on the faces between elements, written as they stand on paper.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/form/weak.hpp>
#include <sumfac/form/weak/sides.hpp>

#include <type_traits>

namespace sumfac::SUMFAC_TARGET::weak {

// How far the elements reach behind a face, along its normal: the harmonic mean of both.
inline constexpr detail::face_height h{};

// An expression as the element on either side has it: its functions, their gradients, coefficients and x. The normal n
// is that out of `in`, on both sides.
constexpr auto in(expression auto const& e) { return detail::sided<0>(e); }
constexpr auto out(expression auto const& e) { return detail::sided<1>(e); }
// in(e) - out(e), and (in(e) + out(e)) / 2.
constexpr auto jump(expression auto const& e) { return in(e)-out(e); }
constexpr auto average(expression auto const& e) { return 0.5 * (in(e) + out(e)); }
// e of the side from which the wind comes.
template <class Wind, expression Expression>
  requires(detail::operand<Wind> || std::is_class_v<Wind>)
constexpr auto upwind(Wind const& wind, Expression const& e)
{
  return where(dot(in(detail::as_expression(wind)), n) > 0, in(e), out(e));
}

// What faces on the boundary have, as the second argument of integrate_faces: u = 0 there, or u = g, a number, a vector
// or a coefficient, by what stands for `out`: the same gradient, and 2 g - u.
constexpr detail::zero_boundary fixed() { return {}; }
template <class Operand>
  requires(detail::operand<Operand> || std::is_class_v<Operand>)
constexpr auto fixed(Operand const& g)
{
  return in(detail::as_expression(g));
}

namespace detail {

template <class Integrand, class Boundary>
constexpr face_integral<Integrand, Boundary> face_integral_of(Integrand const& e, Boundary const& boundary)
{
  return {e, boundary};
}

}  // namespace detail

// The form of two sides of an integral over faces between elements: of an expression that is linear in v, whose
// functions are in(), out(), in jumps or averages. Over the boundary, too, where it is said what is there.
template <expression Expression, class Boundary = detail::no_boundary>
constexpr auto integrate_faces(Expression const& e, Boundary const& boundary = {})
{
  constexpr bool is_number = Expression::rank == 0, is_linear = detail::degree<Expression, detail::on_test> == 1;
  static_assert(is_number || Expression::rank == detail::no_rank,
                "sumfac::weak::integrate_faces: the integrand is a vector, a matrix or a condition: it must be a "
                "number");
  static_assert(is_linear || !is_number,
                "sumfac::weak::integrate_faces: the integrand is not linear in v: each of its terms must have v, or "
                "grad(v), once as a factor");
  constexpr bool sided = detail::has_sides<Expression>;
  static_assert(sided || !is_linear,
                "sumfac::weak::integrate_faces: a function stands on no side: write in(u), out(u), jump(u), average(u) "
                "or upwind(a, u)");
  constexpr int components = detail::sided_function<true, Expression>::components;
  constexpr bool of_one =
      detail::has_one<true, Expression, Expression> && detail::has_one<false, Expression, Expression>;
  static_assert(
      of_one || !is_number || !is_linear || !sided,
      "sumfac::weak::integrate_faces: the integrand has several trial or test functions: it is of one of each");
  constexpr bool known_boundary = detail::is_boundary<Boundary, components>;
  static_assert(known_boundary || !is_number || !is_linear || !sided || !of_one,
                "sumfac::weak::integrate_faces(e, boundary): boundary must be fixed(), or fixed(g) of a g that is a "
                "number where u is one, else a vector, and without u and v");
  if constexpr (is_number && is_linear && sided && of_one && known_boundary)
    return detail::face_integral_of(in(e), boundary);
  else
    return detail::face_integral_of(jump(u) * jump(v), detail::no_boundary{});
}

}  // namespace sumfac::weak
