// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// dual<T, Directions>: a number with its derivatives, which the chain rule carries through what is computed of it.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/math/detail/dual_functions.hpp>
#include <sumfac/math/functions.hpp>
#include <sumfac/math/pack.hpp>
#include <sumfac/math/small.hpp>

#include <cmath>
#include <type_traits>

namespace sumfac::SUMFAC_TARGET {

// A value and its derivatives in some directions; T is a number, a pack of them, or a dual again for second
// derivatives.
//
// `dual x;` is uninitialized, `dual{}` is zero, a number or a T becomes a dual without derivatives by itself. Where a
// function has no derivative, as sqrt at 0, infinities and NaN come out; at a kink see abs, min and max.
template <class T, int Directions = 1>
struct dual {
  static_assert(Directions >= 1, "sumfac::dual<T, N>: N must be positive");

  using value_type = T;
  static constexpr int directions = Directions;

  T value;
  T derivatives[Directions];

  dual() = default;
  template <detail::constant_of<T> Constant>
  SUMFAC_INLINE constexpr dual(Constant const& c) : value(detail::operand<T>(c)), derivatives{}
  {
  }
  // With one derivative.
  SUMFAC_INLINE constexpr dual(T const& x, T const& derivative)
    requires(Directions == 1)
      : value(x), derivatives{derivative}
  {
  }
  // The variable of a direction: its derivative is 1 there and 0 in all others.
  SUMFAC_INLINE static constexpr dual variable(T const& x, int direction = 0)
  {
    dual result(x);
    result.derivatives[direction] = T(scalar_of<T>(1));
    return result;
  }

  // Of packs: one lane as a dual of numbers.
  SUMFAC_INLINE auto operator[](int lane) const
    requires detail::has_lanes<T>
  {
    dual<detail::lane_type<T>, Directions> result;
    result.value = value[lane];
    SUMFAC_UNROLL
    for (int i = 0; i < Directions; ++i) result.derivatives[i] = derivatives[i][lane];
    return result;
  }
  SUMFAC_INLINE void set(int lane, dual<detail::lane_type<T>, Directions> const& x)
  {
    value.set(lane, x.value);
    SUMFAC_UNROLL
    for (int i = 0; i < Directions; ++i) derivatives[i].set(lane, x.derivatives[i]);
  }

  SUMFAC_INLINE constexpr dual operator-() const
  {
    return map([](T const& x) SUMFAC_LAMBDA { return -x; });
  }
  SUMFAC_INLINE friend constexpr dual operator+(dual const& a, dual const& b)
  {
    return zip(a.value + b.value, a, b, [](T const& da, T const& db) SUMFAC_LAMBDA { return da + db; });
  }
  SUMFAC_INLINE friend constexpr dual operator-(dual const& a, dual const& b)
  {
    return zip(a.value - b.value, a, b, [](T const& da, T const& db) SUMFAC_LAMBDA { return da - db; });
  }
  SUMFAC_INLINE friend constexpr dual operator*(dual const& a, dual const& b)
  {
    return zip(a.value * b.value, a, b,
               [&](T const& da, T const& db) SUMFAC_LAMBDA { return a.value * db + da * b.value; });
  }
  SUMFAC_INLINE friend constexpr dual operator/(dual const& a, dual const& b)
  {
    T const quotient = a.value / b.value, inverse = scalar_of<T>(1) / b.value;
    return zip(quotient, a, b, [&](T const& da, T const& db) SUMFAC_LAMBDA { return (da - quotient * db) * inverse; });
  }

