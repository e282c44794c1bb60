// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Of an integrand with several trial and test functions, the part that is between two of them.
#pragma once

#include <sumfac/config.hpp>
#include <sumfac/form/weak/expression.hpp>
#include <sumfac/form/weak/functions.hpp>
#include <sumfac/form/weak/operations.hpp>

#include <type_traits>

namespace sumfac::SUMFAC_TARGET::weak::detail {

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
