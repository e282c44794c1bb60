// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What dual numbers stand on: the constants that they meet, choices lane by lane, and functions of any number type.
#pragma once

#include <sumfac/config.hpp>
#include <sumfac/math/detail/plain_lanes.hpp>
#include <sumfac/math/pack.hpp>

#include <cmath>
#include <type_traits>

namespace sumfac::inline SUMFAC_TARGET {

template <class T, int Directions>
struct dual;

namespace detail {

// What a dual has below it: T itself where it is none.
template <class T>
struct below {
  static constexpr bool is_dual = false;
  using type = T;
  using lane = scalar_of<T>;
};
template <class T, int Directions>
struct below<dual<T, Directions>> {
  static constexpr bool is_dual = true;
  using type = T;
  using lane = dual<typename below<T>::lane, Directions>;
};

template <class T>
using lane_type = typename below<T>::lane;

template <class... Types>
concept any_dual = (below<Types>::is_dual || ...);

// Constants of a dual of T: T itself, what T has below it if it is a dual, and plain numbers.
template <class Constant, class T>
inline constexpr bool is_constant_of =
    std::is_same_v<Constant, T> || std::is_arithmetic_v<Constant> ||
    (below<T>::is_dual &&
     is_constant_of<Constant, std::conditional_t<below<T>::is_dual, typename below<T>::type, Constant>>);
template <class Constant>
inline constexpr bool is_constant_of<Constant, Constant> = true;
template <class Constant, class T>
concept constant_of = is_constant_of<Constant, T>;

// A constant as it meets a T: numbers in the type of T's own, all else as it is.
template <class T, class Constant>
SUMFAC_INLINE constexpr decltype(auto) operand(Constant const& c)
{
  if constexpr (std::is_arithmetic_v<Constant>)
    return static_cast<scalar_of<T>>(c);
  else
    return (c);
}

// The number, or the pack of numbers, in a dual of any depth.
template <class T>
SUMFAC_INLINE constexpr auto number_in(T const& x)
{
  if constexpr (below<T>::is_dual)
    return number_in(x.value);
  else
    return x;
}

// x where a is less than b, y elsewhere; lane by lane.
template <class Number, class T>
SUMFAC_INLINE T first_if_less(Number const& a, Number const& b, T x, T const& y)
{
  if constexpr (below<T>::is_dual) {
    x.value = first_if_less(a, b, x.value, y.value);
    SUMFAC_UNROLL
    for (int i = 0; i < T::directions; ++i) x.derivatives[i] = first_if_less(a, b, x.derivatives[i], y.derivatives[i]);
    return x;
  } else if constexpr (has_lanes<T>) {
    keep_where_less(a.v, b.v, x.v, y.v);
    return x;
  } else {
    return a < b ? x : y;
  }
}

// Functions of one number, of a dual where this is again computed with duals.
struct square_root {
  template <class T>
  SUMFAC_FUNCTION T operator()(T const& x) const
  {
    using std::sqrt;
    return sqrt(x);
  }
};
struct exponential {
  template <class T>
  SUMFAC_FUNCTION T operator()(T const& x) const
  {
    using std::exp;
    return exp(x);
  }
};
struct logarithm {
  template <class T>
  SUMFAC_FUNCTION T operator()(T const& x) const
  {
    using std::log;
    return log(x);
  }
};
struct logarithm_or_zero {
  template <class T>
  SUMFAC_FUNCTION T operator()(T const& x) const
  {
    using std::log;
    return x > T(0) ? log(x) : T(0);
  }
};
struct sine_function {
  template <class T>
  SUMFAC_FUNCTION T operator()(T const& x) const
  {
    using std::sin;
    return sin(x);
  }
};
struct cosine_function {
  template <class T>
  SUMFAC_FUNCTION T operator()(T const& x) const
  {
    using std::cos;
    return cos(x);
  }
};
struct hyperbolic_tangent {
  template <class T>
  SUMFAC_FUNCTION T operator()(T const& x) const
  {
    using std::tanh;
    return tanh(x);
  }
};

// f of a number, of each number of a pack, or of a dual.
template <class Function, class T>
SUMFAC_INLINE T evaluate(Function const& f, T const& x)
{
  if constexpr (below<T>::is_dual || std::is_same_v<Function, square_root>)
    return f(x);
  else
    return lane_by_lane(f, x);
}

// base^exponent; the exponent is of base's type or below it.
template <class T, class Exponent>
SUMFAC_INLINE T power(T const& base, Exponent const& exponent)
{
  if constexpr (below<T>::is_dual || std::is_floating_point_v<T>) {
    using std::pow;
    return pow(base, exponent);
  } else if constexpr (has_lanes<T>) {
    T result;
    for (int lane = 0; lane < width_of<T>; ++lane) {
      if constexpr (std::is_same_v<Exponent, T>)
        result.set(lane, std::pow(base[lane], exponent[lane]));
      else
        result.set(lane, std::pow(base[lane], exponent));
    }
    return result;
  } else {
    return base;
  }
}

// Its derivative in the base: 0 where the exponent is, for any base.
template <class T, class Exponent>
SUMFAC_INLINE T power_slope(T const& base, Exponent const& exponent)
{
  using number = scalar_of<T>;
  T const slope = exponent * power(base, exponent - number(1));
  if constexpr (std::is_floating_point_v<Exponent>) {
    return exponent == 0 ? T(number(0)) : slope;
  } else if constexpr (!below<Exponent>::is_dual && has_lanes<Exponent>) {
    T result = slope;
    for (int lane = 0; lane < width_of<T>; ++lane)
      if (exponent[lane] == 0) result.set(lane, {});
    return result;
  } else {
    return slope;
  }
}

}  // namespace detail

}  // namespace sumfac