  // With what has no derivatives: nothing is computed for those that it does not have.
  template <detail::constant_of<T> Constant>
  SUMFAC_INLINE friend constexpr dual operator+(dual a, Constant const& c)
  {
    a.value = a.value + detail::operand<T>(c);
    return a;
  }
  template <detail::constant_of<T> Constant>
  SUMFAC_INLINE friend constexpr dual operator+(Constant const& c, dual a)
  {
    a.value = detail::operand<T>(c) + a.value;
    return a;
  }
  template <detail::constant_of<T> Constant>
  SUMFAC_INLINE friend constexpr dual operator-(dual a, Constant const& c)
  {
    a.value = a.value - detail::operand<T>(c);
    return a;
  }
  template <detail::constant_of<T> Constant>
  SUMFAC_INLINE friend constexpr dual operator-(Constant const& c, dual const& a)
  {
    dual result = -a;
    result.value = detail::operand<T>(c) - a.value;
    return result;
  }
  template <detail::constant_of<T> Constant>
  SUMFAC_INLINE friend constexpr dual operator*(dual const& a, Constant const& c)
  {
    return a.map([&](T const& x) SUMFAC_LAMBDA { return x * detail::operand<T>(c); });
  }
  template <detail::constant_of<T> Constant>
  SUMFAC_INLINE friend constexpr dual operator*(Constant const& c, dual const& a)
  {
    return a.map([&](T const& x) SUMFAC_LAMBDA { return detail::operand<T>(c) * x; });
  }
  template <detail::constant_of<T> Constant>
  SUMFAC_INLINE friend constexpr dual operator/(dual const& a, Constant const& c)
  {
    auto const& divisor = detail::operand<T>(c);
    return a.chain(a.value / divisor, T(scalar_of<T>(1) / divisor));
  }
  template <detail::constant_of<T> Constant>
  SUMFAC_INLINE friend constexpr dual operator/(Constant const& c, dual const& a)
  {
    T const quotient = detail::operand<T>(c) / a.value;
    return a.chain(quotient, -quotient / a.value);
  }

  SUMFAC_INLINE constexpr dual& operator+=(auto const& b) { return *this = *this + b; }
  SUMFAC_INLINE constexpr dual& operator-=(auto const& b) { return *this = *this - b; }
  SUMFAC_INLINE constexpr dual& operator*=(auto const& b) { return *this = *this * b; }
  SUMFAC_INLINE constexpr dual& operator/=(auto const& b) { return *this = *this / b; }

  // By value alone; of packs, a mask.
  SUMFAC_INLINE friend constexpr auto operator==(dual const& a, dual const& b) { return a.value == b.value; }
  SUMFAC_INLINE friend constexpr auto operator!=(dual const& a, dual const& b) { return a.value != b.value; }
  SUMFAC_INLINE friend constexpr auto operator<(dual const& a, dual const& b) { return a.value < b.value; }
  SUMFAC_INLINE friend constexpr auto operator>(dual const& a, dual const& b) { return a.value > b.value; }
  SUMFAC_INLINE friend constexpr auto operator<=(dual const& a, dual const& b) { return a.value <= b.value; }
  SUMFAC_INLINE friend constexpr auto operator>=(dual const& a, dual const& b) { return a.value >= b.value; }

  // What `select` does with duals of packs.
  template <class Condition>
    requires(!std::is_same_v<Condition, bool>)
  SUMFAC_INLINE friend constexpr dual chosen(Condition const& where, dual x, dual const& y)
  {
    using detail::chosen;
    x.value = chosen(where, x.value, y.value);
    SUMFAC_UNROLL
    for (int i = 0; i < Directions; ++i) x.derivatives[i] = chosen(where, x.derivatives[i], y.derivatives[i]);
    return x;
  }

  // At a tie the derivatives of b.
  SUMFAC_INLINE friend dual(min)(dual const& a, dual const& b)
  {
    return select(detail::number_in(a) < detail::number_in(b), a, b);
  }
  SUMFAC_INLINE friend dual(max)(dual const& a, dual const& b)
  {
    return select(detail::number_in(b) < detail::number_in(a), a, b);
  }
  // At 0 the derivatives of x.
  SUMFAC_INLINE friend dual(abs)(dual const& x) { return select(detail::number_in(x) < scalar_of<T>(0), -x, x); }

  SUMFAC_INLINE friend dual sqrt(dual const& x)
  {
    using std::sqrt;
    T const root = sqrt(x.value);
    return x.chain(root, scalar_of<T>(0.5) / root);
  }
  SUMFAC_INLINE friend dual exp(dual const& x)
  {
    using std::exp;
    T const power = exp(x.value);
    return x.chain(power, power);
  }
  SUMFAC_INLINE friend dual log(dual const& x)
  {
    using std::log;
    return x.chain(log(x.value), scalar_of<T>(1) / x.value);
  }
  SUMFAC_INLINE friend dual sin(dual const& x)
  {
    using std::sin, std::cos;
    auto const slope = cos(x.value);
    return x.chain(sin(x.value), slope);
  }
  SUMFAC_INLINE friend dual cos(dual const& x)
  {
    using std::sin, std::cos;
    auto const slope = -sin(x.value);
    return x.chain(cos(x.value), slope);
  }
  SUMFAC_INLINE friend dual tanh(dual const& x)
  {
    using std::tanh;
    T const result = tanh(x.value);
    return x.chain(result, scalar_of<T>(1) - result * result);
  }

