// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Kinds of forms that read other functions, are not linear, or are made of others by dual numbers.
#pragma once

#include "forms.hpp"

#include <support/measured.hpp>

#include <sumfac/form/inputs.hpp>
#include <sumfac/form/tangent.hpp>

#include <utility>

namespace instances {

// The metric and the measure at a point.
struct with_metric {
  template <class T, int Dim>
  struct factors {
    sumfac::symmetric<T, Dim> metric;
    T measure;
  };
  template <class T, int Dim, int Coordinates>
  SUMFAC_FUNCTION factors<T, Dim> setup(mapping<T, Dim, Coordinates> const& x) const
  {
    return {x.metric(), x.measure()};
  }
};

// (k grad u, grad v) + (k u + grad k . grad u, v), and where geometry is recomputed without factors.
struct conducting_form : with_metric {
  static constexpr auto trial = value | gradient, test = value | gradient;
  using inputs = sumfac::reads<sumfac::input{.components = 1, .evaluates = value | gradient}>;

  template <class T, int Dim>
  SUMFAC_FUNCTION point_values<T, 1, Dim> apply(factors<T, Dim> const& f, point_values<T, 1, Dim> const& u,
                                                point_values<T, 1, Dim> const& k) const
  {
    auto const flux = f.metric * u.gradient;
    return {.value = f.measure * (k.value * u.value) + dot(k.gradient, flux), .gradient = k.value * flux};
  }
  template <class Point, class T, int Dim>
  SUMFAC_FUNCTION point_values<T, 1, Dim> apply_at(Point const& x, point_values<T, 1, Dim> const& u,
                                                   point_values<T, 1, Dim> const& k) const
  {
    auto const flux = x.metric_times(u.gradient);
    return {.value = x.measure() * (k.value * u.value) + dot(k.gradient, flux), .gradient = k.value * flux};
  }
};
struct conducting : kind<conducting_form> {
  static integrand exact()
  {
    return [](place const& at, flat_field const& u) {
      auto v = zero_as(u);
      auto const& k = at.inputs[0];
      v.value[0] = k.value[0] * u.value[0];
      for (std::size_t r = 0; r < at.position.size(); ++r) {
        v.value[0] += k.gradient[0][r] * u.gradient[0][r];
        v.gradient[0][r] = k.value[0] * u.gradient[0][r];
      }
      return v;
    };
  }
};

// ((a0 + 2 a1 + a2 t + |grad t|^2) u, v): two inputs, the second of degree 1.
struct weighing_form : with_metric {
  static constexpr auto trial = value, test = value;
  using inputs =
      sumfac::reads<sumfac::input{.components = 3}, sumfac::input{.evaluates = value | gradient, .order = 1}>;
  template <class T, int Dim>
  SUMFAC_FUNCTION point_values<T, 1, Dim> apply(factors<T, Dim> const& f, point_values<T, 1, Dim> const& u,
                                                point_values<T, 3, Dim> const& a,
                                                point_values<T, 1, Dim> const& t) const
  {
    auto const two = sumfac::scalar_of<T>(2);
    T const weight = f.measure * (a.value[0] + two * a.value[1] + a.value[2] * t.value);
    return {.value = (weight + dot(t.gradient, f.metric * t.gradient)) * u.value};
  }
};
struct weighing : kind<weighing_form, true> {
  static integrand exact()
  {
    return [](place const& at, flat_field const& u) {
      auto v = zero_as(u);
      auto const& a = at.inputs[0].value;
      real weight = a[0] + 2 * a[1] + a[2] * at.inputs[1].value[0];
      for (real const slope : at.inputs[1].gradient[0]) weight += slope * slope;
      v.value[0] = weight * u.value[0];
      return v;
    };
  }
};

// Two components that an input of two components couples: (w_c grad u_c, grad v_c) + (grad w_d . grad u_c, v_d).
struct coupled_form : with_metric {
  static constexpr auto trial = gradient, test = value | gradient;
  static constexpr int components = 2;
  using inputs = sumfac::reads<sumfac::input{.components = 2, .evaluates = value | gradient}>;

  template <class T, int Dim>
  SUMFAC_FUNCTION point_values<T, 2, Dim> apply(factors<T, Dim> const& f, point_values<T, 2, Dim> const& u,
                                                point_values<T, 2, Dim> const& w) const
  {
    point_values<T, 2, Dim> v{};
    for (int c = 0; c < 2; ++c) {
      sumfac::vector<T, Dim> of_u{}, of_w{};
      for (int d = 0; d < Dim; ++d) of_u[d] = u.gradient(c, d), of_w[d] = w.gradient(1 - c, d);
      auto const flux = f.metric * of_u;
      v.value[1 - c] = dot(of_w, flux);
      for (int d = 0; d < Dim; ++d) v.gradient(c, d) = w.value[c] * flux[d];
    }
    return v;
  }
};
struct coupled : kind<coupled_form> {
  static integrand exact()
  {
    return [](place const& at, flat_field const& u) {
      auto v = zero_as(u);
      auto const& w = at.inputs[0];
      for (std::size_t c = 0; c < 2; ++c)
        for (std::size_t r = 0; r < at.position.size(); ++r) {
          v.gradient[c][r] = w.value[c] * u.gradient[c][r];
          v.value[1 - c] += w.gradient[1 - c][r] * u.gradient[c][r];
        }
      return v;
    };
  }
};

// The derivative of an integrand that is not linear, at its first input, by differences of fourth order.
inline integrand derivative_of(integrand const& form)
{
  return [form](place const& at, flat_field const& w) {
    place rest = at;
    rest.inputs.erase(rest.inputs.begin());
    auto const step = real(1e-4);
    auto v = zero_as(w);
    for (auto const& [steps, weight] : {std::pair<int, int>{1, 8}, {-1, -8}, {2, -1}, {-2, 1}}) {
      flat_field moved = at.inputs[0];
      for (std::size_t c = 0; c < w.value.size(); ++c) {
        moved.value[c] += steps * step * w.value[c];
        for (std::size_t r = 0; r < w.gradient[c].size(); ++r) moved.gradient[c][r] += steps * step * w.gradient[c][r];
      }
      auto const there = form(rest, moved);
      for (std::size_t c = 0; c < w.value.size(); ++c) {
        v.value[c] += weight * there.value[c] / (12 * step);
        for (std::size_t r = 0; r < w.gradient[c].size(); ++r)
          v.gradient[c][r] += weight * there.gradient[c][r] / (12 * step);
      }
    }
    return v;
  };
}

// Two coupled components, not linear: flux (1 + |u|^2) grad u_c, and u_0 u_1 + t / (2 + u_c^2) in the values; t is an
// input.
struct reacting_form : with_metric {
  static constexpr auto trial = value | gradient, test = value | gradient;
  static constexpr int components = 2;
  static constexpr bool linear = false;
  using inputs = sumfac::reads<sumfac::input{}>;

