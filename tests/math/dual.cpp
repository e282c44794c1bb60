// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Duals: derivatives of each function against finite differences in long double, second ones by nesting, packs lane by
// lane, and how duals mix with the numbers that they are made of.
#include <sumfac/math/dual.hpp>

#include <sumfac/math/small.hpp>

#include <support/random.hpp>

#include <catch2/catch.hpp>

#include <cmath>
#include <limits>
#include <type_traits>

using sumfac::dual;
using sumfac::pack;

namespace {

using real = long double;

// f'(x) by seven points: off by h^6 / 140 times the seventh derivative, 4e-19 times it, and by rounding.
template <class Function>
real difference(Function const& f, real x)
{
  real const h = 0x1p-9L;
  auto const across = [&](int i) { return f(x + i * h) - f(x - i * h); };
  return (45 * across(1) - 9 * across(2) + across(3)) / (60 * h);
}

template <class T>
bool close(T a, real b, real scale = 1)
{
  real const rounding = std::fmax(real{64} * std::numeric_limits<T>::epsilon(), 1e-12L);
  return std::fabs(real{a} - b) <= rounding * (std::fabs(b) + scale);
}

// Calls check(f, x) with functions of one number and places where they are smooth.
template <class Check>
void for_each_function(Check const& check)
{
  using std::exp, std::log, std::sqrt, std::sin, std::cos, std::tanh, std::pow, std::abs;
  for (double const x : {0.75, 1.5, 2.25}) {
    check([](auto z) { return -z; }, x);
    check([](auto z) { return z + z; }, x);
    check([](auto z) { return z * z - z * 3; }, x);
    check([](auto z) { return 1 / z + z / (z + 2) - z / 2; }, x);
    check([](auto z) { return (2 - z) * (z - 2) + (2 + z); }, x);
    check([](auto z) { return z -= 3 * z, z *= z, z /= 7, z += 1, z; }, x);
    check([](auto z) { return sqrt(z); }, x);
    check([](auto z) { return exp(z); }, x);
    check([](auto z) { return log(z); }, x);
    check([](auto z) { return sin(z); }, x);
    check([](auto z) { return cos(z); }, x);
    check([](auto z) { return tanh(z); }, x);
    check([](auto z) { return pow(z, 3); }, x);
    check([](auto z) { return pow(z, -1.5); }, x);
    check([](auto z) { return pow(2, z); }, x);
    check([](auto z) { return pow(z, z); }, x);
    check([](auto z) { return abs(z - 5) + abs(z); }, x);
    check([](auto z) { return exp(-z * z) * sin(3 * z) / (1 + tanh(z)); }, x);
  }
  for (double const x : {-1.25, -0.5}) {
    check([](auto z) { return pow(z, 2); }, x);
    check([](auto z) { return abs(z) * z; }, x);
    check([](auto z) { return tanh(z) / z; }, x);
  }
}

template <class T, int Directions>
constexpr bool plain =
    std::is_trivially_copyable_v<dual<T, Directions>> && sizeof(dual<T, Directions>) == (1 + Directions) * sizeof(T);
static_assert(plain<double, 1> && plain<float, 9> && plain<pack<double, 4>, 3> && plain<dual<double>, 2>);
static_assert(std::is_same_v<sumfac::scalar_of<dual<dual<pack<float, 4>, 2>>>, float>);
static_assert(sumfac::width_of<dual<pack<float, 4>, 2>> == 4 && sumfac::width_of<dual<double>> == 1);
static_assert(dual<double, 2>::variable(3, 1).derivatives[1] == 1 &&
              dual<double, 2>::variable(3, 1).derivatives[0] == 0);
static_assert(dual<double>(3).derivatives[0] == 0 && (dual<double>(3, 1) * dual<double>(5, 2)).derivatives[0] == 11);

}  // namespace

TEMPLATE_TEST_CASE("dual: first derivatives are those of finite differences", "[dual]", float, double, real)
{
  using T = TestType;
  for_each_function([](auto const& f, double x) {
    dual<T> const y = f(dual<T>(static_cast<T>(x), 1));
    CAPTURE(x);
    CHECK(close(y.value, f(real{x}), 0));
    CHECK(close(y.derivatives[0], difference(f, x)));
  });
}

TEST_CASE("dual: nested duals have second derivatives", "[dual]")
{
  for_each_function([](auto const& f, double x) {
    dual<dual<double>> z(dual<double>(x, 1), dual<double>(1));
    auto const y = f(z);
    auto const slope = [&](real at) { return f(dual<real>(at, 1)).derivatives[0]; };
    CAPTURE(x);
    CHECK(close(y.value.value, f(real{x}), 0));
    CHECK(close(y.value.derivatives[0], slope(x)));
    CHECK(close(y.derivatives[0].value, slope(x)));
    CHECK(close(y.derivatives[0].derivatives[0], difference(slope, x)));
  });
}

