// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The numbers of a form's inputs at a point, side by side, and how they become arguments.
#pragma once

#include <sumfac/form/inputs.hpp>
#include <sumfac/form/point_values.hpp>

#include <utility>

namespace sumfac::SUMFAC_TARGET::detail {

// Numbers that are evaluated of an input.
constexpr int numbers_of(input const& i, int directions = 3)
{
  return i.components * ((has(i.evaluates, value) ? 1 : 0) + (has(i.evaluates, gradient) ? directions : 0));
}

template <input... Inputs>
constexpr int numbers_of(reads<Inputs...>, [[maybe_unused]] int directions = 3)
{
  return (0 + ... + numbers_of(Inputs, directions));
}

// Calls f(i, number) for each number that Evaluates names of values and gradients, in the order in which they are kept.
template <evaluation Evaluates, class T, int Components, int Dim, class Function>
SUMFAC_INLINE void for_each_kept(point_values<T, Components, Dim>& u, Function const& f)
{
  constexpr int first_slope = has(Evaluates, value) ? Components : 0;
  if constexpr (has(Evaluates, value)) {
    if constexpr (Components == 1) {
      f(0, u.value);
    } else {
      SUMFAC_UNROLL
      for (int c = 0; c < Components; ++c) f(c, u.value[c]);
    }
  }
  if constexpr (has(Evaluates, gradient)) {
    SUMFAC_UNROLL
    for (int i = 0; i < Dim * Components; ++i) f(first_slope + i, u.gradient.entries[i]);
  }
}

template <class T, class Reads, int Directions = 3>
struct input_numbers;
template <class T, input... Inputs, int Directions>
struct input_numbers<T, reads<Inputs...>, Directions> {
  static constexpr int count = numbers_of(reads<Inputs...>{}, Directions);
  static constexpr input list[sizeof...(Inputs) + 1] = {Inputs..., {}};

  T numbers[count > 0 ? count : 1];

  // The place of the first number of input I.
  template <int Index>
  static constexpr int first_of = [] {
    int first = 0;
    for (int i = 0; i < Index; ++i) first += numbers_of(list[i], Directions);
    return first;
  }();

  template <int Index>
  SUMFAC_INLINE auto get() const
  {
    point_values<T, list[Index].components, Directions> u{};
    for_each_kept<list[Index].evaluates>(u, [&](int i, T& x) SUMFAC_LAMBDA { x = numbers[first_of<Index> + i]; });
    return u;
  }

  // f of all of them.
  template <class Function>
  SUMFAC_INLINE auto pass_to(Function const& f) const
  {
    return [&]<int... Is>(std::integer_sequence<int, Is...>)
               SUMFAC_LAMBDA { return f(get<Is>()...); }(std::make_integer_sequence<int, int{sizeof...(Inputs)}>{});
  }
};

// What the form has at a point, its factors or the geometry, and the inputs.
template <class At, class Numbers>
struct point_with_inputs {
  At at;
  Numbers inputs;
};
template <class At>
inline constexpr bool has_inputs = false;
template <class At, class Numbers>
inline constexpr bool has_inputs<point_with_inputs<At, Numbers>> = true;

}  // namespace sumfac::detail
