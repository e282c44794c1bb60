// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Elementary functions and choices of packs: each lane is what long double says, to some units in the last place.
#include <sumfac/math/dual.hpp>
#include <sumfac/math/functions.hpp>

#include <catch2/catch.hpp>

#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

using sumfac::dual;
using sumfac::native_width;
using sumfac::pack;
using sumfac::select;

namespace {

template <class T, int W>
struct type {
  using scalar = T;
  static constexpr int width = W;
};

template <class T>
bool close(T got, long double right, T units)
{
  T const expected = static_cast<T>(right), size = std::abs(expected);
  if (got == expected) return true;
  if (!(size <= std::numeric_limits<T>::max())) return std::isnan(expected) && std::isnan(got);
  T const unit = std::nextafter(size, std::numeric_limits<T>::infinity()) - size;
  return static_cast<T>(std::abs(static_cast<long double>(got) - right)) <= units * unit;
}

template <class T, int W>
pack<T, W> spread(T from, T to)
{
  pack<T, W> x{};
  for (int l = 0; l < W; ++l) x.set(l, from + (to - from) * (T(l) + T(0.37)) / T(W));
  return x;
}

}  // namespace

TEMPLATE_TEST_CASE("functions of packs are those of their lanes", "[pack]", (type<double, native_width<double>>),
                   (type<float, native_width<float>>), (type<double, 2>), (type<float, 1>))
{
  using T = typename TestType::scalar;
  constexpr int W = TestType::width;
  auto const check = [](char const* name, auto const& f, T from, T to) {
    CAPTURE(name);
    for (int part = 0; part < 20; ++part) {
      T const width = (to - from) / T(20);
      auto const x = spread<T, W>(from + T(part) * width, from + T(part + 1) * width), y = f(x);
      for (int l = 0; l < W; ++l) {
        CAPTURE(x[l]);
        CHECK(close(y[l], f(static_cast<long double>(x[l])), T(4)));
      }
    }
  };
  using std::exp, std::exp2, std::expm1, std::log, std::log2, std::log10, std::log1p, std::sin, std::cos, std::tan,
      std::asin, std::acos, std::atan, std::sinh, std::cosh, std::tanh, std::asinh, std::acosh, std::atanh, std::cbrt,
      std::erf, std::erfc, std::tgamma, std::lgamma, std::floor, std::ceil, std::round, std::trunc, std::pow,
      std::atan2, std::hypot, std::fmod;
#define CHECK_FUNCTION(name, from, to) \
  check(                               \
      #name, [](auto x) { return name(x); }, from, to)
  CHECK_FUNCTION(exp, T(-20), T(20));
  CHECK_FUNCTION(exp2, T(-20), T(20));
  CHECK_FUNCTION(expm1, T(-1), T(1));
  CHECK_FUNCTION(log, T(0.01), T(20));
  CHECK_FUNCTION(log2, T(0.01), T(20));
  CHECK_FUNCTION(log10, T(0.01), T(20));
  CHECK_FUNCTION(log1p, T(-0.5), T(2));
  CHECK_FUNCTION(sin, T(-20), T(20));
  CHECK_FUNCTION(cos, T(-20), T(20));
  CHECK_FUNCTION(tan, T(-1.5), T(1.5));
  CHECK_FUNCTION(asin, T(-1), T(1));
  CHECK_FUNCTION(acos, T(-1), T(1));
  CHECK_FUNCTION(atan, T(-20), T(20));
  CHECK_FUNCTION(sinh, T(-5), T(5));
  CHECK_FUNCTION(cosh, T(-5), T(5));
  CHECK_FUNCTION(tanh, T(-5), T(5));
  CHECK_FUNCTION(asinh, T(-5), T(5));
  CHECK_FUNCTION(acosh, T(1.1), T(5));
  CHECK_FUNCTION(atanh, T(-0.9), T(0.9));
  CHECK_FUNCTION(cbrt, T(-20), T(20));
  CHECK_FUNCTION(erf, T(-3), T(3));
  CHECK_FUNCTION(erfc, T(-3), T(3));
  CHECK_FUNCTION(tgamma, T(0.5), T(5));
  CHECK_FUNCTION(lgamma, T(3), T(9));
  CHECK_FUNCTION(floor, T(-5), T(5));
  CHECK_FUNCTION(ceil, T(-5), T(5));
  CHECK_FUNCTION(round, T(-5), T(5));
  CHECK_FUNCTION(trunc, T(-5), T(5));
#undef CHECK_FUNCTION
  check(
      "pow", [](auto x) { return pow(x, x); }, T(0.1), T(5));
  check(
      "pow of a number", [](auto x) { return pow(T(1.5), x); }, T(-5), T(5));
  check(
      "pow to a number", [](auto x) { return pow(x, 3); }, T(-5), T(5));
  check(
      "atan2", [](auto x) { return atan2(x, T(1.5)); }, T(-5), T(5));
  check(
      "hypot", [](auto x) { return hypot(T(3), x); }, T(-5), T(5));
  check(
      "fmod", [](auto x) { return fmod(x, T(1.25)); }, T(-5), T(5));
  check(
      "atan2 of a number", [](auto x) { return atan2(T(1.5), x); }, T(-5), T(5));
  check(
      "fmod of a number", [](auto x) { return fmod(T(7.25), x); }, T(0.5), T(5));
}

// Each lane of a pack has each of these in turn, beside lanes that have others.
TEMPLATE_TEST_CASE("functions of packs of any width, with lanes that are no numbers", "[pack]", double, float)
{
  using T = TestType;
  using limits = std::numeric_limits<T>;
  T const numbers[] = {T(0),
                       T(-0.0),
                       T(0.5),
                       T(-1),
                       T(20.25),
                       limits::infinity(),
                       -limits::infinity(),
                       limits::quiet_NaN(),
                       limits::max(),
                       limits::min(),
                       limits::denorm_min(),
                       T(-700),
                       T(1e5)};
  constexpr int count = sizeof numbers / sizeof(T);
  auto const check = [&]<int W>(std::integral_constant<int, W>) {
    for (int turn = 0; turn < count; ++turn) {
      pack<T, W> x;
      for (int l = 0; l < W; ++l) x.set(l, numbers[(l + turn) % count]);
      auto const lanes = [&](char const* name, auto const& f, T units) {
        auto const y = f(x);
        for (int l = 0; l < W; ++l) {
          CAPTURE(name, W, l, x[l], y[l]);
          CHECK(close(y[l], f(static_cast<long double>(x[l])), units));
        }
      };
      using std::exp, std::log, std::sin, std::cos, std::tan, std::pow, std::sqrt, std::abs;
      lanes(
          "exp", [](auto z) { return exp(z); }, T(4));
      lanes(
          "log", [](auto z) { return log(z); }, T(4));
      lanes(
          "sin", [](auto z) { return sin(z); }, T(4));
      lanes(
          "cos", [](auto z) { return cos(z); }, T(4));
      lanes(
          "tan", [](auto z) { return tan(z); }, T(4));
      lanes(
          "pow", [](auto z) { return pow(z, T(2.5)); }, T(4));
      lanes(
          "pow to 0", [](auto z) { return pow(z, T(0)); }, T(0));
      lanes(
          "sqrt", [](auto z) { return sqrt(z); }, T(1));
      lanes(
          "abs", [](auto z) { return abs(z); }, T(0));
    }
  };
  [&]<int... Powers>(std::integer_sequence<int, Powers...>) {
    (check(std::integral_constant<int, 1 << Powers>{}), ...);
  }(std::make_integer_sequence<int, 5>{});
}

TEMPLATE_TEST_CASE("comparisons of packs choose lane by lane", "[pack]", (type<double, native_width<double>>),
                   (type<float, native_width<float>>), (type<double, 1>))
{
  using T = typename TestType::scalar;
  constexpr int W = TestType::width;
  auto const x = spread<T, W>(T(-2), T(2));
  auto const y = -x * T(0.5) + T(0.25);
  for (int l = 0; l < W; ++l) {
    CHECK((x < y)[l] == (x[l] < y[l]));
    CHECK((x > y)[l] == (x[l] > y[l]));
    CHECK((x <= x)[l]);
    CHECK_FALSE((x < x)[l]);
    CHECK((x >= T(0))[l] == (x[l] >= 0));
    CHECK((T(0) <= x)[l] == (x[l] >= 0));
    CHECK((x == x)[l]);
    CHECK_FALSE((x != x)[l]);
    CHECK((x > 0 && x < 1)[l] == (x[l] > 0 && x[l] < 1));
    CHECK((x < 0 || x > 1)[l] == (x[l] < 0 || x[l] > 1));
    CHECK((!(x < 0))[l] == !(x[l] < 0));
    CHECK(select(x < y, x, y)[l] == (x[l] < y[l] ? x[l] : y[l]));
    CHECK(select(x < 0, 0, x)[l] == (x[l] < 0 ? 0 : x[l]));
    CHECK(select(x[l] < 0, x, y)[l] == (x[l] < 0 ? x[l] : y[l]));
  }
  CHECK(select(true, 1, 2.5) == 1.0);
  CHECK(select(false, 1, 2.5) == 2.5);
}

TEST_CASE("choices of duals take their derivatives along", "[dual]")
{
  using numbers = pack<double, 2>;
  numbers t;
  t.set(0, -0.5);
  t.set(1, 0.5);
  auto const x = dual<numbers>::variable(t);
  auto const y = select(x < 0, 3 * x, x * x);
  CHECK(y[0].value == -1.5);
  CHECK(y[0].derivatives[0] == 3);
  CHECK(y[1].value == 0.25);
  CHECK(y[1].derivatives[0] == 1);
  CHECK((x != 0.5)[0]);
  CHECK_FALSE((x != 0.5)[1]);
  CHECK(select(dual<double>(1, 5) > 0, dual<double>(2, 7), 1).derivatives[0] == 7);
}
