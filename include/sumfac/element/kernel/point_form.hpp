// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The form at one point, between what a kernel has there and where it puts what comes of it.
#pragma once

#include <sumfac/form/form.hpp>
#include <sumfac/tensor/pencil.hpp>

#include <cstring>

namespace sumfac::SUMFAC_TARGET::detail {

// Component c of a point's value and gradient, whether it has one component or several.
template <class T, int Components, int Dim>
SUMFAC_INLINE auto& value_of(point_values<T, Components, Dim>& u, [[maybe_unused]] int c)
{
  if constexpr (Components == 1)
    return u.value;
  else
    return u.value[c];
}
template <class T, int Components, int Dim>
SUMFAC_INLINE auto& gradient_of(point_values<T, Components, Dim>& u, [[maybe_unused]] int c, int direction)
{
  if constexpr (Components == 1)
    return u.gradient[direction];
  else
    return u.gradient(c, direction);
}

// The same numbers in all lanes of Number: To is From of packs.
template <class To, class Number, class From>
To in_all_lanes(From const& x)
{
  constexpr int count = int{sizeof(From) / sizeof(double)};
  double number[count];
  Number same[count];
  std::memcpy(number, &x, sizeof x);
  for (int i = 0; i < count; ++i) same[i] = Number(number[i]);
  To to;
  std::memcpy(&to, same, sizeof to);
  return to;
}

// Derivatives of a kernel that has none.
struct no_slopes {};

// The form at a point (as apply_form takes it): u(c) and the derivatives x(c), y(c), z(c) of component c are read where
// the form has them in its trial function. put(c, value) gets what is tested against values, 0 where nothing is;
// fluxes, where there are any, take the place of the derivatives. Of elements of fewer directions z and y are not
// called, and of a form without derivatives none of them.
template <class T, int Dim = 3, class Form, class At, class Value, class Put, class AlongX = no_slopes,
          class AlongY = no_slopes, class AlongZ = no_slopes>
SUMFAC_INLINE void apply_at_point(Form const& form, At const& at, Value const& u, Put const& put, AlongX const& x = {},
                                  AlongY const& y = {}, AlongZ const& z = {})
{
  constexpr int components = components_of<Form>;
  point_values<T, components, Dim> of_trial;
  SUMFAC_UNROLL
  for (int c = 0; c < components; ++c) {
    if constexpr (has(Form::trial, value)) value_of(of_trial, c) = u(c);
    if constexpr (has(Form::trial, gradient)) {
      gradient_of(of_trial, c, 0) = held<T>(x(c));
      if constexpr (Dim >= 2) gradient_of(of_trial, c, 1) = held<T>(y(c));
      if constexpr (Dim >= 3) gradient_of(of_trial, c, 2) = held<T>(z(c));
    }
  }
  auto tested = apply_form(form, at, of_trial);  // const, g++ would keep it in memory
  SUMFAC_UNROLL
  for (int c = 0; c < test_components_of<Form>; ++c) {
    if constexpr (has(Form::test, value))
      put(c, value_of(tested, c));
    else
      put(c, T(0));
    if constexpr (has(Form::test, gradient)) {
      x(c) = gradient_of(tested, c, 0);
      if constexpr (Dim >= 2) y(c) = gradient_of(tested, c, 1);
      if constexpr (Dim >= 3) z(c) = gradient_of(tested, c, 2);
    }
  }
}

// The form at a point of a problem between fields of functions, the value first where there is one: seen(c, f) is field
// f of component c of the trial function; tested(c, f) gets what comes of it.
template <class Problem, class T, class At, class Seen, class Tested>
SUMFAC_INLINE void apply_to_fields(typename Problem::form const& form, At const& at, Seen const& seen,
                                   Tested const& tested)
{
  using form_type = typename Problem::form;
  constexpr int directions = Problem::directions, components = Problem::components;
  constexpr int test_components = Problem::test_side::components;
  constexpr int values = has(form_type::trial, value) ? 1 : 0, test_values = has(form_type::test, value) ? 1 : 0;
  T slopes[3][components > test_components ? components : test_components];
  if constexpr (Problem::has_slopes) {
    SUMFAC_UNROLL
    for (int c = 0; c < components; ++c) SUMFAC_UNROLL
    for (int d = 0; d < directions; ++d) slopes[d][c] = seen(c, values + d);
  }
  apply_at_point<T, directions>(
      form, at, [&](int c) SUMFAC_LAMBDA { return seen(c, 0); },
      [&](int c, T x) SUMFAC_LAMBDA {
        if constexpr (test_values > 0) tested(c, 0) = x;
      },
      [&](int c) SUMFAC_LAMBDA -> T& { return slopes[0][c]; }, [&](int c) SUMFAC_LAMBDA -> T& { return slopes[1][c]; },
      [&](int c) SUMFAC_LAMBDA -> T& { return slopes[2][c]; });
  if constexpr (Problem::has_fluxes) {
    SUMFAC_UNROLL
    for (int c = 0; c < test_components; ++c) SUMFAC_UNROLL
    for (int d = 0; d < directions; ++d) tested(c, test_values + d) = slopes[d][c];
  }
}

// The points of a line in their order.
struct in_order {
  SUMFAC_INLINE constexpr int operator()(int step) const { return step; }
};

// The form at the points of a line, whose point q is at_point(q): the same with u(c, q), put(c, q, value) and x(c, q),
// y(c, q), z(c, q). Step by step it is worked at point order(step).
template <class T, int Dim, int Size, class Form, class Line, class Value, class Put, class AlongX = no_slopes,
          class AlongY = no_slopes, class AlongZ = no_slopes, class Order = in_order>
SUMFAC_INLINE void apply_on_line(Form const& form, Line&& at_point, Value const& u, Put const& put,
                                 AlongX const& x = {}, AlongY const& y = {}, AlongZ const& z = {},
                                 Order const& order = {})
{
  SUMFAC_UNROLL
  for (int step = 0; step < Size; ++step) {
    int const q = order(step);
    apply_at_point<T, Dim>(
        form, at_point(q), [&](int c) SUMFAC_LAMBDA -> decltype(auto) { return u(c, q); },
        [&](int c, T number) SUMFAC_LAMBDA { put(c, q, number); },
        [&](auto c) SUMFAC_LAMBDA -> decltype(auto) { return x(c, q); },
        [&](auto c) SUMFAC_LAMBDA -> decltype(auto) { return y(c, q); },
        [&](auto c) SUMFAC_LAMBDA -> decltype(auto) { return z(c, q); });
  }
}

// A line of what a form is tested against: in the trial function's place, or its own where it has other components.
template <class Problem, class T, int Components = Problem::test_side::components>
struct lines_of_test {
  pencil<T, Problem::points_1d> lines[Components];
  SUMFAC_INLINE auto& beside(pencil<T, Problem::points_1d> (&)[Problem::components]) { return lines; }
};
template <class Problem, class T, int Components>
  requires(Components == Problem::components)
struct lines_of_test<Problem, T, Components> {
  SUMFAC_INLINE auto& beside(pencil<T, Problem::points_1d> (&u)[Problem::components]) { return u; }
};

}  // namespace sumfac::detail