TEST_CASE("dual: several directions, and all second derivatives of x^3 y + exp(y z)", "[dual]")
{
  using inner = dual<double, 3>;
  using outer = dual<inner, 3>;
  double const at[3] = {1.5, -0.75, 0.5};
  outer v[3];
  for (int i = 0; i < 3; ++i) v[i] = outer::variable(inner::variable(at[i], i), i);
  auto const f = v[0] * v[0] * v[0] * v[1] + exp(v[1] * v[2]);
  auto const [x, y, z] = at;
  double const e = std::exp(y * z);
  double const first[3] = {3 * x * x * y, x * x * x + z * e, y * e};
  double const second[3][3] = {
      {6 * x * y, 3 * x * x, 0}, {3 * x * x, z * z * e, (1 + y * z) * e}, {0, (1 + y * z) * e, y * y * e}};
  for (int i = 0; i < 3; ++i) {
    CHECK(f.value.derivatives[i] == Approx(first[i]).epsilon(1e-14));
    CHECK(f.derivatives[i].value == Approx(first[i]).epsilon(1e-14));
    for (int j = 0; j < 3; ++j)
      CHECK(f.derivatives[i].derivatives[j] == Approx(second[i][j]).epsilon(1e-14).margin(1e-15));
  }
}

TEMPLATE_TEST_CASE("dual: packs compute lane by lane as numbers do", "[dual]", float, double)
{
  using T = TestType;
  constexpr int width = 4;
  using number = dual<T, 2>;
  using packs = dual<pack<T, width>, 2>;
  support::generator next(7);
  packs x, y;
  number xs[width], ys[width];
  for (int l = 0; l < width; ++l) {
    for (number* n : {&xs[l], &ys[l]}) {
      n->value = T(2) + T(next());
      for (T& d : n->derivatives) d = T(next());
    }
    x.set(l, xs[l]);
    y.set(l, ys[l]);
  }
  auto const check = [&](auto const& f) {
    packs const result = f(x, y);
    for (int l = 0; l < width; ++l) {
      number const expected = f(xs[l], ys[l]), lane = result[l];
      CHECK(close(lane.value, real{expected.value}));
      for (int i = 0; i < 2; ++i) CHECK(close(lane.derivatives[i], real{expected.derivatives[i]}, 16));
    }
  };
  check([](auto a, auto b) { return a * b - a / b + T(2) * a - b / T(3) + T(1) / a; });
  check([](auto a, auto b) { return min(a, b) + T(2) * max(a, b) + abs(a - b); });
  check([](auto a, auto b) { return sqrt(a) + exp(b) + log(a) * sin(b) + cos(a) * tanh(b); });
  check([](auto a, auto b) { return pow(a, b) + pow(a, 3) + pow(T(2), b); });
  check([](auto a, auto b) { return fma(a, b, a) - fnma(a, b, T(3) * b); });
  check(
      [](auto a, auto b) { return sumfac::lane_by_lane([](auto z) { return log(z) + (z < 2 ? z * z : z); }, a) * b; });
}

TEST_CASE("dual: choices at kinks and ties", "[dual]")
{
  dual<double> const x(0, 3), y(0, 5), less(-1, 7);
  CHECK(min(x, y).derivatives[0] == 5);
  CHECK(max(x, y).derivatives[0] == 5);
  CHECK(max(x, 0).derivatives[0] == 0);
  CHECK(min(less, y).derivatives[0] == 7);
  CHECK(max(y, less).derivatives[0] == 5);
  CHECK(abs(x).derivatives[0] == 3);
  CHECK(abs(less).value == 1);
  CHECK(abs(less).derivatives[0] == -7);
  CHECK((less < x && x > less && x <= y && y >= x && x == y && x != less && x < 1 && -2.0 < less));
  dual<pack<double, 2>> mixed;
  mixed.set(0, x);
  mixed.set(1, less);
  CHECK(abs(mixed)[0].derivatives[0] == 3);
  CHECK(abs(mixed)[1].derivatives[0] == -7);
}

