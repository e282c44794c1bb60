// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Elementary functions of packs, and choices between numbers: what forms call without std:: in front.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/math/pack.hpp>

#include <concepts>
#include <type_traits>

namespace sumfac::SUMFAC_TARGET {

// The base of what stands for a number without being one, as work() counts with: functions return it as it is.
struct stands_for_number {};

namespace detail {

// glibc's functions of whole SIMD registers (libmvec), where this target has them.
#if defined(SUMFAC_LIBMVEC_F64)
using f64_register = pack<double, native_width<double>>::lanes;
using f32_register = pack<float, native_width<float>>::lanes;

struct libmvec {
  static f64_register exp(f64_register) SUMFAC_LIBMVEC_F64("v_exp");
  static f32_register exp(f32_register) SUMFAC_LIBMVEC_F32("v_exp");
  static f64_register log(f64_register) SUMFAC_LIBMVEC_F64("v_log");
  static f32_register log(f32_register) SUMFAC_LIBMVEC_F32("v_log");
  static f64_register sin(f64_register) SUMFAC_LIBMVEC_F64("v_sin");
  static f32_register sin(f32_register) SUMFAC_LIBMVEC_F32("v_sin");
  static f64_register cos(f64_register) SUMFAC_LIBMVEC_F64("v_cos");
  static f32_register cos(f32_register) SUMFAC_LIBMVEC_F32("v_cos");
  static f64_register pow(f64_register, f64_register) SUMFAC_LIBMVEC_F64("vv_pow");
  static f32_register pow(f32_register, f32_register) SUMFAC_LIBMVEC_F32("vv_pow");
#if __GLIBC_PREREQ(2, 35)
  static f64_register tan(f64_register) SUMFAC_LIBMVEC_F64("v_tan");
  static f32_register tan(f32_register) SUMFAC_LIBMVEC_F32("v_tan");
#endif
};
#else
struct libmvec {};
#endif

// A register of x's lanes, from `first` on.
template <class Register, class T>
SUMFAC_INLINE auto register_of(T const& x, int first)
{
  return Register::load(reinterpret_cast<scalar_of<T> const*>(&x.v) + first).v;
}

// f(libmvec{}, registers...) of a pack that fills one register or several, where libmvec has what f calls; else g of
// each lane's numbers.
template <class OfRegisters, class OfNumbers, class T, std::same_as<T>... Others>
SUMFAC_FUNCTION T by_registers([[maybe_unused]] OfRegisters const& f, OfNumbers const& g, T const& x,
                               Others const&... others)
{
  if constexpr (has_lanes<T>) {
    using one = pack<scalar_of<T>, native_width<scalar_of<T>>>;
    if constexpr (T::width % one::width == 0 &&
                  requires { f(libmvec{}, register_of<one>(x, 0), register_of<one>(others, 0)...); }) {
      T result;
      for (int i = 0; i < T::width; i += one::width)
        one(f(libmvec{}, register_of<one>(x, i), register_of<one>(others, i)...), 0)
            .store(reinterpret_cast<scalar_of<T>*>(&result.v) + i);
      return result;
    } else {
      return lane_by_lane(g, x, others...);
    }
  } else {
    return lane_by_lane(g, x, others...);
  }
}

template <class T>
concept elementary = has_lanes<T> || std::derived_from<T, stands_for_number>;

// Of two arguments, of which one may be a number beside what is elementary.
template <class First, class Second>
using type_of_both = std::conditional_t<std::is_arithmetic_v<First>, Second, First>;
template <class Second, class First>
concept elementary_with = elementary<type_of_both<First, Second>> &&
                          (std::is_arithmetic_v<First> || std::is_arithmetic_v<Second> || std::same_as<First, Second>);

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
SUMFAC_FUNCTION auto exp(detail::elementary auto const& x)
{
  return detail::by_registers(SUMFAC_OF_LIBMVEC(exp), SUMFAC_EACH(exp), x);
}
SUMFAC_FUNCTION auto log(detail::elementary auto const& x)
{
  return detail::by_registers(SUMFAC_OF_LIBMVEC(log), SUMFAC_EACH(log), x);
}
SUMFAC_FUNCTION auto sin(detail::elementary auto const& x)
{
  return detail::by_registers(SUMFAC_OF_LIBMVEC(sin), SUMFAC_EACH(sin), x);
}
SUMFAC_FUNCTION auto cos(detail::elementary auto const& x)
{
  return detail::by_registers(SUMFAC_OF_LIBMVEC(cos), SUMFAC_EACH(cos), x);
}
SUMFAC_FUNCTION auto exp2(detail::elementary auto const& x) { return lane_by_lane(SUMFAC_EACH(exp2), x); }
SUMFAC_FUNCTION auto expm1(detail::elementary auto const& x) { return lane_by_lane(SUMFAC_EACH(expm1), x); }
SUMFAC_FUNCTION auto log2(detail::elementary auto const& x) { return lane_by_lane(SUMFAC_EACH(log2), x); }
SUMFAC_FUNCTION auto log10(detail::elementary auto const& x) { return lane_by_lane(SUMFAC_EACH(log10), x); }
SUMFAC_FUNCTION auto log1p(detail::elementary auto const& x) { return lane_by_lane(SUMFAC_EACH(log1p), x); }
SUMFAC_FUNCTION auto tan(detail::elementary auto const& x)
{
  return detail::by_registers(SUMFAC_OF_LIBMVEC(tan), SUMFAC_EACH(tan), x);
}
SUMFAC_FUNCTION auto asin(detail::elementary auto const& x) { return lane_by_lane(SUMFAC_EACH(asin), x); }
SUMFAC_FUNCTION auto acos(detail::elementary auto const& x) { return lane_by_lane(SUMFAC_EACH(acos), x); }
SUMFAC_FUNCTION auto atan(detail::elementary auto const& x) { return lane_by_lane(SUMFAC_EACH(atan), x); }
SUMFAC_FUNCTION auto sinh(detail::elementary auto const& x) { return lane_by_lane(SUMFAC_EACH(sinh), x); }
SUMFAC_FUNCTION auto cosh(detail::elementary auto const& x) { return lane_by_lane(SUMFAC_EACH(cosh), x); }
SUMFAC_FUNCTION auto tanh(detail::elementary auto const& x) { return lane_by_lane(SUMFAC_EACH(tanh), x); }
SUMFAC_FUNCTION auto asinh(detail::elementary auto const& x) { return lane_by_lane(SUMFAC_EACH(asinh), x); }
SUMFAC_FUNCTION auto acosh(detail::elementary auto const& x) { return lane_by_lane(SUMFAC_EACH(acosh), x); }
SUMFAC_FUNCTION auto atanh(detail::elementary auto const& x) { return lane_by_lane(SUMFAC_EACH(atanh), x); }
SUMFAC_FUNCTION auto cbrt(detail::elementary auto const& x) { return lane_by_lane(SUMFAC_EACH(cbrt), x); }
SUMFAC_FUNCTION auto erf(detail::elementary auto const& x) { return lane_by_lane(SUMFAC_EACH(erf), x); }
SUMFAC_FUNCTION auto erfc(detail::elementary auto const& x) { return lane_by_lane(SUMFAC_EACH(erfc), x); }
SUMFAC_FUNCTION auto tgamma(detail::elementary auto const& x) { return lane_by_lane(SUMFAC_EACH(tgamma), x); }
SUMFAC_FUNCTION auto lgamma(detail::elementary auto const& x) { return lane_by_lane(SUMFAC_EACH(lgamma), x); }
SUMFAC_FUNCTION auto floor(detail::elementary auto const& x) { return lane_by_lane(SUMFAC_EACH(floor), x); }
SUMFAC_FUNCTION auto ceil(detail::elementary auto const& x) { return lane_by_lane(SUMFAC_EACH(ceil), x); }
SUMFAC_FUNCTION auto trunc(detail::elementary auto const& x) { return lane_by_lane(SUMFAC_EACH(trunc), x); }
template <detail::elementary T>
// clang-format off
SUMFAC_FUNCTION T (round)(T const& x)
// clang-format on
{
  return lane_by_lane(SUMFAC_EACH(round), x);
}

// Of two, of which either may be a number.
template <class First, detail::elementary_with<First> Second>
SUMFAC_FUNCTION auto pow(First const& x, Second const& y)
{
  using both = detail::type_of_both<First, Second>;
  return detail::by_registers(
      []<class Library>(Library, auto v, auto w) -> decltype(Library::pow(v, w)) { return Library::pow(v, w); },
      [](auto a, auto b) { return SUMFAC_OF_NUMBERS(pow, a, b); }, detail::widened<both>(x), detail::widened<both>(y));
}
template <class First, detail::elementary_with<First> Second>
SUMFAC_FUNCTION auto atan2(First const& x, Second const& y)
{
  using both = detail::type_of_both<First, Second>;
  return lane_by_lane([](auto a, auto b) { return SUMFAC_OF_NUMBERS(atan2, a, b); }, detail::widened<both>(x),
                      detail::widened<both>(y));
}
template <class First, detail::elementary_with<First> Second>
SUMFAC_FUNCTION auto hypot(First const& x, Second const& y)
{
  using both = detail::type_of_both<First, Second>;
  return lane_by_lane([](auto a, auto b) { return SUMFAC_OF_NUMBERS(hypot, a, b); }, detail::widened<both>(x),
                      detail::widened<both>(y));
}
template <class First, detail::elementary_with<First> Second>
SUMFAC_FUNCTION auto fmod(First const& x, Second const& y)
{
  using both = detail::type_of_both<First, Second>;
  return lane_by_lane([](auto a, auto b) { return SUMFAC_OF_NUMBERS(fmod, a, b); }, detail::widened<both>(x),
                      detail::widened<both>(y));
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
