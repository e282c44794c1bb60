// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Tangents and residuals at points: against tangents worked out by hand and against finite differences in long double.
#include <sumfac/form/tangent.hpp>

#include <sumfac/form/mass.hpp>
#include <sumfac/form/stiffness.hpp>

#include <form/nonlinear_forms.hpp>
#include <support/larger.hpp>
#include <support/measured.hpp>
#include <support/random.hpp>

#include <catch2/catch.hpp>

#include <cmath>
#include <limits>
#include <type_traits>

namespace {

using real = long double;
using sumfac::pack;
using sumfac::point_values;
using sumfac::residual;
using sumfac::tangent;

template <class T, int Components>
T& entry(point_values<T, Components>& u, int i)
{
  if constexpr (Components == 1)
    return i == 0 ? u.value : u.gradient[i - 1];
  else
    return i < Components ? u.value[i] : u.gradient.entries[i - Components];
}
template <class T, int Components>
T entry(point_values<T, Components> const& u, int i)
{
  return entry(const_cast<point_values<T, Components>&>(u), i);
}

// Random entries of the size of `scale`, the same for every T, in those that Reads names.
template <class T, int Components>
point_values<T, Components> random_values(sumfac::evaluation reads, unsigned seed, double scale = 0.25)
{
  support::generator next(seed);
  point_values<T, Components> u{};
  for (int i = 0; i < 4 * Components; ++i) {
    double const x = scale * next();
    if (has(reads, i < Components ? sumfac::value : sumfac::gradient)) entry(u, i) = T(x);
  }
  return u;
}

template <class T>
sumfac::mapping<T> point()
{
  sumfac::matrix<T, 3> jacobian{T(0.5), T(0.125), T(0), T(-0.125), T(0.75), T(0.25), T(0.0625), T(0), T(1)};
  return {jacobian, T(0.375), {T(1), T(2), T(3)}};
}

template <class Form>
auto random_values_of(Form const&, unsigned seed)
{
  return random_values<real, sumfac::components_of<Form>>(Form::trial, seed);
}

// (apply(u + h w) - apply(u - h w)) / 2 h and its like, off by h^6.
template <class Form, int Components, class... Inputs>
point_values<real, Components> difference(Form const& form, point_values<real, Components> const& w,
                                          point_values<real, Components> const& u, Inputs const&... inputs)
{
  auto const factors = form.setup(point<real>());
  auto const at = [&](real h) {
    auto moved = u;
    for (int i = 0; i < 4 * Components; ++i) entry(moved, i) += h * entry(w, i);
    return form.apply(factors, moved, inputs...);
  };
  real const h = 0x1p-9L;
  point_values<real, Components> result{};
  real const weights[] = {45, -9, 1};
  for (int k = 1; k <= 3; ++k) {
    auto const right = at(k * h), left = at(-k * h);
    for (int i = 0; i < 4 * Components; ++i)
      entry(result, i) += weights[k - 1] * (entry(right, i) - entry(left, i)) / (60 * h);
  }
  return result;
}

// Entries agree to `allowed` of the greatest.
template <class A, class B, int Components>
void check_close(point_values<A, Components> const& a, point_values<B, Components> const& b, real allowed)
{
  real greatest = 0;
  for (int i = 0; i < 4 * Components; ++i) greatest = support::larger(greatest, std::fabs(real{entry(b, i)}));
  REQUIRE(greatest > 1e-6L);
  for (int i = 0; i < 4 * Components; ++i) {
    CAPTURE(i);
    CHECK(std::fabs(real{entry(a, i)} - real{entry(b, i)}) <= allowed * greatest);
  }
}

template <class T>
constexpr real rounding = 64 * real{std::numeric_limits<T>::epsilon()};

// u and what it is made of in type T.
template <class T, int Components>
point_values<T, Components> as(point_values<real, Components> const& u)
{
  point_values<T, Components> result{};
  for (int i = 0; i < 4 * Components; ++i) entry(result, i) = T(static_cast<sumfac::scalar_of<T>>(entry(u, i)));
  return result;
}

// The tangent in long double, double, float and packs, at a few u and w.
template <class Form, class... Inputs>
void check_tangent(Form const& form, Inputs const&... inputs)
{
  tangent<Form> const derived(form);
  for (unsigned seed = 1; seed < 4; ++seed) {
    auto const u = random_values_of(form, seed), w = random_values_of(form, 10 + seed);
    auto const expected = derived.apply(derived.setup(point<real>()), w, u, inputs...);
    check_close(expected, difference(form, w, u, inputs...), 1e-14L);
    check_close(derived.apply(derived.setup(point<double>()), as<double>(w), as<double>(u), as<double>(inputs)...),
                expected, rounding<double>);
    check_close(derived.apply(derived.setup(point<float>()), as<float>(w), as<float>(u), as<float>(inputs)...),
                expected, rounding<float>);
  }
  using packs = pack<double, 4>;
  constexpr int components = sumfac::components_of<Form>;
  point_values<packs, components> u{}, w{};
  for (int lane = 0; lane < 4; ++lane)
    for (int i = 0; i < 4 * components; ++i) {
      entry(u, i).set(lane, double(entry(random_values_of(form, 20 + unsigned(lane)), i)));
      entry(w, i).set(lane, double(entry(random_values_of(form, 30 + unsigned(lane)), i)));
    }
  auto const lanes = derived.apply(derived.setup(point<packs>()), w, u, as<packs>(inputs)...);
  for (int lane = 0; lane < 4; ++lane) {
    auto const expected =
        derived.apply(derived.setup(point<double>()), as<double>(random_values_of(form, 30 + unsigned(lane))),
                      as<double>(random_values_of(form, 20 + unsigned(lane))), as<double>(inputs)...);
    point_values<double, components> got{};
    for (int i = 0; i < 4 * components; ++i) entry(got, i) = entry(lanes, i)[lane];
    check_close(got, expected, rounding<double>);
  }
}

// Another form that says the same by hand.
template <class Form, class Hand>
void check_same(Form const& form, Hand const& hand)
{
  for (unsigned seed = 1; seed < 4; ++seed) {
    auto const u = as<double>(random_values_of(form, seed)), w = as<double>(random_values_of(form, 10 + seed));
    check_close(form.apply(form.setup(point<double>()), w, u), hand.apply(hand.setup(point<double>()), w, u),
                rounding<double>);
  }
}

template <class Form>
void check_linear(Form const& form)
{
  tangent<Form> const derived(form);
  auto const u = as<double>(random_values_of(form, 1)), w = as<double>(random_values_of(form, 2));
  auto const factors = form.setup(point<double>());
  auto const value = derived.apply(factors, w, u), expected = form.apply(factors, w);
  for (int i = 0; i < 4 * sumfac::components_of<Form>; ++i) CHECK(entry(value, i) == entry(expected, i));
}

// Half of u . u (1 + grad u : grad u), of two components' values and gradients.
struct mixed_energy : support::measured {
  static constexpr auto trial = sumfac::value | sumfac::gradient;
  static constexpr int components = 2;
  template <class T>
  T energy(factors<T> const& f, point_values<T, 2> const& u) const
  {
    T const squares = dot(u.value, u.value);
    T sum = u.gradient.entries[0] * u.gradient.entries[0];
    for (int i = 1; i < 6; ++i) sum += u.gradient.entries[i] * u.gradient.entries[i];
    return sumfac::scalar_of<T>(0.5) * f.measure * squares * (sum + sumfac::scalar_of<T>(1));
  }
};

template <class Form>
concept applied_at_points = requires(Form const& form, sumfac::mapping<double> const& x,
                                     point_values<double> const& u) { form.apply_at(x, u, u); };
template <class Form>
concept declares_flops = requires { Form::flops_per_point(true); };

using nonlinear::heat_flux;
using nonlinear::reaction;
using nonlinear::transport;
using double_energy = nonlinear::neo_hookean<double>;
using double_stress = nonlinear::neo_hookean_stress<double>;

static_assert(sumfac::form<heat_flux> && sumfac::form<residual<double_energy>>);
static_assert(!sumfac::is_linear<residual<double_energy>> && sumfac::is_linear<tangent<residual<double_energy>>>);
static_assert(sumfac::components_of<tangent<double_stress>> == 3 && residual<double_energy>::test == sumfac::gradient);
static_assert(sumfac::factors_of<tangent<heat_flux>> == 6 && std::is_trivially_copyable_v<tangent<reaction>>);
constexpr auto both = sumfac::value | sumfac::gradient;
static_assert(
    std::is_same_v<tangent<heat_flux>::inputs, sumfac::reads<sumfac::input{.components = 1, .evaluates = both}>>);
static_assert(std::is_same_v<tangent<transport>::inputs,
                             sumfac::reads<sumfac::input{.components = 1, .evaluates = both},
                                           sumfac::input{.components = 3, .evaluates = sumfac::value}>>);

}  // namespace

