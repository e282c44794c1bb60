// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A sentence for the functions of numbers that packs do not have, where a call without std:: in front finds these.
#pragma once

#include <sumfac/config.hpp>

#include <type_traits>

namespace sumfac::inline SUMFAC_TARGET {

template <class T, int Width>
struct pack;

namespace detail {

template <class T, int Width>
constexpr pack<T, Width> refuse_function(pack<T, Width> const& x)
{
  static_assert(Width == 0,
                "sumfac::pack: packs have sqrt, abs, min, max, fma and fnma alone: call others lane by lane, as in "
                "sumfac::lane_by_lane([](auto z) { return std::exp(z); }, x)");
  return x;
}

}  // namespace detail

// Of one argument.
template <class T, int Width>
constexpr pack<T, Width> exp(pack<T, Width> const& x)
{
  return detail::refuse_function(x);
}
template <class T, int Width>
constexpr pack<T, Width> exp2(pack<T, Width> const& x)
{
  return detail::refuse_function(x);
}
template <class T, int Width>
constexpr pack<T, Width> expm1(pack<T, Width> const& x)
{
  return detail::refuse_function(x);
}
template <class T, int Width>
constexpr pack<T, Width> log(pack<T, Width> const& x)
{
  return detail::refuse_function(x);
}
template <class T, int Width>
constexpr pack<T, Width> log2(pack<T, Width> const& x)
{
  return detail::refuse_function(x);
}
template <class T, int Width>
constexpr pack<T, Width> log10(pack<T, Width> const& x)
{
  return detail::refuse_function(x);
}
template <class T, int Width>
constexpr pack<T, Width> log1p(pack<T, Width> const& x)
{
  return detail::refuse_function(x);
}
template <class T, int Width>
constexpr pack<T, Width> sin(pack<T, Width> const& x)
{
  return detail::refuse_function(x);
}
template <class T, int Width>
constexpr pack<T, Width> cos(pack<T, Width> const& x)
{
  return detail::refuse_function(x);
}
template <class T, int Width>
constexpr pack<T, Width> tan(pack<T, Width> const& x)
{
  return detail::refuse_function(x);
}
template <class T, int Width>
constexpr pack<T, Width> asin(pack<T, Width> const& x)
{
  return detail::refuse_function(x);
}
template <class T, int Width>
constexpr pack<T, Width> acos(pack<T, Width> const& x)
{
  return detail::refuse_function(x);
}
template <class T, int Width>
constexpr pack<T, Width> atan(pack<T, Width> const& x)
{
  return detail::refuse_function(x);
}
template <class T, int Width>
constexpr pack<T, Width> sinh(pack<T, Width> const& x)
{
  return detail::refuse_function(x);
}
template <class T, int Width>
constexpr pack<T, Width> cosh(pack<T, Width> const& x)
{
  return detail::refuse_function(x);
}
template <class T, int Width>
constexpr pack<T, Width> tanh(pack<T, Width> const& x)
{
  return detail::refuse_function(x);
}
template <class T, int Width>
constexpr pack<T, Width> asinh(pack<T, Width> const& x)
{
  return detail::refuse_function(x);
}
template <class T, int Width>
constexpr pack<T, Width> acosh(pack<T, Width> const& x)
{
  return detail::refuse_function(x);
}
template <class T, int Width>
constexpr pack<T, Width> atanh(pack<T, Width> const& x)
{
  return detail::refuse_function(x);
}
template <class T, int Width>
constexpr pack<T, Width> cbrt(pack<T, Width> const& x)
{
  return detail::refuse_function(x);
}
template <class T, int Width>
constexpr pack<T, Width> erf(pack<T, Width> const& x)
{
  return detail::refuse_function(x);
}
template <class T, int Width>
constexpr pack<T, Width> erfc(pack<T, Width> const& x)
{
  return detail::refuse_function(x);
}
template <class T, int Width>
constexpr pack<T, Width> tgamma(pack<T, Width> const& x)
{
  return detail::refuse_function(x);
}
template <class T, int Width>
constexpr pack<T, Width> lgamma(pack<T, Width> const& x)
{
  return detail::refuse_function(x);
}
template <class T, int Width>
constexpr pack<T, Width> floor(pack<T, Width> const& x)
{
  return detail::refuse_function(x);
}
template <class T, int Width>
constexpr pack<T, Width> ceil(pack<T, Width> const& x)
{
  return detail::refuse_function(x);
}
template <class T, int Width>
constexpr pack<T, Width>(round)(pack<T, Width> const& x)
{
  return detail::refuse_function(x);
}
template <class T, int Width>
constexpr pack<T, Width> trunc(pack<T, Width> const& x)
{
  return detail::refuse_function(x);
}

// Of two, of which either may be a number.
template <class T, int Width, class Other>
constexpr pack<T, Width> pow(pack<T, Width> const& x, Other const&)
{
  return detail::refuse_function(x);
}
template <class Number, class T, int Width>
  requires std::is_arithmetic_v<Number>
constexpr pack<T, Width> pow(Number const&, pack<T, Width> const& x)
{
  return detail::refuse_function(x);
}
template <class T, int Width, class Other>
constexpr pack<T, Width> atan2(pack<T, Width> const& x, Other const&)
{
  return detail::refuse_function(x);
}
template <class Number, class T, int Width>
  requires std::is_arithmetic_v<Number>
constexpr pack<T, Width> atan2(Number const&, pack<T, Width> const& x)
{
  return detail::refuse_function(x);
}
template <class T, int Width, class Other>
constexpr pack<T, Width> hypot(pack<T, Width> const& x, Other const&)
{
  return detail::refuse_function(x);
}
template <class Number, class T, int Width>
  requires std::is_arithmetic_v<Number>
constexpr pack<T, Width> hypot(Number const&, pack<T, Width> const& x)
{
  return detail::refuse_function(x);
}
template <class T, int Width, class Other>
constexpr pack<T, Width> fmod(pack<T, Width> const& x, Other const&)
{
  return detail::refuse_function(x);
}
template <class Number, class T, int Width>
  requires std::is_arithmetic_v<Number>
constexpr pack<T, Width> fmod(Number const&, pack<T, Width> const& x)
{
  return detail::refuse_function(x);
}

}  // namespace sumfac
