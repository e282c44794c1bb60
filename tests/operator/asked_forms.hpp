// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Forms that read and return what a test wants of them.
#pragma once

#include <support/measured.hpp>
#include <support/message_of.hpp>

#include <sumfac/error.hpp>
#include <sumfac/form/form.hpp>
#include <sumfac/math/functions.hpp>
#include <sumfac/view/view.hpp>

#include <string>

namespace asked {

// On elements and on faces; at first it reads what trial names, and returns what test does.
template <sumfac::evaluation Trial, sumfac::evaluation Test, int C = 1>
struct counted_members : support::measured {
  static constexpr auto trial = Trial, test = Test;
  static constexpr int components = C;

  template <class T, int Dim>
  SUMFAC_FUNCTION sumfac::point_values<T, C, Dim> apply(factors<T> const& f,
                                                        sumfac::point_values<T, C, Dim> const& u) const
  {
    T sum = f.measure;
    if constexpr (C == 1) {
      if (reads_value) sum = sum * u.value;
      if (reads_gradient) sum = sum + sumfac::scalar_of<T>(scale) * u.gradient[Dim - 1];
      if (looks_at_gradient) sum = sumfac::select(u.gradient[0] * sumfac::scalar_of<T>(scale) > T(0), sum, sum + sum);
    } else {
      if (reads_value) sum = sum * u.value[C - 1];
      if (reads_gradient) sum = sum + sumfac::scalar_of<T>(scale) * u.gradient(C - 1, Dim - 1);
    }
    sumfac::point_values<T, C, Dim> v;
    if constexpr (C == 1) {
      if (returns_value) v.value = sum;
      if (returns_gradient) v.gradient[0] = sum;
    } else {
      if (returns_value) v.value[C - 1] = sum;
      if (returns_gradient) v.gradient(C - 1, 0) = sum;
    }
    return v;
  }

  bool reads_value = has(Trial, sumfac::value), reads_gradient = has(Trial, sumfac::gradient);
  bool returns_value = has(Test, sumfac::value), returns_gradient = has(Test, sumfac::gradient);
  bool looks_at_gradient = false;
  double scale = 1;
};

// The same, with more of what it reads and returns.
template <class Form>
Form with(Form form, bool reads_value, bool reads_gradient, bool returns_value, bool returns_gradient)
{
  form.reads_value |= reads_value, form.reads_gradient |= reads_gradient;
  form.returns_value |= returns_value, form.returns_gradient |= returns_gradient;
  return form;
}

struct at_points : counted_members<sumfac::value, sumfac::value> {
  template <class Point, class T>
  SUMFAC_FUNCTION sumfac::point_values<T> apply_at(Point const& x, sumfac::point_values<T> const& u) const
  {
    if (reads_gradient_at) return {.value = x.measure() * (u.value + u.gradient[0])};
    return {.value = x.measure() * u.value};
  }
  bool reads_gradient_at = false;
};

// Two other functions: the gradient of one, the value of the other.
struct with_input : support::measured {
  static constexpr auto trial = sumfac::value, test = sumfac::value;
  using inputs = sumfac::reads<sumfac::input{.components = 3, .evaluates = sumfac::gradient}, sumfac::input{}>;

  template <class T>
  sumfac::point_values<T> apply(factors<T> const& f, sumfac::point_values<T> const& u,
                                sumfac::point_values<T, 3> const& a, sumfac::point_values<T> const& b) const
  {
    T k = a.gradient(2, 1) + b.value;
    if (reads_gradient) k = k * b.gradient[0];
    return {.value = f.measure * k * u.value};
  }
  bool reads_gradient = false;
};

// Of three components, tested by one.
struct to_one : support::measured {
  static constexpr auto trial = sumfac::gradient, test = sumfac::value;
  static constexpr int components = 3, test_components = 1;

  template <class T>
  sumfac::point_values<T> apply(factors<T> const& f, sumfac::point_values<T, 3> const& u) const
  {
    sumfac::point_values<T> v;
    v.value = f.measure * (u.gradient(0, 0) + u.gradient(1, 1) + u.gradient(2, 2));
    if (returns_gradient) v.gradient[2] = u.gradient(0, 2);
    return v;
  }
  bool returns_gradient = false;
};

// |grad u|^2 / 2
struct of_energy : support::measured {
  static constexpr auto trial = sumfac::gradient;

  template <class T>
  T energy(factors<T> const& f, sumfac::point_values<T> const& u) const
  {
    T sum = f.measure * dot(u.gradient, u.gradient);
    if (reads_value) sum = sum * u.value;
    return sum;
  }
  bool reads_value = false;
};

// The unit cube, or square.
inline auto cube(double (&nodes)[24])
{
  for (int i = 0; i < 24; ++i) nodes[i] = i / 3 >> i % 3 & 1;
  return sumfac::view(nodes, 1, 2, 2, 2, 3);
}
inline auto square(double (&nodes)[8])
{
  for (int i = 0; i < 8; ++i) nodes[i] = i / 2 >> i % 2 & 1;
  return sumfac::view(nodes, 1, 2, 2, 2);
}

using support::message_of;

// What is said when an operator with this form is made.
template <class Operator>
std::string made(typename Operator::form_type const& form)
{
  return message_of([&] {
    if constexpr (Operator::directions == 3) {
      double nodes[24];
      Operator(typename Operator::backend_type{}, cube(nodes), form);
    } else {
      double nodes[8];
      Operator(typename Operator::backend_type{}, square(nodes), form);
    }
  });
}

}  // namespace asked