TEST_CASE("tangent: (1 + u^2) grad u", "[tangent]")
{
  check_tangent(heat_flux{});
  check_tangent(nonlinear::heat_flux_of_two_types{});
  check_same(tangent<heat_flux>{}, nonlinear::heat_flux_by_hand{});
  check_same(tangent<nonlinear::heat_flux_of_two_types>{}, nonlinear::heat_flux_by_hand{});
}

TEST_CASE("tangent: coefficients by functions of u", "[tangent]") { check_tangent(reaction{}); }

TEST_CASE("tangent: a form's own inputs follow u", "[tangent]")
{
  auto const velocity = random_values<real, 3>(sumfac::value, 5);
  check_tangent(transport{}, velocity);
  tangent<transport> const derived;
  auto const x = point<real>();
  auto const u = random_values_of(derived, 1), w = random_values_of(derived, 2);
  check_close(derived.apply_at(x, w, u, velocity), derived.apply(derived.setup(x), w, u, velocity), rounding<real>);
}

TEST_CASE("tangent: compressible neo-Hookean stress", "[tangent]")
{
  check_tangent(double_stress{});
  check_same(tangent<double_stress>{}, nonlinear::neo_hookean_by_hand<double>{});
}

TEST_CASE("residual: the energy's derivative, and its tangent the second", "[tangent]")
{
  residual<double_energy> const derived;
  double_stress const hand;
  auto const u = as<double>(random_values_of(hand, 1));
  check_close(derived.apply(derived.setup(point<double>()), u), hand.apply(hand.setup(point<double>()), u),
              rounding<double>);
  auto const factors = derived.setup(point<real>());
  auto const energy = derived.energy(factors, random_values_of(hand, 1));
  CHECK(std::isfinite(energy));
  check_tangent(derived);
  check_same(tangent<residual<double_energy>>{}, nonlinear::neo_hookean_by_hand<double>{});
}

