// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What a form is given at a point, in dual numbers: u with its derivatives, and all else as constants.
#pragma once

#include <sumfac/form/form.hpp>
#include <sumfac/math/dual.hpp>

#include <type_traits>
#include <utility>

namespace sumfac::SUMFAC_TARGET::detail {

// Entry i of a point's value and gradient side by side, for each that `reads` names.
template <evaluation Reads, int Components, int Dim = 3>
inline constexpr int entries_read = Components * ((has(Reads, value) ? 1 : 0) + (has(Reads, gradient) ? Dim : 0));

// Calls f(i, entry of a, entry of b, ...) for each of the entries that Reads names; a, b, ... are point_values.
template <evaluation Reads, int Components, int Dim, class Function, class... Values>
SUMFAC_INLINE void for_each_entry(Function const& f, Values&... values)
{
  constexpr int first_slope = has(Reads, value) ? Components : 0;
  if constexpr (has(Reads, value) && Components == 1) {
    f(0, values.value...);
  } else if constexpr (has(Reads, value)) {
    SUMFAC_UNROLL
    for (int c = 0; c < Components; ++c) f(c, values.value[c]...);
  }
  if constexpr (has(Reads, gradient)) {
    SUMFAC_UNROLL
    for (int i = 0; i < Dim * Components; ++i) f(first_slope + i, values.gradient.entries[i]...);
  }
}

// u as constants of type To.
template <class To, class T, int Components, int Dim>
SUMFAC_INLINE point_values<To, Components, Dim> lifted(point_values<T, Components, Dim> const& u)
{
  point_values<To, Components, Dim> result;
  for_each_entry<value | gradient, Components, Dim>([](int, To& to, T const& from) { to.value = from; }, result, u);
  return result;
}

template <class To, class Values>
using lifted_type = decltype(lifted<To>(std::declval<Values const&>()));

// A point's factors as constants of type To.
template <class Form, class To, class T, int Dim>
SUMFAC_INLINE factors_at<Form, To, Dim> lifted_factors(factors_at<Form, T, Dim> const& factors)
{
  constexpr int count = factors_of<Form, Dim>;
  auto const* from = reinterpret_cast<T const*>(&factors);
  factors_at<Form, To, Dim> result;
  auto* to = reinterpret_cast<To*>(&result);
  SUMFAC_UNROLL
  for (int i = 0; i < count; ++i) to[i] = from[i];
  return result;
}

// The number type of a point's factors, T or what it has below it; void where they are no factors of the form.
template <class Form, class Factors, class T, int Dim>
struct number_of_factors {
  using type = void;
};
template <class Form, class Factors, class T, int Dim>
  requires std::is_same_v<Factors, factors_at<Form, T, Dim>>
struct number_of_factors<Form, Factors, T, Dim> {
  using type = T;
};
template <class Form, class Factors, class T, int Directions, int Dim>
  requires(!std::is_same_v<Factors, factors_at<Form, dual<T, Directions>, Dim>>)
struct number_of_factors<Form, Factors, dual<T, Directions>, Dim> : number_of_factors<Form, Factors, T, Dim> {};
template <class Form, class Factors, class T, int Dim>
using number_of = typename number_of_factors<Form, Factors, T, Dim>::type;
template <class Form, class Factors, class T, int Dim>
concept factors_below = !std::is_void_v<number_of<Form, Factors, T, Dim>>;

// Whether Form's energy takes them. A concept, since compilers of CUDA 13.0 fail at the same requirement within a
// function.
template <class Form, class Factors, class Values, class... Inputs>
concept has_energy_at = requires(Form const& form, Factors const& factors, Values const& u, Inputs const&... inputs) {
  form.energy(factors, u, inputs...);
};

// u and its derivative w, in the entries that Reads names.
template <evaluation Reads, class T, int Components, int Dim>
SUMFAC_INLINE point_values<dual<T>, Components, Dim> moved(point_values<T, Components, Dim> const& u,
                                                           point_values<T, Components, Dim> const& w)
{
  point_values<dual<T>, Components, Dim> result;
  for_each_entry<Reads, Components, Dim>(
      [](int, dual<T>& to, T const& x, T const& dx) {
        to.value = x;
        to.derivatives[0] = dx;
      },
      result, u, w);
  return result;
}

// The derivatives alone.
template <evaluation Tests, class T, int Components, int Dim>
SUMFAC_INLINE point_values<T, Components, Dim> slopes(point_values<dual<T>, Components, Dim> const& v)
{
  point_values<T, Components, Dim> result;
  for_each_entry<Tests, Components, Dim>([](int, T& to, dual<T> const& from) { to = from.derivatives[0]; }, result, v);
  return result;
}

// u, each entry that Reads names the variable of a direction of its own.
template <evaluation Reads, class Number, class T, int Components, int Dim>
SUMFAC_INLINE point_values<Number, Components, Dim> variables(point_values<T, Components, Dim> const& u)
{
  point_values<Number, Components, Dim> result;
  for_each_entry<Reads, Components, Dim>(
      [](int i, Number& to, T const& from) {
        to.value = from;
        to.derivatives[i] = T(scalar_of<T>(1));
      },
      result, u);
  return result;
}

// A number's derivatives in these variables, each where its variable stood.
template <evaluation Reads, int Components, int Dim, class T, int Directions>
SUMFAC_INLINE point_values<T, Components, Dim> derivatives(dual<T, Directions> const& x)
{
  point_values<T, Components, Dim> result;
  for_each_entry<Reads, Components, Dim>([&](int i, T& to) { to = x.derivatives[i]; }, result);
  return result;
}

// Whether Form has apply_at for a point that offers what it asks for, and numbers of type T.
template <class Form, class Point, class T, int Dim, class... Inputs>
concept applied_at = requires(Form const& form, Point const& x, point_values<T, components_of<Form>, Dim> const& u,
                              Inputs const&... inputs) { form.apply_at(x, u, inputs...); };

// Whether Form's apply, or its energy, takes everything in numbers of type T.
template <class Form, class T, int Dim, class... Inputs>
concept applied_to =
    requires(Form const& form, factors_at<Form, T, Dim> const& f, point_values<T, components_of<Form>, Dim> const& u,
             lifted_type<T, Inputs> const&... inputs) { form.apply(f, u, inputs...); };
template <class Form, class T, int Dim, class... Inputs>
concept has_energy =
    requires(Form const& form, factors_at<Form, T, Dim> const& f, point_values<T, components_of<Form>, Dim> const& u,
             lifted_type<T, Inputs> const&... inputs) { form.energy(f, u, inputs...); };

// A point that offers measure() and metric_times(g), of dual numbers too: it is linear in g.
template <class Point>
struct lifted_point {
  Point const& x;

