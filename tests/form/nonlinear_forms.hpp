// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Forms that are not linear, each with its tangent worked out by hand.
#pragma once

#include <support/measured.hpp>

#include <sumfac/error.hpp>
#include <sumfac/form/form.hpp>
#include <sumfac/form/inputs.hpp>

#include <cmath>

namespace nonlinear {

using sumfac::gradient;
using sumfac::mapping;
using sumfac::matrix;
using sumfac::point_values;
using sumfac::scalar_of;
using sumfac::symmetric;
using sumfac::value;
using sumfac::vector;

// ((1 + u^2) grad u, grad v), written with one number type, as most forms are.
struct heat_flux {
  static constexpr auto trial = value | gradient, test = gradient;
  static constexpr bool linear = false;

  template <class T>
  struct factors {
    symmetric<T, 3> metric;
  };

  template <class T>
  SUMFAC_FUNCTION factors<T> setup(mapping<T> const& x) const
  {
    return {x.metric()};
  }

  template <class T>
  SUMFAC_FUNCTION point_values<T> apply(factors<T> const& f, point_values<T> const& u) const
  {
    return {.gradient = (scalar_of<T>(1) + u.value * u.value) * (f.metric * u.gradient)};
  }
};

// The same with a number type for the factors and one for u, as tangents prefer.
struct heat_flux_of_two_types : heat_flux {
  template <class T, class Number>
  SUMFAC_FUNCTION point_values<Number> apply(factors<T> const& f, point_values<Number> const& u) const
  {
    return {.gradient = (scalar_of<T>(1) + u.value * u.value) * (f.metric * u.gradient)};
  }
};

// Their tangent at u, along w.
struct heat_flux_by_hand : heat_flux {
  static constexpr bool linear = true;
  using inputs = sumfac::reads<sumfac::input{.components = 1, .evaluates = value | gradient}>;

  template <class T>
  SUMFAC_FUNCTION point_values<T> apply(factors<T> const& f, point_values<T> const& w, point_values<T> const& u) const
  {
    auto const flux =
        (scalar_of<T>(1) + u.value * u.value) * w.gradient + (scalar_of<T>(2) * u.value * w.value) * u.gradient;
    return {.gradient = f.metric * flux};
  }
};

// Reaction and diffusion with coefficients of u, and apply_at beside apply.
struct reaction {
  static constexpr auto trial = value | gradient, test = value | gradient;
  static constexpr bool linear = false;
  static constexpr sumfac::index_t flops_per_point(bool) { return 1; }

  template <class T>
  struct factors {
    symmetric<T, 3> metric;
    T measure;
  };

  template <class T>
  SUMFAC_FUNCTION factors<T> setup(mapping<T> const& x) const
  {
    return {x.metric(), x.measure()};
  }
  template <class T>
  SUMFAC_FUNCTION point_values<T> apply(factors<T> const& f, point_values<T> const& u) const
  {
    return {.value = f.measure * source(u.value), .gradient = conductivity(u.value) * (f.metric * u.gradient)};
  }
  template <class Point, class T>
  SUMFAC_FUNCTION point_values<T> apply_at(Point const& x, point_values<T> const& u) const
  {
    return {.value = x.measure() * source(u.value), .gradient = conductivity(u.value) * x.metric_times(u.gradient)};
  }
  void(check)() const
  {
    if (!(rate > 0)) sumfac::failf("reaction", "rate is not positive (got %g)", rate);
  }

  template <class T>
  SUMFAC_FUNCTION T source(T const& u) const
  {
    using std::exp;
    return scalar_of<T>(rate) * exp(u) * u;
  }
  template <class T>
  SUMFAC_FUNCTION T conductivity(T const& u) const
  {
    using std::sqrt;
    return sqrt(scalar_of<T>(1) + u * u);
  }

  double rate = 0.5;
};

// A form with an input: u (b . grad u) with a velocity in reference directions.
struct transport : support::measured {
  static constexpr auto trial = value | gradient, test = value;
  static constexpr bool linear = false;
  using inputs = sumfac::reads<sumfac::input{.components = 3, .evaluates = value}>;

