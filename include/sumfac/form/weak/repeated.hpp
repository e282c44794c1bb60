// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What stands in an expression more than once, as det(F) in an energy, and is computed once at a point.
#pragma once

#include <sumfac/config.hpp>
#include <sumfac/form/weak/evaluate.hpp>
#include <sumfac/form/weak/expression.hpp>
#include <sumfac/form/weak/summands.hpp>

#include <type_traits>

namespace sumfac::SUMFAC_TARGET::weak::detail {

// An operation's node, and by how many others it is asked for.
template <class Expression, int Times>
struct asked {
  static constexpr int times = Times;
  using type = Expression;
};
template <class... Asked>
struct all_asked {
  template <class Expression>
  static constexpr bool has = (std::is_same_v<typename Asked::type, Expression> || ...);
  template <class Expression>
  using again = all_asked<
      asked<typename Asked::type, Asked::times + (std::is_same_v<typename Asked::type, Expression> ? 1 : 0)>...>;
  template <class Expression>
  using with = all_asked<Asked..., asked<Expression, 1>>;
};

// Nodes of one type are equal, and may be computed once, where they have neither numbers nor anything of the point.
template <class Expression, class Point>
inline constexpr bool is_repeatable =
    is_shared<Expression> && !is_gradient<Expression> && Point::template kept<Expression> == 0;

// Of nodes, arguments first: a node that is found again is not gone through again.
template <class Asked, class Point, class... Expressions>
struct asked_for {
  using type = Asked;
};
template <class Asked, class Point, class Op, class... Arguments, class... Rest>
struct asked_for<Asked, Point, node<Op, Arguments...>, Rest...> {
  static constexpr auto found()
  {
    using here = node<Op, Arguments...>;
    constexpr bool repeatable = is_repeatable<here, Point>, known = Point::template knows<here>;
    if constexpr (repeatable && Asked::template has<here>) {
      return typename Asked::template again<here>{};
    } else {
      using within =
          typename std::conditional_t<known, asked_for<Asked, Point>, asked_for<Asked, Point, Arguments...>>::type;
      if constexpr (repeatable)
        return typename within::template with<here>{};
      else
        return within{};
    }
  }
  using type = typename asked_for<decltype(found()), Point, Rest...>::type;
};
template <class Asked, class Point, class Leaf, class... Rest>
struct asked_for<Asked, Point, Leaf, Rest...> : asked_for<Asked, Point, Rest...> {};
template <class Point, class... Summand>
constexpr auto asked_by(list<Summand...> const*)
{
  return
      typename asked_for<all_asked<>, Point, typename Summand::state_type..., typename Summand::core_type...>::type{};
}

// A point that also has the value of an expression.
template <class Point, class Expression, class Value>
struct point_with : Point {
  template <class Other>
  static constexpr bool knows = std::is_same_v<Other, Expression> || Point::template knows<Other>;

  Value const& known;

  template <int First, class Other>
  SUMFAC_INLINE constexpr decltype(auto) value(Other const& e) const
  {
    if constexpr (std::is_same_v<Other, Expression>)
      return (known);
    else
      return Point::template value<First>(e);
  }
};

// f of the point with the values of what is asked for more than once.
template <class Point, class Function>
SUMFAC_INLINE constexpr auto with_repeated(Point const& at, all_asked<>, Function const& f)
{
  return f(at);
}
template <class Point, class First, class... Rest, class Function>
SUMFAC_INLINE constexpr auto with_repeated(Point const& at, all_asked<First, Rest...>, Function const& f)
{
  if constexpr (First::times == 1) {
    return with_repeated(at, all_asked<Rest...>{}, f);
  } else {
    using expression = typename First::type;
    auto const known = evaluated<0>(expression{}, at);
    return with_repeated(point_with<Point, expression, std::remove_const_t<decltype(known)>>{at, known},
                         all_asked<Rest...>{}, f);
  }
}

}  // namespace sumfac::weak::detail
