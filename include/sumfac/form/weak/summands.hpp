// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// An integrand as the sum of what its test function's value, and gradient, is multiplied by.
#pragma once

#include <sumfac/config.hpp>
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
template <class E>
inline constexpr bool is_one = std::is_same_v<E, one>;

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
// What the test function's gradient, or its value, is multiplied by.
template <bool OfGradient, class Scaled>
struct summand : Scaled {
  static constexpr bool of_gradient = OfGradient;
};

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
template <class Last>
constexpr Last joined(Last const& last)
{
  return last;
}
template <class... B>
constexpr list<B...> joined(list<> const&, list<B...> const& b)
{
  return b;
}
template <class First, class... A, class... B>
constexpr list<First, A..., B...> joined(list<First, A...> const& a, list<B...> const& b)
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
template <class F, class P, class S, class C, class Point>
constexpr scaled_core<F, Point, S, C> with_point(scaled_core<F, P, S, C> const& s, Point const& point)
{
  return {s.factor, point, s.state, s.core};
}
template <class F, class P, class S, class C, class State>
constexpr scaled_core<F, P, State, C> with_state(scaled_core<F, P, S, C> const& s, State const& state)
{
  return {s.factor, s.point, state, s.core};
}
template <class F, class P, class S, class C, class Core>
constexpr scaled_core<F, P, S, Core> with_core(scaled_core<F, P, S, C> const& s, Core const& core)
{
  return {s.factor, s.point, s.state, core};
}
template <class F, class P, class S, class C>
constexpr scaled_core<number, P, S, C> times_number(scaled_core<F, P, S, C> const& s, double factor)
{
  if constexpr (!is_one<F>) factor *= s.factor.value;
  return {{{}, factor}, s.point, s.state, s.core};
}

// s times, and over, the number a.
template <class S, class A>
constexpr auto over(S s, A const& a);
template <class S, class A>
constexpr auto times(S s, A const& a)
{
  if constexpr (is_one<A>) {
    return s;
  } else if constexpr (std::is_same_v<A, number>) {
    return times_number(s, a.value);
  } else if constexpr (is_node<A, negation>) {
    return times(times_number(s, -1), a.a);
  } else if constexpr (is_node<A, scaling>) {
    return times(times(s, a.a), a.b);
  } else if constexpr (is_node<A, division>) {
    return over(times(s, a.a), a.b);
  } else if constexpr (is_of_point<A>) {
    return with_point(s, product_with(s.point, a));
  } else {
    return with_state(s, product_with(s.state, a));
  }
}
template <class S, class A>
constexpr auto over(S s, A const& a)
{
  auto const quotient = [&](auto const& old) {
    if constexpr (is_one<std::remove_cvref_t<decltype(old)>>)
      return make<division>(number{{}, 1}, a);
    else
      return make<division>(old, a);
  };
  if constexpr (std::is_same_v<A, number>) {
    return times_number(s, 1 / a.value);
  } else if constexpr (is_of_point<A>) {
    return with_point(s, quotient(s.point));
  } else {
    return with_state(s, quotient(s.state));
  }
}

// f of s times each term of a, which is a number where s has a core.
template <class S, class A, class Function>
constexpr auto for_terms(S s, A const& a, Function const& f)
{
  if constexpr (is_node<A, sum>) {
    return joined(for_terms(s, a.a, f), for_terms(s, a.b, f));
  } else if constexpr (is_node<A, difference>) {
    return joined(for_terms(s, a.a, f), for_terms(times_number(s, -1), a.b, f));
  } else if constexpr (is_node<A, negation>) {
    return for_terms(times_number(s, -1), a.a, f);
  } else if constexpr (is_node<A, scaling> && A::rank > 0) {
    return for_terms(times(s, a.a), a.b, f);
  } else if constexpr (is_node<A, division> && A::rank > 0) {
    return for_terms(over(s, a.b), a.a, f);
  } else if constexpr (A::rank > 0) {
    return f(with_core(s, a));
  } else {
    return f(times(s, a));
  }
}

// Whether expressions of this type are equal: they have no numbers, and their coefficients are numbered.
template <class E>
inline constexpr bool is_shared = [] {
  if constexpr (requires { E::is_shared; })
    return E::is_shared;
  else
    return std::is_empty_v<E>;
}();
template <class Op, class... Arguments>
inline constexpr bool is_shared<node<Op, Arguments...>> = (is_shared<Arguments> && ...);

