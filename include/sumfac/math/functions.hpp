// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Elementary functions of packs, and choices between numbers: what forms call without std:: in front.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/math/detail/libmvec.hpp>
#include <sumfac/math/pack.hpp>

#include <concepts>
#include <type_traits>

namespace sumfac::SUMFAC_TARGET {

// The base of what stands for a number without being one, as work() counts with: functions return it as it is.
struct stands_for_number {};

namespace detail {

template <class T>
concept elementary = has_lanes<T> || std::derived_from<T, stands_for_number>;

template <class Other, class T>
concept number_or = std::is_arithmetic_v<Other> || std::same_as<Other, T>;

template <class T, class Other>
SUMFAC_INLINE T widened(Other const& x)
{
  if constexpr (std::is_arithmetic_v<Other>)
    return T(static_cast<scalar_of<T>>(x));
  else
    return x;
}

}  // namespace detail

// Of one argument, lane by lane: `using std::exp; exp(x)` is right for numbers, packs and duals alike. On x86-64 with
// AVX and glibc, exp, log, sin, cos, tan (from glibc 2.35 on) and pow of packs that fill registers are libmvec's.
//
// **Errors** (of rounding) those of the C library's functions; at most 4 units in the last place in libmvec's.
// **Source** Intel's vector function ABI for the names of libmvec; the GNU C Library's documentation for its errors.
template <detail::elementary T>
SUMFAC_FUNCTION T exp(T const& x)
{
  return detail::by_registers(
      []<class Library>(Library, auto v) -> decltype(Library::exp(v)) { return Library::exp(v); },
      [](auto z) { return SUMFAC_OF_NUMBER(exp, z); }, x);
}
template <detail::elementary T>
SUMFAC_FUNCTION T log(T const& x)
{
  return detail::by_registers(
      []<class Library>(Library, auto v) -> decltype(Library::log(v)) { return Library::log(v); },
      [](auto z) { return SUMFAC_OF_NUMBER(log, z); }, x);
}
template <detail::elementary T>
SUMFAC_FUNCTION T sin(T const& x)
{
  return detail::by_registers(
      []<class Library>(Library, auto v) -> decltype(Library::sin(v)) { return Library::sin(v); },
      [](auto z) { return SUMFAC_OF_NUMBER(sin, z); }, x);
}
template <detail::elementary T>
SUMFAC_FUNCTION T cos(T const& x)
{
  return detail::by_registers(
      []<class Library>(Library, auto v) -> decltype(Library::cos(v)) { return Library::cos(v); },
      [](auto z) { return SUMFAC_OF_NUMBER(cos, z); }, x);
}
template <detail::elementary T>
SUMFAC_FUNCTION T exp2(T const& x)
{
  return lane_by_lane([](auto z) { return SUMFAC_OF_NUMBER(exp2, z); }, x);
}
template <detail::elementary T>
SUMFAC_FUNCTION T expm1(T const& x)
{
  return lane_by_lane([](auto z) { return SUMFAC_OF_NUMBER(expm1, z); }, x);
}
template <detail::elementary T>
SUMFAC_FUNCTION T log2(T const& x)
{
  return lane_by_lane([](auto z) { return SUMFAC_OF_NUMBER(log2, z); }, x);
}
template <detail::elementary T>
SUMFAC_FUNCTION T log10(T const& x)
{
  return lane_by_lane([](auto z) { return SUMFAC_OF_NUMBER(log10, z); }, x);
}
template <detail::elementary T>
SUMFAC_FUNCTION T log1p(T const& x)
{
  return lane_by_lane([](auto z) { return SUMFAC_OF_NUMBER(log1p, z); }, x);
}
template <detail::elementary T>
SUMFAC_FUNCTION T tan(T const& x)
{
  return detail::by_registers(
      []<class Library>(Library, auto v) -> decltype(Library::tan(v)) { return Library::tan(v); },
      [](auto z) { return SUMFAC_OF_NUMBER(tan, z); }, x);
}
template <detail::elementary T>
SUMFAC_FUNCTION T asin(T const& x)
{
  return lane_by_lane([](auto z) { return SUMFAC_OF_NUMBER(asin, z); }, x);
}
template <detail::elementary T>
SUMFAC_FUNCTION T acos(T const& x)
{
  return lane_by_lane([](auto z) { return SUMFAC_OF_NUMBER(acos, z); }, x);
}
template <detail::elementary T>
SUMFAC_FUNCTION T atan(T const& x)
{
  return lane_by_lane([](auto z) { return SUMFAC_OF_NUMBER(atan, z); }, x);
}
template <detail::elementary T>
SUMFAC_FUNCTION T sinh(T const& x)
{
  return lane_by_lane([](auto z) { return SUMFAC_OF_NUMBER(sinh, z); }, x);
}
template <detail::elementary T>
SUMFAC_FUNCTION T cosh(T const& x)
{
  return lane_by_lane([](auto z) { return SUMFAC_OF_NUMBER(cosh, z); }, x);
}
template <detail::elementary T>
SUMFAC_FUNCTION T tanh(T const& x)
{
  return lane_by_lane([](auto z) { return SUMFAC_OF_NUMBER(tanh, z); }, x);
}
template <detail::elementary T>
SUMFAC_FUNCTION T asinh(T const& x)
{
  return lane_by_lane([](auto z) { return SUMFAC_OF_NUMBER(asinh, z); }, x);
}
template <detail::elementary T>
SUMFAC_FUNCTION T acosh(T const& x)
{
  return lane_by_lane([](auto z) { return SUMFAC_OF_NUMBER(acosh, z); }, x);
}
template <detail::elementary T>
SUMFAC_FUNCTION T atanh(T const& x)
{
  return lane_by_lane([](auto z) { return SUMFAC_OF_NUMBER(atanh, z); }, x);
}
template <detail::elementary T>
SUMFAC_FUNCTION T cbrt(T const& x)
{
  return lane_by_lane([](auto z) { return SUMFAC_OF_NUMBER(cbrt, z); }, x);
}
template <detail::elementary T>
SUMFAC_FUNCTION T erf(T const& x)
{
  return lane_by_lane([](auto z) { return SUMFAC_OF_NUMBER(erf, z); }, x);
}
template <detail::elementary T>
SUMFAC_FUNCTION T erfc(T const& x)
{
  return lane_by_lane([](auto z) { return SUMFAC_OF_NUMBER(erfc, z); }, x);
}
template <detail::elementary T>
SUMFAC_FUNCTION T tgamma(T const& x)
{
  return lane_by_lane([](auto z) { return SUMFAC_OF_NUMBER(tgamma, z); }, x);
}
template <detail::elementary T>
SUMFAC_FUNCTION T lgamma(T const& x)
{
  return lane_by_lane([](auto z) { return SUMFAC_OF_NUMBER(lgamma, z); }, x);
}
template <detail::elementary T>
SUMFAC_FUNCTION T floor(T const& x)
{
  return lane_by_lane([](auto z) { return SUMFAC_OF_NUMBER(floor, z); }, x);
}
template <detail::elementary T>
SUMFAC_FUNCTION T ceil(T const& x)
{
  return lane_by_lane([](auto z) { return SUMFAC_OF_NUMBER(ceil, z); }, x);
}
template <detail::elementary T>
SUMFAC_FUNCTION T trunc(T const& x)
{
  return lane_by_lane([](auto z) { return SUMFAC_OF_NUMBER(trunc, z); }, x);
}
template <detail::elementary T>
// clang-format off
SUMFAC_FUNCTION T (round)(T const& x)
// clang-format on
{
  return lane_by_lane([](auto z) { return SUMFAC_OF_NUMBER(round, z); }, x);
}

// Of two, of which either may be a number.
template <detail::elementary T, detail::number_or<T> Other>
SUMFAC_FUNCTION T pow(T const& x, Other const& y)
{
  return detail::by_registers(
      []<class Library>(Library, auto v, auto w) -> decltype(Library::pow(v, w)) { return Library::pow(v, w); },
      [](auto a, auto b) { return SUMFAC_OF_NUMBERS(pow, a, b); }, x, detail::widened<T>(y));
}
template <detail::elementary T, detail::number_or<T> Other>
SUMFAC_FUNCTION T atan2(T const& x, Other const& y)
{
  return lane_by_lane([](auto a, auto b) { return SUMFAC_OF_NUMBERS(atan2, a, b); }, x, detail::widened<T>(y));
}
template <detail::elementary T, detail::number_or<T> Other>
SUMFAC_FUNCTION T hypot(T const& x, Other const& y)
{
  return lane_by_lane([](auto a, auto b) { return SUMFAC_OF_NUMBERS(hypot, a, b); }, x, detail::widened<T>(y));
}
template <detail::elementary T, detail::number_or<T> Other>
SUMFAC_FUNCTION T fmod(T const& x, Other const& y)
{
  return lane_by_lane([](auto a, auto b) { return SUMFAC_OF_NUMBERS(fmod, a, b); }, x, detail::widened<T>(y));
}
template <class Number, detail::elementary T>
  requires std::is_arithmetic_v<Number>
SUMFAC_FUNCTION T pow(Number x, T const& y)
{
  return pow(detail::widened<T>(x), y);
}
template <class Number, detail::elementary T>
  requires std::is_arithmetic_v<Number>
SUMFAC_FUNCTION T atan2(Number x, T const& y)
{
  return atan2(detail::widened<T>(x), y);
}
template <class Number, detail::elementary T>
  requires std::is_arithmetic_v<Number>
SUMFAC_FUNCTION T hypot(Number x, T const& y)
{
  return hypot(detail::widened<T>(x), y);
}
template <class Number, detail::elementary T>
  requires std::is_arithmetic_v<Number>
SUMFAC_FUNCTION T fmod(Number x, T const& y)
{
  return fmod(detail::widened<T>(x), y);
}

namespace detail {

template <class T, int Width>
SUMFAC_INLINE pack<T, Width> chosen(mask<T, Width> const& where, pack<T, Width> x, pack<T, Width> const& y)
{
  keep_where(where.v, x.v, y.v);
  return x;
}
template <class T, int Width, class Number>
  requires std::is_arithmetic_v<Number>
SUMFAC_INLINE pack<T, Width> chosen(mask<T, Width> const& where, Number x, Number y)
{
  return chosen(where, pack<T, Width>(static_cast<T>(x)), pack<T, Width>(static_cast<T>(y)));
}
template <class T>
SUMFAC_INLINE constexpr T chosen(bool where, T const& x, T const& y)
{
  return where ? x : y;
}

}  // namespace detail

// Where the condition holds x, elsewhere y, lane by lane: `select(a < b, x, y)`, which evaluates both. The condition is
// a bool, or what comparisons of packs give; x and y are of one type, or numbers.
template <class Condition, class First, class Second>
SUMFAC_INLINE constexpr auto select(Condition const& where, First const& x, Second const& y)
{
  using result = std::remove_cvref_t<decltype(x + y)>;
  using detail::chosen;  // duals have one of their own
  return chosen(where, detail::widened<result>(x), detail::widened<result>(y));
}

}  // namespace sumfac
