// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Other functions that a form reads at the points.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/config.hpp>
#include <sumfac/form/form.hpp>

namespace sumfac::inline SUMFAC_TARGET {

struct input {
  int components = 1;
  evaluation evaluates = value;
  int order = 0;
};

template <input... Inputs>
struct reads {
  static constexpr int count = int{sizeof...(Inputs)};
};

namespace detail {

template <class Form>
struct inputs_of_form {
  using type = reads<>;
};
template <class Form>
  requires requires { typename Form::inputs; }
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

template <class Form>
using inputs_of = typename detail::inputs_of_form<Form>::type;

}  // namespace sumfac