// Cores of which the symmetry is known.
template <class E>
inline constexpr bool is_symmetric_core = false;
template <>
inline constexpr bool is_symmetric_core<identity_matrix> = true;
template <class A>
inline constexpr bool is_symmetric_core<node<symmetric_part, A>> = true;
template <class T, int Rows>
inline constexpr bool is_symmetric_core<constant<symmetric<T, Rows>, 2>> = true;
template <class A>
inline constexpr bool is_symmetric_core<node<outer_product, A, A>> = is_shared<A>;
template <class A>
inline constexpr bool is_symmetric_core<node<inverse_of_matrix, A>> = is_symmetric_core<A>;
template <class A>
inline constexpr bool is_symmetric_core<node<negation, A>> = is_symmetric_core<A>;
template <class A, class B>
inline constexpr bool is_symmetric_core<node<scaling, A, B>> = is_symmetric_core<B>;
template <class A, class B>
inline constexpr bool is_symmetric_core<node<sum, A, B>> = is_symmetric_core<A> && is_symmetric_core<B>;

template <class A>
constexpr auto transpose_of(A const& a)
{
  if constexpr (is_symmetric_core<A>)
    return a;
  else if constexpr (is_node<A, transposition>)
    return a.a;
  else
    return make<transposition>(a);
}
template <class A>
constexpr auto symmetric_part_of(A const& a)
{
  if constexpr (is_symmetric_core<A>)
    return a;
  else
    return make<symmetric_part>(a);
}

template <class E>
inline constexpr bool tests = (E::uses & on_test) != 0;

// Derivatives: the gradient of a function; what of one such gradient is a number with coefficients of the point, so
// that it can be taken in the reference element, with these pulled back: b . grad u, A : grad u, div u, an entry.
template <class E>
inline constexpr bool is_gradient = false;
template <class F>
inline constexpr bool is_gradient<node<gradient_of, F>> = true;
template <class E>
inline constexpr bool is_directional = false;
template <class Op, class A, class B>
inline constexpr bool is_directional<node<Op, A, B>> =
    (std::is_same_v<Op, dot_product> || std::is_same_v<Op, inner_product>)&&((is_of_point<A> && is_gradient<B>) ||
                                                                             (is_gradient<A> && is_of_point<B>));
template <class A>
inline constexpr bool is_directional<node<trace_of_matrix, A>> = is_gradient<A>;
template <int Row, int Col, class A>
inline constexpr bool is_directional<node<entry<Row, Col>, A>> = is_gradient<A>;
template <class A, class B>  // (grad u) b
inline constexpr bool is_directional<node<matrix_vector, A, B>> = is_gradient<A> && is_of_point<B>;

// Whether a product has a factor of the point, so that sums of such are best taken apart.
template <class E>
inline constexpr bool has_factor = (is_of_point<E> && !is_number<E>) || is_directional<E>;
template <class A>
inline constexpr bool has_factor<node<negation, A>> = has_factor<A>;
template <class A, class B>
inline constexpr bool has_factor<node<scaling, A, B>> = has_factor<A> || has_factor<B>;
template <class A, class B>
inline constexpr bool has_factor<node<division, A, B>> = has_factor<A> || (is_of_point<B> && !is_number<B>);
template <class A, class B>
inline constexpr bool has_factor<node<sum, A, B>> = has_factor<A> || has_factor<B>;
template <class A, class B>
inline constexpr bool has_factor<node<difference, A, B>> = has_factor<A> || has_factor<B>;

// The summands of a value's factor.
template <class S>
constexpr auto taken_apart(S const& s)
{
  using state = typename S::state_type;
  if constexpr (is_one<typename S::core_type> && (is_node<state, sum> || is_node<state, difference>)&&has_factor<state>)
    return for_terms(with_state(s, one{}), s.state, [](auto const& term) { return taken_apart(term); });
  else
    return list<summand<false, S>>{{s}, {}};
}

// The unit vector, or matrix, of the shape of X.
template <int Row, int Col, class X>
struct unit : leaf {
  static constexpr int rank = Col < 0 ? 1 : 2;
  static constexpr unsigned uses = 0;
};