  template <class T, int Dim>
  SUMFAC_FUNCTION point_values<T, 2, Dim> apply(factors<T, Dim> const& f, point_values<T, 2, Dim> const& u,
                                                point_values<T, 1, Dim> const& t) const
  {
    point_values<T, 2, Dim> v{};
    T const size = T(1) + u.value[0] * u.value[0] + u.value[1] * u.value[1];
    for (int c = 0; c < 2; ++c) {
      sumfac::vector<T, Dim> slope{};
      for (int d = 0; d < Dim; ++d) slope[d] = u.gradient(c, d);
      auto const flux = size * (f.metric * slope);
      for (int d = 0; d < Dim; ++d) v.gradient(c, d) = flux[d];
      v.value[c] = f.measure * (u.value[0] * u.value[1] + t.value / (T(2) + u.value[c] * u.value[c]));
    }
    return v;
  }
};
struct reacting : kind<reacting_form> {
  static integrand exact()
  {
    return [](place const& at, flat_field const& u) {
      auto v = zero_as(u);
      real const size = 1 + u.value[0] * u.value[0] + u.value[1] * u.value[1];
      for (std::size_t c = 0; c < 2; ++c) {
        for (std::size_t r = 0; r < at.position.size(); ++r) v.gradient[c][r] = size * u.gradient[c][r];
        v.value[c] = u.value[0] * u.value[1] + at.inputs[0].value[0] / (2 + u.value[c] * u.value[c]);
      }
      return v;
    };
  }
};
struct reacting_tangent : kind<sumfac::tangent<reacting_form>> {
  static constexpr bool by_differences = true;
  static integrand exact() { return derivative_of(reacting::exact()); }
};

// An energy of the values and gradients of two components: (1 + u_0^2) |grad u|^2 / 2 + u_0^2 u_1 + u_1^4.
struct stored_energy : with_metric {
  static constexpr auto trial = value | gradient;
  static constexpr int components = 2;
  template <class Factors, class T, int Dim>
  SUMFAC_FUNCTION T energy(Factors const& f, point_values<T, 2, Dim> const& u) const
  {
    T square = T(0.0);
    for (int c = 0; c < 2; ++c)
      for (int a = 0; a < Dim; ++a)
        for (int b = 0; b < Dim; ++b) square = square + f.metric(a, b) * u.gradient(c, a) * u.gradient(c, b);
    T const zero_squared = u.value[0] * u.value[0], one_squared = u.value[1] * u.value[1];
    return T(0.5) * (T(1.0) + zero_squared) * square +
           f.measure * (zero_squared * u.value[1] + one_squared * one_squared);
  }
};
struct energy : kind<sumfac::residual<stored_energy>> {
  static integrand exact()
  {
    return [](place const& at, flat_field const& u) {
      auto v = zero_as(u);
      real const first = u.value[0], second = u.value[1];
      real square = 0;
      for (std::size_t c = 0; c < 2; ++c)
        for (std::size_t r = 0; r < at.position.size(); ++r) {
          square += u.gradient[c][r] * u.gradient[c][r];
          v.gradient[c][r] = (1 + first * first) * u.gradient[c][r];
        }
      v.value = {first * square + 2 * first * second, first * first + 4 * second * second * second};
      return v;
    };
  }
};
struct energy_tangent : kind<sumfac::tangent<sumfac::residual<stored_energy>>, true> {
  static constexpr bool by_differences = true;
  static integrand exact() { return derivative_of(energy::exact()); }
};

// 1 / u, which lanes behind the last element must not make of 0.
struct dividing_form : support::measured {
  static constexpr auto trial = value, test = value;
  static constexpr bool linear = false;
  using inputs = sumfac::reads<sumfac::input{}>;
  template <class T, int Dim>
  SUMFAC_FUNCTION point_values<T, 1, Dim> apply(factors<T> const& f, point_values<T, 1, Dim> const& u,
                                                point_values<T, 1, Dim> const& k) const
  {
    return {.value = f.measure / (u.value * k.value)};
  }
};
struct dividing : kind<dividing_form> {
  static integrand exact()
  {
    return [](place const& at, flat_field const& u) {
      auto v = zero_as(u);
      v.value[0] = 1 / (u.value[0] * at.inputs[0].value[0]);
      return v;
    };
  }
};

}  // namespace instances