TEST_CASE("residual: of an energy of several components' values and gradients", "[tangent]")
{
  residual<mixed_energy> const derived;
  auto const u = random_values_of(derived, 1);
  auto const factors = derived.setup(point<real>());
  real slopes = 0;
  for (int i = 0; i < 6; ++i) slopes += u.gradient.entries[i] * u.gradient.entries[i];
  point_values<real, 2> const hand{.value = u.value * (factors.measure * (1 + slopes)),
                                   .gradient = u.gradient * (factors.measure * dot(u.value, u.value))};
  check_close(derived.apply(factors, u), hand, rounding<real>);
  check_tangent(derived);
}

TEST_CASE("tangent: of a linear form the same numbers", "[tangent]")
{
  check_linear(sumfac::mass{});
  check_linear(sumfac::vector_mass<3>{});
  check_linear(sumfac::laplace{});
  check_linear(sumfac::vector_laplace<3>{});
  check_linear(sumfac::stiffness{.lambda = 2});
}

TEST_CASE("tangent: apply_at is derived where the form has it", "[tangent]")
{
  tangent<reaction> const derived(reaction{.rate = 2});
  auto const x = point<double>();
  auto const u = as<double>(random_values_of(derived, 1)), w = as<double>(random_values_of(derived, 2));
  check_close(derived.apply_at(x, w, u), derived.apply(derived.setup(x), w, u), rounding<double>);
  CHECK(applied_at_points<tangent<reaction>>);
  CHECK_FALSE(applied_at_points<tangent<heat_flux>>);
}

TEST_CASE("tangent: members and check are the form's", "[tangent]")
{
  tangent<reaction> derived(reaction{.rate = 2});
  CHECK(derived.rate == 2);
  derived.check();
  derived.rate = -1;
  CHECK_THROWS_WITH(derived.check(), Catch::Contains("rate is not positive"));
  CHECK(declares_flops<reaction>);
  CHECK_FALSE(declares_flops<tangent<reaction>>);
}
