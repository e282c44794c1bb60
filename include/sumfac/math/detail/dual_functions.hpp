// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What dual numbers stand on: the constants that they meet, choices, and what powers are made of.
#pragma once

#include <sumfac/math/functions.hpp>
#include <sumfac/math/pack.hpp>

#include <cmath>
#include <type_traits>

namespace sumfac::SUMFAC_TARGET {

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

// The logarithm where there is one, else 0.
template <class T>
SUMFAC_FUNCTION T logarithm_or_zero(T const& x)
{
  using std::log;
  T const one(scalar_of<T>(1)), zero(scalar_of<T>(0));
  auto const positive = x > zero;
  return select(positive, log(select(positive, x, one)), zero);
}

// Its derivative in the base: 0 where the exponent is, for any base.
template <class T, class Exponent>
SUMFAC_INLINE T power_slope(T const& base, Exponent const& exponent)
{
  using std::pow;
  using number = scalar_of<T>;
  T const slope = exponent * pow(base, exponent - number(1));
  if constexpr (below<Exponent>::is_dual)
    return slope;
  else
    return select(exponent == number(0), T(number(0)), slope);
}

}  // namespace detail

}  // namespace sumfac