  template <class T>
  SUMFAC_FUNCTION point_values<T> apply(factors<T> const& f, point_values<T> const& u,
                                        point_values<T, 3> const& velocity) const
  {
    return {.value = f.measure * u.value * dot(velocity.value, u.gradient)};
  }
  template <class Point, class T>
  SUMFAC_FUNCTION point_values<T> apply_at(Point const& x, point_values<T> const& u,
                                           point_values<T, 3> const& velocity) const
  {
    return {.value = x.measure() * u.value * dot(velocity.value, u.gradient)};
  }
};

// Compressible neo-Hookean: W(F) = mu / 2 (F : F - 3) - mu ln J + lambda / 2 (ln J)^2 with F = I + grad u, J = det F.
template <class Number>
struct neo_hookean {
  static constexpr auto trial = gradient;
  static constexpr int components = 3;

  template <class T>
  struct factors {
    matrix<T, 3> inverse;
    T measure;
  };

  template <class T>
  SUMFAC_FUNCTION factors<T> setup(mapping<T> const& x) const
  {
    return {x.inverse(), x.measure()};
  }

  template <class T>
  SUMFAC_FUNCTION static matrix<T, 3> deformation(factors<T> const& f, point_values<T, 3> const& u)
  {
    auto result = u.gradient * f.inverse;
    for (int i = 0; i < 3; ++i) result(i, i) = result(i, i) + scalar_of<T>(1);
    return result;
  }

  template <class T>
  SUMFAC_FUNCTION static T logarithm(T const& x)
  {
    using std::log;
    return log(x);
  }

  template <class T>
  SUMFAC_FUNCTION T energy(factors<T> const& f, point_values<T, 3> const& u) const
  {
    using number = scalar_of<T>;
    auto const gradients = deformation(f, u);
    T squares = gradients.entries[0] * gradients.entries[0];
    for (int i = 1; i < 9; ++i) squares += gradients.entries[i] * gradients.entries[i];
    T const log_j = logarithm(determinant(gradients));
    return f.measure * (number(mu / 2) * (squares - number(3)) + (number(lambda / 2) * log_j - number(mu)) * log_j);
  }

  Number mu = 1, lambda = 3;
};

// P = mu F + (lambda ln J - mu) F^-T, the energy's residual by hand.
template <class Number>
struct neo_hookean_stress : neo_hookean<Number> {
  using base = neo_hookean<Number>;
  template <class T>
  using factors = typename base::template factors<T>;
  static constexpr auto test = gradient;
  static constexpr bool linear = false;

  template <class T>
  SUMFAC_FUNCTION point_values<T, 3> apply(typename neo_hookean<Number>::template factors<T> const& f,
                                           point_values<T, 3> const& u) const
  {
    using number = scalar_of<T>;
    auto const gradients = base::deformation(f, u);
    T const log_j = base::logarithm(determinant(gradients));
    auto const stress = number(this->mu) * gradients +
                        (number(this->lambda) * log_j - number(this->mu)) * transpose(inverse(gradients));
    return {.gradient = f.measure * (stress * transpose(f.inverse))};
  }
};

// dP = mu H + lambda (F^-1 : H) F^-T - (lambda ln J - mu) F^-T H^T F^-T with H = grad w: the elasticity tensor by hand.
template <class Number>
struct neo_hookean_by_hand : neo_hookean<Number> {
  using base = neo_hookean<Number>;
  static constexpr auto test = gradient;
  using inputs = sumfac::reads<sumfac::input{.components = 3, .evaluates = gradient}>;

  template <class T>
  SUMFAC_FUNCTION point_values<T, 3> apply(typename neo_hookean<Number>::template factors<T> const& f,
                                           point_values<T, 3> const& w, point_values<T, 3> const& u) const
  {
    using number = scalar_of<T>;
    auto const gradients = base::deformation(f, u);
    auto const back = inverse(gradients), along = w.gradient * f.inverse, turned = back * along;
    T const pressure = number(this->lambda) * base::logarithm(determinant(gradients)) - number(this->mu);
    T const trace = turned(0, 0) + turned(1, 1) + turned(2, 2);
    auto const stress = number(this->mu) * along + (number(this->lambda) * trace) * transpose(back) -
                        pressure * transpose(turned * back);
    return {.gradient = f.measure * (stress * transpose(f.inverse))};
  }
};

}  // namespace nonlinear
