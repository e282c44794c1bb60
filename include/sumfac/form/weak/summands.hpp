// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// An integrand as the sum of what its test function's value, and gradient, is multiplied by; and of one with several
// functions, the part that is between two of them.
#pragma once

#include <sumfac/form/weak/expression.hpp>
#include <sumfac/form/weak/functions.hpp>
#include <sumfac/form/weak/operations.hpp>

#include <type_traits>

namespace sumfac::SUMFAC_TARGET::weak::detail {

// The number 1, as a type.
struct one : leaf {
  static constexpr int rank = 0;
  static constexpr unsigned uses = 0;
};
template <class Expression>
inline constexpr bool is_one = std::is_same_v<Expression, one>;

// factor * point * state * core: a number, a number of the point alone, one that changes, and what is no number.
template <class Factor = one, class Point = one, class State = one, class Core = one>
struct scaled_core {
  using factor_type = Factor;
  using point_type = Point;
  using state_type = State;
  using core_type = Core;

  Factor factor{};
  Point point{};
  State state{};
  Core core{};
};
template <class Factor, class Point, class State, class Core>
SUMFAC_FUNCTION scaled_core(Factor, Point, State, Core) -> scaled_core<Factor, Point, State, Core>;
// What the test function's gradient, or its value, is multiplied by.
template <bool OfGradient, class Scaled>
struct summand : Scaled {
  static constexpr bool of_gradient = OfGradient;
};
template <class Factor, class Point, class State, class Core>
inline constexpr bool has_members<scaled_core<Factor, Point, State, Core>> =
    has_members<Factor> || has_members<Point> || has_members<State> || has_members<Core>;
template <bool OfGradient, class Scaled>
inline constexpr bool has_members<summand<OfGradient, Scaled>> = has_members<Scaled>;

// Things of several types, one behind the other, for host and devices.
template <class... Items>
struct list {
  static constexpr int size = 0;
};
template <class First, class... Rest>
struct list<First, Rest...> {
  static constexpr int size = 1 + int{sizeof...(Rest)};
  First first;
  list<Rest...> rest;
};
template <class... Items>
inline constexpr bool has_members<list<Items...>> = (has_members<Items> || ...);
template <class Last>
constexpr Last joined(Last const& last)
{
  return last;
}
template <class... Other>
constexpr list<Other...> joined(list<> const&, list<Other...> const& b)
{
  return b;
}
template <class First, class... Operand, class... Other>
constexpr list<First, Operand..., Other...> joined(list<First, Operand...> const& a, list<Other...> const& b)
{
  return {a.first, joined(a.rest, b)};
}

template <class Old, class Factor>
constexpr auto product_with(Old const& old, Factor const& factor)
{
  if constexpr (is_one<Old>)
    return factor;
  else
    return make<scaling>(old, factor);
}
template <class Scaled, class Point>
constexpr auto with_point(Scaled const& s, Point const& point)
{
  return scaled_core{s.factor, point, s.state, s.core};
}
template <class Scaled, class State>
constexpr auto with_state(Scaled const& s, State const& state)
{
  return scaled_core{s.factor, s.point, state, s.core};
}
template <class Scaled, class Core>
constexpr auto with_core(Scaled const& s, Core const& core)
{
  return scaled_core{s.factor, s.point, s.state, core};
}
template <class Scaled>
constexpr auto times_number(Scaled const& s, double factor)
{
  if constexpr (!is_one<typename Scaled::factor_type>) factor *= s.factor.value;
  return scaled_core{number{{}, factor}, s.point, s.state, s.core};
}

// s times, and over, the number a.
template <class Summand, class Operand>
constexpr auto over(Summand s, Operand const& a);
template <class Summand, class Operand>
constexpr auto times(Summand s, Operand const& a)
{
  if constexpr (is_one<Operand>) {
    return s;
  } else if constexpr (std::is_same_v<Operand, number>) {
    return times_number(s, a.value);
  } else if constexpr (is_node<Operand, negation>) {
    return times(times_number(s, -1), a.a);
  } else if constexpr (is_node<Operand, scaling>) {
    return times(times(s, a.a), a.b);
  } else if constexpr (is_node<Operand, division>) {
    return over(times(s, a.a), a.b);
  } else if constexpr (is_of_point<Operand>) {
    return with_point(s, product_with(s.point, a));
  } else {
    return with_state(s, product_with(s.state, a));
  }
}
template <class Summand, class Operand>
constexpr auto over(Summand s, Operand const& a)
{
  auto const quotient = [&](auto const& old) {
    if constexpr (is_one<std::remove_cvref_t<decltype(old)>>)
      return make<division>(number{{}, 1}, a);
    else
      return make<division>(old, a);
  };
  if constexpr (std::is_same_v<Operand, number>) {
    return times_number(s, 1 / a.value);
  } else if constexpr (is_of_point<Operand>) {
    return with_point(s, quotient(s.point));
  } else {
    return with_state(s, quotient(s.state));
  }
}

// f of s times each term of a, which is a number where s has a core.
template <class Summand, class Operand, class Function>
constexpr auto for_terms(Summand s, Operand const& a, Function const& f)
{
  if constexpr (is_node<Operand, sum>) {
    return joined(for_terms(s, a.a, f), for_terms(s, a.b, f));
  } else if constexpr (is_node<Operand, difference>) {
    return joined(for_terms(s, a.a, f), for_terms(times_number(s, -1), a.b, f));
  } else if constexpr (is_node<Operand, negation>) {
    return for_terms(times_number(s, -1), a.a, f);
  } else if constexpr (is_node<Operand, scaling> && Operand::rank > 0) {
    return for_terms(times(s, a.a), a.b, f);
  } else if constexpr (is_node<Operand, division> && Operand::rank > 0) {
    return for_terms(over(s, a.b), a.a, f);
  } else if constexpr (Operand::rank > 0) {
    return f(with_core(s, a));
  } else {
    return f(times(s, a));
  }
}

// Whether expressions of this type are equal: they have no numbers, and their coefficients are numbered.
template <class Expression>
inline constexpr bool is_shared = [] {
  if constexpr (requires { Expression::is_shared; })
    return Expression::is_shared;
  else
    return std::is_empty_v<Expression>;
}();
template <class Op, class... Arguments>
inline constexpr bool is_shared<node<Op, Arguments...>> = (is_shared<Arguments> && ...);

// Cores of which the symmetry is known.
template <class Expression>
inline constexpr bool is_symmetric_core = false;
template <>
inline constexpr bool is_symmetric_core<identity_matrix> = true;
template <class Operand>
inline constexpr bool is_symmetric_core<node<symmetric_part, Operand>> = true;
template <class T, int Rows>
inline constexpr bool is_symmetric_core<constant<symmetric<T, Rows>, 2>> = true;
template <class Operand>
inline constexpr bool is_symmetric_core<node<outer_product, Operand, Operand>> = is_shared<Operand>;
template <class Operand>
inline constexpr bool is_symmetric_core<node<inverse_of_matrix, Operand>> = is_symmetric_core<Operand>;
template <class Operand>
inline constexpr bool is_symmetric_core<node<negation, Operand>> = is_symmetric_core<Operand>;
template <class Operand, class Other>
inline constexpr bool is_symmetric_core<node<scaling, Operand, Other>> = is_symmetric_core<Other>;
template <class Operand, class Other>
inline constexpr bool is_symmetric_core<node<sum, Operand, Other>> =
    is_symmetric_core<Operand> && is_symmetric_core<Other>;

template <class Operand>
constexpr auto transpose_of(Operand const& a)
{
  if constexpr (is_symmetric_core<Operand>)
    return a;
  else if constexpr (is_node<Operand, transposition>)
    return a.a;
  else
    return make<transposition>(a);
}
template <class Operand>
constexpr auto symmetric_part_of(Operand const& a)
{
  if constexpr (is_symmetric_core<Operand>)
    return a;
  else
    return make<symmetric_part>(a);
}

template <class Expression>
inline constexpr bool tests = (Expression::uses & on_test) != 0;

// Derivatives: the gradient of a function; what of one such gradient is a number with coefficients of the point, so
// that it can be taken in the reference element, with these pulled back: b . grad u, A : grad u, div u, an entry.
template <class Expression>
inline constexpr bool is_gradient = false;
template <class FunctionType>
inline constexpr bool is_gradient<node<gradient_of, FunctionType>> = true;
template <class Expression>
inline constexpr bool is_directional = false;
template <class Op, class Operand, class Other>
inline constexpr bool is_directional<node<Op, Operand, Other>> =
    (std::is_same_v<Op, dot_product> || std::is_same_v<Op, inner_product>)&&(
        (is_of_point<Operand> && is_gradient<Other>) || (is_gradient<Operand> && is_of_point<Other>));
template <class Operand>
inline constexpr bool is_directional<node<trace_of_matrix, Operand>> = is_gradient<Operand>;
template <int Row, int Col, int Size, class Operand>
inline constexpr bool is_directional<node<entry<Row, Col, Size>, Operand>> = is_gradient<Operand>;
template <class Operand, class Other>  // (grad u) b
inline constexpr bool is_directional<node<matrix_vector, Operand, Other>> = is_gradient<Operand> && is_of_point<Other>;

// Whether a product has a factor of the point, so that sums of such are best taken apart.
template <class Expression>
inline constexpr bool has_factor = (is_of_point<Expression> && !is_number<Expression>) || is_directional<Expression>;
template <class Operand>
inline constexpr bool has_factor<node<negation, Operand>> = has_factor<Operand>;
template <class Operand, class Other>
inline constexpr bool has_factor<node<scaling, Operand, Other>> = has_factor<Operand> || has_factor<Other>;
template <class Operand, class Other>
inline constexpr bool has_factor<node<division, Operand, Other>> =
    has_factor<Operand> || (is_of_point<Other> && !is_number<Other>);
template <class Operand, class Other>
inline constexpr bool has_factor<node<sum, Operand, Other>> = has_factor<Operand> || has_factor<Other>;
template <class Operand, class Other>
inline constexpr bool has_factor<node<difference, Operand, Other>> = has_factor<Operand> || has_factor<Other>;

// The summands of a value's factor.
template <class Summand>
constexpr auto taken_apart(Summand const& s)
{
  using state = typename Summand::state_type;
  if constexpr (is_one<typename Summand::core_type> &&
                (is_node<state, sum> || is_node<state, difference>)&&has_factor<state>)
    return for_terms(with_state(s, one{}), s.state, [](auto const& term) { return taken_apart(term); });
  else
    return list<summand<false, Summand>>{{s}, {}};
}

// The unit vector, or matrix, of the shape of X.
template <int Row, int Col, class Argument, int Size = 0>
struct unit : leaf {
  static constexpr int rank = Col < 0 ? 1 : 2;
  static constexpr unsigned uses = 0;
};

// x is linear in the test function; s what it is contracted with: the summands of that.
template <class Argument, class Summand>
constexpr auto pulled(Argument const& x, Summand const& s)
{
  [[maybe_unused]] auto const go_on = [](auto const& inner, auto const& scaled) { return pulled(inner, scaled); };
  if constexpr (is_test<Argument>) {
    return taken_apart(s);
  } else if constexpr (is_node<Argument, gradient_of>) {
    return list<summand<true, Summand>>{{s}, {}};
  } else if constexpr (is_node<Argument, sum>) {
    return joined(pulled(x.a, s), pulled(x.b, s));
  } else if constexpr (is_node<Argument, difference>) {
    return joined(pulled(x.a, s), pulled(x.b, times_number(s, -1)));
  } else if constexpr (is_node<Argument, negation>) {
    return pulled(x.a, times_number(s, -1));
  } else if constexpr (is_node<Argument, scaling>) {
    if constexpr (tests<std::remove_cvref_t<decltype(x.b)>>) {
      return pulled(x.b, times(s, x.a));
    } else if constexpr (Argument::rank == 0) {
      return pulled(x.a, times(s, x.b));
    } else {
      using contract = std::conditional_t<Argument::rank == 1, dot_product, inner_product>;
      return pulled(x.a, times(with_core(s, one{}), make<contract>(s.core, x.b)));
    }
  } else if constexpr (is_node<Argument, division>) {
    return pulled(x.a, over(s, x.b));
  } else if constexpr (is_node<Argument, dot_product> || is_node<Argument, inner_product>) {
    if constexpr (tests<std::remove_cvref_t<decltype(x.b)>>)
      return for_terms(s, x.a, [&](auto const& term) { return go_on(x.b, term); });
    else
      return for_terms(s, x.b, [&](auto const& term) { return go_on(x.a, term); });
  } else if constexpr (is_node<Argument, trace_of_matrix>) {
    return pulled(x.a, with_core(s, identity_matrix{}));
  } else if constexpr (is_node<Argument, transposition>) {
    return pulled(x.a, with_core(s, transpose_of(s.core)));
  } else if constexpr (is_node<Argument, symmetric_part>) {
    return pulled(x.a, with_core(s, symmetric_part_of(s.core)));
  } else if constexpr (is_node<Argument, skew_part>) {
    return pulled(x.a, with_core(s, make<skew_part>(s.core)));
  } else if constexpr (is_node<Argument, curl_of_gradient>) {
    return pulled(x.a, with_core(s, make<spin>(s.core)));
  } else if constexpr (is_node<Argument, matrix_vector>) {
    if constexpr (tests<std::remove_cvref_t<decltype(x.a)>>)
      return pulled(x.a, with_core(s, make<outer_product>(s.core, x.b)));
    else
      return pulled(x.b, with_core(s, make<matrix_vector>(transpose_of(x.a), s.core)));
  } else if constexpr (is_node<Argument, matrix_matrix>) {
    if constexpr (tests<std::remove_cvref_t<decltype(x.a)>>)
      return pulled(x.a, with_core(s, make<matrix_matrix>(s.core, transpose_of(x.b))));
    else
      return pulled(x.b, with_core(s, make<matrix_matrix>(transpose_of(x.a), s.core)));
  } else if constexpr (is_node<Argument, outer_product>) {
    if constexpr (tests<std::remove_cvref_t<decltype(x.a)>>)
      return pulled(x.a, with_core(s, make<matrix_vector>(s.core, x.b)));
    else
      return pulled(x.b, with_core(s, make<matrix_vector>(transpose_of(s.core), x.a)));
  } else if constexpr (is_node<Argument, cross_product>) {
    if constexpr (tests<std::remove_cvref_t<decltype(x.a)>>)
      return pulled(x.a, with_core(s, make<cross_product>(x.b, s.core)));
    else
      return pulled(x.b, with_core(s, make<cross_product>(s.core, x.a)));
  } else if constexpr (is_node<Argument, choice>) {
    number const yes{{}, 1}, no{{}, 0};
    return joined(pulled(x.b, times(s, make<choice>(x.a, yes, no))), pulled(x.c, times(s, make<choice>(x.a, no, yes))));
  } else {
    return pulled_entry(x, s);
  }
}
// component<i>(x), component<i, j>(x).
template <int Row, int Col, int Size, class Argument, class Summand>
constexpr auto pulled_entry(node<entry<Row, Col, Size>, Argument> const& x, Summand const& s)
{
  return pulled(x.a, with_core(s, unit<Row, Col, Argument, Size>{}));
}

// In the place of what has another function as a factor.
struct absent : leaf {
  static constexpr int rank = 0;
  static constexpr unsigned uses = 0;
};
template <class Expression>
inline constexpr bool is_absent = std::is_same_v<Expression, absent>;

// Of e, which is linear in all trial functions at once, and in all test functions.
template <class Trial, class Test, class Expression>
constexpr auto between(Expression const& e)
{
  if constexpr ((is_trial<Expression> && !std::is_same_v<Expression, Trial>) ||
                (is_test<Expression> && !std::is_same_v<Expression, Test>))
    return absent{};
  else
    return e;
}
template <class Trial, class Test, class Op, class Operand>
constexpr auto between(node<Op, Operand> const& e)
{
  auto const a = between<Trial, Test>(e.a);
  if constexpr (is_absent<std::remove_const_t<decltype(a)>>)
    return a;
  else
    return make<Op>(a);
}
template <class Trial, class Test, class Op, class Operand, class Other>
constexpr auto between(node<Op, Operand, Other> const& e)
{
  auto const a = between<Trial, Test>(e.a);
  auto const b = between<Trial, Test>(e.b);
  constexpr bool has_a = !is_absent<std::remove_const_t<decltype(a)>>,
                 has_b = !is_absent<std::remove_const_t<decltype(b)>>;
  if constexpr (has_a && has_b)
    return make<Op>(a, b);
  else if constexpr (has_a && Op::depends == dependence::sum)
    return a;
  else if constexpr (has_b && std::is_same_v<Op, difference>)
    return make<negation>(b);
  else if constexpr (has_b && Op::depends == dependence::sum)
    return b;
  else
    return absent{};
}
template <class Trial, class Test, class Op, class Operand, class Other, class Third>
constexpr auto between(node<Op, Operand, Other, Third> const& e)
{
  auto const b = between<Trial, Test>(e.b);
  auto const c = between<Trial, Test>(e.c);
  constexpr bool has_b = !is_absent<std::remove_const_t<decltype(b)>>,
                 has_c = !is_absent<std::remove_const_t<decltype(c)>>;
  constexpr number zero{{}, 0};
  if constexpr (has_b && has_c)
    return make<Op>(e.a, b, c);
  else if constexpr (has_b)
    return make<Op>(e.a, b, make<scaling>(zero, b));
  else if constexpr (has_c)
    return make<Op>(e.a, make<scaling>(zero, c), c);
  else
    return absent{};
}

// Whether all trial functions, or test functions, of an expression are that one.
template <class Expression, class Function, bool Test>
inline constexpr bool only_has =
    !(Test ? is_test<Expression> : is_trial<Expression>) || std::is_same_v<Expression, Function>;
template <class Op, class... Arguments, class Function, bool Test>
inline constexpr bool only_has<node<Op, Arguments...>, Function, Test> = (only_has<Arguments, Function, Test> && ...);

}  // namespace sumfac::weak::detail