TEST_CASE("dual: powers where logarithms are none", "[dual]")
{
  dual<double> const zero(0, 1), negative(-2, 1), two(2), nothing(0);
  CHECK(pow(zero, 2).derivatives[0] == 0);
  CHECK(pow(zero, 1).derivatives[0] == 1);
  CHECK(pow(zero, 0).derivatives[0] == 0);
  CHECK(pow(negative, two).value == 4);
  CHECK(pow(negative, two).derivatives[0] == -4);
  CHECK(pow(zero, two).derivatives[0] == 0);
  CHECK(pow(0.0, dual<double>(2, 1)).derivatives[0] == 0);
  CHECK(pow(zero, nothing).value == 1);
  using numbers = pack<double, 2>;
  CHECK(pow(dual<numbers>(numbers(-2), numbers(1)), numbers(2))[1].derivatives[0] == -4);
  CHECK(pow(dual<numbers>(numbers(0.0), numbers(1)), numbers(0.0))[1].derivatives[0] == 0);
}

TEST_CASE("dual: functions of a user's with their derivatives", "[dual]")
{
  // erf, which duals do not have, by a slope that they do.
  auto const slope = [](auto z) {
    using std::exp;
    return 2 / std::sqrt(std::acos(-1.0)) * exp(-z * z);
  };
  sumfac::differentiable const f{[](double z) { return std::erf(z); }, slope};
  double const x = 0.375, expected = slope(x);
  CHECK(f(x) == std::erf(x));
  CHECK(sumfac::lane_by_lane(f, x) == std::erf(x));
  CHECK(sumfac::lane_by_lane(f, dual<double>(x, 2)).value == std::erf(x));
  CHECK(sumfac::lane_by_lane(f, dual<double>(x, 2)).derivatives[0] == 2 * expected);
  using numbers = pack<double, 2>;
  auto const packs = sumfac::lane_by_lane(f, dual<numbers, 2>::variable(numbers(x), 1));
  CHECK(packs[1].derivatives[1] == expected);
  CHECK(packs[1].derivatives[0] == 0);
  auto const twice = sumfac::lane_by_lane(f, dual<dual<double>>(dual<double>(x, 1), dual<double>(1)));
  CHECK(twice.derivatives[0].derivatives[0] == Approx(-2 * x * expected).epsilon(1e-14));
}

TEST_CASE("lane_by_lane calls its function with the one lane of a pack, too", "[pack]")
{
  auto const f = [](auto z) { return 2 * z; };
  CHECK(sumfac::lane_by_lane(f, pack<double, 1>(3))[0] == 6);
}

TEST_CASE("dual: determinants and inverses, and products of matrices of numbers", "[dual]")
{
  support::generator next(3);
  sumfac::matrix<double, 3> a{}, da{};
  sumfac::matrix<dual<double>, 3> m{};
  for (int i = 0; i < 9; ++i) {
    a.entries[i] = next() + (i % 4 == 0 ? 3 : 0);
    da.entries[i] = next();
    m.entries[i] = {a.entries[i], da.entries[i]};
  }
  auto const inverse_a = inverse(a);
  auto const turned = inverse_a * da;
  CHECK(determinant(m).derivatives[0] ==
        Approx(determinant(a) * (turned(0, 0) + turned(1, 1) + turned(2, 2))).epsilon(1e-13));
  auto const slope = inverse_a * da * inverse_a;
  auto const inverse_m = inverse(m);
  for (int i = 0; i < 9; ++i)
    CHECK(inverse_m.entries[i].derivatives[0] == Approx(-slope.entries[i]).epsilon(1e-13).margin(1e-15));

  sumfac::symmetric<double, 3> g{1, 2, 3, 4, 5, 6};
  sumfac::vector<dual<double>, 3> const v{m(0, 0), m(0, 1), m(0, 2)};
  sumfac::vector<double, 3> const dv{da(0, 0), da(0, 1), da(0, 2)};
  auto const from_a = a * v, from_g = g * v;
  auto const m_a = m * a, a_m = a * m;
  for (int r = 0; r < 3; ++r) {
    CHECK(from_a[r].derivatives[0] == Approx((a * dv)[r]).epsilon(1e-14));
    CHECK(from_g[r].derivatives[0] == Approx((g * dv)[r]).epsilon(1e-14));
    CHECK(m_a(r, 1).derivatives[0] == Approx((da * a)(r, 1)).epsilon(1e-14));
    CHECK(a_m(r, 1).derivatives[0] == Approx((a * da)(r, 1)).epsilon(1e-14));
  }
  CHECK(dot(v, dv).derivatives[0] == Approx(dot(dv, dv)).epsilon(1e-14));
  auto scaled = v + v * 2.0 - v[0] * v;
  scaled *= 3.0;
  CHECK(scaled[1].derivatives[0] == Approx(3 * (3 * dv[1] - dv[0] * v[1].value - v[0].value * dv[1])).epsilon(1e-13));
}