  // The derivative in the exponent is counted as 0 where the base is not positive.
  SUMFAC_INLINE friend dual pow(dual const& base, dual const& exponent)
  {
    using std::pow;
    T const power = pow(base.value, exponent.value);
    T const in_base = detail::power_slope(base.value, exponent.value);
    T const in_exponent = power * detail::logarithm_or_zero(base.value);
    return zip(power, base, exponent, [&](T const& db, T const& de) { return in_base * db + in_exponent * de; });
  }
  template <detail::constant_of<T> Constant>
  SUMFAC_INLINE friend dual pow(dual const& base, Constant const& exponent)
  {
    using std::pow;
    auto const& e = detail::operand<T>(exponent);
    return base.chain(pow(base.value, e), detail::power_slope(base.value, e));
  }
  template <detail::constant_of<T> Constant>
  SUMFAC_INLINE friend dual pow(Constant const& base, dual const& exponent)
  {
    using std::pow;
    T const b(detail::operand<T>(base));
    T const power = pow(b, exponent.value);
    return exponent.chain(power, power * detail::logarithm_or_zero(b));
  }

  // f of this number, by its value and its derivative there.
  SUMFAC_INLINE constexpr dual chain(T const& f, T const& slope) const
  {
    dual result;
    result.value = f;
    SUMFAC_UNROLL
    for (int i = 0; i < Directions; ++i) result.derivatives[i] = slope * derivatives[i];
    return result;
  }

private:
  template <class Function>
  SUMFAC_INLINE constexpr dual map(Function const& f) const
  {
    dual result;
    result.value = f(value);
    SUMFAC_UNROLL
    for (int i = 0; i < Directions; ++i) result.derivatives[i] = f(derivatives[i]);
    return result;
  }
  template <class Function>
  SUMFAC_INLINE static constexpr dual zip(T const& f, dual const& a, dual const& b, Function const& derivative)
  {
    dual result;
    result.value = f;
    SUMFAC_UNROLL
    for (int i = 0; i < Directions; ++i) result.derivatives[i] = derivative(a.derivatives[i], b.derivatives[i]);
    return result;
  }
};

// a b + c and c - a b where one of them is a dual.
template <class First, class Second, class Third>
  requires detail::any_dual<First, Second, Third>
SUMFAC_INLINE constexpr auto fma(First const& a, Second const& b, Third const& c)
{
  return a * b + c;
}
template <class First, class Second, class Third>
  requires detail::any_dual<First, Second, Third>
SUMFAC_INLINE constexpr auto fnma(First const& a, Second const& b, Third const& c)
{
  return c - a * b;
}

// A function of a number with its derivative, both callable: duals go through it by the chain rule.
//
// `lane_by_lane(differentiable{f, slope}, x)` for any x. For second derivatives the slope must take duals: it is made
// of functions that duals have, or differentiable itself.
template <class Function, class Derivative>
struct differentiable {
  Function function;
  Derivative derivative;

  template <class T>
  SUMFAC_FUNCTION T operator()(T const& x) const
  {
    return function(x);
  }
  template <class T, int Directions>
  SUMFAC_FUNCTION dual<T, Directions> operator()(dual<T, Directions> const& x) const
  {
    return x.chain((*this)(x.value), derivative(x.value));
  }
};
template <class Function, class Derivative>
differentiable(Function, Derivative) -> differentiable<Function, Derivative>;

namespace detail {

template <class T, int Directions>
struct lanes_of<dual<T, Directions>> : lanes_of<T> {};

template <class T, int Directions>
inline constexpr bool is_one_number<dual<T, Directions>> = is_one_number<T>;
template <class T, int Directions>
inline constexpr bool has_lanes<dual<T, Directions>> = has_lanes<T>;

template <class Constant, class T, int Directions>
  requires constant_of<Constant, T>
struct product_entry<Constant, dual<T, Directions>> {
  using type = dual<T, Directions>;
};
template <class Constant, class T, int Directions>
  requires constant_of<Constant, T>
struct product_entry<dual<T, Directions>, Constant> {
  using type = dual<T, Directions>;
};

}  // namespace detail

}  // namespace sumfac