  SUMFAC_INLINE index_t element(int lane = 0) const { return x.element(lane); }
  SUMFAC_INLINE point_index point() const { return x.point(); }
  SUMFAC_INLINE auto at(auto const& coefficient) const { return x.at(coefficient); }
  SUMFAC_INLINE auto measure() const { return x.measure(); }
  template <class T, int Dim>
  SUMFAC_INLINE vector<T, Dim> metric_times(vector<T, Dim> const& g) const
  {
    if constexpr (below<T>::is_dual) {
      using inner = typename below<T>::type;
      vector<inner, Dim> values, slopes;
      SUMFAC_UNROLL
      for (int d = 0; d < Dim; ++d) values[d] = g[d].value;
      values = metric_times(values);
      vector<T, Dim> result;
      SUMFAC_UNROLL
      for (int d = 0; d < Dim; ++d) result[d].value = values[d];
      SUMFAC_UNROLL
      for (int i = 0; i < T::directions; ++i) {
        SUMFAC_UNROLL
        for (int d = 0; d < Dim; ++d) slopes[d] = g[d].derivatives[i];
        slopes = metric_times(slopes);
        SUMFAC_UNROLL
        for (int d = 0; d < Dim; ++d) result[d].derivatives[i] = slopes[d];
      }
      return result;
    } else {
      return x.metric_times(g);
    }
  }
};

}  // namespace sumfac::detail