// x is linear in the test function; s what it is contracted with: the summands of that.
template <class X, class S>
constexpr auto pulled(X const& x, S const& s)
{
  [[maybe_unused]] auto const go_on = [](auto const& inner, auto const& scaled) { return pulled(inner, scaled); };
  if constexpr (is_test<X>) {
    return taken_apart(s);
  } else if constexpr (is_node<X, gradient_of>) {
    return list<summand<true, S>>{{s}, {}};
  } else if constexpr (is_node<X, sum>) {
    return joined(pulled(x.a, s), pulled(x.b, s));
  } else if constexpr (is_node<X, difference>) {
    return joined(pulled(x.a, s), pulled(x.b, times_number(s, -1)));
  } else if constexpr (is_node<X, negation>) {
    return pulled(x.a, times_number(s, -1));
  } else if constexpr (is_node<X, scaling>) {
    if constexpr (tests<std::remove_cvref_t<decltype(x.b)>>) {
      return pulled(x.b, times(s, x.a));
    } else if constexpr (X::rank == 0) {
      return pulled(x.a, times(s, x.b));
    } else {
      using contract = std::conditional_t<X::rank == 1, dot_product, inner_product>;
      return pulled(x.a, times(with_core(s, one{}), make<contract>(s.core, x.b)));
    }
  } else if constexpr (is_node<X, division>) {
    return pulled(x.a, over(s, x.b));
  } else if constexpr (is_node<X, dot_product> || is_node<X, inner_product>) {
    if constexpr (tests<std::remove_cvref_t<decltype(x.b)>>)
      return for_terms(s, x.a, [&](auto const& term) { return go_on(x.b, term); });
    else
      return for_terms(s, x.b, [&](auto const& term) { return go_on(x.a, term); });
  } else if constexpr (is_node<X, trace_of_matrix>) {
    return pulled(x.a, with_core(s, identity_matrix{}));
  } else if constexpr (is_node<X, transposition>) {
    return pulled(x.a, with_core(s, transpose_of(s.core)));
  } else if constexpr (is_node<X, symmetric_part>) {
    return pulled(x.a, with_core(s, symmetric_part_of(s.core)));
  } else if constexpr (is_node<X, skew_part>) {
    return pulled(x.a, with_core(s, make<skew_part>(s.core)));
  } else if constexpr (is_node<X, curl_of_gradient>) {
    return pulled(x.a, with_core(s, make<spin>(s.core)));
  } else if constexpr (is_node<X, matrix_vector>) {
    if constexpr (tests<std::remove_cvref_t<decltype(x.a)>>)
      return pulled(x.a, with_core(s, make<outer_product>(s.core, x.b)));
    else
      return pulled(x.b, with_core(s, make<matrix_vector>(transpose_of(x.a), s.core)));
  } else if constexpr (is_node<X, matrix_matrix>) {
    if constexpr (tests<std::remove_cvref_t<decltype(x.a)>>)
      return pulled(x.a, with_core(s, make<matrix_matrix>(s.core, transpose_of(x.b))));
    else
      return pulled(x.b, with_core(s, make<matrix_matrix>(transpose_of(x.a), s.core)));
  } else if constexpr (is_node<X, outer_product>) {
    if constexpr (tests<std::remove_cvref_t<decltype(x.a)>>)
      return pulled(x.a, with_core(s, make<matrix_vector>(s.core, x.b)));
    else
      return pulled(x.b, with_core(s, make<matrix_vector>(transpose_of(s.core), x.a)));
  } else if constexpr (is_node<X, cross_product>) {
    if constexpr (tests<std::remove_cvref_t<decltype(x.a)>>)
      return pulled(x.a, with_core(s, make<cross_product>(x.b, s.core)));
    else
      return pulled(x.b, with_core(s, make<cross_product>(s.core, x.a)));
  } else if constexpr (is_node<X, choice>) {
    number const yes{{}, 1}, no{{}, 0};
    return joined(pulled(x.b, times(s, make<choice>(x.a, yes, no))), pulled(x.c, times(s, make<choice>(x.a, no, yes))));
  } else {
    return pulled_entry(x, s);
  }
}
// component<i>(x), component<i, j>(x).
template <int Row, int Col, class X, class S>
constexpr auto pulled_entry(node<entry<Row, Col>, X> const& x, S const& s)
{
  return pulled(x.a, with_core(s, unit<Row, Col, X>{}));
}

}  // namespace sumfac::weak::detail
