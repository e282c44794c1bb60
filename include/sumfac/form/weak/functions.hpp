// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Functions of numbers in weak forms, comparisons, and choices by them.
#pragma once

#include <sumfac/form/weak/expression.hpp>
#include <sumfac/form/weak/operations.hpp>
#include <sumfac/form/weak/values.hpp>

#include <cmath>
#include <type_traits>
#include <utility>

namespace sumfac::SUMFAC_TARGET::weak::detail {

// Functions of numbers, and comparisons.
template <int Arguments>
struct of_numbers {
  static constexpr auto depends = dependence::function;
  static constexpr int rank(int a) { return a == 0 ? 0 : no_rank; }
  static constexpr int rank(int a, int b) { return a == 0 && b == 0 ? 0 : no_rank; }
  template <bool Fits>
  static constexpr void require_ranks()
  {
    static_assert(Fits,
                  "sumfac::weak: sqrt, exp, log, pow, sin, cos, tanh, abs, min, max and comparisons are of numbers:"
                  " a vector or a matrix is given (take its components, dot(a, a) or inner(a, a))");
  }
};
// Of types that meet, the one that has both.
template <class Operand, class Other>
using common_number = decltype(std::declval<Operand const&>() + std::declval<Other const&>());

enum class function { sqrt, exp, log, sin, cos, tanh, abs };
inline constexpr char const* function_names[] = {"sqrt", "exp", "log", "sin", "cos", "tanh", "abs"};
template <function Which>
struct function_of : of_numbers<1> {
  static constexpr char const* name = function_names[static_cast<int>(Which)];
  template <class Operand>
  SUMFAC_INLINE static constexpr auto apply(Operand const& a)
  {
    using std::sqrt, std::exp, std::log, std::sin, std::cos, std::tanh;
    if constexpr (Which == function::sqrt)
      return sqrt(a);
    else if constexpr (Which == function::exp)
      return exp(a);
    else if constexpr (Which == function::log)
      return log(a);
    else if constexpr (Which == function::sin)
      return sin(a);
    else if constexpr (Which == function::cos)
      return cos(a);
    else if constexpr (Which == function::tanh)
      return tanh(a);
    else
      return select(a < Operand(scalar_of<Operand>(0)), -a, a);  // (abs)(a) would find no pack's, abs(a) a macro
  }
};
struct pow_of : of_numbers<2> {
  static constexpr char name[] = "pow";
  template <class Operand, class Other>
  SUMFAC_INLINE static constexpr auto apply(Operand const& a, Other const& b)
  {
    using std::pow;
    return pow(a, b);
  }
};
template <bool Greater>
struct extreme_of : of_numbers<2> {
  static constexpr char const* name = Greater ? "max" : "min";
  template <class Operand, class Other>
  SUMFAC_INLINE static constexpr auto apply(Operand const& a, Other const& b)
  {
    using T = common_number<Operand, Other>;
    return select(Greater ? T(b) < T(a) : T(a) < T(b), T(a), T(b));
  }
};
template <bool OrEqual>
struct less : of_numbers<2> {
  static constexpr char const* name = OrEqual ? "<=" : "<";
  static constexpr int rank(int a, int b) { return a == 0 && b == 0 ? of_condition : no_rank; }
  template <class Operand, class Other>
  SUMFAC_INLINE static constexpr auto apply(Operand const& a, Other const& b)
  {
    using T = common_number<Operand, Other>;
    if constexpr (OrEqual)
      return T(a) <= T(b);
    else
      return T(a) < T(b);
  }
};
template <bool And>
struct connected {
  static constexpr char const* name = And ? "&&" : "||";
  static constexpr auto depends = dependence::function;
  static constexpr int rank(int a, int b = of_condition)
  {
    return a == of_condition && b == of_condition ? of_condition : no_rank;
  }
  template <bool Fits>
  static constexpr void require_ranks()
  {
    static_assert(Fits, "sumfac::weak: a && b, a || b, !a: both must be comparisons, as u < 1");
  }
  template <class Condition, class Other>
  SUMFAC_INLINE static constexpr auto apply(Condition const& a, Other const& b)
  {
    if constexpr (And)
      return a && b;
    else
      return a || b;
  }
};
struct opposite : connected<true> {
  static constexpr char name[] = "!";
  SUMFAC_INLINE static constexpr auto apply(auto const& a) { return !a; }
};
struct choice {
  static constexpr char name[] = "where";
  static constexpr auto depends = dependence::choice;
  static constexpr int rank(int c, int a, int b)
  {
    return c == of_condition && a == b && a != of_condition ? a : no_rank;
  }
  template <bool Fits>
  static constexpr void require_ranks()
  {
    static_assert(Fits, "sumfac::weak: where(c, a, b): c must be a comparison, as u < 1, and a and b of one rank");
  }
  template <class Condition, class Operand, class Other>
  SUMFAC_INLINE static constexpr auto apply(Condition const& where, Operand const& a, Other const& b)
  {
    static_assert(same_shape<Operand, Other>, "sumfac::weak: where(c, a, b): a and b are of different size");
    return both(
        [&](auto const& x, auto const& y) SUMFAC_LAMBDA {
          using T = common_number<std::remove_cvref_t<decltype(x)>, std::remove_cvref_t<decltype(y)>>;
          return select(where, T(x), T(y));
        },
        a, b);
  }
};

}  // namespace sumfac::weak::detail
