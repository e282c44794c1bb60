// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Other functions that a form reads at the points.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/form/point_values.hpp>

namespace sumfac::SUMFAC_TARGET {

// A function that a form reads beside u: its components, what is evaluated of it, and its degree, 0 for that of the
// operator, at its nodes; another is at nodes of Gauss and Lobatto on products of lines.
struct input {
  int components = 1;
  evaluation evaluates = value;
  int order = 0;
};

// What a form's type `inputs` is: apply, and apply_at, take a point_values<T, components> of each behind u.
template <input... Inputs>
struct reads {
  static constexpr int count = int{sizeof...(Inputs)};
};

namespace detail {

template <class Inputs>
inline constexpr bool is_reads = false;
template <input... Inputs>
inline constexpr bool is_reads<reads<Inputs...>> = true;

template <class Form>
struct inputs_of_form {
  using type = reads<>;
};
template <class Form>
  requires is_reads<typename Form::inputs>
struct inputs_of_form<Form> {
  using type = typename Form::inputs;
};

template <class First, class Second>
struct join_inputs;
template <input... First, input... Second>
struct join_inputs<reads<First...>, reads<Second...>> {
  using type = reads<First..., Second...>;
};
template <class First, class Second>
using joined_inputs = typename join_inputs<First, Second>::type;

}  // namespace detail

// The inputs of a form: reads<> where it names none.
template <class Form>
using inputs_of = typename detail::inputs_of_form<Form>::type;

}  // namespace sumfac
